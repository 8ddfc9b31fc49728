--- Asks a processor many questions at once, and each as often as it takes to believe the answers (portolan.measuring.policy).
-- @module portolan.measuring.ask
local faint = require "portolan.measuring.faint"
local lists = require "portolan.support.lists"
local policy = require("portolan.measuring.policy").precise
local values = require "portolan.measuring.values"

local ask = {}

-- Readings of which the median is as precise as wanted. (The variance of a median is 1.57 times that of a mean.)
local function readings_for(noise, precision)
  if noise <= precision then return 1 end
  return math.min(policy.most, math.ceil(1.57 * (noise / precision) ^ 2))
end

-- One reading of each; those that are faint are confirmed.
local function read_once(read, list, again)
  local results = read(list, again)
  faint.confirm(list, results, function(some) return read(some, true) end)
  return results
end

-- The noise of experiments that were read twice: long ones are often less noisy than the short ones that a processor's noise was learned from. That
-- is what counts where they are few, or less.
local function noise_of(cycles, noise)
  local twice = {}
  for _, readings in pairs(cycles) do
    if readings[2] then twice[#twice + 1] = { readings = readings } end
  end
  return #twice >= policy.learned and math.min(noise, values.noise(twice)) or noise
end

-- The relative standard deviation of the middle one of some readings.
local function deviation_of(readings, noise) return noise * math.min(1, math.sqrt(1.57 / #readings)) end

-- Is a time so far from all thresholds that no further reading changes on which side of them it is?
local function is_clear(cycles, thresholds, deviation)
  return lists.all(thresholds, function(threshold) return math.abs(cycles - threshold) >= policy.clear * deviation * cycles end)
end

--- Answers experiments.
-- @param read function(experiments, again) -> results: one reading of each, also where there is one already if `again`
-- @param list experiments
-- @param noise relative standard deviation of the processor's readings
-- @tparam[opt] table options
-- @tparam[opt=false] boolean options.again also the first reading anew
-- @tparam[opt] {number,...} options.precision relative standard deviation wanted of each
-- @tparam[opt] {{number,...},...} options.thresholds of each, cycles at which something is decided: a time that is clear of them is not read again
-- @return list of results, with the relative standard deviation of their cycles (`deviation`)
function ask.all(read, list, noise, options)
  options = options or {}
  local results, cycles, open = read_once(read, list, options.again), {}, {}
  for i, result in ipairs(results) do
    cycles[i] = { result.cycles }
    if result.status == "ok" then open[#open + 1] = i end
  end
  for reading = 1, policy.most - 1 do
    noise = noise_of(cycles, noise)
    open = lists.where(open, function(i)
      local thresholds = options.thresholds and options.thresholds[i]
      local clear = thresholds and is_clear(values.middle(cycles[i]), thresholds, deviation_of(cycles[i], noise))
      return not clear and reading < readings_for(noise, options.precision and options.precision[i] or policy.deviation)
    end)
    if #open == 0 then break end
    for k, result in ipairs(read_once(read, lists.map(open, function(i) return list[i] end), true)) do
      if result.status == "ok" then table.insert(cycles[open[k]], result.cycles) end
    end
  end
  for i, result in ipairs(results) do
    local middle = #cycles[i] > 1 and values.middle(cycles[i]) or result.cycles
    results[i] = setmetatable({ cycles = middle, deviation = deviation_of(cycles[i], noise) }, { __index = result })
  end
  return results
end

return ask
