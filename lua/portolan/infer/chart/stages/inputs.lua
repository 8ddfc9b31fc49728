--- Stage: whose time depends on what it works on? Every scheme is measured alone once more, with other values in the registers, where the processor
-- can give it these; of schemes that do the same on operands of other widths the first, and the others if it depends.
--
-- It comes early: a scheme that takes another time then is no measure of its ports, whatever it takes with the usual values. It stands for no others
-- and floods nothing (portolan.infer.chart.fitness). What its uops are with the usual values is asked as of others, and its status says in the end
-- that they are not all (stages/consistency).
-- @module portolan.infer.chart.stages.inputs
local differ = require("portolan.infer.chart.constants").times_differ
local lists = require "portolan.support.lists"
local relatives = require "portolan.infer.chart.blocking.relatives"

local rounds = 3 -- of readings with either values, as code may have two rates by itself: times of the one kind are all less than those of the other

-- Widens the ranges of times, name -> { low =, high = }, by a reading of each scheme. What cannot be read takes any time.
local function read(survey, names, ranges, options)
  for i, result in ipairs(survey:measure(lists.map(names, function(name) return { [name] = 1 } end), options)) do
    local range, time = ranges[names[i]] or { low = math.huge, high = 0 }, result.status == "ok" and result.cycles
    ranges[names[i]] = { low = math.min(range.low, time or 0), high = math.max(range.high, time or math.huge) }
  end
end

local function is_less(a, b) return a.high * (1 + differ) < b.low end

-- Notes of schemes how their time depends on what they work on, if it does.
local function ask(survey, names)
  local usual, other = {}, {}
  for _, name in ipairs(names) do usual[name] = { low = survey.facts[name].single.cycles, high = survey.facts[name].single.cycles } end
  for round = 1, rounds do
    if round > 1 then read(survey, names, usual, { again = true }) end
    read(survey, names, other, { other_inputs = true, again = round > 1 })
    names = lists.where(names, function(name) return is_less(usual[name], other[name]) or is_less(other[name], usual[name]) end)
  end
  for _, name in ipairs(names) do
    local f = survey.facts[name]
    f.depends = ("alone it takes %.3f cycles with small numbers in the registers, %.3f with large ones"):format(f.single.cycles, other[name].low)
    f.unfit = f.depends
  end
end

return function(survey)
  if not survey.processor.measure_other_inputs then return end
  survey:stage("other inputs")
  local first, others, first_of = relatives.firsts(survey:unsettled(function(_, f) return f.single.status == "ok" end))
  ask(survey, first)
  ask(survey, lists.where(others, function(name) return survey.facts[first_of[name]].depends ~= nil end))
end
