--- Numbers of uops, one for each of several schemes: all choices, few uops first, less those that are refuted.
-- @module portolan.infer.cegis.uop_choices
local uop_choices = {}
uop_choices.__index = uop_choices

--- All choices within ranges.
-- @tparam {{int,int},...} ranges least and largest number of each scheme
-- @return choices, with `refuted`, how many refutations there are
function uop_choices.new(ranges)
  local self = setmetatable({ ranges = ranges, refuted = 0, by_last = {}, least = { [#ranges + 1] = 0 }, most = { [#ranges + 1] = 0 } }, uop_choices)
  for i = #ranges, 1, -1 do -- sums of the numbers from i on
    self.least[i], self.most[i] = self.least[i + 1] + ranges[i][1], self.most[i + 1] + ranges[i][2]
  end
  return self
end

--- From now on all choices are left out that have these numbers.
-- @tparam {[int]=int,...} numbers place of a scheme -> its number; at least one
function uop_choices:refute(numbers)
  local last = 0
  for i in pairs(numbers) do last = math.max(last, i) end
  self.by_last[last], self.refuted = self.by_last[last] or {}, self.refuted + 1
  table.insert(self.by_last[last], numbers)
end

--- Does a refutation hold of the first i numbers of a list? Those that are about fewer numbers are not looked at.
-- @tparam {int,...} list
-- @tparam int i
-- @treturn boolean
function uop_choices:excludes(list, i)
  for _, numbers in ipairs(self.by_last[i] or {}) do
    local same = true
    for k, count in pairs(numbers) do same = same and list[k] == count end
    if same then return true end
  end
  return false
end

-- All ways to go on from scheme i with a sum that is left.
local function place(self, list, i, left, visit)
  if i > #self.ranges then return visit(list) end
  local from = math.max(self.ranges[i][1], left - self.most[i + 1])
  for count = from, math.min(self.ranges[i][2], left - self.least[i + 1]) do
    list[i] = count
    local result
    if not self:excludes(list, i) then result = place(self, list, i + 1, left - count, visit) end
    if result ~= nil then return result end
  end
end

--- Visits the choices that are left, by their sum, then in lexicographic order. What is refuted meanwhile is left out.
-- @tparam func visit function(list): list of numbers, which changes after the call; the first result other than nil ends it
-- @return that result
function uop_choices:each(visit)
  for total = self.least[1], self.most[1] do
    local result = place(self, {}, 1, total, visit)
    if result ~= nil then return result end
  end
end

return uop_choices
