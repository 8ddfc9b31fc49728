local bhive = require "portolan.format.bhive"
local experiment = require "portolan.experiment"

local source = assert(os.getenv("PORTOLAN_SOURCE"))
local path = source .. "/tests/data/bhive.csv"

local function exists(name)
  local f = io.open(name)
  if f then f:close() end
  return f ~= nil
end

-- What decodes wholly of a recorded file: blocks, those that do not.
local function recorded(name, block)
  local file = source .. "/../shared/data/blocks/" .. name
  if exists(file) then
    it("are decoded: " .. name, function() block(bhive.experiments(file)) end)
  else
    pending("are decoded: " .. name .. " (no recorded data at ../shared/data)")
  end
end

describe("BHive's tables", function()
  it("give blocks with lines and frequencies", function()
    local next_block = assert(bhive.open(path))
    assert.same({ code = "\x48\x83\xc2\x01\x48\x83\xfa\x40", frequency = 0.25, line = 1 }, next_block())
    assert.equal(12, next_block().frequency)
    assert.same({ code = "\x48\x01\xd8", frequency = 3e-5, line = 4 }, next_block())
    assert.is_nil(next_block())
  end)
  it("give experiments, with cycles where the number is a throughput", function()
    local list, strange = assert(bhive.experiments(path))
    assert.same({}, strange)
    assert.same({ "add r64, imm8 + cmp r64, imm8", "movdqu xmm, m128 + pcmpeqb xmm, xmm", "add r64, r64" },
      { experiment.format(list[1].e), experiment.format(list[2].e), experiment.format(list[3].e) })
    assert.equal("not recorded", list[1].status)
    local timed = assert(bhive.experiments(path, "throughput"))
    assert.equal(0.12, timed[2].cycles)
    assert.is_nil(timed[2].frequency)
    assert.equal("ok", timed[2].status)
  end)
  it("say which blocks do not decode", function()
    local blocks = assert(bhive.parse("4801d8,1\n06,1\n,1\n"))
    assert.is_nil(bhive.experiment(blocks[3]))
    assert.is_truthy(bhive.experiment(blocks[1]))
    local e, message = bhive.experiment(blocks[2])
    assert.is_nil(e)
    assert.is_string(message)
  end)
  it("are refused with line and field", function()
    for row, words in pairs {
      ["4801d8"] = "two fields", ["4801d8,1,2"] = "two fields", ["4801d,1"] = "field 1", ["48 01,1"] = "field 1",
      ["4801d8,"] = "field 2", ["4801d8,x"] = "field 2", ["4801d8,-1"] = "field 2", ["4801d8,nan"] = "field 2", ["4801d8,1e999"] = "field 2",
      ["4801d8,0x10"] = "field 2", ["hex,frequency"] = "field 1", ["a,\0"] = "field",
    } do
      local list, message = bhive.parse("90,1\n" .. row .. "\n", "b.csv")
      assert.is_nil(list, row)
      assert.matches("^b%.csv:2: [^\n]+$", message)
      assert.matches(words, message)
    end
    local list, message = bhive.parse("90,0\n", "b.csv", "throughput")
    assert.is_nil(list)
    assert.matches("field 2 %(throughput%)", message)
    assert.is_nil(bhive.open("/nonexistent"))
    assert.is_nil(bhive.open("/"))
  end)
  it("with an endless line are given up", function()
    local name = os.tmpname()
    local f = assert(io.open(name, "w"))
    f:write("90,1\n", ("90"):rep(1 << 20))
    f:close()
    local next_block = assert(bhive.open(name))
    assert.equal(1, next_block().line)
    local block, message = next_block()
    os.remove(name)
    assert.is_nil(block)
    assert.matches(":2: the row is longer", message)
  end)
  recorded("gzip-compress.csv", function(list, strange)
    assert.same({ 1888, 1 }, { #list, #strange })
    assert.same({ line = 1881, message = "there is no code" }, strange[1])
  end)
  recorded("redis-server-5000.csv", function(list, strange)
    assert.same({ 4999, 1 }, { #list, #strange })
    assert.matches("cut short", strange[1].message)
  end)
end)
