--- Asks a processor many questions at once, and each as often as it takes to believe the answers (portolan.measuring.policy).
-- @module portolan.measuring.ask
local faint = require "portolan.measuring.faint"
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

--- Answers experiments.
-- @param read function(experiments, again) -> results: one reading of each, also where there is one already if `again`
-- @param list experiments
-- @param noise relative standard deviation of the processor's readings
-- @tparam[opt] table options
-- @tparam[opt=false] boolean options.again also the first reading anew
-- @tparam[opt] {number,...} options.precision relative standard deviation wanted of each
-- @return list of results
function ask.all(read, list, noise, options)
  options = options or {}
  local results, cycles, wanted, most = read_once(read, list, options.again), {}, {}, 1
  for i, result in ipairs(results) do
    local precision = options.precision and options.precision[i] or policy.deviation
    wanted[i] = result.status == "ok" and readings_for(noise, precision) or 1
    cycles[i], most = { result.cycles }, math.max(most, wanted[i])
  end
  for reading = 2, most do
    local some, where = {}, {}
    for i in ipairs(list) do
      if wanted[i] >= reading then some[#some + 1], where[#where + 1] = list[i], i end
    end
    for k, result in ipairs(read_once(read, some, true)) do
      if result.status == "ok" then table.insert(cycles[where[k]], result.cycles) end
    end
  end
  for i, result in ipairs(results) do
    if #cycles[i] > 1 then results[i] = setmetatable({ cycles = values.middle(cycles[i]) }, { __index = result }) end
  end
  return results
end

return ask
