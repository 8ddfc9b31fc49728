--- This module holds what campaigns look for: functions of all predictors' answers (section 8.1.1), written as a user writes one (docs/extending.md).
--
--    interesting(answers, block, more) -> degree | true | false | nil, the answer that is shown beside that of A
--
-- `answers` are those of all predictors in their order, `{ cycles = }` or `{ error =, crash =, unsupported = }`; `more.predictors` are
-- the predictors, `{ name =, width = }`. Where blocks are changed, `more.changed` is a list of `{ block =, answers = }`. Nil: there is no
-- verdict. Functions here return a degree that is larger the more interesting a block is, `math.huge` for crashes.
-- @module portolan.anica.interests
local changes = require "portolan.anica.changes"

local interests = {}

--- Counts the predictors that crash, tells whether one has no answer without having crashed, and finds the least and largest of the others' cycles.
-- @param answers list
-- @return `{ crashes =, unsupported =, silent =, least =, most = }`
function interests.summary(answers)
  local s = { crashes = 0, unsupported = false, silent = false, least = math.huge, most = 0 }
  for _, answer in ipairs(answers) do
    if answer.crash then
      s.crashes = s.crashes + 1
    elseif answer.cycles then
      s.least, s.most = math.min(s.least, answer.cycles), math.max(s.most, answer.cycles)
    else
      s.silent, s.unsupported = true, s.unsupported or answer.unsupported == true
    end
  end
  return s
end

-- A degree of the least and the largest prediction, but for crashes: some of the predictors crash and others do not.
local function apart(answers, degree)
  local s = interests.summary(answers)
  if s.crashes == #answers then return 0 end
  if s.unsupported then return nil end
  if s.crashes > 0 then return math.huge end
  if s.silent then return nil end
  return degree(s.least, s.most)
end

--- Computes how far the predictions are apart, as a share of the mean of the least and the largest one.
-- @param answers of any number of predictors
-- @return number; `math.huge` if some crash and others do not; 0 if all crash; nil if there is no verdict
function interests.relative(answers)
  return apart(answers, function(least, most) return most == least and 0 or 2 * (most - least) / (most + least) end)
end

--- Computes how far they are apart in cycles.
-- @param answers of any number of predictors
-- @return as of `relative`
function interests.absolute(answers)
  return apart(answers, function(least, most) return most - least end)
end

-- Interestingness by the number of crashes.
local function of_crashes(enough)
  return function(answers)
    local s = interests.summary(answers)
    if s.silent and s.crashes == 0 then return nil end
    return enough(s.crashes, #answers) and math.huge or 0
  end
end

--- Exactly one predictor crashes.
interests.crash_one = of_crashes(function(n) return n == 1 end)
--- At least one crashes.
interests.crash_any = of_crashes(function(n) return n > 0 end)
--- All crash.
interests.crash_all = of_crashes(function(n, of) return n == of end)

--- The first predictor says the same as for a given block: what is left of the block decides its prediction (in the manner of COMET, arXiv
-- 2302.06836).
-- @tparam number cycles that it says for the block
-- @tparam[opt=0.05] number share of these by which another prediction may differ, and be the same
-- @return function(answers) -> boolean or nil
function interests.same(cycles, share)
  return function(answers)
    local x = answers[1].cycles
    return x and math.abs(x - cycles) <= (share or 0.05) * cycles
  end
end

-- The largest degree of any predictor's answer for the block beside its answer for a changed one, per iteration of the block.
local function of_changes(iterations)
  return function(answers, _, more)
    local largest, shown
    for _, changed in ipairs(more.changed) do
      for i, answer in ipairs(answers) do
        local other = changed.answers[i]
        if other.cycles then other = { cycles = other.cycles / iterations } end
        local degree = interests.relative { answer, other }
        if degree and degree > (largest or -1) then largest, shown = degree, other end
      end
    end
    return largest, shown
  end
end

--- A predictor disagrees with itself if registers are renamed; one predictor is enough.
interests.renamed = { blocks = changes.renamed, interesting = of_changes(1) }
--- If the loop begins at another instruction.
interests.rotated = { blocks = changes.rotated, interesting = of_changes(1) }
--- If the loop is unrolled: two copies must take twice the cycles.
interests.copied = { blocks = changes.copied, interesting = of_changes(2) }

--- Computes by how much two processors differ beyond what equal cycles and equal issue slots explain: a processor of 6 slots may be 1.5 times as
-- fast as one of 4, but no slower. Returns the least factor by which their ratio leaves that range, as a relative difference.
-- @param answers of two predictors; further ones do not count
-- @param _ block
-- @tparam table more with `predictors`; one without a `width` (issue slots a cycle) counts as wide as the other
-- @return as of `relative`
function interests.processors(answers, _, more)
  local a, b = answers[1], answers[2]
  if not (a.cycles and b.cycles and a.cycles > 0 and b.cycles > 0) then return interests.relative { a, b } end
  local first, second = more.predictors[1].width, more.predictors[2].width
  local slots = first and second and second / first or 1
  local ratio, low, high = a.cycles / b.cycles, math.min(1, slots), math.max(1, slots)
  local beyond = math.max(low / ratio, ratio / high, 1)
  return 2 * (beyond - 1) / (beyond + 1)
end

return interests
