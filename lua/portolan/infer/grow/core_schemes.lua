--- The core that an inference grows from: which schemes, their ports, and which of them are certain.
-- @module portolan.infer.grow.core_schemes
local cegis = require "portolan.infer.cegis"
local core = require "portolan.core"
local field = require "portolan.infer.grow.field"
local lists = require "portolan.support.lists"
local port_set = require "portolan.mapping.ports"
local stop = require "portolan.infer.stop"
local unknowns = require "portolan.infer.cegis.unknowns"

local core_schemes = {}

local default_size = 12

--- Few ports first: sets of up to four ports can be told apart exactly at 0.02 CPI, and a core of them leaves little open.
-- @param run the state of growing
-- @return list of names; ends the inference if there is none
function core_schemes.choose(run)
  local wanted, o = run.options.core, run.options
  if type(wanted) == "table" then
    for _, name in ipairs(wanted) do
      if not run.by_name[name] then stop.raise(("'%s' is to be in the core, but it is not one of the schemes"):format(name)) end
      if run.by_name[name].status then stop.raise(("'%s' is to be in the core, but it can't be measured"):format(name)) end
    end
    return wanted
  end
  local list, names = lists.where(run.schemes, function(s) return not s.status end), {}
  local function given(s) return o.fixed ~= nil and o.fixed[s.name] ~= nil end
  table.sort(list, function(a, b)
    if given(a) ~= given(b) then return given(a) end
    local x, y = math.floor(a.rate + 0.5), math.floor(b.rate + 0.5)
    if x ~= y then return x < y end
    return a.order < b.order
  end)
  for _, s in ipairs(list) do
    if #names < math.min(wanted or default_size, 64) or given(s) then names[#names + 1] = s.name end
  end
  if #names == 0 then stop.raise "none of the schemes could be measured alone" end
  return names
end

local picked = unknowns.picked

--- The options of `cegis.infer` for some of the schemes, which start from what was measured of them; or afresh, apart from what the
-- caller knows, so that no reading has to be believed.
function core_schemes.options(run, names, fresh)
  local o, inside, observations = run.options, {}, {}
  for _, name in ipairs(names) do inside[name] = true end
  for _, s in ipairs(run.schemes) do
    for _, seen in ipairs(inside[s.name] and s.seen or {}) do
      local ours, distinct = true, 0
      for name in pairs(seen.terms) do ours, distinct = ours and inside[name], distinct + 1 end
      if ours and distinct <= 16 and not (fresh and seen.readings) then observations[#observations + 1] = { seen.terms, seen.cycles } end
    end
  end
  return { ports = o.ports, rmax = o.rmax, slots = o.slots, epsilon = o.epsilon, reading = o.reading, seed = o.seed, slack = o.slack,
    batch = o.batch, deviation = run.observations.noise, confirm = o.confirm, doubt = o.doubt, improper = o.improper,
    port_counts = picked(o.port_counts, names), fixed = picked(o.fixed, names),
    observations = observations, time_limit = math.max(0, run.budget:seconds_left()),
    experiment_limit = run.budget:left(),
    progress = o.progress and function(p)
      o.progress { rounds = run.rounds + p.rounds, experiments = run.budget.asked + p.experiments, schemes = p.schemes, of = #run.schemes,
        ports = p.ports }
    end }
end

--- `cegis.infer` for some of the schemes, counted in.
function core_schemes.infer(run, names, options)
  local outcome = stop.need(cegis.infer(run.processor, names, options))
  run.budget:spend(outcome.experiments)
  run.rounds = run.rounds + outcome.rounds
  run.solver_seconds = run.solver_seconds + outcome.solver_seconds
  run.doubted = run.doubted + (outcome.doubted or 0)
  table.move(outcome.failed, 1, #outcome.failed, #run.failed + 1, run.failed)
  return outcome
end

-- The outcome's ports as masks. Given ports keep their names.
local function number_ports(run, outcome)
  local masks = {}
  run.ports = port_set.numbered(port_set.named(outcome.mapping.ports, run.most_ports))
  for name, scheme in pairs(outcome.mapping.schemes) do masks[name] = run.ports:mask(scheme.uops[1][1]) end
  return masks
end

-- Everything that was measured of the core, each with the scheme of the highest order.
local function keep_observations(run, outcome)
  for _, s in ipairs(run.schemes) do
    if outcome.mapping.schemes[s.name] then s.seen = {} end
  end
  for _, seen in ipairs(outcome.observations) do
    local last
    for name in pairs(seen.experiment) do
      local s = run.by_name[name]
      if not last or s.order > last.order then last = s end
    end
    last.seen[#last.seen + 1] = run.observations:add { terms = seen.experiment, cycles = seen.cycles }
  end
end

-- A solver that holds the outcome's observations, for which any difference in ports is one (epsilon 0, no R_max).
local function exact_search(run, u, outcome)
  local o, counts = run.options, {}
  for i, name in ipairs(u.names) do
    local set = field.counts(run, run.by_name[name])
    counts[i] = unknowns.count(set) == 1 and unknowns.count(set - 1) or 0
  end
  local search = stop.need(core.smt.search { schemes = #u.names, ports = run.most_ports, epsilon = 0, counts = counts, seed = o.seed,
    slack = o.slack or (o.reading == "asymmetric" and 6 or 0) })
  search:deadline(run.budget:seconds_left())
  if u.given then stop.need(search:fix(u.given)) end
  for _, seen in ipairs(outcome.observations) do
    stop.need(search:observe(u:terms(seen.experiment), run.observations:bounds(seen.experiment, seen.cycles)))
  end
  if not stop.need(search:mapping()) then stop.raise() end -- the least cost
  return search
end

--- Drops schemes until the rest has, up to port names, one mapping only that admits the observations: not just one that no
-- experiment tells from the others. What grows from it may otherwise contradict a choice among equals.
-- @return set of names
local function certain(run, outcome, masks)
  local names = lists.keys(masks, function(a, b) return run.by_name[a].order < run.by_name[b].order end)
  local u = stop.need(unknowns.new(names, { rmax = run.options.rmax, slots = run.options.slots, fixed = picked(run.options.fixed, names) }))
  local search = exact_search(run, u, outcome)
  local mapping, among, keep = {}, unknowns.first(#u.names), {}
  for i, name in ipairs(u.names) do mapping[i] = masks[name] end
  while among ~= 0 do
    local found, set = stop.need(search:other(mapping, 0, among))
    if not found then break end
    local worst -- most ports, then latest
    for _, i in ipairs(unknowns.members(set)) do
      if not worst or unknowns.count(mapping[i]) >= unknowns.count(mapping[worst]) then worst = i end
    end
    among = among & ~(1 << (worst - 1))
  end
  search:close()
  for _, i in ipairs(unknowns.members(among)) do keep[u.names[i]] = true end
  return keep
end

--- Infers the core jointly. Its certain schemes get `ports` and the status "unique"; the others remain to be placed.
-- @param run the state of growing
-- @return "unique"; or "contradiction", "limit", "interrupted" (then run.core_outcome says more)
function core_schemes.identify(run)
  local names = core_schemes.choose(run)
  local outcome = core_schemes.infer(run, names, core_schemes.options(run, names, true))
  run.core_outcome = outcome
  if outcome.status == "contradiction" or not outcome.mapping then return outcome.status end
  if outcome.ports > run.most_ports then stop.raise(("the core takes %d ports; growing takes 20 at most"):format(outcome.ports)) end
  local masks = number_ports(run, outcome)
  keep_observations(run, outcome)
  if outcome.status ~= "unique" and outcome.status ~= "undecided" then
    for name, mask in pairs(masks) do run.by_name[name].ports = mask end
    return outcome.status
  end
  local keep = certain(run, outcome, masks)
  for _, name in ipairs(names) do
    if keep[name] then
      run.by_name[name].ports, run.by_name[name].status = masks[name], "unique"
      run.core[#run.core + 1] = name
    end
  end
  return "unique"
end

return core_schemes
