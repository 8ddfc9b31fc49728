--- This module tells how well models agree with measurements (dissertation sections 3.2.2, 5.3 and 6.3.6): MAPE,
-- Pearson's r, Kendall's tau-b, bias, quantiles of the error, the same per experiment length, and the worst experiments;
-- docs/accuracy.md.
--
--     local set = accuracy.set(records)
--     local result = accuracy.evaluate(set, { predictors.recorded("IACA") }, { unit = "cpi" })
-- @module portolan.prediction.accuracy
local core = require "portolan.core"
local experiment = require "portolan.experiment"
local experiments = require "portolan.experiment.list"
local lengths = require "portolan.scheme.lengths"
local lists = require "portolan.support.lists"

local accuracy = {}

--- The units: cycles per experiment, cycles per instruction, instructions per cycle.
accuracy.units = { "cycles", "cpi", "ipc" }

--- Errors up to this fraction count as neither over nor under.
accuracy.tolerance = 0.02

-- Probabilities of the quantiles in a summary.
accuracy.probabilities = { 0.05, 0.25, 0.5, 0.75, 0.95 }

local least_cycles, most_cycles = experiments.least_cycles, experiments.most_cycles

local conversions = {
  cycles = function(cycles) return cycles end,
  cpi = function(cycles, length) return cycles / length end,
  ipc = function(cycles, length) return length / cycles end,
}

--- Checks measured experiments and takes those that have a number.
-- @param records list as of `portolan.experiment.list`
-- @return `{ records =, cycles =, lengths = (lists of equal length), total = records in all, unmeasured = {status = count} }`;
-- or nil and a message
function accuracy.set(records)
  local set = { records = {}, cycles = {}, lengths = {}, total = #records, unmeasured = {} }
  for i, record in ipairs(records) do
    local ok, message = experiment.check(record.e)
    if not ok then return nil, ("experiment %d: %s"):format(i, message) end
    local n = #set.records + 1
    if record.status == nil or record.status == "ok" then
      local cycles = record.cycles
      if not (math.type(cycles) and cycles >= least_cycles and cycles <= most_cycles) then
        return nil, ("experiment %d: 'cycles' must be a number from %g to %g"):format(i, least_cycles, most_cycles)
      end
      set.records[n], set.cycles[n], set.lengths[n] = record, cycles + 0.0, experiment.length(record.e)
    else
      set.unmeasured[record.status] = (set.unmeasured[record.status] or 0) + 1
    end
  end
  return set
end

-- Counts the reasons for which a model has nothing to say, with the scheme that is most often to blame.
local function tally(reasons, reason, scheme)
  local entry = reasons[reason]
  if not entry then
    entry = { reason = reason, n = 0, schemes = {} }
    reasons[reason] = entry
  end
  entry.n = entry.n + 1
  if scheme then entry.schemes[scheme] = (entry.schemes[scheme] or 0) + 1 end
end

-- Reasons as a list, the most frequent first.
local function told(reasons)
  local list = {}
  for _, entry in pairs(reasons) do
    local scheme = lists.keys(entry.schemes, lists.by_value(entry.schemes))[1]
    list[#list + 1] = { reason = entry.reason, n = entry.n, scheme = scheme, scheme_n = scheme and entry.schemes[scheme] }
  end
  table.sort(list, lists.most_first("n", "reason"))
  return list
end

-- Returns why a number of cycles cannot be used; nil if it can.
local function unusable(cycles, unit)
  if not (cycles >= 0 and cycles <= most_cycles) then return "the prediction is no number of cycles" end
  if cycles < least_cycles and unit == "ipc" then return "no cycles are predicted, which have no IPC" end
end

-- The cycles that a predictor gives for the experiments of a set: sparse list, reasons for the holes.
local function predict(set, predictor, unit)
  local cycles, reasons = {}, {}
  for i, record in ipairs(set.records) do
    local value, reason, scheme = predictor.predict(record)
    local fault = value and unusable(value, unit)
    if value and not fault then
      cycles[i] = value + 0.0
    else
      tally(reasons, fault or reason, not fault and scheme or nil)
    end
  end
  return cycles, reasons
end

local function covered_by_all(set, predictions)
  local common, n = {}, 0
  for i = 1, #set.records do
    local all = lists.all(predictions, function(cycles) return cycles[i] ~= nil end)
    common[i] = all
    n = n + (all and 1 or 0)
  end
  return common, n
end

--- MAPE and the like of two series.
-- @param modelled list of numbers
-- @param measured list of numbers, as long
-- @return `{ n, mape, pearson, kendall, bias, over, under, largest, quantiles, absolute }`: fractions, except `largest`
-- (unit of the series) and the coefficients; nil for what is not defined
function accuracy.summary(modelled, measured)
  local summary = assert(core.model.metrics(modelled, measured))
  local deviation = assert(core.model.deviation(modelled, measured,
    { tolerance = accuracy.tolerance, quantiles = accuracy.probabilities }))
  for name, value in pairs(deviation) do summary[name] = value end
  return summary
end

-- The experiments of a model in the wanted unit.
local function series(set, cycles, unit, wanted)
  local convert = conversions[unit]
  local model = { index = {}, modelled = {}, measured = {}, largest_cpi = 0 }
  for i = 1, #set.records do
    if cycles[i] and (not wanted or wanted[i]) then
      local n, length = #model.index + 1, set.lengths[i]
      model.index[n] = i
      model.modelled[n], model.measured[n] = convert(cycles[i], length), convert(set.cycles[i], length)
      model.largest_cpi = math.max(model.largest_cpi, math.abs(cycles[i] - set.cycles[i]) / length)
    end
  end
  if #model.index == 0 then model.largest_cpi = nil end
  return model
end

-- Gives each experiment of a model to a part (`part_of`: index in the set -> part), and sums the parts up.
local function fill(parts, model, part_of)
  for n, i in ipairs(model.index) do
    local part = part_of(i)
    local at = #part.measured + 1
    part.modelled[at], part.measured[at] = model.modelled[n], model.measured[n]
  end
  for _, part in ipairs(parts) do part.summary = accuracy.summary(part.modelled, part.measured) end
  return parts
end

-- A model's series cut by classes of length: list in the order of the classes, holes where it has no experiment.
local function by_length(set, model, classes)
  local parts = lists.map(classes, function(class) return { label = class.label, modelled = {}, measured = {} } end)
  local class_of = lengths.lookup(classes)
  return fill(parts, model, function(i) return parts[class_of(set.lengths[i])] end)
end

-- A model's series cut by categories of records: list in the order of their names in `order`; those that occur in the set.
local function by_category(set, model, category, order)
  local parts, of = {}, {}
  for _, record in ipairs(set.records) do of[category(record)] = true end
  for _, label in ipairs(order) do
    if of[label] then
      of[label] = { label = label, modelled = {}, measured = {} }
      parts[#parts + 1] = of[label]
    end
  end
  return fill(parts, model, function(i) return of[category(set.records[i])] end)
end

-- A model's series cut by whether predictions rest on what schemes take alone; nil if none does.
local function by_trust(set, model, rests_on)
  local rough, others = { modelled = {}, measured = {} }, { modelled = {}, measured = {} }
  fill({ rough, others }, model, function(i) return rests_on and rests_on(set.records[i]) and rough or others end)
  return rough.summary.n > 0 and { rough = rough.summary, others = others.summary } or nil
end

--- Says in words what of a model's predictions rests on what schemes take alone.
-- @param model an entry of a result's `models`
-- @return text; nil if nothing does
function accuracy.trust_text(model)
  local t = model.by_trust
  if not t then return nil end
  return ("%d of %d predictions rest on what a scheme takes alone, as its ports do not explain it, with a MAPE of %.1f%%%s"):format(t.rough.n,
    model.summary.n, 100 * t.rough.mape, t.others.n > 0 and ("; the others have %.1f%%"):format(100 * t.others.mape) or "")
end

--- The experiments with the largest relative errors.
-- @param set as of `accuracy.set`
-- @param model an entry of a result's `models`
-- @param count how many at most
-- @return list of `{ record =, measured =, modelled = (in the unit), error = modelled / measured - 1 }`, the worst first
function accuracy.worst(set, model, count)
  local list = {}
  for n, i in ipairs(model.index) do
    local measured, modelled = model.measured[n], model.modelled[n]
    local size = math.abs(modelled / measured - 1)
    local last = list[#list]
    if #list < count or last and size > last.size then
      local place = #list + 1
      while place > 1 and size > list[place - 1].size do place = place - 1 end
      table.insert(list, place, { record = set.records[i], measured = measured, modelled = modelled,
        error = modelled / measured - 1, size = size })
      list[count + 1] = nil
    end
  end
  return list
end

--- Tells what limits an experiment according to a model.
-- @param model an entry of a result's `models`
-- @param record one of the set's
-- @return "ports 0, 5", "issue slots", "a busy unit"; nil where there is no telling
function accuracy.limit(model, record)
  local m = model.predictor.model
  local p = m and m.predict and m:predict(record.e)
  if not p then return nil end
  if p.limit == "rmax" then return "issue slots" end
  if p.limit == "unit" then return "a busy unit" end
  local ports = p.bottleneck
  if type(ports) ~= "table" or #ports == 0 then return nil end
  return (#ports == 1 and "port " or "ports ") .. table.concat(ports, ", ")
end

--- Evaluates models side by side.
-- @param set as of `accuracy.set`
-- @param predictors list as of `portolan.prediction.compared`: `name` and `predict(record) -> cycles | nil, reason[, scheme]`
-- @tparam[opt] table options
-- @tparam[opt="cycles"] string options.unit "cycles", "cpi" or "ipc"
-- @tparam[opt] boolean options.common only experiments that every model covers
-- @tparam[opt] boolean options.by_length metrics for each length, too
-- @tparam[opt] func options.category function(record) -> its category, for metrics for each; `options.categories`: all of them, in order
-- @return `{ unit =, common = (how many all cover), only_common =, classes = of length, models = list }`; a model has `name`,
-- `predictor`, `left_out` = list of `{reason =, n =, scheme =, scheme_n =}`, `index` (into the set), `modelled`, `measured`
-- (in the unit), `summary` (see `accuracy.summary`), `largest_cpi` (largest absolute error, in CPI), `by_trust` = `{ rough =, others = }`, summaries
-- of the predictions that rest on what schemes take alone and of the others, nil if there are none of the former, and if wanted
-- `by_length` (a list like `classes` of `{label =, modelled =, measured =, summary =}`) and `by_category` (the same for categories that occur)
function accuracy.evaluate(set, predictors, options)
  options = options or {}
  local unit = options.unit or "cycles"
  assert(conversions[unit], "accuracy: no such unit")
  local predictions, reasons = {}, {}
  for k, predictor in ipairs(predictors) do predictions[k], reasons[k] = predict(set, predictor, unit) end
  local common, common_n = covered_by_all(set, predictions)
  local result = { unit = unit, common = common_n, only_common = options.common or false, models = {},
    classes = lengths.classes(set.lengths) }
  for k, predictor in ipairs(predictors) do
    local model = series(set, predictions[k], unit, options.common and common)
    model.name, model.predictor, model.left_out = predictor.name, predictor, told(reasons[k])
    model.summary = accuracy.summary(model.modelled, model.measured)
    model.by_trust = by_trust(set, model, predictor.rests_on)
    if options.by_length then model.by_length = by_length(set, model, result.classes) end
    if options.category then model.by_category = by_category(set, model, options.category, options.categories) end
    result.models[k] = model
  end
  return result
end

return accuracy
