-- A hypothesis from evidence alone: what the bank of a core shows (tests/recordings), and a made-up core.
local evidence = require "portolan.infer.evidence"
local experiments = require "portolan.experiment.list"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"

local root = os.getenv "PORTOLAN_SOURCE" .. "/tests/recordings/"

-- The experiments of a bank that could be measured.
local function bank(core, ...)
  local all = {}
  for _, name in ipairs { ... } do
    local path = ("%s%s/%s.jsonl.gz"):format(root, core, name)
    local pipe <close> = assert(io.popen(("gzip -dc '%s'"):format(path)))
    all = lists.joined(all, assert(experiments.parse(pipe:read "a", path)))
  end
  return lists.where(all, function(record) return record.status == "ok" end)
end

local function ports_of(m, name)
  local uops = m.schemes[name].uops
  return #uops == 1 and #uops[1][1] or 0
end

describe("the evidence of a zen4", function()
  local found
  lazy_setup(function()
    local names = lists.map(bank("zen4", "singles"), function(record) return (next(record.e)) end)
    found = assert(evidence.explain(bank("zen4", "singles", "fillers", "pairs", "floods"), names, { ports = 11, islands = 2, population = 2,
      core_generations = 2, generations = 1 }))
  end)

  it("tells what fills issue slots, and how many there are", function()
    assert.equal("mov r64, r64", found.filler)
    assert.equal(6, found.rmax)
    for _, c in ipairs(found.candidates) do
      assert.equal(not c.name:find "^nop", c.serves, c.name)
    end
  end)

  it("tells the slots of schemes, and of which no number fits", function()
    for name, slots in pairs { ["add r64, r64"] = 1, ["imul r64, r64"] = 1, ["popcnt r64, r64"] = 1, ["mov r64, m64"] = 1, ["mov m64, r64"] = 1,
      ["vpaddd ymm, ymm, ymm"] = 1, ["vaddpd ymm, ymm, m256"] = 1, ["vpermd ymm, ymm, ymm"] = 1, ["xchg r64, r64"] = 2, ["add m64, r64"] = 2,
      ["vptest ymm, ymm"] = 2, ["vpextrd r32, xmm, imm8"] = 2, ["vcvtsi2sd xmm, xmm, r64"] = 2, ["nop"] = 0 } do
      assert.equal(slots, found.slots[name], name)
    end
    for _, name in ipairs { "vphaddd ymm, ymm, ymm", "vhaddpd ymm, ymm, ymm", "shld r64, r64, imm8" } do
      assert.is_truthy(found.none_fits[name], name)
    end
    assert.is_nil(found.none_fits["add r64, r64"])
  end)

  it("tells what is eliminated", function()
    for _, name in ipairs { "mov r64, r64", "vmovaps ymm, ymm", "vmovdqa ymm, ymm", "xchg r64, r64" } do
      assert.same({}, found.mapping.schemes[name].uops)
    end
    assert.is_nil(found.eliminated["add r64, r64"])
  end)

  it("gives additions and vector logic four ports each, and together as many as the front end lets show", function()
    local m = found.mapping
    assert.equal(4, ports_of(m, "add r64, r64"))
    assert.equal(4, ports_of(m, "vpaddd ymm, ymm, ymm"))
    local both = lists.set(lists.joined(m.schemes["add r64, r64"].uops[1][1], m.schemes["vpaddd ymm, ymm, ymm"].uops[1][1]))
    assert.is_true(lists.size(both) >= found.rmax)
  end)

  it("predicts mixtures that it was not shown", function()
    local model, sum, records = assert(mapping.compile(found.mapping)), 0, bank("zen4", "random")
    for _, record in ipairs(records) do sum = sum + math.abs(assert(model:throughput(record.e)) / record.cycles - 1) end
    assert.is_true(sum / #records < 0.1, sum / #records)
  end)
end)

describe("evidence", function()
  it("says so where nothing fills issue slots", function()
    local found, message = evidence.explain({ { e = { a = 1 }, cycles = 1 } }, { "a" }, { ports = 2 })
    assert.is_nil(found)
    assert.matches("nothing fills issue slots", message, 1, true)
  end)

  it("believes one reading that is fast rather than several that are slow", function()
    local list = { { e = { a = 1 }, cycles = 1 }, { e = { b = 1 }, cycles = 1 }, { e = { a = 1, b = 1 }, cycles = 1 } } -- two ports
    for n = 2, 6 do list[#list + 1] = { e = { a = n, b = 1 }, cycles = n + 1 } end -- or one
    local found = assert(evidence.explain(list, { "a", "b" }, { ports = 4, rmax = 6 }))
    assert.equal(1, assert(mapping.compile(found.mapping)):throughput { a = 1, b = 1 })
    assert.equal(2, #found.mapping.ports)
  end)
end)
