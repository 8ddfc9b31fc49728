--- PMEvo's experiments and classes as published (sections 5.1.1 and 5.1.2): every pair of schemes is measured, whatever the classes.
--
-- A scheme joins the first class whose representative it is congruent to: both take the same time alone, and so do both with every third scheme, in
-- all experiments that were measured with the same numbers of copies. One condition is added to the published ones: an instance of each takes twice
-- the time of one. Without it two schemes would be congruent that have different ports, where no third scheme tells.
-- @module portolan.infer.pmevo.all_pairs
local congruence = require "portolan.infer.pmevo.congruence"
local experiment_set = require "portolan.infer.pmevo.experiment_set"
local stop = require "portolan.infer.stop"

local all_pairs = {}

--- The difference of times that does not count for the numbers of copies: none, as published.
all_pairs.tolerance = 0

local function pair_of(self, a, b) return experiment_set.pair(self.alone[a], self.alone[b], all_pairs.tolerance) end

-- Measures all pairs.
local function measure(self)
  local list = {}
  for i, a in ipairs(self.names) do
    for k = 1, i - 1 do
      local b = self.names[k]
      for _, counts in ipairs(pair_of(self, a, b)) do list[#list + 1] = { [a] = counts[1], [b] = counts[2] } end
    end
  end
  stop.need(self.meter:measure(list))
end

-- The experiments of both schemes with a third one that are the same but for the two, as two lists.
local function common(self, s, r, third)
  local ours, theirs = {}, {}
  for _, mine in ipairs(pair_of(self, s, third)) do
    for _, other in ipairs(pair_of(self, r, third)) do
      if mine[1] == other[1] and mine[2] == other[2] then
        ours[#ours + 1] = { [s] = mine[1], [third] = mine[2] }
        theirs[#theirs + 1] = { [r] = mine[1], [third] = mine[2] }
      end
    end
  end
  return ours, theirs
end

-- Tells whether s and r are congruent.
local function congruent(self, s, r)
  if not congruence.equal(self.alone[s], self.alone[r], self.epsilon) then return false end
  local together = stop.need(self.meter:measure { { [s] = 1, [r] = 1 } })
  if not together[1] or not congruence.equal(together[1], 2 * self.alone[r], self.epsilon) then return false end
  local compared, all = 0, 0
  for _, third in ipairs(self.names) do
    if third ~= s and third ~= r then
      local ours, theirs = common(self, s, r, third)
      local more = congruence.compare(self.meter, ours, theirs, self.epsilon)
      if not more then return false end
      compared, all = compared + more, all + #theirs
    end
  end
  return congruence.enough(compared, all)
end

-- The representative of a scheme: itself, if there is no class for it.
local function representative(self, s)
  for _, r in ipairs(self.representatives) do
    if congruent(self, s, r) then return r end
  end
  table.insert(self.representatives, s)
  return s
end

--- Measures all pairs and finds the classes.
-- @param meter that measures (portolan.infer.pmevo.meter)
-- @tparam {string,...} names schemes, each measured alone
-- @tparam table alone name -> cycles
-- @tparam table options
-- @tparam[opt=0.05] number options.epsilon relative difference up to which times are equal
-- @tparam[opt] func options.progress function(name)
-- @return as `congruence.classes`
function all_pairs.classes(meter, names, alone, options)
  local self = { meter = meter, names = names, alone = alone, epsilon = options.epsilon or 0.05, representatives = {} }
  measure(self)
  local class = {}
  for _, s in ipairs(names) do
    class[s] = representative(self, s)
    if options.progress then options.progress(s) end
  end
  return congruence.of(names, class, self.representatives)
end

return all_pairs
