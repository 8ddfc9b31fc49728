--- Classes of experiments by their number of instructions (Fig. 3.7): each length for itself, or ranges where there are many.
-- @module portolan.scheme.lengths
local lists = require "portolan.support.lists"

local lengths = {}

local most_single = 12 -- that many different lengths get a class each
-- The least length of each range.
local edges = { 1, 2, 3, 4, 5, 6, 8, 11, 16, 21, 31, 51, 101 }

local function label(least, most)
  if least == most then return tostring(least) end
  return most == math.huge and ("%d+"):format(least) or ("%d–%d"):format(least, most)
end

--- The classes that occur.
-- @param list lengths of experiments
-- @return list of `{ least =, most =, label = "5" | "6–7" | "101+", n = experiments }`, ascending
function lengths.classes(list)
  local counts = lists.tally(list)
  local values = lists.keys(counts)
  local classes = {}
  local single = #values <= most_single
  local edge = 1
  for _, value in ipairs(values) do
    local last = classes[#classes]
    if last and value <= last.most then
      last.n = last.n + counts[value]
    else
      while edges[edge + 1] and value >= edges[edge + 1] do edge = edge + 1 end
      local least, most = value, value
      if not single then least, most = edges[edge], (edges[edge + 1] or math.huge) - 1 end
      classes[#classes + 1] = { least = least, most = most, label = label(least, most), n = counts[value] }
    end
  end
  return classes
end

--- A function from a length to the number of its class.
function lengths.lookup(classes)
  local known = {}
  return function(length)
    local k = known[length]
    if not k then
      k = 1
      while length > classes[k].most do k = k + 1 end
      known[length] = k
    end
    return k
  end
end

return lengths
