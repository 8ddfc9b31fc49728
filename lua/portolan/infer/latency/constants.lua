--- The numbers that the inference of latencies rests on.
--
-- A line is `{ name, value, unit, what it means, how it was found }`; the modules read the value as `constants.name`.
-- @module portolan.infer.latency.constants
local chosen = "chosen"
local simulated = "simulated cores with known latencies (tests/bench/latency.lua)"

local all = {
  -- meter
  { "noise_sample", 60, "chains", "of delays, measured twice to learn how noisy readings are", chosen },
  { "error", 0.09, "cycles", "standard deviation wanted of a chain's time: a fifth of the distance that makes a whole number certain", simulated },
  { "steady", 0.05, "cycles", "that a time may be too short, beside its noise: the clock", "chains of additions on Golden Cove" },
  { "held_up", 0.12, "cycles", "that a time may be too long, beside its noise: the loop's own branch, instructions beside the chain",
    "chains of phsubsw and of stores on Golden Cove" },
  { "drift", 0.002, "share of the cycles", "that a time may be off beside its noise", "chains of divisions on Golden Cove" },
  { "deviations", 4.5, "standard deviations", "within which the truth lies: one of 100,000 readings is further off", simulated },
  { "least_noise", 0.001, "share of the cycles", "noise that is assumed at least", chosen },
  { "beyond", 1.1, "factor", "by which a chain's time must exceed what ports and issue slots need, to be that of its latencies",
    "cores lose a few percent where both are close" },
  { "beyond_cycles", 0.2, "cycles", "that it must exceed it by besides", chosen },

  { "confirm_sample", 256, "chains", "of whole numbers of cycles that are read a second time, spread over the set", chosen },
  { "confirm_differ", 0.02, "share of the sample", "that may differ from the first reading: beyond it, all are read a second time",
    "3 of 256 on a quiet Redwood Cove, those among them that had no second time (docs/decisions.md, 420)" },

  -- network, rounds
  { "paths", 2, "paths", "of connectors that are tried for a pair whose files differ", chosen },
  { "detours", 4, "paths", "that are tried where the shortest ones say nothing", chosen },
  { "delay_room", 1.25, "factor", "by which delays make a chain longer than its ports need, whatever else it waits for", "beyond, with a margin" },
  { "delay_cycles", 0.5, "cycles", "that they make it longer besides", chosen },
  { "lengthenings", 3, "times", "that a chain is made longer, twice as many delays at least", chosen },
  { "most_links", 32, "links", "of a chain", "PTL_LINKS_MAX of engine/isa/chain.h" },

  -- system
  { "never_faster", 100, "price for each cycle", "by which a sum is more than its chain took; by which it is less costs 1",
    "Golden Cove, where instructions beside a chain hold it up now and then" },

  -- flags
  { "flag_sample", 24, "schemes", "all of whose flags are measured, to find those that behave alike", chosen },
  { "flag_common", 4, "schemes", "whose latencies to two flags must be known, and equal, for these to be of one group", chosen },

  -- decide
  { "broken", 0.5, "cycles", "by which a chain is faster than its connectors alone, and so broken: nothing waits there",
    "whole numbers: half of one" },
  { "contradiction", 1.5, "cycles", "by which connectors that were held up may exceed a chain that waits; what exceeds it by more is broken",
    "simulated cores a tenth of whose chains take a cycle more" },
  { "differs", 0.4, "cycles", "by which two sums differ", "whole numbers: less than half of one" },
}

local constants = { all = all }
for _, c in ipairs(all) do constants[c[1]] = c[2] end

return setmetatable(constants, { __index = function(_, name) error(("there is no constant '%s'"):format(tostring(name)), 2) end })
