--- Several readings of one experiment: how often to measure it, which value to believe, how noisy the processor is.
--
-- With the asymmetric reading a slow measurement is a sign of shared ports, and a single disturbed one could decide. So whatever
-- is slower than its schemes alone explain must be slow twice; if the two readings differ, a third one decides. The repetitions
-- show how noisy the processor is, and with that how certain an upper bound is.
-- @module portolan.infer.readings
local failure = require "portolan.support.failure"
local far = require("portolan.measuring.policy").suspicious.far
local values = require "portolan.measuring.values"

local readings = {}

--- Asks the processor for one more reading of each experiment.
-- @param run the state
-- @tparam {terms,...} list experiments by scheme numbers
-- @tparam {table,...} known readings of each so far; good ones are appended
-- @return true; or nil and a message
function readings.add(run, list, known)
  local experiments, repeated = {}, false
  for k, terms in ipairs(list) do
    experiments[k] = run.unknowns:experiment(terms)
    repeated = repeated or #known[k] > 0
  end
  run.experiments = run.experiments + #list
  local results, message = failure.of_machine(run.processor:measure(experiments, { again = repeated }))
  if not results then return nil, message end
  for k, result in ipairs(results) do
    if result.status == "ok" and result.cycles > 0 then table.insert(known[k], result.cycles) end
  end
  return true
end

--- One more reading of those for which `wanted(terms, readings)` is true, as far as the budget goes.
function readings.add_where(run, list, known, wanted)
  local some, theirs = {}, {}
  local left = run.options.experiment_limit - run.experiments
  for k, terms in ipairs(list) do
    if #known[k] > 0 and #some < left and wanted(terms, known[k]) then some[#some + 1], theirs[#theirs + 1] = terms, known[k] end
  end
  if #some == 0 then return true end
  return readings.add(run, some, theirs)
end

local function agree(list) return math.max(table.unpack(list)) <= (1 + far) * math.min(table.unpack(list)) end

-- Slower than the slowest of its schemes alone? Of a scheme alone that is not known.
local function slow(run, terms, cycles)
  local least, several = run.unknowns:floor(terms), next(terms, next(terms)) ~= nil
  for i, copies in pairs(terms) do least = math.max(least, copies * (run.alone[i] or 0)) end
  return not several or cycles > least * (1 + far)
end

--- Measures experiments, some of them repeatedly.
-- @param run the state; `run.alone` has the cycles of one instance of each scheme, where known
-- @tparam {terms,...} list experiments by scheme numbers
-- @return list of lists of cycles, empty for those that could not be measured; or nil and a message
function readings.take(run, list)
  local known = {}
  for k = 1, #list do known[k] = {} end
  local ok, message = readings.add(run, list, known)
  if ok and run.confirm then
    ok, message = readings.add_where(run, list, known, function(terms, cycles) return slow(run, terms, cycles[1]) end)
    if ok then ok, message = readings.add_where(run, list, known, function(_, cycles) return not agree(cycles) end) end
  end
  if not ok then return nil, message end
  for k, terms in ipairs(list) do
    local i, copies = next(terms)
    if #known[k] > 0 and not next(terms, i) then run.alone[i] = run.alone[i] or values.middle(known[k]) / copies end
  end
  return known
end

return readings
