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

--- The items of a list as the keys of a table.
-- @return table: item -> true
function lists.set(list)
  local set = {}
  for _, item in ipairs(list) do set[item] = true end
  return set
end

--- The keys of a table, sorted.
-- @return list
function lists.keys(t)
  local keys = {}
  for key in pairs(t) do keys[#keys + 1] = key end
  table.sort(keys)
  return keys
end

--- A table with the same fields.
function lists.copy(t)
  local copy = {}
  for key, value in pairs(t) do copy[key] = value end
  return copy
end

return lists
