--- Does the order of the instructions matter? The spread of CPI among measurements of one multiset of schemes in different
-- orders (Table 3.1): the model takes experiments for multisets, which is right as far as this spread is small.
-- @module portolan.experiment.orders
local experiment = require "portolan.experiment"
local lengths = require "portolan.scheme.lengths"

local orders = {}

--- A spread of more cycles per instruction than this is worth counting.
orders.threshold = 0.05

-- Measurements of the same order differ by noise, not by order: their mean stands for them.
local function by_order(set, members)
  local list, places = {}, {}
  for _, i in ipairs(members) do
    local order = set.records[i].order
    local key = type(order) == "table" and table.concat(order, "\0") or nil
    local entry = key and places[key]
    if not entry then
      entry = { sum = 0, n = 0 }
      list[#list + 1] = entry
      if key then places[key] = entry end
    end
    entry.sum, entry.n = entry.sum + set.cycles[i], entry.n + 1
  end
  return list
end

-- max - min of the CPIs, and how many orders there are.
local function spread(set, members)
  local least, most, list = math.huge, -math.huge, by_order(set, members)
  for _, entry in ipairs(list) do
    local cycles = entry.sum / entry.n
    least, most = math.min(least, cycles), math.max(most, cycles)
  end
  return (most - least) / set.lengths[members[1]], #list
end

local function groups(set)
  local list, places = {}, {}
  for i, record in ipairs(set.records) do
    local key = experiment.key(record.e)
    if not places[key] then
      places[key] = { i }
      list[#list + 1] = places[key]
    else
      table.insert(places[key], i)
    end
  end
  return list
end

local function row(label, found)
  local sum, most, above = 0, found[1], 0
  for _, s in ipairs(found) do
    sum = sum + s.cpi
    if s.cpi > most.cpi then most = s end
    if s.cpi > orders.threshold then above = above + 1 end
  end
  return { label = label, n = #found, mean = sum / #found, max = most.cpi, above = above / #found, widest = most.e }
end

local function check(set)
  for i, record in ipairs(set.records) do
    local order = record.order
    if type(order) == "table" then
      for _, name in ipairs(order) do
        if type(name) ~= "string" then return nil, ("measured experiment %d: field 'order' must be a list of schemes"):format(i) end
      end
      if not experiment.equal(experiment.of_list(order), record.e) then
        return nil, ("measured experiment %d: field 'order' lists other schemes than 'e'"):format(i)
      end
    end
  end
  return true
end

--- The spread over orders.
-- @param set as of `accuracy.set`; a record's `order`, a list of scheme names, tells orders apart; without it every record
-- of an experiment counts as an order of its own
-- @return `{ rows = list of {label = length(s), n = experiments, mean =, max = (CPI), above = share beyond the threshold,
-- widest = the experiment of the max}, all = the same over all lengths }`, false if no experiment was measured in two
-- orders; or nil and a message
function orders.spread(set)
  local ok, message = check(set)
  if not ok then return nil, message end
  local found, list = {}, {}
  for _, members in ipairs(groups(set)) do
    local cpi, n = spread(set, members)
    if n > 1 then
      found[#found + 1] = { cpi = cpi, length = set.lengths[members[1]], e = set.records[members[1]].e }
      list[#list + 1] = set.lengths[members[1]]
    end
  end
  if #found == 0 then return false end
  local classes, parts = lengths.classes(list), {}
  local class_of = lengths.lookup(classes)
  for k in ipairs(classes) do parts[k] = {} end
  for _, s in ipairs(found) do table.insert(parts[class_of(s.length)], s) end
  local result = { rows = {}, all = row("all", found) }
  for k, class in ipairs(classes) do result.rows[k] = row(class.label, parts[k]) end
  return result
end

return orders
