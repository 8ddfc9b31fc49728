--- This module finds which instruction fills issue slots, how many slots a cycle there are, and how many each scheme takes: from whatever was
-- recorded.
--
-- A scheme and k of a filler take (s + k) / R cycles once the front end binds, with the same whole s for all k. What does not add up so is no
-- filler: of NOPs that fuse, the counts run away. Beside ports that are full a filler costs nothing.
-- @module portolan.processor.recorded_filler
local experiment = require "portolan.experiment"
local lists = require "portolan.support.lists"
local values = require "portolan.measuring.values"

local recorded_filler = {}

local near = 0.3 -- slots, by which a count may be off the whole number that it is
local drift = 0.012 -- slots that a filler takes more than one: packing
local binding = 1.2 -- times as many fillers as there are slots while the scheme runs alone: from there on the front end binds
local least_counts = 3 -- of a scheme, to say what it takes
local least_schemes = 8 -- beside which a candidate was measured
local free, filled = 1.04, 0.9 -- factor that fillers beside full ports may cost; share of the slots that are taken there
local serves = 0.7 -- share of the schemes beside which a filler is as it should be

-- One instance of a scheme and several of another one: `by` the other one, then by the scheme, a list of `{ k =, cycles = }`.
local function rows_of(observations)
  local by = {}
  for _, x in ipairs(observations) do
    local pair = experiment.schemes(x.e)
    for i = 1, #pair == 2 and 2 or 0 do
      local scheme, other = pair[i], pair[3 - i]
      if x.e[scheme] == 1 and x.e[other] >= 5 then
        by[other] = by[other] or {}
        lists.into(by[other], scheme, { k = x.e[other], cycles = x.cycles })
      end
    end
  end
  return by
end

-- The whole number that counts `{ k =, count = }` stand for if each filler may take a little more than a slot; nil if there is none.
local function whole(counts)
  local first = values.middle(lists.map(counts, function(c) return c.count end))
  for s = math.max(1, math.floor(first + 0.5) - 1), math.floor(first + 0.5) do
    local all = lists.all(counts, function(c) return c.count > s - near and c.count < s + near + drift * c.k end)
    if all then return s end
  end
end

-- Returns what the fillers beside a scheme count: the slots, if they are always the same; the least that was counted; nil if the front end never
-- binds.
local function counted(rows, rmax, alone)
  local counts = {}
  for _, row in ipairs(rows) do
    if row.k >= binding * rmax * alone - 1 then counts[#counts + 1] = { k = row.k, count = rmax * row.cycles - row.k } end
  end
  if #counts < least_counts then return nil end
  local plain = lists.map(counts, function(c) return c.count end)
  return { slots = whole(counts), least = math.max(1, math.floor(math.min(table.unpack(plain)) + near)) }
end

-- A candidate beside each scheme: how many slots each takes, and beside how many it is the same number.
local function tried(name, rows, alone)
  local width = 1 / alone[name]
  local c = { name = name, rmax = math.max(1, math.floor(width + 0.5)), counts = {}, tried = 0, fits = 0, costs = 0, beside = 0 }
  if width < 1 then return c end
  for scheme, list in pairs(rows) do
    local count = alone[scheme] and counted(list, c.rmax, alone[scheme])
    c.counts[scheme] = count
    c.tried, c.fits = c.tried + (count and 1 or 0), c.fits + (count and count.slots and 1 or 0)
  end
  return c
end

-- Experiments with fillers beside full ports: how many there are, and how many of them the fillers made slower.
local function beside_full_ports(c, observations, cycles)
  for _, x in ipairs(observations) do
    local n = x.e[c.name]
    local without = n and cycles[experiment.key(experiment.without(x.e, c.name))]
    local slots = n or 0
    for name, k in pairs(without and x.e or {}) do
      if name ~= c.name then slots = slots + k * (c.counts[name] and c.counts[name].least or 1) end
    end
    if without and slots < filled * c.rmax * without then
      c.beside, c.costs = c.beside + 1, c.costs + (x.cycles > free * without and 1 or 0)
    end
  end
end

-- The share of what a candidate was tried with that is as it should be.
local function rating(c)
  return c.fits / c.tried * (1 - (c.beside > 0 and c.costs / c.beside or 0))
end

--- All candidates, those that serve best first.
-- @param observations list of `{ e =, cycles = }`
-- @param alone name -> cycles of an instance alone
-- @return list of `{ name =, rmax =, tried =, fits = (numbers of schemes), beside =, costs = (of experiments with full ports), rating =,
-- serves =, counts = name -> { slots = (nil: not the same number for all fillers), least = } }`
function recorded_filler.candidates(observations, alone)
  local cycles, list = {}, {}
  for _, x in ipairs(observations) do cycles[experiment.key(x.e)] = x.cycles end
  for name, rows in pairs(rows_of(observations)) do
    local c = alone[name] and tried(name, rows, alone)
    if c and c.tried >= least_schemes then
      beside_full_ports(c, observations, cycles)
      c.rating = rating(c)
      c.serves = c.rating >= serves
      list[#list + 1] = c
    end
  end
  table.sort(list, lists.most_first("rating", "name"))
  return list
end

return recorded_filler
