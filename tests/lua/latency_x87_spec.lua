-- Latencies of what works on the x87 stack, by chains on a simulated core whose latencies are known; and predictions by them.
local core_of = dofile(os.getenv "PORTOLAN_SOURCE" .. "/tests/lua/latency_truth.lua")
local core = require "portolan.core"
local block_model = require "portolan.block.model"
local kinds = require "portolan.infer.latency.kinds"
local latencies = require "portolan.mapping.latencies"
local latency = require "portolan.infer.latency"
local lists = require "portolan.support.lists"
local network = require "portolan.infer.latency.network"
local place = require "portolan.scheme.place"
local simulated = require "portolan.processor.simulated"

-- Schemes of x87 with ports, and cycles by pair of places; other pairs take the last number.
local schemes = {
  ["fadd st0, st"] = { "5", { ["1>1"] = 4, ["2>1"] = 5 } }, ["fadd st, st0"] = { "5", { ["1>1"] = 4, ["2>1"] = 6 } },
  ["faddp st, st0"] = { "5", { ["1>1"] = 3, ["2>1"] = 7 } }, ["fmul st0, st"] = { "0", { ["1>1"] = 5, ["2>1"] = 5 } },
  ["fmul st, st0"] = { "0", { ["1>1"] = 5, ["2>1"] = 5 } }, ["fsub m64"] = { "5", { ["2>2"] = 4, ["1>2"] = 10 } },
  ["fdiv st0, st"] = { "0", { ["1>1"] = 15, ["2>1"] = 14 } }, ["fsqrt"] = { "0", { ["1>1"] = 21 } }, ["fchs"] = { "0", { ["1>1"] = 1 } },
  ["fxch st"] = { "05", { ["1>2"] = 2, ["2>1"] = 2, ["1>1"] = 0, ["2>2"] = 0 } }, ["fst st"] = { "05", { ["2>1"] = 1 } },
  ["fstp st"] = { "05", { ["2>1"] = 1 } }, ["fld st"] = { "05", { ["1>2"] = 1 } }, ["fld m64"] = { "23", { ["1>2"] = 7 } },
  ["fild m64"] = { "23", { ["1>2"] = 11 } }, ["fst m64"] = { "6", { ["2>1"] = 4 } }, ["fstp m80"] = { "6", { ["2>1"] = 6 } },
  ["fld m80"] = { "23", { ["1>2"] = 8 } }, ["fcomi st0, st"] = { "0", { ["1>cf"] = 3, ["2>cf"] = 3, ["1>zf"] = 3, ["2>zf"] = 3,
    ["1>pf"] = 3, ["2>pf"] = 3 } },
  ["fcmovb st0, st"] = { "0", { ["1>1"] = 3, ["2>1"] = 3, ["cf>1"] = 4 } }, ["mov m64, r64"] = { "6", { ["2>1"] = 4 } },
}

local swaps = { ["1>1"] = true, ["2>2"] = true }

local function truth()
  local m = core_of.small()
  for name, s in pairs(schemes) do
    local ports, list = {}, {}
    for port in s[1]:gmatch "." do ports[#ports + 1] = port end
    for _, from in ipairs(place.inputs(name)) do
      for _, to in ipairs(place.outputs(name)) do
        local cycles = s[2][from .. ">" .. to]
        if cycles then list[#list + 1] = { from = from, to = to, cycles = cycles, independent = cycles == 0 or nil } end
      end
    end
    m.schemes[name] = { uops = { { ports, 1 } }, status = "explained", slots = 1, latencies = list }
  end
  return m
end

local function infer(m, noise, options)
  local processor = assert(simulated.new { mapping = m, noise = noise, seed = 5 })
  return assert(latency.infer(processor, core_of.ports_only(m), options))
end

local function one(found, name, from, to) return latencies.find({ latencies = found.latencies[name] or {} }, from, to) end

-- All pairs of the x87 schemes that are known are right; returns how many are numbers.
local function check(found)
  local exact = 0
  for name, s in pairs(schemes) do
    for pair, cycles in pairs(s[2]) do
      local from, to = pair:match "^(.+)>(.+)$"
      local swapped = name == "fxch st" and swaps[pair]
      local entry = one(found, name, from, to)
      assert.equal(not swapped, entry ~= nil, name .. " " .. pair)
      if entry and entry.low then
        assert.is_true(entry.low <= cycles and cycles <= entry.high, ("%s %s: %g, not in %g to %g"):format(name, pair, cycles, entry.low, entry.high))
      elseif entry then
        assert.near(cycles, entry.cycles, 1e-6, name .. " " .. pair)
        exact = exact + 1
      end
    end
  end
  return exact
end

describe("latencies of x87", function()
  it("tell the top of the stack from its other registers", function()
    assert.equal("st0", kinds.read("fadd st0, st", "1"))
    assert.equal("st", kinds.read("fadd st0, st", "2"))
    assert.equal("st", kinds.written("faddp st, st0", "1"))
    assert.is_false(kinds.crosses { scheme = "fst st", from = "2", to = "1" })
    local whole = network.new(function() return true end)
    for _, from in ipairs { "st0", "st", "mem64", "mem80", "gpr", "cf" } do
      for _, to in ipairs { "st0", "st", "mem64", "mem32", "gpr" } do
        assert.is_true(#whole:paths(from, to) > 0, from .. " to " .. to)
      end
    end
  end)

  it("are found without noise, and with it", function()
    assert.is_true(check(infer(truth())) >= 15)
    check(infer(truth(), { kind = "gaussian", width = 0.005, unit = "relative" }))
  end)

  it("of accumulators are numbers", function()
    local found = infer(truth())
    for _, name in ipairs { "fadd st0, st", "fadd st, st0", "faddp st, st0", "fmul st0, st", "fdiv st0, st", "fsqrt", "fchs" } do
      assert.is_nil(one(found, name, "1", "1").low, name)
    end
    assert.equal(4, one(found, "fsub m64", "2", "2").cycles)
  end)

  it("take no chains of the stack where nothing works on it", function()
    local found = infer(truth(), nil, { schemes = { "add r64, r64", "imul r64, r64" } })
    for _, entries in pairs(found.latencies) do
      for _, entry in ipairs(entries) do
        for _, witness in ipairs(entry.witnesses or {}) do assert.is_nil(witness.chain:find " st", witness.chain) end
      end
    end
    assert.is_nil(lists.keys(found.latencies)[3])
  end)
end)

describe("predictions of x87", function()
  local function cycles(text)
    local m = core_of.ports_only(truth())
    for name, entries in pairs(infer(truth()).latencies) do m.schemes[name].latencies = entries end
    local model = assert(block_model.of(m))
    return model:bounds({ assert(core.isa.assemble(text)).bytes }).cycles[1]
  end

  it("wait for the accumulator, wherever it is on the stack", function()
    assert.near(3, cycles "fld tbyte ptr [rsi]; faddp st(1), st", 1e-6)
    assert.near(4, cycles "fchs; fld tbyte ptr [rsi]; faddp st(1), st", 1e-6)
    assert.near(8, cycles "fmul st, st(1); fld tbyte ptr [rsi]; faddp st(1), st", 1e-6) -- Horner
  end)
end)
