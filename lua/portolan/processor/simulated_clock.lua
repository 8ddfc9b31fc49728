--- This module makes a simulated processor's readings as they are with a clock that steps less often than the core, as on Arm, where time stamps
-- count 24 million to a billion times a second (docs/measuring.md).
--
-- A reading is made as the measuring engine makes it: short and long passes and reference chains are read in whole ticks, from wherever in a tick
-- they begin; the chains tell how long a cycle is, and the difference of the lengths what an iteration takes. Samples are as long as the engine
-- makes them with such a clock.
-- @module portolan.processor.simulated_clock
local core = require "portolan.core"

local clock = {}
clock.__index = clock

local visits, passes, chains = 3, 4, 5 -- that a result rests on: three visits at least, as the engine makes them
local usual_length, shorter = 4000, 4 -- cycles of a long pass with a fine clock; how many times shorter the short one is
local edge, chain_edge, jitter = 60, 23, 3 -- cycles of a pass and of a chain beside what they repeat; further iterations, up to so many
local usual_frequency = 3e9

local function positive(value) return type(value) == "number" and value > 0 and value < math.huge end

--- Makes a clock.
-- @tparam table options
-- @param options.hz ticks a second
-- @param[opt=3e9] options.frequency of the core, Hz
-- @tparam[opt] int options.coarseness how many times as long as usual samples are; by default what the engine takes for such a clock
-- @return clock; or nil and a message
function clock.new(options)
  local frequency = options.frequency or usual_frequency
  if not positive(options.hz) or options.hz < 1e6 or options.hz > 1e12 then return nil, "clock must be ticks a second: 1e6 to 1e12" end
  if not positive(frequency) then return nil, "frequency of the core must be cycles a second, more than 0" end
  local coarseness = options.coarseness or core.bench.coarseness(options.hz)
  return setmetatable({ hz = options.hz, frequency = frequency, coarseness = coarseness, step = frequency / options.hz }, clock)
end

-- Whole ticks of so many cycles that begin anywhere in a tick.
local function ticks(self, cycles, rng)
  local begins = rng:unit()
  return math.floor(begins + cycles / self.step)
end

local function median(list)
  table.sort(list)
  local n = #list
  return (list[(n + 1) // 2] + list[n // 2 + 1]) / 2
end

--- A reading of a loop that takes `value` cycles an iteration.
-- @param value number
-- @param rng random stream
-- @return cycles, as they are read
function clock:read(value, rng)
  local long = math.max(2, math.floor(usual_length * self.coarseness / value))
  local short = math.ceil(long / shorter)
  local chain = usual_length * self.coarseness // 4 + chain_edge
  local longs, shorts = {}, {}
  for _ = 1, visits do
    local of_chains = 0
    for _ = 1, chains do of_chains = of_chains + ticks(self, chain, rng) end
    local cycle = chains * chain / math.max(1, of_chains) -- cycles a tick
    for _ = 1, passes do
      local further = rng:below(jitter + 1)
      longs[#longs + 1] = cycle * ticks(self, (long + further) * value + edge, rng) - further * value
      shorts[#shorts + 1] = cycle * ticks(self, (short + further) * value + edge, rng) - further * value
    end
  end
  return math.max(0.01 * value, (median(longs) - median(shorts)) / (long - short))
end

return clock
