--- The schemes of an inference that grows from a core: what was measured of each, and how far each has come.
-- @module portolan.infer.grow.field
local core = require "portolan.core"
local experiment = require "portolan.experiment"
local fixed = require "portolan.infer.cegis.fixed"
local mapping = require "portolan.mapping"
local policy = require "portolan.measuring.policy"
local bounds = require "portolan.infer.bounds"
local readings = require "portolan.infer.readings"
local values = require "portolan.measuring.values"
local state = require "portolan.infer.cegis.state"
local unknowns = require "portolan.infer.cegis.unknowns"

local field = {}

-- A scheme is `{ name=, slots=, seen = { {experiment, cycles}, ... }, status=, ports= (mask), number= (in the engine), known= (in
-- the ground) }`. status: nil (being placed), "unique", "open" (several places remain that nothing tells apart), "contradicting",
-- "unmeasured".

local function schemes_of(names, options)
  local list, by_name = {}, {}
  for i, name in ipairs(names) do
    if by_name[name] then return nil, ("scheme '%s' is named twice"):format(name) end
    list[i] = { name = name, slots = options.slots and options.slots[name] or 1, seen = {}, order = i }
    by_name[name] = list[i]
  end
  if #list == 0 then return nil, "no schemes to infer ports for; name at least one" end
  return list, by_name
end

--- @param processor as for `cegis.infer`
-- @tparam {string,...} names of schemes, any number
-- @tparam table options of `grow.infer`, with all defaults
-- @return state; or nil and a message
function field.new(processor, names, options)
  local list, by_name = schemes_of(names, options)
  if not list then return nil, by_name end
  local most = options.ports or 16
  if most < 1 or most > 20 then return nil, ("%d ports, but growing from a core takes 20 at most"):format(most) end
  local began = core.base.now()
  local run = { processor = processor, options = options, schemes = list, by_name = by_name, most_ports = most, experiments = 0,
    rounds = 0, failed = {}, points = {}, assumed = {}, wanted = {}, began = began, deadline = began + options.time_limit, core = {}, known = {},
    alone = {}, doubted = 0, port_names = fixed.names({}, most) }
  run.unknowns = { experiment = function(_, e) return e end, floor = function(_, e) return field.floor(run, e) end } -- for readings
  local asks, asymmetric = not processor.experiments, options.reading == "asymmetric"
  run.doubt = asks and options.doubt ~= false
  run.confirm = asks and (options.confirm or options.confirm == nil and asymmetric)
  run.noise = options.noise or 0
  for k, seen in ipairs(options.observations or {}) do
    local subject -- the scheme listed last: those before it are known first
    for name in pairs(seen[1]) do
      local s = by_name[name]
      if not s then return nil, ("observation %d: scheme '%s' is not one of those to infer"):format(k, name) end
      if not subject or s.order > subject.order then subject = s end
    end
    if not subject then return nil, ("observation %d: an empty experiment"):format(k) end
    subject.seen[#subject.seen + 1] = { experiment = seen[1], cycles = seen[2] }
  end
  return run
end

--- Cycles that the front end takes for an experiment at least (§4.3).
function field.floor(run, e)
  if not run.options.rmax then return 0 end
  local slots = 0
  for name, copies in pairs(e) do slots = slots + copies * run.by_name[name].slots end
  return slots / run.options.rmax
end

--- What a measurement says, see `portolan.infer.bounds`.
function field.bounds(run, e, cycles)
  return bounds.of(run.options.reading, cycles, experiment.length(e), field.floor(run, e), run.options.epsilon, run.noise)
end

--- Is it time to end? The word for how: "limit" or "interrupted"; nil if not.
function field.over(run)
  if core.base.interrupted() then return "interrupted" end
  if core.base.now() >= run.deadline or run.experiments >= run.options.experiment_limit then return "limit" end
end

--- Measures one experiment for each of some schemes, all in one batch, and keeps the results that are good.
-- @param run the state
-- @tparam {{scheme=,experiment=},...} list
-- @tparam[opt] function visit called with each item and its bounds (nil if it could not be measured)
-- @return true; or nil, message
function field.measure(run, list, visit)
  local batch, most = {}, math.max(0, math.min(#list, run.options.experiment_limit - run.experiments))
  for k = 1, most do batch[k] = list[k].experiment end
  if #batch == 0 then return true end
  local taken, message = readings.take(run, batch)
  if not taken then return nil, message end
  for k, e in ipairs(batch) do
    local item, said = list[k], nil
    if #taken[k] > 0 then
      local cycles = values.middle(taken[k])
      said = field.bounds(run, e, cycles)
      item.scheme.seen[#item.scheme.seen + 1] = { experiment = e, cycles = cycles, readings = taken[k] }
    else
      run.failed[#run.failed + 1] = e
    end
    if visit then
      local ok, why = visit(item, said)
      if not ok then return nil, why end
    end
  end
  return true
end

-- What was measured of the scheme alone: instances per cycle, or nil.
local function rate(s)
  for _, seen in ipairs(s.seen) do
    local copies = seen.experiment[s.name]
    if copies == experiment.length(seen.experiment) then return copies / seen.cycles end
  end
end

--- Measures each scheme alone, but for those whose number of ports is given. Those that can't be measured are set aside. Readings
-- that were repeated show the noise.
-- @return true; or nil, message
function field.measure_alone(run)
  local list, counts, repeated = {}, run.options.port_counts or {}, {}
  for _, s in ipairs(run.schemes) do
    if counts[s.name] then run.alone[s.name] = 1 / counts[s.name] end
    if not counts[s.name] and not rate(s) then list[#list + 1] = { scheme = s, experiment = { [s.name] = 1 } } end
  end
  local ok, message = field.measure(run, list)
  if not ok then return nil, message end
  for _, s in ipairs(run.schemes) do
    s.rate = field.rate(run, s)
    if not s.rate then s.status = "unmeasured" end
    for _, seen in ipairs(s.seen) do repeated[#repeated + 1] = seen end
  end
  if not run.options.noise and run.confirm and run.options.reading == "asymmetric" then run.noise = values.noise(repeated) end
  return true
end

--- Instances per cycle of a scheme alone, or the number of its ports if that is given.
function field.rate(run, s) return (run.options.port_counts or {})[s.name] or rate(s) end

--- Measures some observations anew, each until there are three readings of it; the middle one counts from now on.
-- @return true if there were any, false if all had been measured often enough; or nil and a message
function field.measure_again(run, list)
  local enough, again, known, experiments = policy.contradicting.readings, {}, {}, {}
  for _, seen in ipairs(list) do
    if seen.readings and #seen.readings < enough then
      again[#again + 1], known[#known + 1], experiments[#experiments + 1] = seen, seen.readings, seen.experiment
    end
  end
  if #again == 0 or field.over(run) then return false end
  run.doubted = run.doubted + #again
  for _ = 2, enough do
    local ok, message = readings.add_where(run, experiments, known, function(_, cycles) return #cycles < enough end)
    if not ok then return nil, message end
  end
  for _, seen in ipairs(again) do seen.cycles = values.middle(seen.readings) end
  return true
end

--- The numbers of ports that a scheme may have, as a set (bit c for c ports).
function field.counts(run, s)
  local given = (run.options.port_counts or {})[s.name]
  if not given and run.options.reading == "asymmetric" then
    local count = state.believable(s.rate, run.options.rmax)
    given = count > 0 and count <= run.most_ports and count or nil
  end
  return given and 1 << given or 0xffffffff
end

--- Ports by name, in the order of the mask's bits.
function field.ports(run, mask)
  local list = {}
  for k = 1, run.most_ports do
    if mask >> (k - 1) & 1 == 1 then list[#list + 1] = run.port_names[k] end
  end
  return list
end

--- Inverse throughput in cycles, front end included, of an experiment over schemes that have ports; nil if one has none.
function field.predict(run, e)
  local masks, terms = {}, {}
  for _, name in ipairs(experiment.schemes(e)) do
    local s = run.by_name[name]
    if not s.ports then return nil end
    masks[#masks + 1], terms[#masks + 1] = s.ports, e[name]
  end
  return math.max(core.smt.cycles(masks, terms), field.floor(run, e))
end

--- The mapping table (the form of mapping.json) of all schemes that have ports; ports that none uses are left out.
function field.mapping(run)
  local used, m = 0, { format = mapping.format, version = mapping.version, processor = { name = run.processor.name },
    rmax = run.options.rmax, schemes = {} }
  for _, s in ipairs(run.schemes) do used = used | (s.ports or 0) end
  m.ports = field.ports(run, used)
  for _, s in ipairs(run.schemes) do
    m.schemes[s.name] = s.ports and { uops = { { field.ports(run, s.ports), 1 } }, tp = field.predict(run, { [s.name] = 1 }),
      status = "explained", slots = s.slots } or { status = s.status or "not explained" }
  end
  return m, unknowns.count(used)
end

return field
