-- What core.bench's sessions make of hostile arguments. Code is measured as little as can be: uncalibrated, one processor.
local core = require "portolan.core"

describe("a measuring session", function()
  local session
  setup(function() session = assert(core.bench.open { uncalibrated = true, patience = 1 }) end)
  teardown(function() session:close() end)

  local nop = core.isa.host == "aarch64" and "\x1f\x20\x03\xd5" or "\x90"
  local function kernel() return { bytes = nop, copies = 1, vector_bits = 0 } end

  it("reads raw lists: a growing length and metamethods that close it do nothing", function()
    local calls = 0
    local growing = setmetatable({ { kernel() } }, { __len = function() calls = calls + 1 return 1000 * calls end })
    local closing = setmetatable({}, { __index = function() session:close() end, __len = function() session:close() return 3 end })
    assert.equal(1, #session:run(growing))
    assert.equal(0, #session:run(closing))
    assert.has_error(function() session:run { closing } end)
    assert.has_error(function() session:run { { closing } } end)
    assert.equal(0, calls)
  end)

  it("takes pages that a program may have, the same for all variants, and says which it mapped", function()
    local function with(pages)
      local k = kernel()
      k.pages, k.probe = pages, true
      return k
    end
    for _, pages in ipairs { { 5 }, { 0 }, { -4096 }, { 0x10000 + 8 }, { 1 << 47 }, { 4096.5 }, { "0x10000" }, { 0x10000, false } } do
      assert.error_matches(function() session:run { { with(pages) } } end, "pages must be addresses of pages")
    end
    local many = {}
    for i = 1, core.bench.layout.pages + 1 do many[i] = (0x100000 + i) << 16 end
    assert.error_matches(function() session:run { { with(many) } } end, "at most %d+ pages")
    assert.error_matches(function() session:run { { with {}, kernel() } } end, "all of its kernels must have pages, or none")
    assert.error_matches(function() session:run { { kernel(), with {} } } end, "all of its kernels must have pages, or none")
    if session:describe().layers.emulator then pending "an emulator maps no page twice" return end
    many[#many] = nil
    local results = session:run { { with(many) }, { kernel() }, { with {}, with(many) } }
    assert.same({ "ok", many }, { results[1].status, results[1].pages })
    assert.is_nil(results[1].cycles)
    assert.is_nil(results[2].pages)
    assert.same({ "ok", {} }, { results[3].status, results[3].pages })
    local own = session:run({ { with { 0x400000 } } })[1] -- where the program that runs it is itself
    assert.same({ "memory fault", 0x400000 }, { own.status, own.fault })
  end)

  it("is in use while its progress function runs, and usable after an error of it", function()
    local messages, others = {}, 0
    local result = session:run({ { kernel() } }, function()
      for _, f in ipairs { session.close, session.describe, session.run } do
        messages[#messages + 1] = select(2, pcall(f, session, {}))
      end
      local thread = coroutine.create(session.close)
      messages[#messages + 1] = select(2, coroutine.resume(thread, session))
      others = others + core.base.rng(1):below(1) + 1
    end)
    assert.equal(1, #result)
    if others > 0 then -- it was called
      for _, message in ipairs(messages) do assert.matches("session is in use", message) end
      assert.has_error(function() session:run({ { kernel() } }, function() error("mine", 0) end) end, "mine")
    end
    assert.truthy(session:describe())
  end)
end)
