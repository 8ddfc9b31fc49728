--- This module finds which readings show and which bound each uop of a scheme, and says why where there is none.
-- @module portolan.argument.uops
local lists = require "portolan.support.lists"
local port_set = require "portolan.mapping.ports"
local reading_words = require "portolan.argument.reading_words"

local uops = {}

-- Parts of the scheme's usage: `{ ports =, n =, shows = {}, bounds = {}, assumed = }`.
local function parts_of(scheme)
  local parts, assumed = {}, port_set.of(scheme.assumed)
  for i, uop in ipairs(scheme.uops or {}) do
    parts[i] = { ports = uop[1], n = uop[2] or 1, shows = {}, bounds = {}, assumed = port_set.inside(uop[1], assumed) or nil }
  end
  return parts
end

local function share(list, set) return lists.sum(list, function(value) return set[value] and 1 or 0 end) end

-- Rates how well a reading fits a part: what shows a uop is best about the part that has just these ports, then about one that cannot evade
-- them; what bounds it, about one that has some of them and others. Known ports are better than assumed ones.
local function rank(r, part, flooded)
  local common = share(part.ports, flooded)
  if common == 0 then return 0 end
  local inside = common == #part.ports
  local fits = r.role == "shows" and inside or r.role == "bounds" and not inside
  local exact = inside and common == #r.ports
  return (r.role == "shows" and common or 1) + (fits and 1000 or 0) + (fits and exact and 1000 or 0) + (part.assumed and 0 or 100)
end

-- The parts that a reading is about: of those that fit alike, all that it bounds, but only the first that it shows.
local function parts_for(r, parts)
  local flooded, best, best_rank = port_set.of(r.ports), {}, 0
  for _, part in ipairs(parts) do
    local here = rank(r, part, flooded)
    if here > best_rank then
      best, best_rank = { part }, here
    elseif here == best_rank and here > 0 and r.role == "bounds" then
      best[#best + 1] = part
    end
  end
  return best
end

-- Adds a reading to a list that does not have it yet.
local function add(list, r)
  for _, other in ipairs(list) do
    if other.text == r.text and other.cycles == r.cycles then return end
  end
  list[#list + 1] = r
end

local function has_flood(part)
  local function is_flood(r) return r.flood end
  return lists.any(part.shows, is_flood) or lists.any(part.bounds, is_flood)
end

-- The uop that all readings of a scheme are about, if it is found by competition rather than by floods: the only one of which the ports are
-- not assumed.
local function only_one(parts)
  local known
  for _, part in ipairs(parts) do
    if not part.assumed then
      if known then return nil end
      known = part
    end
  end
  known = known or #parts == 1 and parts[1]
  return known and known.n == 1 and not has_flood(known) and known or nil
end

-- Adds to the one uop of a scheme what it alone, and others that it does not compete with, say of it. Returns the further readings that are left.
local function complete(part, alone, further)
  local left = {}
  for _, r in ipairs(further) do table.insert(r.role == "bounds" and part.bounds or left, r) end
  if alone and alone.role ~= "contradicts" then
    table.insert(#part.shows == 0 and part.shows or part.bounds, 1, alone)
    alone.placed = true
  end
  return left
end

--- Sorts readings.
-- @param scheme of a mapping
-- @param readings of its witnesses
-- @return parts (`{ ports =, n =, shows =, bounds =, assumed = }`), further readings, those that contradict, that of the scheme alone
function uops.sort(scheme, readings)
  local parts, further, contradicts, alone = parts_of(scheme), {}, {}, nil
  for _, r in ipairs(readings) do
    local about = r.ports and (r.role == "shows" or r.role == "bounds") and parts_for(r, parts) or {}
    if r.alone and (not alone or r.role == "contradicts") then
      alone = r
    elseif r.role == "contradicts" then
      contradicts[#contradicts + 1] = r
    elseif #about > 0 then
      for _, part in ipairs(about) do add(part[r.role], r) end
    else
      further[#further + 1] = r
    end
  end
  local part = only_one(parts)
  if part then further = complete(part, alone, further) end
  return parts, further, contradicts, alone
end

-- Returns why no experiment shows a uop, and how it is known.
local function unseen(part, scheme, index)
  if not part.assumed then return "no experiment of its own is recorded" end
  local all = port_set.uops(scheme.uops)
  local sum = ("%s in %s, less %d located = %d"):format(reading_words.uops(all), reading_words.slots(scheme.slots or 1), all - part.n, part.n)
  if index:is_posited(part.ports) then return sum .. ": it never limits anything, so that its ports are assumed" end
  return sum .. ": it stays on none of the ports that can be kept busy"
end

-- Returns why no experiment bounds a uop from the other side.
local function unbounded(part, index)
  if part.assumed then return "nothing: its ports are assumed" end
  if #part.ports == 1 then return "nothing: there is no narrower set than one port" end
  if not index:narrower(part.ports) then
    return ("nothing: no scheme keeps busy only a part of %s, and sets of ports are those of such schemes"):format(reading_words.ports(part.ports))
  end
  return "no experiment of its own is recorded"
end

--- Says of uops without readings why there is none: `part.unseen`, `part.unbounded`.
-- @param parts of `sort`
-- @param scheme of the mapping
-- @param index of the mapping (portolan.argument.blockable_sets)
function uops.explain(parts, scheme, index)
  for _, part in ipairs(parts) do
    if #part.shows == 0 then part.unseen = unseen(part, scheme, index) end
    if #part.bounds == 0 then part.unbounded = unbounded(part, index) end
  end
end

return uops
