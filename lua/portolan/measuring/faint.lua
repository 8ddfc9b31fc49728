--- Answers that rest on hardly any readings are not believed at once: they are asked again until one rests on more, or the
-- fastest three agree.
--
-- Noise makes readings slower, not faster: if that never happens, the fastest one counts. A noisy hour costs time, not correctness.
-- @module portolan.measuring.faint
local policy = require("portolan.measuring.policy").faint

local faint = {}

--- Does an answer rest on hardly any of its readings?
-- @param result of a processor
function faint.is(result)
  local n, rejected = result.n or 0, result.rejected or 0
  return result.status == "ok" and n < policy.readings and rejected > n
end

-- The middle one of the fastest readings; nil if they do not agree.
local function settled(list)
  table.sort(list)
  return list[policy.enough] and list[policy.enough] <= (1 + policy.agree) * list[1] and list[policy.enough - 1] or nil
end

--- Confirms faint results.
-- @param list experiments
-- @param results of them; what is not believed is replaced
-- @param measure function(experiments) -> one more reading of each, or nil
function faint.confirm(list, results, measure)
  local known, open = {}, {}
  for i, result in ipairs(results) do
    if faint.is(result) then known[i], open[#open + 1] = { result.cycles }, i end
  end
  for _ = 2, policy.most do
    if #open == 0 then return end
    local some, left = {}, {}
    for k, i in ipairs(open) do some[k] = list[i] end
    for k, again in ipairs(measure(some) or {}) do
      local i = open[k]
      if again.status == "ok" then table.insert(known[i], again.cycles) end
      local firm = again.status == "ok" and not faint.is(again)
      local cycles = firm and again.cycles or settled(known[i])
      results[i] = setmetatable({ cycles = cycles or math.min(table.unpack(known[i])) }, { __index = results[i] })
      if not cycles then left[#left + 1] = i end
    end
    open = left
  end
end

return faint
