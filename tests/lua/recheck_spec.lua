-- A chart's claims, measured again: confirmed on the core that was charted, also with ports bound greedily and noise; on another
-- core those that are not true of it are not.
local argument = require "portolan.argument"
local chart = require "portolan.infer.chart"
local json = require "portolan.support.json"
local mapping = require "portolan.mapping"
local recheck = require "portolan.infer.recheck"
local simulated = require "portolan.processor.simulated"

local function uops(...)
  local list = {}
  for i, set in ipairs { ... } do
    list[i] = { {}, 1 }
    for port in set:gmatch "." do table.insert(list[i][1], port) end
  end
  return { uops = list, status = "explained", slots = #list }
end

local function core(changes)
  local m = { format = "portolan-mapping", version = 1, ports = { "0", "1", "2", "3", "5", "6" }, rmax = 6, schemes = {
    ["imul r64, r64"] = uops "1", ["popcnt r64, r64"] = uops "1", ["vpermd ymm, ymm, ymm"] = uops "5", ["vmovmskps r32, ymm"] = uops "0",
    ["shl r64, imm8"] = uops "06", ["sar r64, imm8"] = uops "06", ["vpaddd ymm, ymm, ymm"] = uops "015", ["mov r64, m64"] = uops "23",
    ["vaddpd ymm, ymm, ymm"] = uops "15", ["bextr r64, r64, r64"] = uops("06", "15"), ["vphaddd ymm, ymm, ymm"] = uops("5", "5", "015"),
    ["mov r64, r64"] = { uops = {}, status = "eliminated at rename", slots = 1 },
  } }
  for name, scheme in pairs(changes or {}) do m.schemes[name] = scheme end
  return m
end

local function processor(m, seed)
  return assert(simulated.new { mapping = m, binder = "greedy", binder_options = { kind = "late" },
    noise = { kind = "gaussian", width = 0.003, unit = "relative" }, seed = seed })
end

describe("rechecking a chart", function()
  local charted = chart.run(processor(core(), 1), { { name = "All", schemes = mapping.schemes(core()) } }, { evaluate = 0 })
  local m = assert(json.decode((assert(mapping.encode(charted.mapping)))))
  local compiled, names = assert(mapping.compile_ports(m)), mapping.schemes(m)

  local function verdicts(changes, seed)
    local by_name = {}
    for _, scheme in ipairs(assert(recheck.run(processor(core(changes), seed), m, compiled, names)).schemes) do
      by_name[scheme.scheme] = scheme.verdict
    end
    return by_name
  end

  it("confirms all of it on the same core", function()
    local witnesses = 0
    for _, name in ipairs(names) do
      witnesses = witnesses + #m.schemes[name].witnesses
      for _, r in ipairs(argument.readings(m, compiled, name)) do assert.is_nil(r.doubt, name .. ": " .. r.text) end
    end
    assert.is_true(witnesses > 2 * #names)
    for seed = 7, 9 do
      for name, verdict in pairs(verdicts({}, seed)) do assert.equal("confirmed", verdict, name) end
    end
  end)

  it("does not confirm what is not so on another core", function()
    for name, scheme in pairs { ["bextr r64, r64, r64"] = uops("06", "1"), ["vphaddd ymm, ymm, ymm"] = uops("5", "015", "015"),
      ["mov r64, r64"] = uops "015", ["popcnt r64, r64"] = uops("1", "1") } do
      for other, verdict in pairs(verdicts({ [name] = scheme }, 7)) do
        assert.equal(other == name and "not confirmed" or "confirmed", verdict, other)
      end
    end
  end)
end)
