--- What is done with lists and tables everywhere.
-- @module portolan.support.lists
local lists = {}

--- Whether a test holds for any item of a list.
-- @param list any list
-- @param test function(item)
function lists.any(list, test)
  for _, item in ipairs(list) do
    if test(item) then return true end
  end
  return false
end

--- Whether a test holds for all items of a list.
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

--- What a function makes of each item of a list.
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

--- A table with the same fields.
function lists.copy(t)
  local copy = {}
  for key, value in pairs(t) do copy[key] = value end
  return copy
end

return lists
