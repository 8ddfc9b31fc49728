--- Weighs what speaks for or against numbers of uops, beside the counts on blocked ports.
--
-- The number of uops, as far as it was counted; that of the same operation on registers; that memory is read and written by uops of loads
-- and stores; and the time that the scheme takes alone, which bounds all uops from
-- above. In squared standard deviations, as misfits of counts are: clear counts outweigh what is only likely.
-- @module portolan.infer.chart.blocking.prior
local constants = require "portolan.infer.chart.constants"
local lists = require "portolan.support.lists"
local port_set = require "portolan.mapping.ports"

local prior = {}

local off_counted, off_registers, fewer = constants.price_odd, constants.price_unlike, constants.price_fewer
local second_unit = constants.price_second_unit
local no_load, no_store, too_fast = constants.asking_refuted, constants.price_unlike, constants.price_odd
local faster, slower = constants.consistent_faster, constants.consistent_slower

--- The time that ports need.
-- @param classes the columns
-- @treturn function(chosen = uops by column) -> cycles
function prior.timer(classes)
  local bit, ports, masks, size = {}, 0, {}, {}
  for i, class in ipairs(classes) do
    masks[i] = 0
    for _, p in ipairs(class.ports) do
      if not bit[p] then bit[p], ports = 1 << ports, ports + 1 end
      masks[i] = masks[i] | bit[p]
    end
  end
  return function(chosen)
    local busy, unions, seen, time = {}, { 0 }, { [0] = true }, 0
    for i, n in ipairs(chosen) do
      if n > 0 then
        busy[#busy + 1] = i
        for k = 1, #unions do
          local union = unions[k] | masks[i]
          if not seen[union] then seen[union], unions[#unions + 1] = true, union end
        end
      end
    end
    for k = 2, #unions do
      local union, uops = unions[k], 0
      for _, i in ipairs(busy) do uops = uops + (masks[i] & ~union == 0 and chosen[i] or 0) end
      size[union] = size[union] or port_set.count(union)
      time = math.max(time, uops / size[union])
    end
    return time
  end
end

-- The price of a number of uops. Where ports cannot be blocked, there may be more than are located.
local function price_of_number(known, located)
  local total, n, cost = known.total, known.expected, 0
  if located < total.least and not known.hidden then
    if not total.doubtful then return nil end
    cost = off_counted * (total.least - located)
  elseif located > total.most then
    if not total.doubtful and not total.second_unit then return nil end
    cost = (total.doubtful and off_counted or second_unit) * (located - total.most)
  end
  if n then return cost + off_registers * (known.hidden and math.max(0, located - n) or math.abs(located - n)) end
  return cost + ((known.hidden or total.sequenced) and 0 or fewer * math.max(0, total.most - located))
end

-- Columns whose class fulfils a condition; nil if there is none.
local function having(classes, condition)
  local list = lists.indices(classes, function(class) return class[condition] end)
  return list[1] and list
end

-- Columns that may be a load: of loads, and of stores on a part of their ports, as one address may serve both.
local function loading(classes, memory)
  local loads = memory.reads and having(classes, "loads") or nil
  return loads and lists.indices(classes, function(class)
    return class.loads or class.improper and memory.writes and lists.any(loads, function(i) return port_set.within(class.ports, classes[i].ports) end)
  end)
end

local function none_of(columns, chosen)
  return columns ~= nil and not lists.any(columns, function(i) return chosen[i] > 0 end)
end

-- Counts how many of some known uops each column has: column -> number; nil if none are known.
local function by_column(classes, uops)
  if not uops then return nil end
  local least = {}
  for i, class in ipairs(classes) do
    for _, uop in ipairs(uops) do
      if port_set.same(class.ports, uop[1]) then least[i] = (least[i] or 0) + uop[2] end
    end
  end
  return least
end

-- Are the chosen uops those of a relative?
local function is_like(expected, chosen)
  for i, n in ipairs(chosen) do
    if n ~= (expected[i] or 0) then return false end
  end
  return true
end

-- A relative's uops by column; nil if there is none, or not all of its ports are a column's.
local function of_relative(classes, relative)
  local expected = by_column(classes, relative and relative.uops)
  local n = expected and lists.sum(lists.keys(expected), function(i) return expected[i] end)
  return n == (relative and port_set.uops(relative.uops)) and expected or nil
end

local function has(uops, chosen)
  for i, n in pairs(uops or {}) do
    if chosen[i] < n then return false end
  end
  return true
end

--- Makes the prior of one scheme.
-- @param classes the columns
-- @param known `total` and `relative` (of the facts), `expected` (number from registers, or nil), `like` (uops of the same operation on registers,
-- or nil), `foreign` (function(class): does it work on nothing that the scheme works on? Or nil), `hidden`,
-- `memory`, `alone` (cycles), `floor` (cycles of its issue slots)
-- @return function(chosen, located[, cycles that their ports need]) -> squared standard deviations; nil if it cannot be; how many of these for being
-- unlike a relative
function prior.of(classes, known)
  local time_of, like = prior.timer(classes), by_column(classes, known.like)
  local relative = of_relative(classes, known.relative)
  local unlike = relative and (known.relative.close and constants.price_mnemonic or constants.price_category)
  local loads = loading(classes, known.memory)
  local stores = known.memory.writes and having(classes, "improper")
  local foreign = lists.map(classes, function(class) return known.foreign ~= nil and known.foreign(class) end)
  return function(chosen, located, time)
    local cost = price_of_number(known, located)
    if not cost then return nil end
    if not has(like, chosen) then cost = cost + off_registers end
    if none_of(loads, chosen) then cost = cost + no_load end
    if none_of(stores or nil, chosen) then cost = cost + no_store end
    for i in ipairs(classes) do
      if chosen[i] > 0 and foreign[i] then
        if located > known.total.most and not known.total.doubtful then return nil end -- a second unit is one of the kind that it works on
        cost = cost + no_load
      end
    end
    time = time or time_of(chosen)
    if known.alone < faster * time then return nil end
    if known.alone > slower * math.max(time, known.floor) then cost = cost + too_fast end
    if not relative or is_like(relative, chosen) then return cost, 0 end
    return cost + unlike, unlike
  end
end

return prior
