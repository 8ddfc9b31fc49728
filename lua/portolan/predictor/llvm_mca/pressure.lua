--- From LLVM's resource pressure to uops.
--
-- `llvm-mca -instruction-tables` says how many cycles an instruction keeps each unit busy, the uops of a group spread evenly over its
-- units: 2*p01 + p5 reads 1, 1 and 1, and so does p0 + p1 + p5. The groups are learnt from instructions of one uop, whose units all have
-- the pressure 1/n. Sums over groups are then searched exactly, in whole numbers: cycles times `one`. The number of uops is always the sum
-- of the pressure, so it decides nothing; where several sums fit, `portolan.predictor.llvm_mca.probe` asks llvm-mca which.
-- @module portolan.predictor.llvm_mca.pressure
local lists = require "portolan.support.lists"
local pressure = {}

--- The unit of pressures: a multiple of all sizes of groups up to 12.
pressure.one = 27720

local one, tolerance = pressure.one, 1e-6
local most_steps = 20000 -- of the search for sums

--- A pressure in whole numbers.
-- @param info list of `{ unit =, cycles = }`
-- @return unit -> cycles * one; nil and a message if there is a cycle's fraction that no group makes
function pressure.vector(info)
  local v = {}
  for _, entry in ipairs(info) do v[entry.unit] = (v[entry.unit] or 0) + entry.cycles end
  for unit, cycles in pairs(v) do
    local whole = math.floor(cycles * one + 0.5)
    if math.abs(whole / one - cycles) > tolerance then return nil, ("a pressure of %g cycles is no sum of even shares"):format(cycles) end
    v[unit] = whole > 0 and whole or nil
  end
  return v
end

--- The number of uops, as every uop is busy for one cycle.
-- @param v vector
-- @return number of cycles, all units together; the most of one unit
function pressure.mass(v)
  local sum, most = 0, 0
  for _, x in pairs(v) do sum, most = sum + x, math.max(most, x) end
  return sum / one, most / one
end

--- A string that vectors share just if they are equal.
function pressure.key(v)
  return table.concat(lists.of_fields(v, function(unit, x) return unit .. ":" .. x end), " ")
end

-- The units of a vector by their pressure: list of `{ units =, mass = }`.
local function levels(v)
  local by_level, list = {}, {}
  for _, unit in ipairs(lists.keys(v)) do
    local level = by_level[v[unit]]
    if not level then
      level = { units = {}, mass = 0 }
      by_level[v[unit]], list[#list + 1] = level, level
    end
    table.insert(level.units, unit)
    level.mass = level.mass + v[unit]
  end
  return list
end

-- Adds a group, unless it is known. Larger groups come first, so that sums of few uops are found first.
local function add(groups, level, blocker)
  local units = level.units
  local key = table.concat(units, ",")
  if groups.known[key] then return end
  groups.known[key] = true
  groups[#groups + 1] = { units = units, share = one // #units, blocker = blocker, assumed = level.mass > one or nil }
  table.sort(groups, function(a, b)
    if #a.units ~= #b.units then return #a.units > #b.units end
    for i, unit in ipairs(a.units) do
      if unit ~= b.units[i] then return unit < b.units[i] end
    end
    return false
  end)
end

-- Returns how often a group fits into a vector.
local function most_of(group, v)
  local most = math.huge
  for _, unit in ipairs(group.units) do most = math.min(most, (v[unit] or 0) // group.share) end
  return most
end

--- A vector without some uops of a group.
function pressure.less(v, group, count)
  local rest = lists.copy(v)
  for _, unit in ipairs(group.units) do
    local left = rest[unit] - count * group.share
    rest[unit] = left > 0 and left or nil
  end
  return rest
end

--- The groups that fit into a vector.
function pressure.fitting(v, groups) return lists.where(groups, function(group) return most_of(group, v) >= 1 end) end

--- All sums of groups that make a vector.
-- @param v vector
-- @param groups list
-- @param most end after so many
-- @return list of sums, each a list of `{ group, count }`; whether the search was complete
function pressure.sums(v, groups, most)
  local found, chosen, steps = {}, {}, 0
  local fitting = pressure.fitting(v, groups)
  local function search(rest, at)
    steps = steps + 1
    if next(rest) == nil then
      found[#found + 1] = table.move(chosen, 1, #chosen, 1, {})
      return
    end
    if at > #fitting or #found >= most or steps > most_steps then return end
    for count = most_of(fitting[at], rest), 1, -1 do
      chosen[#chosen + 1] = { fitting[at], count }
      search(pressure.less(rest, fitting[at], count), at + 1)
      chosen[#chosen] = nil
    end
    search(rest, at + 1)
  end
  search(v, 1)
  return found, #found < most and steps <= most_steps
end

-- Returns what the known groups leave of a vector, if that consists of even sets with whole numbers of uops: the smallest such rest; nil if there is
-- none.
local function regular_rest(v, groups)
  local best, best_mass, steps = nil, math.huge, 0
  local fitting = pressure.fitting(v, groups)
  local function regular(rest)
    return lists.all(levels(rest), function(level) return level.mass % one == 0 end)
  end
  local function search(rest, at)
    steps = steps + 1
    local mass = pressure.mass(rest)
    if mass < best_mass and regular(rest) then best, best_mass = rest, mass end
    if at > #fitting or steps > most_steps then return end
    for count = most_of(fitting[at], rest), 1, -1 do search(pressure.less(rest, fitting[at], count), at + 1) end
    search(rest, at + 1)
  end
  search(v, 1)
  return best
end

local most_learnt = 12 -- uops of an instruction whose rest is believed to be groups

-- Units that are busy for whole cycles are groups of one; other even sets are a group each.
local function learn_rest(groups, rest)
  for _, level in ipairs(levels(rest)) do
    if level.mass % (#level.units * one) ~= 0 then
      add(groups, level)
    else
      for _, unit in ipairs(level.units) do add(groups, { units = { unit }, mass = one }) end
    end
  end
end

--- Learns the groups of a model: first from instructions of one uop; then from what the known groups leave of others, small ones
-- first, as some groups (of store units, say) are never used alone.
-- @param entries list of `{ v = vector, name = anything that stands for the instruction }`
-- @return list of `{ units =, share =, blocker = name of an instruction of one such uop, assumed = true if several uops were only seen
-- together, so that the set may be several smaller ones }`, large groups first
function pressure.learn(entries)
  local groups, rest = { known = {} }, {}
  for _, entry in ipairs(entries) do
    local list = levels(entry.v)
    if #list == 1 and list[1].mass == one then
      add(groups, list[1], entry.name)
    elseif #list > 0 then
      rest[#rest + 1] = { v = entry.v, mass = pressure.mass(entry.v), key = pressure.key(entry.v) }
    end
  end
  table.sort(rest, lists.least_first("mass", "key"))
  for i, entry in ipairs(rest) do
    if (i == 1 or entry.key ~= rest[i - 1].key) and entry.mass <= most_learnt and #pressure.sums(entry.v, groups, 1) == 0 then
      learn_rest(groups, regular_rest(entry.v, groups) or {})
    end
  end
  return groups
end

return pressure
