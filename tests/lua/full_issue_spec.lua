-- Slowness that is not of ports, as Zen 5 has it: classes that lose issue slots among others, floods that tell nothing
-- (portolan.infer.chart.stages.full_issue).
local chart = require "portolan.infer.chart"
local full_issue = require "portolan.infer.chart.stages.full_issue"
local judge = require "cores.judge"
local mapping = require "portolan.mapping"
local port_class = require "portolan.infer.chart.port_class"
local several_uops = require "portolan.infer.chart.stages.several_uops"
local simulated = require "portolan.processor.simulated"
local small = require "cores.small"

local function charted(m)
  local p = assert(simulated.new { mapping = m, seed = 1, noise = { kind = "gaussian", width = 0.003, unit = "relative" } })
  local names = mapping.schemes(m)
  return chart.run(p, { { name = "All", schemes = names } }, { seed = 1, evaluate = 0 }).mapping, names
end

-- A core whose widest class loses slots among others.
local function crowded()
  local m = small.zen5()
  for _, scheme in pairs(m.schemes) do
    local uop = scheme.uops[1]
    if uop and #scheme.uops == 1 and #uop[1] == 6 then scheme.misfit = { crowded = 1.3 } end
  end
  return m
end

local function ports_of(m, name)
  local set = {}
  for _, port in ipairs(m.schemes[name].uops[1][1]) do set[port] = true end
  return set
end

local function common(m, a, b)
  local n, other = 0, ports_of(m, b)
  for port in pairs(ports_of(m, a)) do n = n + (other[port] and 1 or 0) end
  return n
end

describe("a class that loses issue slots among others", function()
  local found, names
  setup(function() found, names = charted(crowded()) end)

  it("has no ports in common with what works on other registers, or on memory", function()
    for _, other in ipairs { "vpand ymm, ymm, ymm", "vmulpd ymm, ymm, ymm", "mov r64, m64" } do
      assert.equal(0, common(found, "cmp r64, r64", other), other)
    end
  end)

  it("has those of narrower classes of the same registers", function()
    assert.equal(3, common(found, "cmp r64, r64", "shl r64, imm8"))
    assert.equal(3, common(found, "cmp r64, r64", "imul r64, r64"))
  end)

  it("makes no claim wrong", function()
    local verdict = judge(found, crowded(), names)
    assert.same({}, verdict.texts)
  end)
end)

describe("a scheme that needs a unit beside its ports, which others have as theirs", function()
  local moves, both = { "vmovd r32, xmm", "vmovq r64, xmm", "vpmovmskb r32, ymm" }, { "vfmadd231pd ymm, ymm, ymm", "vfmadd231ps ymm, ymm, ymm" }

  it("is in no class, and not claimed to be one uop", function()
    local m = small.zen5()
    for _, name in ipairs(moves) do m.schemes[name] = { uops = { { { "u", "v" }, 1 } }, slots = 1, status = "explained" } end
    for _, name in ipairs(both) do
      m.schemes[name] = { uops = { { { "0", "1" }, 1 }, { { "u", "v" }, 1 } }, slots = 1, status = "explained" }
    end
    local found = charted(m).schemes
    for _, name in ipairs(moves) do
      assert.equal("explained", found[name].status)
      assert.equal(0, common({ schemes = found }, name, "vmulpd ymm, ymm, ymm"))
    end
    for _, name in ipairs(both) do
      local uops = found[name].status ~= "contradicting" and found[name].uops or {}
      assert.is_true(#uops ~= 1, name .. ": one uop on " .. table.concat(uops[1] and uops[1][1] or {}, ","))
    end
  end)
end)

-- A survey of two classes, and what its experiments take.
local function survey_of(cycles)
  local survey = { rmax = 8, filler = "nop m32, r32", facts = { narrow = { issued = 1 }, wide = { issued = 1 } },
    stage = function() end, fillers_of = function(_, n) return n end,
    classes = { { representative = "narrow", count = 3 }, { representative = "wide", count = 4 } } }
  function survey.measure(_, list)
    local results = {}
    for i, e in ipairs(list) do results[i] = { status = "ok", cycles = cycles(e) } end
    return results
  end
  return survey
end

describe("the stage of full issue", function()
  local function ideal(e)
    local narrow, wide = e.narrow or 0, e.wide or 0
    return math.max(narrow / 3, wide / 4, (narrow + wide + (e["nop m32, r32"] or 0)) / 8)
  end

  it("finds nothing where ports and issue slots explain all", function()
    local survey = survey_of(ideal)
    full_issue(survey)
    for _, class in ipairs(survey.classes) do assert.is_nil(class.issue_filled) end
  end)

  it("tells which class loses slots, and from where on", function()
    local survey = survey_of(function(e)
      local slots = (e.wide or 0) + (e["nop m32, r32"] or 0)
      return e.wide and slots > 18 and 1.2 * slots / 8 or ideal(e) -- of three rounds
    end)
    full_issue(survey)
    assert.is_nil(survey.classes[1].issue_filled)
    assert.equal(6 / 8, survey.classes[2].issue_filled)
  end)
end)

describe("what a class works on", function()
  local function domain(name, fields)
    fields = fields or {}
    fields.representative = name
    return port_class.domain(port_class.new(fields))
  end

  it("is the file of its representative's registers, or memory", function()
    assert.same({ "gpr", "gpr", "vector", "several", "memory" }, { domain "cmp r64, r64", domain "lea r64, m", domain "vpaddd ymm, ymm, ymm",
      domain "vmovd xmm, r32", domain("mov r64, m64", { loads = true }) })
    assert.is_nil(domain "no such scheme")
  end)
end)

describe("floods that are faster with an instance than without", function()
  local good, bad = { representative = "good" }, { representative = "bad" }
  local function job(class, count) return { class = class, count = count } end

  it("tell nothing of any scheme, if many hasten them", function()
    local jobs = { job(good, 1), job(bad, -2), job(good, 0), job(bad, -11), job(bad, 1) }
    assert.same({ jobs[1], jobs[3] }, several_uops.telling(jobs))
  end)

  it("tell nothing of those that hasten them, if these are few", function()
    local jobs = { job(good, -2), job(good, -1) }
    for i = 3, 9 do jobs[i] = job(good, 1) end
    assert.same({ table.unpack(jobs, 3) }, several_uops.telling(jobs))
  end)
end)
