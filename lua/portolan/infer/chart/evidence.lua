--- All that a survey measured, in the order in which it was asked: a list that only grows. What is concluded may be taken back, no observation is.
--
-- An observation is `{ e =, result = (of the processor: status, cycles, spread, n ...), stage = (name of the one that asked), other_inputs = true,
-- again = true, before = (number of the observation of the same experiment before it) }`. A number says for good which one is meant.
-- @module portolan.infer.chart.evidence
local experiment = require "portolan.experiment"
local lists = require "portolan.support.lists"

local evidence = {}
evidence.__index = evidence

--- An empty list; its entries are `evidence[1]`, `evidence[2]` and so on.
function evidence.new() return setmetatable({ last_of = {} }, evidence) end

--- Appends an observation. Tables are kept as they are: what is in `e` and `result` must not change later.
-- @param e experiment
-- @param result of measuring it
-- @param stage name of the stage that asked
-- @tparam[opt] table options `other_inputs`, `again`, as of survey:measure
-- @treturn int its number
function evidence:add(e, result, stage, options)
  local key, number = experiment.key(e), #self + 1
  local before = self.last_of[key]
  self[number] = { e = before and self[before].e or e, result = result, stage = stage, before = before,
    other_inputs = options and options.other_inputs or nil, again = options and options.again or nil }
  self.last_of[key] = number
  return number
end

--- The last observation of an experiment: what is believed of it.
-- @param key of the experiment (portolan.experiment)
-- @tparam[opt=false] boolean other_inputs the last one with other values in the registers
-- @return observation and its number; nil if there is none
function evidence:last(key, other_inputs)
  local number = self.last_of[key]
  while number and (self[number].other_inputs or false) ~= (other_inputs or false) do number = self[number].before end
  return number and self[number], number
end

--- Returns what is known of an experiment, if that is as precise as wanted: nobody asks twice.
-- @param e experiment
-- @tparam boolean other_inputs with other values in the registers
-- @param precision relative standard deviation that is wanted
-- @return the result; nil if it has to be measured
function evidence:told(e, other_inputs, precision)
  local last = self:last(experiment.key(e), other_inputs)
  return last and last.result.status == "ok" and (last.result.deviation or math.huge) <= precision and last.result or nil
end

--- All observations of an experiment.
-- @param key of the experiment
-- @return their numbers, in order
function evidence:readings(key)
  local numbers, number = {}, self.last_of[key]
  while number do
    table.insert(numbers, 1, number)
    number = self[number].before
  end
  return numbers
end

--- The keys of all experiments that were measured, sorted.
function evidence:keys() return lists.keys(self.last_of) end

return evidence
