-- Inferences of ports that are taken from an earlier chart, as long as what was measured is what was measured then.
local json = require "portolan.support.json"
local kept_inference = require "portolan.infer.chart.kept_inference"
local simulated = require "portolan.processor.simulated"

local names = { "add r64, r64", "imul r64, r64", "mov r64, m64", "shl r64, imm8" }

local function mapping()
  return { ports = { "0", "1", "2", "3" }, rmax = 6, architecture = "x86_64", schemes = {
    ["add r64, r64"] = { uops = { { { "0", "1", "2" }, 1 } } }, ["imul r64, r64"] = { uops = { { { "1" }, 1 } } },
    ["shl r64, imm8"] = { uops = { { { "0", "2" }, 1 } } }, ["mov r64, m64"] = { uops = { { { "3" }, 1 } } } } }
end

-- A processor that counts what it is asked; `factor` of what one experiment takes there.
local function processor(factor)
  local real = assert(simulated.new { mapping = mapping(), seed = 1 })
  local self = { name = "counted", asked = 0 }
  function self.measure(_, list, options)
    self.asked = self.asked + #list
    local results = {}
    for i, result in ipairs(assert(real:measure(list, options))) do
      local both = list[i]["imul r64, r64"] and list[i]["add r64, r64"]
      results[i] = { status = "ok", cycles = result.cycles * (both and factor or 1) }
    end
    return results
  end
  return self
end

-- What keeps outcomes as files do: in text.
local function keeper()
  local texts = {}
  local kept = { puts = 0 }
  function kept.get(key) return texts[key] and json.decode(texts[key]) end
  function kept.put(key, outcome) kept.puts, texts[key] = kept.puts + 1, assert(json.encode(outcome)) end
  return kept
end

local options = { rmax = 6, epsilon = 0.02, reading = "asymmetric", seed = 1, confirm = true, time_limit = 60 }

describe("an inference that is kept", function()
  local kept, first_time = keeper(), processor()
  local found = assert(kept_inference.infer(kept, first_time, names, options))

  it("is made once, and asks for its observations alone from then on", function()
    assert.equal("unique", found.status)
    assert.equal(1, kept.puts)
    local again = processor()
    local other = assert(kept_inference.infer(kept, again, names, options))
    assert.equal(1, kept.puts)
    assert.equal(#found.observations, again.asked)
    assert.same(json.decode(json.encode(found)), other)
  end)

  it("is made anew where something else is measured, is asked, or is to be found", function()
    assert(kept_inference.infer(kept, processor(1.1), names, options))
    assert.equal(2, kept.puts)
    local other = setmetatable({ rmax = 5 }, { __index = options })
    assert(kept_inference.infer(kept, processor(), names, other))
    assert.equal(3, kept.puts)
    assert(kept_inference.infer(kept, processor(), { names[1], names[2] }, options))
    assert.equal(4, kept.puts)
  end)

  it("is not kept where nothing keeps it, and where it ran out of time", function()
    local nothing = processor()
    assert.equal("unique", assert(kept_inference.infer(nil, nothing, names, options)).status)
    local late = setmetatable({ time_limit = 0 }, { __index = options })
    assert.equal("limit", assert(kept_inference.infer(keeper(), processor(), names, late)).status)
    local none = keeper()
    kept_inference.infer(none, processor(), names, late)
    assert.equal(0, none.puts)
    local lacking = processor()
    local measure = lacking.measure
    function lacking.measure(self, list, more)
      local results = measure(self, list, more)
      for i, e in ipairs(list) do
        if e["imul r64, r64"] and e["mov r64, m64"] then results[i] = { status = "unstable" } end
      end
      return results
    end
    local found_without = assert(kept_inference.infer(none, lacking, names, options))
    assert.is_true(#found_without.failed > 0)
    assert.equal(0, none.puts)
  end)
end)
