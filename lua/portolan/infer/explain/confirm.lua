--- What was read in noise is not believed at once: it is measured again until a reading is quiet, or the
-- fastest three agree.
--
-- The gate lets a disturbed reading through now and then (docs/measuring.md), the more so the fewer samples are quiet. Noise makes readings
-- slower, not faster: if that never happens, the fastest one counts. A noisy hour costs time, not correctness.
-- @module portolan.infer.explain.confirm
local confirm = {}

local quiet_enough = 0.15 -- share of samples
local agree = 0.02 -- relative difference
local enough, most = 3, 10 -- readings that have to agree; how often to measure at most

--- Was a reading taken while hardly any sample was quiet?
-- @param result of a processor
function confirm.in_noise(result)
  local n, rejected = result.n or 0, result.rejected or 0
  return result.status == "ok" and rejected > 0 and n < quiet_enough * (n + rejected)
end

-- The middle one of the fastest three readings; nil if they do not agree.
local function settled(list)
  table.sort(list)
  return list[enough] and list[enough] <= (1 + agree) * list[1] and list[enough - 1] or nil
end

--- Confirms results that were read in noise.
-- @param list experiments
-- @param results of them; what is not believed is replaced
-- @param measure function(experiments) -> one more reading of each, or nil
function confirm.all(list, results, measure)
  local known, open = {}, {}
  for i, result in ipairs(results) do
    if confirm.in_noise(result) then known[i], open[#open + 1] = { result.cycles }, i end
  end
  for _ = 2, most do
    if #open == 0 then return end
    local some, left = {}, {}
    for k, i in ipairs(open) do some[k] = list[i] end
    for k, again in ipairs(measure(some) or {}) do
      local i = open[k]
      if again.status == "ok" then table.insert(known[i], again.cycles) end
      local quiet = again.status == "ok" and not confirm.in_noise(again)
      local cycles = quiet and again.cycles or settled(known[i])
      results[i] = setmetatable({ cycles = cycles or math.min(table.unpack(known[i])) }, { __index = results[i] })
      if not cycles then left[#left + 1] = i end
    end
    open = left
  end
end

return confirm
