-- Schemes with companions on the processor at hand: properties that hold on any, with wide margins. On a machine that is too noisy to be
-- calibrated the tests are skipped, with the reason.
local chain = require "portolan.experiment.chain"
local core = require "portolan.core"
local hardware = require "portolan.processor.hardware"
local paths = require "portolan.support.paths"
local scheme_set = require "portolan.scheme.set"

local sanitized = (os.getenv("PORTOLAN_SANITIZE") or "") ~= ""

-- A test that is skipped where the processor cannot be calibrated.
local function on_hardware(f)
  return function()
    local p, message = hardware.open { patience = sanitized and 3 or 6 }
    if not p then pending("this machine cannot be measured on: " .. message) end
    f(p)
    p:close()
  end
end

-- Results of all but those for which the machine was too noisy, which must be few.
local function measured(p, list)
  local results, kept = assert(p:measure(list)), {}
  for i, result in ipairs(results) do
    if result.status ~= "unstable" then
      assert.equal("ok", result.status, next(list[i]))
      kept[#kept + 1] = { e = list[i], cycles = result.cycles }
    end
  end
  if #kept * 2 < #results then pending("this machine is too noisy: unstable") end
  return kept
end

-- What works on numbers of the x87 stack.
local function schemes()
  local list = {}
  for _, group in ipairs(assert(scheme_set.load(paths.arch "x86_64/sets/x87.lua"))) do
    for _, name in ipairs(group.schemes) do
      local category = core.isa.scheme(name).category
      if category == "X87_ALU" or category == "FCMOV" then list[#list + 1] = name end
    end
  end
  return list
end

describe("x87", function()
  it("meets no full or empty stack, no infinity and no denormal, which cost hundreds of cycles", on_hardware(function(p)
    local list = {}
    for _, name in ipairs(schemes()) do list[#list + 1] = { [name] = 1 } end
    for _, one in ipairs(measured(p, list)) do
      assert.is_true(one.cycles < 120, ("%s takes %.1f cycles"):format(next(one.e), one.cycles))
    end
  end))

  it("meets none of them in mixtures either, however long they run", on_hardware(function(p)
    local names, rng, list = schemes(), core.base.rng(7), {}
    for i = 1, 24 do
      list[i] = {}
      for _ = 1, 6 do
        local name = names[rng:below(#names) + 1]
        list[i][name] = (list[i][name] or 0) + 1
      end
    end
    for _, one in ipairs(measured(p, list)) do assert.is_true(one.cycles < 250, ("a mixture takes %.1f cycles"):format(one.cycles)) end
  end))
end)

describe("chains of x87", function()
  -- Round and round, each a sum of latencies that no core is without, or far beyond; what meets an infinity or a full stack takes hundreds of cycles.
  local chains = { "fadd st0, st [1 > 1]", "fadd m64 [2 > 2]", "fmul st0, st [1 > 1]", "fmul m64 [2 > 2]", "faddp st, st0 [1 > 1]",
    "fdiv st0, st [1 > 1]", "fdiv m64 [2 > 2]", "fidiv m32 [2 > 2]", "fsqrt [1 > 1]", "fst m64 [2 > 1] -> fld m64 [1 > 2]",
    "fstp m80 [2 > 1] -> fld m80 [1 > 2]", "fst m64 [2 > 1] -> fild m64 [1 > 2]" }

  it("wait for the one before, and for nothing that costs hundreds of cycles", on_hardware(function(p)
    local list, kept = {}, 0
    for i, text in ipairs(chains) do list[i] = assert(chain.parse(text)) end
    for i, result in ipairs(assert(p:measure_chains(list))) do
      if result.status ~= "unstable" then
        kept = kept + 1
        assert.equal("ok", result.status, chains[i])
        assert.is_true(result.cycles > 1.9 and result.cycles < 80, ("%s: %.2f cycles"):format(chains[i], result.cycles))
      end
    end
    if kept * 2 < #chains then pending "this machine is too noisy: unstable" end
  end))
end)

describe("leave and ret", function()
  it("run with what stands around them", on_hardware(function(p)
    local found = measured(p, { { ["leave"] = 1 }, { ["leave"] = 2, ["add r64, r64"] = 6 }, { ["push r64"] = 1, ["leave"] = 1 } })
    for _, one in ipairs(found) do assert.is_true(one.cycles < 40, ("%.1f cycles"):format(one.cycles)) end
    for _, result in ipairs(assert(p:measure { { ["ret"] = 1 }, { ["ret"] = 1, ["add r64, r64"] = 60 } })) do
      assert.is_true(result.status == "ok" or result.status == "unstable", result.status)
      assert.is_true(not result.cycles or result.cycles < 60, "returns are predicted wrongly")
    end
  end))
end)
