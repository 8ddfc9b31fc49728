--- This module holds what is done with lists and tables everywhere.
-- @module portolan.support.lists
local lists = {}

--- Tells whether a test holds for any item of a list.
-- @param list any list
-- @param test function(item)
function lists.any(list, test)
  for _, item in ipairs(list) do
    if test(item) then return true end
  end
  return false
end

--- Tells whether a test holds for all items of a list.
-- @param list any list
-- @param test function(item)
function lists.all(list, test)
  for _, item in ipairs(list) do
    if not test(item) then return false end
  end
  return true
end

--- The items of a list for which a test holds, in their order.
-- @param list any list
-- @param test function(item)
-- @return another list
function lists.where(list, test)
  local some = {}
  for _, item in ipairs(list) do
    if test(item) then some[#some + 1] = item end
  end
  return some
end

--- The items of a list without repetitions, in the order in which they come first.
-- @param list any list
-- @param[opt] key function(item) -> what is the same of items that count as one; by default the item
-- @return another list
function lists.distinct(list, key)
  local some, seen = {}, {}
  for _, item in ipairs(list) do
    local k = item
    if key then k = key(item) end
    if not seen[k] then some[#some + 1], seen[k] = item, true end
  end
  return some
end

--- The first of those items that have one key, and the others.
-- @param list any list
-- @param key function(item) -> key
-- @param[opt] also set of items that are taken for first ones, too
-- @return list of the first ones; of the others; and item -> the first one with its key
function lists.firsts(list, key, also)
  local first, others, first_of, of_key = {}, {}, {}, {}
  for _, item in ipairs(list) do
    local k = key(item)
    local some = (of_key[k] == nil or also and also[item]) and first or others
    of_key[k] = of_key[k] == nil and item or of_key[k]
    some[#some + 1], first_of[item] = item, of_key[k]
  end
  return first, others, first_of
end

--- The items of two lists, those of the second behind those of the first.
-- @return a third list
function lists.joined(a, b)
  local all = table.move(a, 1, #a, 1, {})
  return table.move(b, 1, #b, #all + 1, all)
end

--- Lists what a function makes of each item of a list.
-- @param list any list
-- @param f function(item)
-- @return another list, with nil where f returns that
function lists.map(list, f)
  local mapped = {}
  for i, item in ipairs(list) do mapped[i] = f(item) end
  return mapped
end

--- The sum of what a function makes of the items of a list.
-- @param list any list
-- @param f function(item) -> number
function lists.sum(list, f)
  local sum = 0
  for _, item in ipairs(list) do sum = sum + f(item) end
  return sum
end

--- Counts the values of a list, or of any table, that pass a test.
-- @param t any table
-- @param test function(value)
function lists.count(t, test)
  local n = 0
  for _, value in pairs(t) do
    if test(value) then n = n + 1 end
  end
  return n
end

--- Some items of a list, spread over it.
-- @param list any list
-- @tparam int most
-- @return another list, of `most` items, or all if there are fewer
function lists.spread(list, most)
  local some, n = {}, math.min(#list, most)
  for i = 1, n do some[i] = list[1 + (i - 1) * #list // n] end
  return some
end

--- The first item of a list for which a test holds.
-- @param list any list
-- @param test function(item)
-- @return item; nil if there is none
function lists.first(list, test)
  for _, item in ipairs(list) do
    if test(item) then return item end
  end
end

--- The index of the first item of a list for which a test holds.
-- @param list any list
-- @param test function(item)
-- @return number; nil if there is none
function lists.index(list, test)
  for i, item in ipairs(list) do
    if test(item) then return i end
  end
end

--- The indices of all items of a list for which a test holds.
-- @param list any list
-- @param test function(item)
-- @return list of numbers
function lists.indices(list, test)
  local some = {}
  for i, item in ipairs(list) do
    if test(item) then some[#some + 1] = i end
  end
  return some
end

--- All that a pattern finds in a text.
-- @param text string
-- @param pattern with one capture at most
-- @return list
function lists.found(text, pattern)
  local found = {}
  for piece in text:gmatch(pattern) do found[#found + 1] = piece end
  return found
end

--- Lists what a function makes of the fields of a table.
-- @param t any table
-- @param f function(key, value) -> text; nil to leave the field out
-- @return sorted list
function lists.of_fields(t, f)
  local list = {}
  for key, value in pairs(t) do list[#list + 1] = f(key, value) end
  table.sort(list)
  return list
end

--- Appends to one of the lists of a table, which begins with the first item.
-- @param groups table: key -> list
-- @param key of the list
-- @param item to append
function lists.into(groups, key, item)
  groups[key] = groups[key] or {}
  table.insert(groups[key], item)
end

--- The largest number that a function makes of the items of a list.
-- @param list any list
-- @param f function(item) -> number
-- @param least the answer where none is larger
function lists.largest(list, f, least)
  for _, item in ipairs(list) do least = math.max(least, f(item)) end
  return least
end

--- The items of a list as the keys of a table.
-- @return table: item -> true
function lists.set(list)
  local set = {}
  for _, item in ipairs(list) do set[item] = true end
  return set
end

--- Counts how often each item is in a list.
-- @param list any list
-- @return table: item -> number
function lists.tally(list)
  local counts = {}
  for _, item in ipairs(list) do counts[item] = (counts[item] or 0) + 1 end
  return counts
end

--- The keys of a table, sorted.
-- @param t any table
-- @param[opt] before function(a, b) -> whether a comes first; by default `<`
-- @return list
function lists.keys(t, before)
  local keys = {}
  for key in pairs(t) do keys[#keys + 1] = key end
  table.sort(keys, before)
  return keys
end

--- An order for `table.sort`: those with the least in a field first, and of equal ones those with the least in another field.
-- @tparam string field that comes first
-- @tparam string other which decides between equal ones
-- @return function(a, b)
function lists.least_first(field, other)
  return function(a, b)
    if a[field] ~= b[field] then return a[field] < b[field] end
    return a[other] < b[other]
  end
end

--- An order for `table.sort`: those with the most in a field first, and of equal ones those with the least in another field.
-- @tparam string field that comes first
-- @tparam string other which decides between equal ones
-- @return function(a, b)
function lists.most_first(field, other)
  return function(a, b)
    if a[field] ~= b[field] then return a[field] > b[field] end
    return a[other] < b[other]
  end
end

--- An order of keys for `table.sort`: those with the largest values first, and of equal ones the least key.
-- @param t table: key -> number
-- @return function(a, b)
function lists.by_value(t)
  return function(a, b)
    if t[a] ~= t[b] then return t[a] > t[b] end
    return a < b
  end
end

--- Counts the keys of a table.
function lists.size(t)
  local n = 0
  for _ in pairs(t) do n = n + 1 end
  return n
end

--- A table with the same fields.
function lists.copy(t)
  local copy = {}
  for key, value in pairs(t) do copy[key] = value end
  return copy
end

--- A name that a set does not have, and has from then on: the given one, or that one with a number from 2 on behind it.
-- @param name text
-- @param taken set of names, which gets it
-- @param joint text between name and number
-- @return text
function lists.free_name(name, taken, joint)
  local free, number = name, 1
  while taken[free] do
    number = number + 1
    free = name .. joint .. number
  end
  taken[free] = true
  return free
end

return lists
