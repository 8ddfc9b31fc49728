--- Congruence filtering (section 5.1.2): schemes that no experiment of PMEvo's tells apart become a class, of which one
-- represents all.
--
-- The dissertation measures every pair of schemes first. Here only representatives are paired: a scheme is compared with a
-- representative on its pairs with all representatives, which decides the same where being congruent is an equivalence: if c
-- and c' are congruent, pairs with c say what pairs with c' would. n schemes in k classes need about n k pairs instead of
-- n^2 / 2. One more comparison comes first and settles most: an instance each of two congruent schemes takes twice the time of one.
--
-- An experiment without an answer is no evidence of equality: congruent are schemes of which nearly all comparisons could be made. Where measuring
-- cannot go on, the inference ends (portolan.infer.stop).
-- @module portolan.infer.pmevo.congruence
local experiment_set = require "portolan.infer.pmevo.experiment_set"
local lists = require "portolan.support.lists"
local stop = require "portolan.infer.stop"

local congruence = {}

local batch = 64 -- experiments to measure at once, about
local compared_least = 0.9 -- of the comparisons of two schemes: now and then an experiment cannot be measured

--- Tells whether two times are equal up to measurement errors: symmetric relative difference below epsilon.
function congruence.equal(t1, t2, epsilon)
  return math.abs(t1 - t2) / (math.abs(t1 + t2) / 2) < epsilon
end

--- Compares the times of experiments of two lists, one by one. Those without an answer are not compared.
-- @param meter that measures (portolan.infer.pmevo.meter)
-- @tparam {table,...} ours experiments
-- @tparam {table,...} theirs as many
-- @tparam number epsilon as of `congruence.equal`
-- @treturn int how many could be compared; false if some differ
function congruence.compare(meter, ours, theirs, epsilon)
  local expected = stop.need(meter:measure(theirs))
  local found, compared = stop.need(meter:measure(ours)), 0
  for i, t in ipairs(expected) do
    if t and found[i] then
      compared = compared + 1
      if not congruence.equal(t, found[i], epsilon) then return false end
    end
  end
  return compared
end

--- Are so many comparisons enough to call schemes congruent?
-- @tparam int compared that could be made
-- @tparam int all that were tried
function congruence.enough(compared, all) return compared >= compared_least * all end

--- The classes, from what represents each scheme.
-- @tparam {string,...} names schemes
-- @tparam table class name -> representative
-- @tparam {string,...} representatives in their order
-- @return `{ representatives = list, class = name -> representative, members = representative -> list }`
function congruence.of(names, class, representatives)
  local members = {}
  for _, s in ipairs(names) do
    lists.into(members, class[s], s)
  end
  return { representatives = representatives, class = class, members = members }
end

local function pair(a, m, b, n) return { [a] = m, [b] = n } end

-- The pairs of a scheme with representatives, with the counts that a representative r of the same time has; in order.
local function pairs_with(self, name, r, representatives)
  local list = {}
  for _, c in ipairs(representatives) do
    if c ~= r then
      for _, counts in ipairs(experiment_set.pair(self.alone[r], self.alone[c], self.epsilon)) do
        list[#list + 1] = pair(name, counts[1], c, counts[2])
      end
    end
  end
  return list
end

-- Tells whether s is congruent to r, as far as pairs with these representatives show it.
local function alike(self, s, r, representatives)
  if not congruence.equal(self.alone[s], self.alone[r], self.epsilon) then return false end
  local together = stop.need(self.meter:measure { pair(s, 1, r, 1) })
  if not together[1] or not congruence.equal(together[1], 2 * self.alone[r], self.epsilon) or self.differ(s, r) then return false end
  local ours, theirs = pairs_with(self, s, r, representatives), pairs_with(self, r, r, representatives)
  local compared = congruence.compare(self.meter, ours, theirs, self.epsilon)
  return compared and congruence.enough(compared, #theirs)
end

-- Finds the class of a scheme, or makes one.
local function place(self, s)
  for _, r in ipairs(self.representatives) do
    if alike(self, s, r, self.representatives) then
      self.class[s], self.seen[s] = r, #self.representatives
      return
    end
  end
  if self.early then stop.need(self.meter:measure(pairs_with(self, s, s, self.representatives))) end
  table.insert(self.representatives, s)
  self.class[s] = s
end

-- Compares a member with the representatives that came after it was placed; a new place if they tell it apart.
local function check(self, s)
  local r, later = self.class[s], {}
  if r == s or self.seen[s] == #self.representatives then return end
  table.move(self.representatives, self.seen[s] + 1, #self.representatives, 1, later)
  local same = alike(self, s, r, later)
  self.seen[s] = #self.representatives
  if not same then place(self, s) end
end

-- Measures pairs of the next few schemes with all representatives in one go, as processors like it. All of them are needed, whatever
-- classes the schemes belong to. Returns how many schemes.
local function ahead(self, first)
  if not self.early then return #self.names end
  local list, last = {}, first
  while #list < batch and self.names[last] do
    for _, r in ipairs(self.representatives) do list[#list + 1] = pair(self.names[last], 1, r, 1) end
    last = last + 1
    if #self.representatives == 0 then break end
  end
  stop.need(self.meter:measure(list))
  return last - first
end

local function settle(self)
  local next_ahead = 1
  for i, s in ipairs(self.names) do
    if i == next_ahead then next_ahead = i + ahead(self, i) end
    place(self, s)
    self.progress(s)
  end
  local before
  repeat
    before = #self.representatives
    for _, s in ipairs(self.names) do check(self, s) end
  until #self.representatives == before
end

--- Finds the classes.
-- @param meter that measures (portolan.infer.pmevo.meter)
-- @param names schemes, each measured alone
-- @param alone name -> cycles
-- @tparam table options
-- @tparam[opt=0.05] number options.epsilon relative difference up to which times are equal
-- @tparam[opt] func options.progress function(name)
-- @tparam[opt] func options.differ function(s, r): whether something else tells these schemes apart
-- @return as of `congruence.of`
function congruence.classes(meter, names, alone, options)
  local self = { meter = meter, names = names, alone = alone, epsilon = options.epsilon or 0.05,
    progress = options.progress or function() end, differ = options.differ or function() return false end,
    representatives = {}, class = {}, seen = {},
    early = not meter.processor.experiments } -- pairs that will be needed are measured early; a record answers at any time
  settle(self)
  return congruence.of(names, self.class, self.representatives)
end

return congruence
