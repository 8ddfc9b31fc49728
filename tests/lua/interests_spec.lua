-- What campaigns look for: the built-in functions, changes of blocks that must not matter, criteria of one predictor.
local changes = require "portolan.anica.changes"
local code = require "portolan.anica.code"
local core = require "portolan.core"
local dependencies = require "portolan.block.dependencies"
local domains = require "portolan.anica.domain"
local files = require "portolan.support.file"
local interests = require "portolan.anica.interests"
local lists = require "portolan.support.lists"
local own_interest = require "portolan.anica.own_interest"
local pair = require "portolan.anica.pair"
local process = require "process"

local function bytes_of(text) return assert(core.isa.assemble(text)).bytes end

local blocks = assert(assert(domains.load()):top(4):sample(core.base.rng(5), 150))

-- Cycles by dependencies alone, all latencies 1.
local function bound(block)
  local waits, accesses = assert(dependencies.of(block, { aliasing = "same" }))
  return assert(dependencies.bound(waits, #accesses, function() return 1 end))
end

describe("a change that must not matter", function()
  it("renames registers and keeps schemes, lengths, and which operands are the same", function()
    local changed = 0
    for _, block in ipairs(blocks) do
      local D = domains.load(nil, { blocks = { block }, schemes = {} })
      local A = D:represent(block)
      for _, other in ipairs(changes.renamed(block)) do
        changed = changed + 1
        assert.equal(#block, #other, code.text(block))
        assert.is_true(A:equal(assert(D:represent(other))), code.text(block) .. " -> " .. code.text(other))
      end
    end
    assert.is_true(changed > 200)
    for _, other in ipairs(changes.renamed(bytes_of "sub rcx, 1000")) do assert.is_nil(code.text(other):find("rax", 1, true)) end -- a byte shorter
  end)

  it("keeps registers that schemes fix, that encodings treat otherwise, and that measuring needs", function()
    for text, same in pairs { ["mul rcx; mov rbx, rdx"] = "rdx", ["shl rdx, cl"] = "cl", ["mov al, ah"] = "ah",
      ["mov rbx, qword ptr [r14+0x8]"] = "r14",
      ["lea rbx, [rbp+rsi*2]"] = "rbp", ["push rsp"] = "rsp", ["vmovdqa xmm1, xmm15"] = "xmm15" } do
      local list = changes.renamed(bytes_of(text))
      for _, other in ipairs(list) do assert.matches("%f[%w]" .. same .. "%f[%W]", code.text(other)) end
    end
    assert.same({}, changes.renamed(bytes_of "mov al, ah"))
    assert.equal("imul rcx, rdx", code.text(changes.renamed(bytes_of "imul rax, rcx")[1]))
  end)

  it("exchanges all registers of a group that addresses do not name", function()
    local function texts(text) return lists.map(changes.renamed(bytes_of(text)), code.text) end
    assert.same({ "rol r13, cl", "rol r9, cl", "rol r10, cl" }, texts "rol r12, cl") -- the last is section 8.2's
    assert.is_true(lists.set(texts "rol r10, cl")["rol r13, cl"] and lists.set(texts "add rsi, rdi")["add rbp, rsi"])
    for _, text in ipairs { "mov r12, qword ptr [r8]", "lea r13, [rax+r9*8]", "add rbp, qword ptr [rsi]" } do
      local list = texts(text)
      assert.is_true(#list > 0)
      for _, other in ipairs(list) do assert.matches("^" .. text:match "%w+ %w+" .. ",", other) end
    end
  end)

  it("rotates and copies, which changes no loop's dependencies", function()
    for _, block in ipairs(blocks) do
      for _, other in ipairs(changes.rotated(block)) do assert.equal(bound(block), bound(other), code.text(block)) end
      for _, other in ipairs(changes.renamed(block)) do assert.equal(bound(block), bound(other), code.text(block)) end
      for _, other in ipairs(changes.copied(block)) do assert.is_true(math.abs(2 * bound(block) - bound(other)) < 1e-9, code.text(block)) end
    end
    local parts = changes.rotated(bytes_of "nop; add rax, rbx; imul rcx, rdx")
    assert.same({ "add rax, rbx; imul rcx, rdx; nop", "imul rcx, rdx; nop; add rax, rbx" }, { code.text(parts[1]), code.text(parts[2]) })
    assert.same({}, changes.rotated(bytes_of "add rax, rbx"))
  end)

  it("moves no instruction whose address counts from where it stands", function()
    local block = bytes_of "mov rax, [rip+16]; mov [rip+9], rax"
    assert.same({}, changes.rotated(block))
    assert.same({}, changes.copied(block))
    assert.is_true(#changes.renamed(block) > 0)
    assert.same({}, changes.copied(bytes_of "lea eax, [eip+4]"))
  end)

  it("leaves branches and what is no code alone", function()
    for _, change in ipairs { changes.renamed, changes.rotated, changes.copied } do
      assert.same({}, change "\x75\x00\x48\x01\xd8")
      assert.same({}, change "\x06")
    end
    assert.error(function() core.isa.rename("\x90", 4) end)
    assert.error(function() core.isa.rename("\x90", 0) end)
    assert.is_nil((core.isa.rename("\x06", 1)))
  end)
end)

describe("a function of interestingness", function()
  local crash, unknown, noisy = { crash = true, error = "x" }, { unsupported = true, error = "x" }, { error = "too noisy" }
  local function c(...)
    local list = {}
    for i, x in ipairs { ... } do list[i] = type(x) == "number" and { cycles = x } or x end
    return list
  end

  it("compares any number of predictions", function()
    assert.equal(1, interests.relative(c(1, 3)))
    assert.equal(1, interests.relative(c(2, 3, 1)))
    assert.equal(2, interests.absolute(c(2, 3, 1, 2)))
    assert.equal(0, interests.relative(c(0, 0)))
    for _, f in ipairs { interests.relative, interests.absolute } do
      assert.equal(math.huge, f(c(1, crash, 2)))
      assert.equal(math.huge, f(c(noisy, crash)))
      assert.equal(0, f(c(crash, crash)))
      assert.is_nil(f(c(crash, unknown)))
      assert.is_nil(f(c(1, noisy)))
    end
  end)

  it("counts crashes", function()
    local expected = { { c(1, crash), math.huge, math.huge, 0 }, { c(crash, crash), 0, math.huge, math.huge }, { c(1, 2), 0, 0, 0 },
      { c(crash, crash, 1), 0, math.huge, 0 } }
    for _, case in ipairs(expected) do
      assert.same({ case[2], case[3], case[4] }, { interests.crash_one(case[1]), interests.crash_any(case[1]), interests.crash_all(case[1]) })
    end
    assert.is_nil(interests.crash_any(c(1, unknown)))
  end)

  it("says what issue slots and equal cycles do not explain of two processors", function()
    local more = { predictors = { { width = 4 }, { width = 6 } } }
    assert.equal(0, interests.processors(c(1.5, 1), nil, more)) -- by slots
    assert.equal(0, interests.processors(c(3, 3), nil, more)) -- a chain
    assert.equal(0, interests.processors(c(1.2, 1), nil, more))
    assert.is_true(math.abs(interests.processors(c(3, 1), nil, more) - 2 / 3) < 1e-12) -- twice as much as by slots
    assert.is_true(math.abs(interests.processors(c(1, 2), nil, more) - 2 / 3) < 1e-12) -- and the other way round
    assert.is_true(math.abs(interests.processors(c(1, 2), nil, { predictors = { {}, {} } }) - 2 / 3) < 1e-12)
    assert.equal(math.huge, interests.processors(c(1, crash), nil, more))
  end)
end)

-- A predictor that does not like some register, order or length.
local function predictor(f)
  return { name = "moody", version = "1", deterministic = true, predict = function(_, list)
    local answers = {}
    for i, block in ipairs(list) do answers[i] = { cycles = f(code.text(block), block) } end
    return answers
  end }
end

local function judged(name, f, text)
  local p = pair.new(predictor(f), nil, assert(own_interest.new(name)))
  local v = assert(p:ask { bytes_of(text) })[1]
  return v, p
end

describe("a criterion of one predictor", function()
  it("finds what depends on names, on the first instruction, on the number of copies, and nothing else", function()
    local function by_name(text) return text:find "rcx" and 2 or 1 end
    local function by_first(text) return text:find "^imul" and 3 or 1 end
    local function by_length(_, block) return #block * #block end
    local function fair(_, block) return #block end
    local text = "imul rbx, rdi; add rcx, rsi"
    for name, f in pairs { ["self-renamed"] = by_name, ["self-rotated"] = by_first, ["self-copied"] = by_length } do
      local v, p = judged(name, f, text)
      assert.is_true(v.interesting, name)
      assert.is_true(v.difference > 0.1)
      assert.not_equal(v.a.cycles, v.b.cycles)
      assert.matches("^moody, block ", p.b.name)
      assert.is_false(judged(name, fair, text).interesting)
      for other in pairs { ["self-renamed"] = 1, ["self-rotated"] = 1 } do
        if other ~= name then assert.is_not_true(judged(other, f, text).interesting) end
      end
    end
    assert.equal(2 / 3, judged("self-copied", by_length, "nop").difference)
  end)

  it("has no verdict where nothing can be changed", function()
    assert.is_nil(judged("self-rotated", function() return 1 end, "nop").interesting)
    assert.is_nil(judged("self-renamed", function() return 1 end, "cdq").interesting)
  end)

  it("asks about changes once, beside the block", function()
    local v, p = judged("self-renamed", function() return 1 end, "add rax, rbx")
    assert.is_false(v.interesting)
    assert.equal(1 + #changes.renamed(bytes_of "add rax, rbx"), p.calls)
  end)
end)

describe("a user's function", function()
  local function file(directory, text)
    local path = directory .. "/mine.lua"
    assert(files.write(path, text))
    return path
  end

  it("may ask about changed blocks, and call the built-in functions", function()
    process.in_directory(function(directory)
      local path = file(directory, [[return { predictors = 1, threshold = 0.2,
        blocks = function(block) return { block .. "\x90" } end,
        interesting = function(answers, block, more)
          assert(more.changed[1].block == block .. "\x90" and more.predictors[1].name == "moody")
          return portolan.anica.interests.relative { answers[1], more.changed[1].answers[1] }, more.changed[1].answers[1]
        end }]])
      local v = judged(path, function(_, block) return #block end, "nop")
      assert.same({ true, 1, 2 }, { v.interesting, v.a.cycles, v.b.cycles })
      assert.is_false(judged(path, function(_, block) return 100 + #block end, "nop").interesting)
    end)
  end)

  it("is one line if it is wrong", function()
    process.in_directory(function(directory)
      for text, words in pairs { ["return { interesting = print, predictors = 3 }"] = "must return a function",
        ["return { interesting = print, blocks = 5 }"] = "must return a function" } do
        local c, message = own_interest.new(file(directory, text))
        assert.is_nil(c)
        assert.matches(words, message)
        assert.is_nil(message:find "\n")
      end
      for text, words in pairs { ["return { predictors = 1, interesting = print, blocks = function() return 5 end }"] = "blocks must return a list",
        ["return { predictors = 1, interesting = print, blocks = function() return { 5 } end }"] = "blocks must return a list",
        ["return { predictors = 1, interesting = print, blocks = function(b) return b.x.y end }"] = "attempt to index" } do
        local path = file(directory, text)
        local ok, fault = pcall(judged, path, function() return 1 end, "nop")
        assert.is_false(ok)
        assert.matches(words, tostring(fault))
      end
    end)
  end)
end)

describe("portolan campaign with one predictor", function()
  it("finds the register that a predictor does not like, and can be repeated by its command", function()
    process.in_directory(function(directory)
      local path = directory .. "/moody.lua"
      assert(files.write(path, "return { predict = function(b) return 4 ^ (b.text:match 'mm(%d+)' or 0) end }"))
      local function run(...)
        return process.run { args = { process.portolan, "campaign", "--a", "lua:" .. path, "--interesting", "self-renamed", "--schemes",
          "mnemonic == 'vaddps' or mnemonic == 'add'", "--dry", "2", "--coverage", "30", "--out", directory .. "/out", ... } }
      end
      local r = run()
      assert.equal(0, r.status, r.err)
      assert.matches("against [^\n]*moody.lua, block renamed", r.out)
      local text = assert(files.read(directory .. "/out/discoveries.json"))
      local result = assert(require("portolan.support.json").decode(text))
      assert.is_true(#result.discoveries > 0)
      assert.is_true(result.campaign.alone)
      for _, d in ipairs(result.discoveries) do assert.matches("[xyz]mm%d", d.block.text) end
      local command = require("portolan.report.campaign.commands").campaign(result)
      assert.matches("%-%-interesting self%-renamed", command)
      assert.is_nil(command:find("--b ", 1, true))
    end)
  end)

  it("wants two predictors for what compares them", function()
    local r = process.run { args = { process.portolan, "campaign", "--a", "quarter", "--interesting", "processors" } }
    assert.equal(2, r.status)
    assert.matches("option b: there must be two predictors", r.err)
  end)
end)
