--- A record in the place of measurements: all of its experiments are to be explained, whatever their length.
--
-- PMEvo asks for single schemes and certain pairs; of a record that holds other experiments next to nothing would be left.
-- @module portolan.infer.pmevo.recorded
local congruence = require "portolan.infer.pmevo.congruence"
local experiment = require "portolan.experiment"
local lists = require "portolan.support.lists"
local training = require "portolan.infer.pmevo.training"

local recorded = {}

local most_schemes = 16 -- different ones of an experiment, for the engine (core.evo.problem)

-- Returns why an experiment cannot be used, in words; nil if it can.
local function unusable(e, result, wanted)
  if result.status ~= "ok" or not (result.cycles and result.cycles > 0) then return "without a time" end
  local schemes = experiment.schemes(e)
  if #schemes > most_schemes then return ("of more than %d schemes"):format(most_schemes) end
  for _, name in ipairs(schemes) do
    if not wanted[name] then return "with schemes that are not inferred" end
  end
end

--- Collects what a record says of some schemes.
-- @param processor one with `experiments` (portolan.processor.replay)
-- @param names schemes
-- @return `{ total =, list = { { e =, cycles = }, ... }, left_out = reason -> number }`
function recorded.collect(processor, names)
  local wanted, found, asked = lists.set(names), { list = {}, left_out = {} }, processor:experiments()
  found.total = #asked
  for i, result in ipairs(processor:measure(asked)) do
    local reason = unusable(asked[i], result, wanted)
    if reason then
      found.left_out[reason] = (found.left_out[reason] or 0) + 1
    else
      found.list[#found.list + 1] = { e = asked[i], cycles = result.cycles }
    end
  end
  return found
end

--- Finds how long schemes take alone, or at most: n instances of one need no longer than any experiment that holds them.
-- @param list of `collect`
-- @return name -> cycles, where they were recorded; name -> most cycles, for all schemes that occur
function recorded.limits(list)
  local alone, limits = {}, {}
  for _, x in ipairs(list) do
    local single = experiment.schemes(x.e)
    for name, n in pairs(x.e) do
      if #single == 1 and n == 1 then alone[name] = x.cycles end
      limits[name] = math.min(limits[name] or math.huge, x.cycles / n)
    end
  end
  for name, cycles in pairs(alone) do limits[name] = cycles end
  return alone, limits
end

-- An experiment with another scheme in the place of one.
local function exchanged(e, s, r)
  local other = lists.copy(e)
  other[s], other[r] = nil, (other[r] or 0) + other[s]
  return other
end

--- Makes a function that tells schemes apart by what is recorded beside pairs: an experiment of any length, recorded with either of them. Schemes of
-- which one was not recorded alone cannot be compared, and count as different.
-- @param list of `collect`
-- @param alone name -> cycles, where they were recorded
-- @param epsilon up to which relative difference times are equal
-- @return function(s, r): whether they differ
function recorded.differ(list, alone, epsilon)
  local times, with = {}, {}
  for _, x in ipairs(list) do
    times[experiment.key(x.e)] = x.cycles
    for name in pairs(x.e) do
      lists.into(with, name, x)
    end
  end
  local function told(s, r)
    for _, x in ipairs(with[s]) do
      local cycles = times[experiment.key(exchanged(x.e, s, r))]
      if cycles and not congruence.equal(x.cycles, cycles, epsilon) then return true end
    end
  end
  return function(s, r) return not alone[s] or not alone[r] or told(s, r) or told(r, s) or false end
end

-- An experiment with each scheme's representative in its place.
local function of_representatives(e, class)
  local merged = {}
  for name, n in pairs(e) do merged[class[name]] = (merged[class[name]] or 0) + n end
  return merged
end

--- All recorded experiments as training.problem has them. Those that are the same but for congruent schemes are one, with their mean time.
-- @param list of `collect`
-- @param classes of portolan.infer.pmevo.congruence
-- @return list of `{ e =, cycles =, schemes =, counts = }`
function recorded.training(list, classes)
  local number, merged, places = {}, {}, {}
  for i, name in ipairs(classes.representatives) do number[name] = i end
  for _, x in ipairs(list) do
    local e = of_representatives(x.e, classes.class)
    local key = experiment.key(e)
    local entry = places[key]
    if not entry then
      entry = { e = e, schemes = {}, counts = {}, sum = 0, n = 0 }
      for k, name in ipairs(experiment.schemes(e)) do entry.schemes[k], entry.counts[k] = number[name], math.tointeger(e[name]) end
      places[key], merged[#merged + 1] = entry, entry
    end
    entry.sum, entry.n = entry.sum + x.cycles, entry.n + 1
  end
  for _, entry in ipairs(merged) do entry.cycles = entry.sum / entry.n end
  return merged
end

--- The problem for the engine.
-- @param record of `collect`
-- @param classes of portolan.infer.pmevo.congruence
-- @param limits name -> cycles alone, or at most
-- @param o as of training.problem
-- @return problem (core.evo.problem), list of the experiments; or nil and a message
function recorded.problem(record, classes, limits, o)
  return training.of_list(recorded.training(record.list, classes), classes.representatives, limits, o)
end

return recorded
