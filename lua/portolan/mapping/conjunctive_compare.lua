--- Are two conjunctive mappings the same to every experiment? If not, which experiment tells them apart?
--
-- An experiment is a mixture of schemes. Its cycles per instruction are the load of the fullest resource, so the largest difference in which the
-- first mapping is the slower one is, for each of its resources, a linear program: the mixture for which this resource is fuller than all resources
-- of the other mapping by as much as can be. Where no program exceeds the threshold, no experiment does.
-- @module portolan.mapping.conjunctive_compare
local lists = require "portolan.support.lists"
local program = require "portolan.support.linear_program"

local conjunctive_compare = {}

local longest = 200 -- instructions of an experiment

-- The names of the schemes that both explain, sorted.
local function common_schemes(a, b)
  return lists.where(lists.keys(a.schemes), function(name) return b.schemes[name] end)
end

-- Returns the cycles that a mapping gives for a mixture, a list of counts by name.
local function cycles_of(m, names, counts)
  local most = 0
  for _, resource in ipairs(m.resources) do
    local sum = 0
    for i, name in ipairs(names) do sum = sum + counts[i] * (m.schemes[name][resource] or 0) end
    most = math.max(most, sum)
  end
  return most
end

-- The loads of a resource on schemes, as a row with the column of the other side's time.
local function loads_row(m, resource, names, last, factor)
  local columns, values = {}, {}
  for i, name in ipairs(names) do
    local load = m.schemes[name][resource] or 0
    if load > 0 then columns[#columns + 1], values[#values + 1] = i, load end
  end
  columns[#columns + 1], values[#values + 1] = last, factor
  return columns, values
end

-- The largest difference of cycles per instruction in which resource `r` of the slow one exceeds the fast one; and the mixture. Or nil, message,
-- status.
local function widest(slow, r, fast, names)
  local p, columns, ones = program.new { maximise = true }, {}, {}
  for i, name in ipairs(names) do
    columns[i], ones[i] = p:column { upper = 1, cost = slow.schemes[name][slow.resources[r]] or 0 }, 1
  end
  local time = p:column { cost = -1 }
  p:row(columns, ones, 1, 1)
  for _, resource in ipairs(fast.resources) do
    local list, values = loads_row(fast, resource, names, time, -1)
    p:row(list, values, nil, 0)
  end
  local answer, message, status = p:solve()
  if not answer then return nil, message, status end
  return answer.objective, answer.values
end

-- A mixture in whole numbers that keeps what it shows; nil if none of at most `longest` instructions does.
local function rounded(a, b, names, shares, threshold)
  for total = 1, longest do
    local counts, length = {}, 0
    for i = 1, #names do
      counts[i] = math.floor(shares[i] * total + 0.5)
      length = length + counts[i]
    end
    local x, y = cycles_of(a, names, counts), cycles_of(b, names, counts)
    if length > 0 and math.abs(x - y) / length > threshold then
      local e = {}
      for i, name in ipairs(names) do e[name] = counts[i] > 0 and counts[i] or nil end
      return e, x, y
    end
  end
end

--- Compares two mappings on the schemes that both explain.
-- @param a conjunctive mapping table (portolan.format.conjunctive)
-- @param b another one
-- @param epsilon what measurements resolve, in cycles per instruction
-- @return `{ common = (schemes), gap = (largest difference in cycles per instruction), distinguishable =, experiment =, a =, b = (cycles of it) }`;
-- with a gap above 2 epsilon there may still be no experiment, if none of 200 instructions or fewer shows it; or nil, a message, a status
function conjunctive_compare.of(a, b, epsilon)
  local names = common_schemes(a, b)
  local result = { common = #names, gap = 0, distinguishable = false }
  for _, pair in ipairs(#names > 0 and { { a, b }, { b, a } } or {}) do
    for r = 1, #pair[1].resources do
      local gap, shares, status = widest(pair[1], r, pair[2], names)
      if not gap then return nil, shares, status end
      if gap > result.gap then
        result.gap = gap
        local e, x, y = rounded(a, b, names, shares, 2 * epsilon)
        if e then result.experiment, result.a, result.b, result.distinguishable = e, x, y, true end
      end
    end
  end
  return result
end

return conjunctive_compare
