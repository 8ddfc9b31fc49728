--- Three-level inference where the numbers of uops are not known (§4.4): tries them, few uops first.
--
-- The loop asks only what tells mappings with the same numbers of uops apart, so a mapping that it found is tried on all pairs of
-- schemes, in several proportions, before the numbers are believed.
-- Numbers that no mapping can have are refuted by a few experiments; every other choice that has the same numbers for the schemes
-- of these experiments is refuted with them. What was measured for one choice serves all later ones.
-- @module portolan.infer.cegis.uop_counts
local cegis = require "portolan.infer.cegis"

local uop_counts = {}

-- Visits all lists of n numbers from 1 to most that sum to total, in lexicographic order; ends when visit returns a value, and returns it.
local function each(n, total, most, visit)
  local list = {}
  local function place(i, left)
    if i > n then return left == 0 and visit(list) or nil end
    for count = math.max(1, left - (n - i) * most), math.min(most, left - (n - i)) do
      list[i] = count
      local result = place(i + 1, left - count)
      if result ~= nil then return result end
    end
  end
  return place(1, total)
end

local function refuted(numbers, counts)
  for _, refutation in ipairs(numbers) do
    local same = true
    for i, count in pairs(refutation) do same = same and counts[i] == count end
    if same then return true end
  end
  return false
end

local function counts_of(schemes, counts)
  local uops = {}
  for i, name in ipairs(schemes) do uops[name] = counts[i] end
  return uops
end

-- The numbers of uops of the schemes in the contradicting experiments.
local function refutation(outcome, schemes, counts)
  local result = {}
  for _, o in ipairs(outcome.conflict.experiments) do
    for i, name in ipairs(schemes) do
      if o.experiment[name] then result[i] = counts[i] end
    end
  end
  return result
end

-- Pairs of schemes, whatever the numbers of uops are.
local function trials(schemes)
  local list = {}
  for i = 1, #schemes do
    for j = i + 1, #schemes do
      for _, copies in ipairs { { 1, 1 }, { 1, 2 }, { 2, 1 }, { 1, 4 }, { 4, 1 } } do
        list[#list + 1] = { [schemes[i]] = copies[1], [schemes[j]] = copies[2] }
      end
    end
  end
  return list
end

local function observations(outcome)
  local list = {}
  for k, seen in ipairs(outcome.observations) do list[k] = { seen.experiment, seen.cycles } end
  return list
end

--- Infers numbers of uops and ports.
-- @param processor as for `cegis.infer`
-- @tparam {string,...} schemes names
-- @tparam[opt] table options as for `cegis.infer`, with `most_uops` (of a scheme, 4) instead of `uops`
-- @return outcome as of `cegis.infer`, for the first numbers in order of their sum that no experiment refutes, with `uops` (name -> number) and
-- `refuted` (how many choices were refuted by experiments of their own); status "contradiction" if all are; or nil and a message
function uop_counts.infer(processor, schemes, options)
  local o = setmetatable({}, { __index = options })
  local most, numbers, last = o.most_uops or 4, {}, nil
  o.doubt = false -- contradictions are what is looked for
  local function try(counts)
    if refuted(numbers, counts) then return nil end
    o.uops = counts_of(schemes, counts)
    local outcome, message = cegis.infer(processor, schemes, o)
    if outcome and outcome.status == "unique" and not o.initial then
      o.observations, o.initial = observations(outcome), trials(schemes)
      outcome, message = cegis.infer(processor, schemes, o)
    end
    if not outcome then return { message = message } end
    last, outcome.uops, outcome.refuted = outcome, o.uops, #numbers
    if outcome.status ~= "contradiction" then return outcome end
    numbers[#numbers + 1], o.observations = refutation(outcome, schemes, counts), observations(outcome)
  end
  for total = #schemes, most * #schemes do
    local outcome = each(#schemes, total, most, try)
    if outcome and outcome.message then return nil, outcome.message end
    if outcome then return outcome end
  end
  if last then last.refuted = #numbers end
  return last
end

return uop_counts
