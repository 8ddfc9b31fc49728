--- Readings of experiments, of which suspicious ones, and those that contradict each other, are taken again (`suspicious` and `contradicting` of
-- portolan.measuring.policy).
--
-- With the asymmetric reading a slow measurement is a sign of shared ports, and a single disturbed one could decide. So whatever
-- is slower than its schemes alone explain must be slow twice; if the two readings differ, a third one decides. The repetitions
-- show how noisy the processor is, and with that how certain an upper bound is.
-- @module portolan.measuring.suspicious
local failure = require "portolan.support.failure"
local policy = require "portolan.measuring.policy"
local record = require "portolan.support.record"
local values = require "portolan.measuring.values"

local suspicious = {}

local far = policy.suspicious.far
local enough = policy.contradicting.readings -- the middle one is believed

local Source = record.kind("source of readings", {
  processor = "what is measured",
  budget = "how many experiments may be asked for (portolan.infer.budget)",
  repeats = "true: what is suspicious is measured again",
  experiment = "function(terms) -> the experiment by names",
  floor = "function(terms) -> cycles that the front end takes at least",
  alone = "scheme, as in terms -> cycles of one instance alone, where known",
}, suspicious)

--- A source of readings.
-- @tparam table options
-- @param options.processor with `measure`
-- @param options.budget with `left` and `spend` (portolan.infer.budget)
-- @tparam boolean options.repeats whether suspicious readings are taken again
-- @tparam function options.experiment terms -> experiment by names
-- @tparam function options.floor terms -> cycles
-- @return source
function suspicious.new(options)
  return Source { processor = options.processor, budget = options.budget, repeats = options.repeats, experiment = options.experiment,
    floor = options.floor, alone = {} }
end

-- Asks the processor for one more reading of each; good ones are appended to what is known of each.
local function add(self, list, known)
  local experiments, repeated = {}, false
  for k, terms in ipairs(list) do
    experiments[k] = self.experiment(terms)
    repeated = repeated or #known[k] > 0
  end
  self.budget:spend(#list)
  local results, message = failure.of_machine(self.processor:measure(experiments, { again = repeated }))
  if not results then return nil, message end
  for k, result in ipairs(results) do
    if result.status == "ok" and result.cycles > 0 then table.insert(known[k], result.cycles) end
  end
  return true
end

--- One more reading of those for which `wanted(terms, readings)` is true, as far as the budget goes.
-- @tparam {terms,...} list experiments
-- @tparam {table,...} known readings of each so far; good ones are appended. What has none could not be measured, and is not asked again
-- @tparam function wanted
-- @return true; or nil and a message
function suspicious:add_where(list, known, wanted)
  local some, theirs = {}, {}
  for k, terms in ipairs(list) do
    if #known[k] > 0 and #some < self.budget:left() and wanted(terms, known[k]) then some[#some + 1], theirs[#theirs + 1] = terms, known[k] end
  end
  if #some == 0 then return true end
  return add(self, some, theirs)
end

--- Takes readings of observations anew, as they contradict others: where they rest on fewer than enough and were not doubted before.
-- @tparam {table,...} list observations (portolan.infer.observations); good readings are appended to theirs
-- @return how many there were; or nil and a message
function suspicious:anew(list)
  local terms, known = {}, {}
  for _, seen in ipairs(list) do
    if seen.readings and #seen.readings < enough and not seen.doubted then
      seen.doubted = true
      terms[#terms + 1], known[#known + 1] = seen.terms, seen.readings
    end
  end
  for _ = 2, enough do
    local ok, message = self:add_where(terms, known, function(_, cycles) return #cycles < enough end)
    if not ok then return nil, message end
  end
  return #terms
end

local function agree(list) return math.max(table.unpack(list)) <= (1 + far) * math.min(table.unpack(list)) end

-- Slower than the slowest of its schemes alone? Of a scheme alone that is not known.
local function slow(self, terms, cycles)
  local least, several = self.floor(terms), next(terms, next(terms)) ~= nil
  for i, copies in pairs(terms) do least = math.max(least, copies * (self.alone[i] or 0)) end
  return not several or cycles > least * (1 + far)
end

--- Measures experiments, some of them repeatedly.
-- @tparam {terms,...} list experiments
-- @return list of lists of cycles, empty for those that could not be measured; or nil and a message
function suspicious:take(list)
  local known = {}
  for k = 1, #list do known[k] = {} end
  local ok, message = add(self, list, known)
  if ok and self.repeats then
    ok, message = self:add_where(list, known, function(terms, cycles) return slow(self, terms, cycles[1]) end)
    if ok then ok, message = self:add_where(list, known, function(_, cycles) return not agree(cycles) end) end
  end
  if not ok then return nil, message end
  for k, terms in ipairs(list) do
    local i, copies = next(terms)
    if #known[k] > 0 and not next(terms, i) then self.alone[i] = self.alone[i] or values.middle(known[k]) / copies end
  end
  return known
end

return suspicious
