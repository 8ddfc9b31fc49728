-- A chart that is interrupted, in whichever stage and at whichever of its questions: what it says is what the whole chart says, as far as it goes.
-- Nothing that was found is lost, and nothing that was only tried is left behind.
local chart = require "portolan.infer.chart"
local core = require "portolan.core"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local plan = require "portolan.infer.chart.plan"
local simulated = require "portolan.processor.simulated"
local small = require "cores.small"

local asking = { "measure", "measure_other_inputs", "issue_slots", "chain_latency", "measure_chains" }

-- A processor that calls `asked` before each answer. Loop bodies, of which a simulation knows nothing, take a cycle.
local function processor_of(m, asked)
  local p = assert(simulated.new { mapping = m })
  function p.measure_bodies(_, jobs)
    return lists.map(jobs, function() return core.base.interrupted() and { status = "interrupted" } or { status = "ok", cycles = 1 } end)
  end
  for _, method in ipairs(lists.joined(asking, { "measure_bodies" })) do
    local honest = p[method]
    p[method] = honest and function(...)
      asked()
      return honest(...)
    end
  end
  return p
end

-- Charts a core; interrupted at the nth question of a stage (to the processor, or the solver), if one is given. Returns the chart, and stage ->
-- number of its questions.
local function charted(m, stage, n)
  local current, questions = nil, {}
  local function asked()
    questions[current] = (questions[current] or 0) + 1
    if current == stage and questions[current] == n then core.base.set_interrupted(true) end
  end
  local _ <close> = setmetatable({}, { __close = function() core.base.set_interrupted(false) end })
  local result = chart.run(processor_of(m, asked), { { name = "All", schemes = mapping.schemes(m) } }, { evaluate = 5, latencies = true,
    reference = { name = "itself", mapping = m }, progress = function(name, _, total)
      if name == current and name:find "^ports" and not total then asked() end
      current = name
    end })
  return result, questions
end

-- What a chart says: port sets, and of each scheme its status and uops, as texts. (What is assumed at first may be seen later.)
local function claims(result)
  local sets = lists.map(result.port_sets, function(set)
    return ("%s: %s"):format(table.concat(set.ports, " "), table.concat(lists.keys(lists.set(set.members)), ", "))
  end)
  table.sort(sets)
  local schemes = {}
  for name, scheme in pairs(result.mapping.schemes) do
    schemes[name] = scheme.status == "not reached" and scheme.status or ("%s: %s"):format(scheme.status, scheme.uops and mapping.usage(scheme) or "")
  end
  return { sets = table.concat(sets, "\n"), schemes = schemes }
end

-- Is what a chart says what was said before the stage, or what the whole chart says? Sets may also be those after the stage (`after` = function()
-- -> claims), as a later one adds others.
local function check(found, before, whole, after, where)
  local said = found.sets == before.sets or found.sets == whole.sets or found.sets == after().sets
  assert.is_true(said, ("%s: %s\nis neither\n%s\nnor\n%s"):format(where, found.sets, before.sets, whole.sets))
  for name, claim in pairs(found.schemes) do
    local was = before.schemes[name] or "not reached"
    assert.is_true(claim == was or claim == whole.schemes[name], ("%s: %s is %s, was %s, will be %s"):format(where, name, claim, was,
      whole.schemes[name]))
  end
end

local tried = {} -- stages

-- Interrupts a core's chart in those stages whose names match, and that were not tried with cores before.
local function check_core(title, m, pattern)
  describe("an interrupted chart of " .. title, function()
    local result, questions = charted(m)
    local whole = claims(result)
    for i, stage in ipairs(plan.stages) do
      local n = not tried[stage.name] and stage.name:find(pattern) and questions[stage.name]
      if n then
        tried[stage.name] = true
        it("is right as far as it goes: " .. stage.name, function()
          local before = claims((charted(m, stage.name, 1)))
          local function after()
            local later = lists.first({ table.unpack(plan.stages, i + 1) }, function(other) return questions[other.name] end)
            return claims((charted(m, later.name, 1)))
          end
          for _, k in ipairs(lists.distinct { n // 2 + 1, n }) do
            local partial = charted(m, stage.name, k)
            assert.is_true(partial.partial or k == n and stage.name == "latencies") -- nothing may be left to ask
            assert.equal(stage.name, partial.stages[#partial.stages].name)
            check(claims(partial), before, whole, after, ("%s, question %d of %d"):format(stage.name, k, n))
          end
        end)
      end
    end
  end)
end

local zen4 = small.zen4()
zen4.rmax, zen4.schemes["bt r32, r32"].misfit = 5, { large_inputs = 3 }
check_core("a small Zen 5, whose front end hides ports", small.zen5(), "^ports")
check_core("a small Zen 4, with stores that share ports, and a time that depends on values", zen4, "")

describe("interrupts", function()
  it("were tried in every stage that asks anything", function()
    local others = { calibration = true, consistency = true, companions = true, units = true } -- the oracle's own; deduced; units_spec
    for _, stage in ipairs(plan.stages) do assert.is_true(tried[stage.name] or others[stage.name], stage.name) end
  end)
end)
