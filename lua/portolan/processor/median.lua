--- A processor that measures every experiment several times and answers with the median: for processors whose readings are noisy
-- or now and then far off.
-- @module portolan.processor.median
local median = {}

-- The reading in the middle, with what the others say about it; nil if too few are good.
local function middle(readings, times)
  local good = {}
  for _, r in ipairs(readings) do
    if r.status == "ok" then good[#good + 1] = r end
  end
  if 2 * #good <= times then return nil end
  table.sort(good, function(x, y) return x.cycles < y.cycles end)
  local half = #good // 2
  local cycles = #good % 2 == 1 and good[half + 1].cycles or (good[half].cycles + good[half + 1].cycles) / 2
  local result = {}
  for key, value in pairs(good[half + 1]) do result[key] = value end
  result.cycles, result.n, result.spread = cycles, #good, (good[#good].cycles - good[1].cycles) / cycles
  return result
end

--- Wraps a processor. Rounds over all experiments, not repetitions of one: what disturbs comes and goes.
-- @param processor any processor; what else it offers is passed on
-- @tparam integer times how often each experiment is measured
-- @return processor
function median.of(processor, times)
  local self = setmetatable({}, { __index = function(_, key)
    local value = processor[key]
    if type(value) ~= "function" then return value end
    return function(_, ...) return value(processor, ...) end
  end })
  function self.measure(_, list, options)
    local readings = {}
    for i = 1, #list do readings[i] = {} end
    for _ = 1, times do
      local results, message, status = processor:measure(list, options)
      if not results then return nil, message, status end
      for i, result in ipairs(results) do table.insert(readings[i], result) end
    end
    local answers = {}
    for i, r in ipairs(readings) do answers[i] = middle(r, times) or r[#r] end
    return answers
  end
  return self
end

return median
