-- Floods of instructions that some neighbours hold up: another one of the same ports shows what is due to ports.
local attribute = require "portolan.infer.chart.blocking.attribute"
local experiment = require "portolan.experiment"
local flood = require "portolan.infer.chart.blocking.flood"
local memory_use = require "portolan.scheme.memory_use"

local fact = { single = { cycles = 0.5, spread = 0, share = 1 }, issued = 2, total = { most = 2 } }
local class = { representative = "add r64, r64", count = 5, members = { "add r64, r64", "sub r64, r64", "and r64, r64" } }

-- A core with five ports for the class. `held(e)`: cycles that an experiment takes beyond its ports.
local function survey_of(names, held)
  local asked = 0
  local survey = { rmax = 6, noise = 0.0005, classes = { class }, facts = {}, processor = {} }
  class.beside = nil
  for _, name in ipairs(class.members) do
    survey.facts[name] = { single = { cycles = 0.2, spread = 0, share = 1 }, issued = 1, memory = memory_use(name) }
  end
  for name in pairs(names) do survey.facts[name] = fact end
  function survey.measure(_, list)
    local results = {}
    for i, e in ipairs(list) do
      local uops = 0
      for name, n in pairs(e) do uops = uops + n * (names[name] or 1) end
      results[i], asked = { status = "ok", deviation = survey.noise, cycles = uops / class.count + held(e) }, asked + 1
    end
    return results
  end
  return survey, function() return asked end
end

local function count_of(name, names, held)
  local survey = survey_of(names, held)
  local jobs = flood.plan(survey, { name }, { class })
  flood.measure(survey, jobs)
  return jobs[1].count, jobs[1]
end

describe("a flood", function()
  it("counts the uops that cannot evade it", function()
    local count = count_of("shl r64, imm8", { ["shl r64, imm8"] = 2 }, function() return 0 end)
    assert.near(2, count, 1e-9)
  end)

  it("is measured once more where the least of its readings is a fraction of a uop, which a core that changed its speed gave", function()
    local name, read = "shl r64, imm8", {}
    local survey = survey_of({ [name] = 1 }, function(e)
      local key = experiment.key(e)
      read[key] = (read[key] or 0) + 1
      return e[name] and read[key] == 1 and -0.12 or 0 -- each first reading: 0.4 of a uop
    end)
    local jobs = flood.plan(survey, { name }, { class })
    flood.measure(survey, jobs)
    assert.near(1, jobs[1].count, 1e-9)
    assert.equal(1, jobs[1].uops)
    assert.equal(2, read[experiment.key(jobs[1].e)])
  end)

  it("is of one that does something else with registers, where all that reads two is held up", function()
    local members = class.members
    class.members = { "add r64, r64", "sub r64, r64", "and r64, r64", "or r64, r64", "xor r64, r64", "not r64" }
    local count, job = count_of("vextracti128 m128, ymm, imm8", { ["vextracti128 m128, ymm, imm8"] = 0 }, function(e)
      return e["vextracti128 m128, ymm, imm8"] and not e["not r64"] and 0.42 or 0
    end)
    class.members = members
    assert.near(0, count, 1e-9)
    assert.truthy(job.e["not r64"])
  end)

  it("is of an instruction that stores, and loads, do not hold up", function()
    for _, name in ipairs { "vextracti128 m128, ymm, imm8", "vpinsrd xmm, xmm, m32, imm8" } do
      local count, job = count_of(name, { [name] = 0 }, function(e) return e[name] and e["add r64, r64"] and 0.42 or 0 end)
      assert.near(0, count, 1e-9)
      assert.is_nil(experiment.key(job.e):find("add r64, r64", 1, true))
    end
  end)

  it("is confirmed by several instances that were measured, and by nothing else", function()
    local name = "shl r64, imm8"
    local function confirmed(uops, status)
      local survey = survey_of({ [name] = uops }, function() return 0 end)
      local measure = survey.measure
      function survey.measure(...)
        local results = measure(...)
        for i, e in ipairs((select(2, ...))) do results[i].status = e[name] == 3 and status or "ok" end
        return results
      end
      local jobs = flood.plan(survey, { name }, { class })
      flood.measure(survey, jobs)
      assert.same({}, flood.refuted_by_several(survey, jobs))
      return jobs[1].confirmed
    end
    assert.is_true(confirmed(1, "ok"))
    assert.is_nil(confirmed(1, "unstable"))
    assert.is_nil(confirmed(0, "ok"))
  end)

  it("that is hindered once says in its witness what further instances take", function()
    local name = "shl r64, imm8"
    local survey = survey_of({ [name] = 1 }, function(e) return e[name] and 0.18 or 0 end)
    local jobs = flood.plan(survey, { name }, { class })
    flood.measure(survey, jobs)
    flood.refuted_by_several(survey, jobs)
    assert.equal(3, jobs[1].instances)
    class.ports = { "0", "1", "5", "6", "A" }
    local known = { total = { least = 1, most = 1 }, alone = 0.2, floor = 1 / 6, memory = {} }
    local uops = attribute.of(jobs, known, function() end)
    assert.equal(1, #uops)
    assert.near(jobs[1].cycles, jobs[1].expected, 0.01)
  end)
end)
