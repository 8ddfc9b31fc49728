-- Claims that mixtures refute are taken back, and no others.
local mapping = require "portolan.mapping"
local mixtures = require "portolan.infer.chart.stages.mixtures"
local simulated = require "portolan.processor.simulated"
local small = require "cores.small"
local trial = require "portolan.report.trial"
local survey = require "portolan.infer.chart.survey"

-- A survey that claims what is true of a core, but for some schemes.
local function charted(wrong, binder)
  local m = small.golden_cove()
  local noise = { kind = "gaussian", width = 0.003, unit = "relative" }
  local p = assert(simulated.new { mapping = m, seed = 1, binder = binder or "optimal", noise = noise })
  local s = survey.new(p, { { name = "All", schemes = mapping.schemes(m) } }, { seed = 1 })
  s.ports, s.rmax, s.width, s.noise = m.ports, m.rmax, m.rmax, 0.003
  for name, scheme in pairs(m.schemes) do
    local f = s.facts[name]
    if f then f.status, f.uops, f.slots, f.single = scheme.status, wrong[name] or scheme.uops, scheme.slots, { cycles = p:cycles { [name] = 1 } } end
  end
  mixtures(s)
  local refuted = {}
  for _, name in ipairs(s.order) do
    if s.facts[name].status == "contradicting" then refuted[#refuted + 1] = name end
  end
  return refuted, s
end

describe("mixtures", function()
  it("agree with what is true, on a core that binds greedily, too", function()
    assert.same({}, (charted {}))
    assert.same({}, (charted({}, "greedy")))
  end)

  it("refute ports that a scheme does not have, and say why", function()
    local name = "bextr r64, r64, r64" -- 06 15B
    local refuted, s = charted { [name] = { { { "2", "3", "A" }, 1 }, { { "1", "5", "B" }, 1 } } }
    assert.same({ name }, refuted)
    local f = s.facts[name]
    assert.truthy(f.note:find("mixtures refute it", 1, true), f.note)
    assert.equal("contradicts", f.witnesses[#f.witnesses].role)
  end)

  it("refute one scheme of several with the same uops by what is too fast alone, and leave the others", function()
    local name = "vmulps ymm, ymm, ymm"
    local refuted = charted { [name] = { { { "1" }, 1 } } } -- 01
    assert.same({ name }, refuted)
  end)

  it("refute all schemes that are claimed to have the same uops, where it is these that are wrong", function()
    local wrong = {}
    for _, name in ipairs { "vpaddd ymm, ymm, ymm", "vpand ymm, ymm, ymm" } do wrong[name] = { { { "4", "7", "9" }, 1 } } end
    local refuted, s = charted(wrong)
    table.sort(refuted)
    assert.same({ "vpaddd ymm, ymm, ymm", "vpand ymm, ymm, ymm" }, refuted)
    for name in pairs(wrong) do
      local f = s.facts[name]
      local of_it = f.witnesses[#f.witnesses].experiment:find(name, 1, true) ~= nil
      assert.equal(not of_it, f.note:find("another scheme", 1, true) ~= nil, f.note)
    end
  end)

  it("leave nothing sure where they refute many of the claims, and say so", function()
    local wrong = {}
    for _, name in ipairs { "vpaddd ymm, ymm, ymm", "vpand ymm, ymm, ymm", "add r64, r64", "sub r64, r64", "and r32, r32", "not r64", "or r8, r8",
      "vmulpd ymm, ymm, ymm", "vmulps ymm, ymm, ymm", "shl r64, imm8", "sar r64, imm8", "ror r64, imm8" } do
      wrong[name] = { { { "4", "7", "9" }, 1 } }
    end
    local _, s = charted(wrong)
    assert.is_false(s.trial.sure)
    assert.is_true(s.trial.refuted >= 12 and s.trial.claims == 38, s.trial.refuted)
    assert.matches("refute %d+ of 38 claims. So many say", trial.doubt(s.trial))
    for _, f in pairs(s.facts) do assert.is_true(f.status ~= "explained" or #f.assumed > 0) end
    local _, right = charted {}
    assert.is_true(right.trial.sure)
    assert.is_nil(trial.doubt(right.trial))
    assert.matches("^%d+ mixtures refute none of 38 claims$", trial.words(right.trial))
  end)
end)
