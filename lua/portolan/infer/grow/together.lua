--- Schemes that the known ones leave open: they may still tell each other apart, so they are decided together.
-- @module portolan.infer.grow.together
local core_schemes = require "portolan.infer.grow.core_schemes"
local placing = require "portolan.infer.grow.placing"
local unknowns = require "portolan.infer.cegis.unknowns"

local together = {}

local most_schemes = 64 -- that cegis.infer takes

-- Sets that hold a scheme of so many ports can't be told from sets with more: its place makes no difference to anything.
local function out_of_sight(run, masks)
  local least, o = run.most_ports, run.options
  for _, mask in ipairs(masks) do least = math.min(least, unknowns.count(mask)) end
  local function cpi(ports) return math.max(1 / ports, 1 / (o.rmax or math.huge)) end
  return cpi(least) - cpi(run.most_ports) <= 2 * o.epsilon + 1e-9
end

local function choose(s)
  s.ports = s.left[1]
end

-- Known schemes that any of the open ones was measured with, and those that make up the classes.
local function company(run, list)
  local names, inside = {}, {}
  local function enter(s)
    if s.known and not inside[s] then names[#names + 1], inside[s] = s.name, true end
  end
  for _, s in ipairs(list) do
    for _, seen in ipairs(s.seen) do
      for name in pairs(seen.terms) do enter(run.by_name[name]) end
    end
  end
  for _, s in ipairs(run.known) do
    if #names + #list < most_schemes then enter(s) end
  end
  table.sort(names, function(a, b) return run.by_name[a].order < run.by_name[b].order end)
  return names
end

-- Of the places that a scheme has alone those that are left now: what it shares with known schemes is as chosen, or among what the
-- joint inference leaves open. If it leaves nothing open, the scheme is decided.
local function narrow(run, s, outcome)
  local overlaps, mentioned, left = {}, false, {}
  for _, point in ipairs(outcome.open) do
    local other = point.a == s.name and (point.b or s.name) or point.b == s.name and point.a
    if other then
      mentioned, overlaps[other] = true, {}
      for _, n in ipairs(point.overlaps or point.ports) do overlaps[other][n] = true end
    end
  end
  for _, mask in ipairs(s.left) do
    local fits = true
    for _, known in ipairs(run.known) do
      local n = unknowns.count(mask & known.ports)
      fits = fits and (n == unknowns.count(s.ports & known.ports) or overlaps[known.name] and overlaps[known.name][n])
    end
    if fits then left[#left + 1] = mask end
  end
  s.left, s.count = left, #left
  if not mentioned and outcome.status == "unique" then s.status = "unique" end
end

-- Ports that no known scheme has keep the numbers that they get here.
local function take(run, list, outcome)
  local bit, used, free = {}, 0, {}
  for _, s in ipairs(run.known) do used = used | s.ports end
  for k, name in ipairs(run.ports.names) do
    if used >> (k - 1) & 1 == 1 then bit[name] = 1 << (k - 1) else free[#free + 1] = 1 << (k - 1) end
  end
  for _, name in ipairs(outcome.mapping.ports) do bit[name] = bit[name] or table.remove(free, 1) end
  for _, s in ipairs(list) do
    s.ports = 0
    for _, name in ipairs(outcome.mapping.schemes[s.name].uops[1][1]) do s.ports = s.ports | (bit[name] or 0) end
  end
  for _, a in ipairs(outcome.assumed) do
    if a.kind ~= "one uop" then run.assumed[#run.assumed + 1] = a end -- that holds of all schemes that are grown
  end
  for _, s in ipairs(list) do narrow(run, s, outcome) end
  local ours = {}
  for _, s in ipairs(list) do ours[s.name] = true end
  for _, point in ipairs(outcome.open) do -- between open ones; what is open against known ones, their alternatives say
    if ours[point.a] and (not point.b or ours[point.b]) then run.points[#run.points + 1] = point end
  end
end

local function collect(run, outcome)
  for _, seen in ipairs(outcome.observations) do
    local last, known
    for name in pairs(seen.experiment) do
      local s = run.by_name[name]
      if not s.known and (not last or s.order > last.order) then last = s end
    end
    for _, old in ipairs(last and last.seen or {}) do known = known or old.terms == seen.experiment end
    if last and not known then last.seen[#last.seen + 1] = run.observations:add { terms = seen.experiment, cycles = seen.cycles } end
  end
end

-- Jointly, with the known ports given.
local function infer(run, list)
  local names = company(run, list)
  local given = {}
  for _, name in ipairs(names) do given[name] = run.ports:list(run.by_name[name].ports) end
  for _, s in ipairs(list) do names[#names + 1] = s.name end
  local options = core_schemes.options(run, names)
  options.fixed = given
  options.ports = run.options.ports
  local outcome = core_schemes.infer(run, names, options)
  if outcome.status == "contradiction" then
    for _, s in ipairs(list) do s.status, s.conflict = "contradicting", outcome.conflict end
    return "unique"
  end
  collect(run, outcome)
  table.move(outcome.wanted, 1, #outcome.wanted, #run.wanted + 1, run.wanted)
  if outcome.status == "unique" or outcome.status == "undecided" then
    take(run, list, outcome)
  else
    for _, s in ipairs(list) do choose(s) end
  end
  return outcome.status
end

--- Gives ports to the schemes that are open: alone where that makes no difference to any other, otherwise together.
-- @param run the state of growing, all schemes placed as far as they can be alone
-- @return how it ended
function together.decide(run)
  local list = {}
  for _, s in ipairs(run.schemes) do
    if s.number and not s.status then
      s.left, s.count = placing.left(run, s)
      s.status = "open"
      if out_of_sight(run, s.left) then choose(s) else list[#list + 1] = s end
    end
  end
  if #list == 1 and run.options.reading == "symmetric" then
    choose(list[1])
    return "unique"
  end
  local room = math.max(8, most_schemes - #run.known)
  for first = 1, #list, room do
    local status = infer(run, table.move(list, first, math.min(first + room - 1, #list), 1, {}))
    if status ~= "unique" and status ~= "undecided" then return status end
  end
  return #run.wanted > 0 and "undecided" or "unique"
end

return together
