--- Charts a processor: from measurements alone to its port mapping, with evidence.
--
-- The stages, each in a file of `stages`, follow the dissertation's sections 4.3 and 6.2:
-- schemes alone, issue slots and elimination, classes of equal ports, ports of the classes by counter-examples, uops of
-- the others by blocking; then fresh random experiments test the result. What does not fit is reported as such.
-- @module portolan.infer.chart
local by_hand = require "portolan.infer.chart.by_hand"
local class_ports = require "portolan.infer.chart.stages.class_ports"
local compose = require "portolan.infer.chart.compose"
local core = require "portolan.core"
local disagreements = require "portolan.infer.chart.stages.disagreements"
local ending = require "portolan.infer.chart.ending"
local evaluate = require "portolan.infer.chart.stages.evaluate"
local fitness = require "portolan.infer.chart.fitness"
local latencies = require "portolan.infer.chart.stages.latencies"
local lacking = require "portolan.infer.chart.lacking"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local restart = require "portolan.infer.chart.restart"
local plan = require "portolan.infer.chart.plan"
local measured_record = require "portolan.infer.chart.measured_record"
local survey = require "portolan.infer.chart.survey"

local chart = {}

local stages = lists.map(lists.where(plan.stages, function(stage) return stage.file ~= nil end), function(stage)
  return require("portolan.infer.chart.stages." .. stage.file)
end)

-- Runs f; false and which one if it ended by survey.stop or survey.anew.
local function completes(f)
  local function is_known(e) return e == survey.stop or e == survey.anew end
  local ok, trouble = xpcall(f, function(e) return is_known(e) and e or debug.traceback(e, 2) end)
  if not ok and not is_known(trouble) then error(trouble, 0) end
  return ok, trouble
end

-- Runs the stages of a survey. One that finds that classes have other ports says which schemes have their uops, too: then ports are inferred anew.
local function run_stages(s)
  local i, from, kept, first, last = 1, nil, nil, nil, nil
  while stages[i] do
    if stages[i] == class_ports then from, kept = i, restart.mark(s) end
    local carriers
    local whole, trouble = completes(function() carriers = stages[i](s) end)
    if not whole then
      if first then restart.back(s, first) end -- what the first inference led to is better than a part of the second
      error(trouble, 0)
    end
    lacking.take_back(s)
    if carriers then
      first, last = restart.mark(s), i
      restart.back(s, kept)
      for _, class in ipairs(s.classes) do class.carriers = class.carriers or carriers[class.representative] end
      i = from
    else
      first = i ~= last and first or nil
      i = i + 1
    end
  end
end

-- Runs the stages, and fills `parts`. A record is first taken to have all that is asked, so that what a chart measured gives that chart again; if it
-- lacks something the survey begins anew, and claims nothing that rests on what is absent. Returns the survey; did it run to its end?
local function carry_out(processor, set, options, parts, incomplete)
  local s = survey.new(processor, set, options, incomplete)
  local whole, trouble = completes(function()
    run_stages(s)
    parts.mapping = compose.mapping(s)
    local names = compose.explained(s)
    parts.evaluation = evaluate(s, mapping.compile(parts.mapping), names, options.evaluate or 200, options.others)
    if options.reference then parts.disagreements = disagreements(s, parts.mapping, options.reference) end
    if options.latencies then latencies(s, parts) end
  end)
  if trouble == survey.anew then
    parts.mapping = nil
    return carry_out(processor, set, options, parts, true)
  end
  return s, whole
end

--- Charts a processor.
-- @param processor a processor that also answers `issue_width`, `issue_slots` and `chain_latency` (hardware, simulated)
-- @param set list of groups `{ name=, schemes= }`, e.g. arch/x86_64/sets/starter.lua
-- @tparam[opt] table options
-- @tparam[opt=1] int options.seed of every random choice
-- @tparam[opt=200] int options.evaluate number of fresh experiments
-- @tparam[opt] string options.title of the report
-- @tparam[opt] string options.command that repeats it
-- @param[opt] options.counters facts about counters, for the report
-- @tparam[opt] func options.progress function(stage, done, total, note)
-- @tparam[opt=0.02] number options.epsilon cycles per instruction that a record resolves
-- @tparam[opt] {string,...} options.blocking schemes that are to represent their classes: `chart.blocking` says what became of each
-- (portolan.infer.chart.by_hand)
-- @tparam[opt] table options.kept where outcomes of inferences are that hold as long as their measurements do (portolan.infer.chart.kept_inference)
-- @tparam[opt] {string,...} options.tried schemes that an earlier chart tried in mixtures: each mixture here has another one
-- @tparam[opt] boolean options.record also return all that was measured (`record`, portolan.infer.chart.measured_record)
-- @tparam[opt] number options.budget seconds that it may take
-- @tparam[opt] table options.reference `{ name =, mapping = }`: where does it disagree?
-- @tparam[opt] boolean options.latencies measure chains, too: `latencies` of the mapping's schemes, `latency` of the chart
-- (portolan.infer.chart.stages.latencies)
-- @tparam[opt] table options.others further predictors (portolan.infer.chart.stages.evaluate)
-- @return chart (docs/report.md); `chart.partial` if it ended early, `chart.failure` (text) if that was not the user's wish,
-- `chart.open` (portolan.infer.chart.lacking) if the processor is a record, `chart.ending` if it ended early or found no ports
-- (portolan.infer.chart.ending)
function chart.run(processor, set, options)
  options = options or {}
  local parts = { title = options.title, version = core.version, command = options.command, counters = options.counters }
  local s, whole = carry_out(processor, set, options, parts)
  s:end_stage()
  parts.partial, parts.ending = not whole, ending(s, whole)
  parts.failure = s.failure or whole and parts.ending and parts.ending.why or nil
  parts.mapping = parts.mapping or compose.mapping(s)
  parts.seconds = core.base.now() - s.began
  parts.unfinished = parts.partial and plan.unfinished(s:last_stage(), options) or nil
  parts.mapping.provenance.partial, parts.mapping.provenance.unfinished = parts.partial or nil, parts.unfinished
  local result = compose.chart(s, parts)
  result.blocking = options.blocking and by_hand.verdicts(s, options.blocking, fitness.trouble) or nil
  return result, options.record and measured_record.of(s) or nil
end

return chart
