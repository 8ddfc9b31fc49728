-- Latencies of A64 schemes from chains alone, on a simulated core that has known ones.
local isa = require "portolan.scheme.isa"
local latency = require "portolan.infer.latency"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local simulated = require "portolan.processor.simulated"
local truth_of = require "latency_truth"

-- Scheme -> its ports and cycles from every place that it reads to every one that it writes; bases are written back after one.
local core_of = {
  ["add x, x, x"] = { "I0 I1", 1 }, ["madd w, w, w, w"] = { "M", 3 }, ["clz x, x"] = { "I0 I1", 1 }, ["umulh x, x, x"] = { "M", 6 },
  ["mul v.4s, v.4s, v.4s"] = { "F0", 5 }, ["fmul v.4s, v.4s, v.4s"] = { "F0 F1", 4 }, ["fadd d, d, d"] = { "F0 F1", 4 },
  ["fmov d, x"] = { "L", 3 }, ["fmov x, d"] = { "L", 5 }, ["scvtf d, x"] = { "F0", 8 }, ["fcvtzs x, d"] = { "F1", 7 },
  ["ldr x, [x, imm12]"] = { "L", 4 }, ["str x, [x, imm12]"] = { "S", 1 }, ["and x, x, x"] = { "I0 I1", 1 }, ["orr x, x, x"] = { "I0 I1", 1 },
  ["adds x, x, x"] = { "I0 I1", 1 }, ["ands x, x, x"] = { "I0 I1", 2 }, ["csel x, x, x, cond"] = { "I0 I1", 1 }, ["adc x, x, x"] = { "I0", 1 },
  ["adcs x, x, x"] = { "I0", 1 }, ["ccmp x, x, imm4, cond"] = { "I0", 2 }, ["fcmp d, d"] = { "F0", 3 }, ["fcsel d, d, d, cond"] = { "F0 F1", 3 },
  ["ldr x, [x, x, lsl imm]"] = { "L", 5 }, ["ldr x, [x], imm9"] = { "L", 4 }, ["ldr q, [x, imm9]!"] = { "L", 6 },
  ["ld1 {v.4s}, [x], 16"] = { "L", 6 },
  ["ld1 {v.4s}, [x], x"] = { "L", 6 },
  ["str x, [x], imm9"] = { "S", 1 }, ["ldur x, [x, imm9]"] = { "L", 4 }, ["st1 {v.4s}, [x]"] = { "S", 1 },
}

-- The core with its latencies; the same without, as an inference begins.
local function cores()
  local m = { format = mapping.format, version = 1, ports = { "I0", "I1", "M", "L", "S", "F0", "F1" }, rmax = 3, schemes = {} }
  for name, facts in pairs(core_of) do
    local ports = {}
    for port in facts[1]:gmatch "%S+" do ports[#ports + 1] = port end
    m.schemes[name] = { uops = { { ports, 1 } }, slots = 1, status = "explained", latencies = truth_of.latencies(name, facts[2]) }
  end
  assert(mapping.validate(m))
  return m, truth_of.ports_only(m)
end

describe("latencies of A64 schemes", function()
  local truth, known = cores()
  local processor = assert(simulated.new { mapping = truth, seed = 1, noise = { kind = "gaussian", width = 0.005, unit = "relative" } })
  local found = assert(latency.infer(processor, known, { noise = 0.005 }))

  local function of(name, from, to)
    return lists.where(found.latencies[name], function(entry) return entry.from == from and entry.to == to end)[1]
  end

  local function sum(...)
    local cycles = 0
    for _, link in ipairs { ... } do cycles = cycles + of(table.unpack(link)).cycles end
    return cycles
  end

  it("are exact where chains determine them, and inside their intervals elsewhere", function()
    local score = truth_of.compare(truth, found)
    assert.same({}, score.wrong)
    assert.equal(score.determined, score.exact)
    assert.equal(score.intervals, score.contained)
    assert.is_true(score.determined >= 60 and score.intervals >= 8, ("%d, %d"):format(score.determined, score.intervals))
    assert.same({}, found.contradicting)
  end)

  it("go from one file of registers to the other through connectors", function()
    local entry = found.latencies["scvtf d, x"][1]
    assert.matches("^scvtf d, x %[2 > 1%] %-> fmov x, d %[2 > 1%]$", entry.witnesses[1].chain)
  end)

  it("go through the flags, all of which are one register", function()
    assert.same({ c = "c", n = "c", z = "c", v = "c" }, found.flags)
    assert.equal(2, sum({ "adds x, x, x", "2", "c" }, { "csel x, x, x, cond", "c", "1" }))
    assert.equal(3, sum({ "ands x, x, x", "2", "z" }, { "csel x, x, x, cond", "z", "1" }))
    assert.equal(1, of("adcs x, x, x", "c", "c").cycles)
    assert.equal(2, of("ccmp x, x, imm4, cond", "n", "v").cycles)
    assert.is_nil(of("adc x, x, x", "c", "1").low)
    assert.equal("c > 1", of("csel x, x, x, cond", "n", "1").as)
  end)

  it("go from bases and indices to what is loaded, and from bases to what they become", function()
    assert.equal(4, of("ldr x, [x, imm12]", "2.base", "1").cycles)
    assert.equal(5, of("ldr x, [x, x, lsl imm]", "2.index", "1").cycles)
    assert.equal(1, of("ldr x, [x], imm9", "2.base", "2.base").cycles)
    assert.equal(1, of("ldr q, [x, imm9]!", "2.base", "2.base").cycles)
    assert.equal(1, of("ld1 {v.4s}, [x], x", "3", "2.base").cycles)
    assert.equal(1, of("str x, [x], imm9", "2.base", "2.base").cycles)
    assert.is_nil(of("str x, [x], imm9", "1", "2.base"))
    assert.equal("ldr x, [x, imm12] [2.base > 1] -> and x, x, x [2 > 1] -> orr x, x, x [2 > 1]",
      of("ldr x, [x, imm12]", "2.base", "1").witnesses[1].chain)
  end)

  it("go through memory where an address has no room for a displacement", function()
    assert.equal(isa.scheme("st1 {v.4s}, [x]").operands[2].width, 128)
    assert.equal(5, sum({ "str x, [x, imm12]", "1", "2" }, { "ldur x, [x, imm9]", "2", "1" }))
  end)
end)
