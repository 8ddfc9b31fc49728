--- Predictions for `portolan predict`: what a model says, of which part of the question, and what it leaves out.
-- @module portolan.cli.prediction
local experiment = require "portolan.experiment"
local json = require "portolan.support.json"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local model = require "portolan.model"
local predict_argument = require "portolan.cli.predict_argument"
local stand_ins = require "portolan.stand_ins"

local prediction = {}

--- What no port mapping knows of code.
prediction.ignores = "dependencies"

--- Ports that were chosen, not determined.
-- @param m mapping table
-- @param names of its schemes, as the keys of a table
-- @return scheme -> list; nil if there are none
function prediction.assumed(m, names)
  local list = {}
  for name in pairs(names) do
    local ports = m.schemes[name].assumed
    if type(ports) == "table" and #ports > 0 then list[name] = ports end
  end
  return next(list) and list or nil
end

--- Who says what is known of schemes, where that is not the mapping (portolan.mapping_fill).
-- @param m mapping table
-- @param names of its schemes, as the keys of a table
-- @return list of `{ source =, schemes = sorted names }`; nil if there are none
function prediction.sources(m, names)
  local by_source, list = {}, {}
  for _, name in ipairs(lists.keys(names)) do
    if m.schemes[name].source then lists.into(by_source, m.schemes[name].source, name) end
  end
  for _, source in ipairs(lists.keys(by_source)) do list[#list + 1] = { source = source, schemes = by_source[source] } end
  return #list > 0 and list or nil
end

-- Ports without uops leave cycles empty: objects all the same.
local function marked(schedule)
  for _, row in ipairs(schedule.table) do json.object(row) end
  return schedule
end

--- The model for code as it is: without the issue slots of zeroing idioms that only experiments have.
function prediction.model_of_code(m)
  local of_code = m.mapping and mapping.of_code(m.mapping)
  return of_code and of_code ~= m.mapping and assert(model.of(of_code, m.method)) or m
end

-- What the model knows of an experiment; the names that it does not know; and branches that were taken as others, name -> name.
local function known_part(m, e)
  local known, unknown = m:split(e)
  local left, taken_as = {}, {}
  local function explains(name) return m:explains(name) end
  for _, name in ipairs(unknown) do
    local other = stand_ins.of(name, explains)
    local parts, joined = stand_ins.parts(name, explains)
    for _, one in ipairs(parts or { other }) do known[one] = (known[one] or 0) + e[name] end
    if joined or other then taken_as[name] = joined or other else left[#left + 1] = name end
  end
  return known, left, next(taken_as) and taken_as or nil
end

--- Why nothing can be said of an experiment.
-- @param m model
-- @param e experiment
-- @param name the first of its schemes
function prediction.nothing_known(m, e, name)
  local why = m.schemes[name] and ("the mapping does not explain '%s' (%s)"):format(name, m.schemes[name].status or "no uops")
    or ("the mapping has no scheme '%s'%s"):format(name, predict_argument.suggestion(m, name))
  return ("'%s': %s"):format(experiment.format(e), why)
end

--- Predicts an experiment. Where the model does not know all of its schemes the result is a bound: what the others take.
-- @param m model
-- @param e experiment
-- @tparam[opt] table options
-- @tparam[opt] boolean options.is_code it is of code
-- @tparam[opt] int options.schedule iterations of an optimal schedule to show
-- @treturn table|nil the fields of `model:predict`, and `experiment` (what was predicted), `text` (what was asked), `method`, `assumed`,
--   `ignores` (of code), `schedule`; `taken_as`, of branches that count as those of the opposite condition, name -> name; of a bound
--   `unknown`, the sorted names of what `cycles` leaves out
-- @treturn[opt] string what is wrong
function prediction.of(m, e, options)
  local known, unknown, taken_as = known_part(m, e)
  if not next(known) and #unknown > 0 then return nil, prediction.nothing_known(m, e, unknown[1]) end
  local p, message = m:predict(known)
  if not p then return nil, message end
  p.sources = m.mapping and prediction.sources(m.mapping, known) or nil
  p.experiment, p.text, p.method, p.assumed = known, experiment.format(e), m.method, m.mapping and prediction.assumed(m, known) or nil
  p.ignores = options.is_code and prediction.ignores or nil
  if options.schedule then
    p.schedule, message = m.compiled:schedule(known, options.schedule)
    if not p.schedule then return nil, message end
    marked(p.schedule)
  end
  p.unknown, p.taken_as = #unknown > 0 and unknown or nil, taken_as
  return p
end

--- What is said of a piece of code beside its prediction.
-- @tparam table piece of `portolan.code`
-- @tparam table p gets its fields, but for the code itself
-- @return p
function prediction.about(piece, p)
  for key, value in pairs(piece) do
    if key ~= "bytes" and key ~= "instructions" then p[key] = value end
  end
  return p
end

--- Predictions as JSON shows them: what leaves out instructions or latencies is a bound, and not called `cycles`, which programs would take for a
-- prediction, but `least_cycles`.
-- @param list of predictions, with `trouble` in place of all else where there is none
-- @return list for `json.encode`
function prediction.as_json(list)
  local result = {}
  for i, p in ipairs(list) do
    result[i] = p
    if p.unknown or p.lacking_latency then
      local bound = lists.copy(p)
      bound.cycles, bound.cpi, bound.ipc, bound.least_cycles = nil, nil, nil, p.cycles
      result[i] = bound
    end
  end
  return json.array(result)
end

return prediction
