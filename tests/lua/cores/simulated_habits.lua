-- Habits of a simulated core as a whole, beside its ports and what single schemes do (portolan.processor.simulated_misfits).
--
-- They are a table, in which each field may be absent. `uses` names schemes, with how much an instance uses:
--
-- - `whole_groups`: issue slots; an instance of more than these ends the dispatch group that it finds, and takes whole ones, begun anew (Zen 3 and
--   Zen 4: 2);
-- - `group_rules`: list of `{ most =, uses = }`: a dispatch group has room for so many of these uops, and is closed before one more (two stores);
-- - `units`: list of `{ most =, uses = }`: what there are so many of a cycle, beside ports: result buses, ports of registers, memory accesses; a
--   unit that is not pipelined, in cycles (`most` is 1);
-- - `retires`: instances a cycle, of whatever kind (Zen+: 5);
-- - `eliminates`: `{ most =, moves = { name = true } }`: so many of these instances a cycle are eliminated, and the others are executed;
-- - `steers`: `{ share =, schedulers = { { port, ... }, ... } }`: this share of the uops goes to schedulers in turn, however busy their ports
--   are.
--
-- Dispatch sees the instances of an experiment evenly interleaved, as loop bodies have them.
local core = require "portolan.core"
local experiment = require "portolan.experiment"
local hash = require "portolan.support.hash"
local json = require "portolan.support.json"
local landmarks = require "portolan.scheme.landmarks"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"

local habits = {}

local Habits = {}
Habits.__index = Habits

local bodies = 64 -- of an experiment that dispatch goes through at most, to see how many groups one takes
local remembered = 50000 -- experiments whose groups are kept in mind
local resolved = 12 -- moves of which some are eliminated: an experiment with fewer is copied, so that there are as many
local steps = 20 -- in which the share of steered uops is counted

local function positive(x) return math.type(x) and x > 0 and x < math.huge end

local function rule_fault(rule, schemes)
  if type(rule) ~= "table" or not positive(rule.most) or type(rule.uses) ~= "table" then return "needs 'most', more than 0, and 'uses'" end
  for name, amount in pairs(rule.uses) do
    if not schemes[name] or not positive(amount) then return ("uses['%s'] must be an amount of a scheme of the mapping"):format(tostring(name)) end
  end
end

local checks = {
  whole_groups = function(x) return math.type(x) ~= "integer" and "must be a number of slots" or nil end,
  retires = function(x) return not positive(x) and "must be instances a cycle" or nil end,
  eliminates = function(x)
    local ok = type(x) == "table" and positive(x.most) and type(x.moves) == "table"
    return not ok and "needs 'most' and 'moves'" or nil
  end,
  steers = function(x)
    local ok = type(x) == "table" and type(x.schedulers) == "table" and positive(x.share) and x.share <= 1
    return not ok and "needs 'share', up to 1, and 'schedulers'" or nil
  end,
}
for _, field in ipairs { "group_rules", "units" } do
  checks[field] = function(list, schemes)
    for _, rule in ipairs(list) do
      local fault = rule_fault(rule, schemes)
      if fault then return fault end
    end
  end
end

local function check(given, schemes, rmax)
  for field, value in pairs(given) do
    if not checks[field] then return nil, ("there is no habit '%s'; there are %s"):format(field, table.concat(lists.keys(checks), ", ")) end
    local fault = checks[field](value, schemes)
    if fault then return nil, ("habits.%s %s"):format(field, fault) end
  end
  if (given.whole_groups or given.group_rules) and not rmax then return nil, "dispatch groups need an rmax of the mapping" end
  return true
end

-- The uops of a scheme on each set of ports to which they are bound, of `steps` instances: key of the set -> number.
local function steered(scheme, given, add)
  local part = math.floor(given.share * steps + 0.5)
  for _, uop in ipairs(scheme.uops or {}) do
    local inside = lists.set(uop[1])
    local places = lists.where(lists.map(given.schedulers, function(ports)
      return lists.where(ports, function(port) return inside[port] end)
    end), function(ports) return ports[1] ~= nil end)
    local whole = #places < 2 and steps or steps - part
    add(uop[1], uop[2] * whole * #given.schedulers)
    for _, ports in ipairs(#places >= 2 and places or {}) do add(ports, uop[2] * part * #given.schedulers // #places) end
  end
end

-- What steering makes of each scheme, as an experiment on a mapping of sets of ports.
local function steering_of(given, ports, schemes)
  local sets, parts = {}, {}
  for name, scheme in pairs(schemes) do
    local part = {}
    steered(scheme, given, function(list, amount)
      local key = table.concat(list, ",")
      sets[key] = sets[key] or { uops = { { list, 1 } }, status = "explained" }
      part[key] = amount > 0 and (part[key] or 0) + amount or part[key]
    end)
    parts[name] = part
  end
  return { model = assert(core.model.mapping { ports = ports, schemes = sets }), parts = parts, scale = steps * #given.schedulers }
end

-- What portolan.processor.simulated takes for its option `habits`: function(m) -> habits of the core whose mapping table this is (`ports`, `rmax`,
-- `schemes` with their slots, and NOPs); or nil and a message. Nil if there are none: `given` is a table, as above, or nil.
function habits.of(given)
  return given and function(m)
    local ok, message = check(given, m.schemes, m.rmax)
    if not ok then return nil, message end
    return setmetatable({ given = given, schemes = m.schemes, rmax = m.rmax, nop = landmarks.of(mapping.architecture(m)).nop,
      groups = {}, kept = 0, steering = given.steers and steering_of(given.steers, m.ports, m.schemes) }, Habits)
  end
end

-- The names of an experiment's instances, evenly interleaved.
local function interleaved(e)
  local list = {}
  for name, count in pairs(e) do
    for k = 1, count do list[#list + 1] = { name = name, at = (k - 0.5) / count } end
  end
  table.sort(list, lists.least_first("at", "name"))
  return list
end

-- Dispatch: groups that are closed so far, and what is in the open one.
local function begin_group(state)
  state.closed, state.used = state.closed + 1, 0
  for i in ipairs(state.uses) do state.uses[i] = 0 end
end

local function dispatch(self, state, name)
  local slots, rules = (self.schemes[name] or {}).slots or 1, self.given.group_rules or {}
  if self.given.whole_groups and slots > self.given.whole_groups then
    if state.used > 0 then begin_group(state) end
    state.closed = state.closed + math.ceil(slots / self.rmax)
    return
  end
  for k = 1, slots do
    local full = state.used + 1 > self.rmax
    for i, rule in ipairs(rules) do full = full or k <= (rule.uses[name] or 0) and state.uses[i] + 1 > rule.most end
    if full then begin_group(state) end
    state.used = state.used + 1
    for i, rule in ipairs(rules) do state.uses[i] = state.uses[i] + (k <= (rule.uses[name] or 0) and 1 or 0) end
  end
end

-- Groups that an experiment takes: bodies are dispatched until the open group is one that a body began with before.
local function count_groups(self, e)
  local order, seen = interleaved(e), {}
  local state = { closed = 0, used = 0, uses = lists.map(self.given.group_rules or {}, function() return 0 end) }
  for body = 0, bodies do
    local key = state.used .. "/" .. table.concat(state.uses, ",")
    local before = seen[key]
    if before or body == bodies then
      before = before or { body = 0, closed = 0 }
      return (state.closed - before.closed) / (body - before.body)
    end
    seen[key] = { body = body, closed = state.closed }
    for _, instance in ipairs(order) do dispatch(self, state, instance.name) end
  end
end

local function is_ruled(self, e)
  for name in pairs(e) do
    if self.given.whole_groups and ((self.schemes[name] or {}).slots or 1) > self.given.whole_groups then return true end
    if lists.any(self.given.group_rules or {}, function(rule) return rule.uses[name] end) then return true end
  end
  return false
end

local function groups_of(self, e)
  if not is_ruled(self, e) then return 0 end
  local key = experiment.key(e)
  local groups = self.groups[key]
  if not groups then
    if self.kept >= remembered then self.groups, self.kept = {}, 0 end
    groups, self.kept = count_groups(self, e), self.kept + 1
    self.groups[key] = groups
  end
  return groups
end

local function units_of(self, e)
  local most = self.given.retires and experiment.length(e) / self.given.retires or 0
  for _, unit in ipairs(self.given.units or {}) do
    local sum = 0
    for name, count in pairs(e) do sum = sum + count * (unit.uses[name] or 0) end
    most = math.max(most, sum / unit.most)
  end
  return most
end

local function steered_cycles(self, e)
  local all, steering = {}, self.steering
  if not steering then return 0 end
  for name, count in pairs(e) do
    for key, amount in pairs(steering.parts[name] or {}) do all[key] = (all[key] or 0) + count * amount end
  end
  return next(all) and steering.model:throughput(all) / steering.scale or 0
end

-- Cycles of an experiment in which no instance is eliminated but those that always are.
local function bound(self, e, by_ports)
  local cycles, message = by_ports(e)
  if not cycles then return nil, message end
  return math.max(cycles, groups_of(self, e), units_of(self, e), steered_cycles(self, e))
end

-- Some copies of an experiment in which a share of the moves is executed, of each kind as much as of the others.
local function with_executed(self, e, fold, share)
  local long = {}
  for name, count in pairs(e) do
    local all = fold * count
    local executed = self.given.eliminates.moves[name] and math.floor(share * all + 0.5) or all
    long[name] = executed > 0 and (long[name] or 0) + executed or long[name]
    if executed < all then long[self.nop] = (long[self.nop] or 0) + all - executed end
  end
  return long
end

-- As few moves are executed as there must be: with the time that they take, so many are eliminated.
local function with_budget(self, e, moves, by_ports)
  local fold = math.ceil(resolved / moves)
  local least, most, cycles = 0, fold * moves, nil
  while least <= most do
    local executed = (least + most) // 2
    local t, message = bound(self, with_executed(self, e, fold, executed / (fold * moves)), by_ports)
    if not t then return nil, message end
    if fold * moves - executed <= self.given.eliminates.most * t + 1e-9 then
      most, cycles = executed - 1, t / fold
    else
      least = executed + 1
    end
  end
  return cycles
end

--- The true cycles of an experiment.
-- @param e experiment
-- @param by_ports function(experiment) -> what ports and issue slots need; or nil and a message
-- @return cycles; or nil and a message
function Habits:cycles(e, by_ports)
  local moves = 0
  for name, count in pairs(self.given.eliminates and e or {}) do moves = moves + (self.given.eliminates.moves[name] and count or 0) end
  if moves > 0 then return with_budget(self, e, moves, by_ports) end
  return bound(self, e, by_ports)
end

--- By what they are told from others.
function Habits:digest() return hash.hex(json.encode(self.given)) end

return habits
