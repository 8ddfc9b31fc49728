-- Latencies of A64 schemes from chains alone, on a simulated core that has known ones.
local isa = require "portolan.isa"
local latency = require "portolan.infer.latency"
local mapping = require "portolan.mapping"
local simulated = require "portolan.processor.simulated"

-- Scheme -> its ports and cycles from every register or memory operand that it reads to the one that it writes.
local core_of = {
  ["add x, x, x"] = { "I0 I1", 1 }, ["madd x, x, x, x"] = { "M", 3 }, ["clz x, x"] = { "I0 I1", 1 }, ["umulh x, x, x"] = { "M", 6 },
  ["mul v.4s, v.4s, v.4s"] = { "F0", 5 }, ["fmul v.4s, v.4s, v.4s"] = { "F0 F1", 4 }, ["fadd d, d, d"] = { "F0 F1", 4 },
  ["fmov d, x"] = { "L", 3 }, ["fmov x, d"] = { "L", 5 }, ["scvtf d, x"] = { "F0", 8 }, ["fcvtzs x, d"] = { "F1", 7 },
  ["ldr x, [x, imm12]"] = { "L", 4 }, ["str x, [x, imm12]"] = { "S", 1 },
}

local function pairs_of(name, cycles)
  local list, operands = {}, isa.scheme(name).operands
  for from, o in ipairs(operands) do
    for to, w in ipairs(operands) do
      local moves = (o.kind == "register" or o.kind == "memory") and o.access:find "r" and w.access:find "w"
      if moves then list[#list + 1] = { from = tostring(from), to = tostring(to), cycles = cycles } end
    end
  end
  return list
end

-- The core with its latencies; the same without, as an inference begins.
local function cores()
  local function core(with)
    local m = { format = mapping.format, version = 1, ports = { "I0", "I1", "M", "L", "S", "F0", "F1" }, rmax = 3, schemes = {} }
    for name, facts in pairs(core_of) do
      local ports = {}
      for port in facts[1]:gmatch "%S+" do ports[#ports + 1] = port end
      m.schemes[name] = { uops = { { ports, 1 } }, slots = 1, status = "explained", latencies = with and pairs_of(name, facts[2]) or nil }
    end
    assert(mapping.validate(m))
    return m
  end
  return core(true), core(false)
end

describe("latencies of A64 schemes", function()
  local truth, known = cores()
  local processor = assert(simulated.new { mapping = truth, seed = 1, noise = { kind = "gaussian", width = 0.005, unit = "relative" } })
  local found = assert(latency.infer(processor, known, { noise = 0.005 }))

  it("are exact where chains determine them, and inside their intervals elsewhere", function()
    local exact, inside = 0, 0
    for name, entries in pairs(found.latencies) do
      for _, entry in ipairs(entries) do
        local cycles = core_of[name][2]
        if entry.low then
          assert.is_true(entry.low <= cycles and cycles <= entry.high, name)
          inside = inside + 1
        elseif not entry.from:find(".", 1, true) then
          assert.equal(cycles, entry.cycles, name)
          exact = exact + 1
        end
      end
    end
    assert.is_true(exact >= 12, exact)
    assert.is_true(inside >= 4, inside)
    assert.same({}, found.contradicting)
  end)

  it("go from one file of registers to the other through connectors", function()
    local entry = found.latencies["scvtf d, x"][1]
    assert.matches("^scvtf d, x %[2 > 1%] %-> fmov x, d %[2 > 1%]$", entry.witnesses[1].chain)
  end)
end)
