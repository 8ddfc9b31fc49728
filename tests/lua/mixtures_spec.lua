-- Claims that mixtures refute are taken back, and no others.
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local mixtures = require "portolan.infer.chart.stages.mixtures"
local simulated = require "portolan.processor.simulated"
local small = require "cores.small"
local trial = require "portolan.report.trial"
local survey = require "portolan.infer.chart.survey"

-- A survey that claims what is true of a core, but for some schemes. `slower`: function(uops' sets as texts) -> factor by which an experiment is.
local function charted(wrong, binder, kind, slower)
  local m = small.golden_cove()
  local noise = { kind = "gaussian", width = 0.003, unit = "relative" }
  local p = assert(simulated.new { mapping = m, seed = 1, binder = binder or "optimal",
    binder_options = { kind = kind }, noise = noise })
  local measure = p.measure
  function p.measure(self, list, options)
    local results = measure(self, list, options)
    for i, e in ipairs(slower and list or {}) do
      local sets = {}
      for name in pairs(e) do
        for _, uop in ipairs(m.schemes[name].uops) do sets[table.concat(uop[1])] = true end
      end
      if lists.size(e) > 1 then results[i].cycles = results[i].cycles * slower(sets) end
    end
    return results
  end
  local s = survey.new(p, { { name = "All", schemes = mapping.schemes(m) } }, { seed = 1 })
  s.ports, s.rmax, s.width, s.noise = m.ports, m.rmax, m.rmax, 0.003
  for name, scheme in pairs(m.schemes) do
    local f = s.facts[name]
    if f then f.status, f.uops, f.slots, f.single = scheme.status, wrong[name] or scheme.uops, scheme.slots, { cycles = p:cycles { [name] = 1 } } end
  end
  for _, name in ipairs(s.order) do
    local uops = m.schemes[name].uops
    if #uops == 1 and uops[1][2] == 1 then s.classes[#s.classes + 1] = { representative = name, ports = uops[1][1], uops = uops } end
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
    for _, kind in ipairs { "pending", "late", "recent" } do assert.same({}, (charted({}, "greedy", kind)), kind) end
  end)

  -- Slow where all may use one of these ports, and one of them no other.
  local function slow_on(ports)
    return function(sets)
      local slow = lists.any(ports, function(port)
        return sets[port] and lists.all(lists.keys(sets), function(set) return set:find(port, 1, true) ~= nil end)
      end)
      return slow and lists.size(sets) > 1 and 1.4 or 1
    end
  end

  it("leave alone what is bound unwisely whichever scheme has the uops, and whichever ports these are", function()
    assert.same({}, (charted({}, nil, nil, slow_on { "0", "1", "5", "6" })))
  end)

  it("refute what is slower than other ports that overlap as much, though all schemes with these uops are", function()
    assert.same({ "crc32 r64, r64", "imul r64, r64", "popcnt r64, r64" }, (charted({}, nil, nil, slow_on { "1" })))
  end)

  it("refute what is slow where no binder could make it so", function()
    local refuted = charted({}, nil, nil, function(sets) -- slow where loads have no port of the others
      local ports = {}
      for port in table.concat(lists.keys(sets)):gmatch "." do
        if ports[port] then return 1 end
        ports[port] = true
      end
      return sets["23A"] and 1.4 or 1
    end)
    assert.is_true(#refuted > 0)
  end)

  it("leave alone what is lost: what is slower by less than any other uops would make it", function()
    assert.same({}, (charted({}, nil, nil, function(sets) -- loads and what runs on port 1 alone: a uop more is half a cycle, or a third
      return lists.size(sets) == 2 and sets["1"] and sets["23A"] and 1.2 or 1
    end)))
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
