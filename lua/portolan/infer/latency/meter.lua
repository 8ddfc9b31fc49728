--- Measures rounds, each as precisely as its time needs, and says what follows for the sum of its latencies.
-- @module portolan.infer.latency.meter
local ask = require "portolan.measuring.ask"
local constants = require "portolan.infer.latency.constants"
local core = require "portolan.core"
local lists = require "portolan.support.lists"
local policy = require("portolan.measuring.policy").chains
local link_of = require("portolan.infer.latency.rounds").link
local stop = require "portolan.infer.stop"
local values = require "portolan.measuring.values"

local meter = {}
meter.__index = meter

--- Makes the object that measures chains.
-- @param processor with `measure_chains`
-- @param needs function(links, cuts) -> cycles that a round takes without waiting, with instances that cut other dependencies; nil: not known
-- @tparam table options
-- @tparam[opt] number options.noise relative standard deviation of a reading; found out where it is not given
-- @tparam[opt] number options.deadline clock after which nothing is measured
-- @tparam[opt] func options.progress function(done, total, note)
function meter.new(processor, needs, options)
  return setmetatable({ processor = processor, needs = needs, noise = options.noise, deadline = options.deadline,
    progress = options.progress or function() end, asked = 0 }, meter)
end

-- One reading of each chain. Ends the inference if it cannot be had; without a message if it was the user's wish, or the budget is spent.
local function read(self, chains, again, other)
  if core.base.interrupted() or self.deadline and core.base.now() > self.deadline then stop.raise() end
  local results, message = self.processor:measure_chains(chains, { again = again, other_inputs = other, deadline = self.deadline,
    settle_until = self.deadline, progress = self.progress })
  stop.need(results, message)
  for _, result in ipairs(results) do
    if result.status == "interrupted" then stop.raise() end
  end
  self.asked = self.asked + #chains
  return results
end

-- The chains of rounds, and a precision for each where its time is known.
local function questions(self, rounds)
  local chains, precision = {}, {}
  for i, r in ipairs(rounds) do
    chains[i], precision[i] = r.links, r.time and constants.error / math.max(r.time, 1) or math.max(self.noise or 0, 1e-6)
  end
  return chains, precision
end

-- Takes readings of rounds, each as often as precision asks for.
local function take(self, rounds, again)
  local chains, precision = questions(self, rounds)
  local results = ask.all(function(some, anew) return read(self, some, anew) end, chains, self.noise or 0, { again = again, precision = precision })
  for i, result in ipairs(results) do
    local r = rounds[i]
    r.status, r.why, r.time, r.tries = result.status, result.message, result.status == "ok" and result.cycles or nil, r.tries + 1
    r.cuts, r.together = result.cuts or r.cuts, result.together and true or r.together
  end
end

-- The standard deviation of a round's time, in cycles.
local function deviation(self, time)
  local noise = math.max(self.noise, constants.least_noise)
  return math.min(noise * time, math.max(constants.error, noise * time * math.sqrt(1.57 / 100)))
end

-- Returns by how many cycles a time may be off, whatever the reason.
local function tolerance_of(self, time) return constants.drift * time + constants.deviations * deviation(self, time) end

-- Notes in a round what its time says of the sum of the latencies.
local function judge(self, r)
  if r.status ~= "ok" then return end
  local tolerance = tolerance_of(self, r.time)
  local low, high = math.max(0, r.time - constants.held_up - tolerance), r.time + constants.steady + tolerance
  local least, most = math.ceil(low), math.floor(high)
  r.exact, r.uneven = least == most, least > most
  r.low, r.high = r.exact and least or low, (r.exact or r.uneven) and most or high
  r.waits = r.bound ~= nil and not r.together and r.time > constants.beyond * r.bound + constants.beyond_cycles
end

--- Reads rounds again and judges them by the middle of their readings.
-- @param rounds list
function meter:again(rounds)
  local times = lists.map(rounds, function(r) return { r.time } end)
  for _ = 2, policy.readings do
    take(self, rounds, true)
    for i, r in ipairs(rounds) do
      if r.time then table.insert(times[i], r.time) end
    end
  end
  for i, r in ipairs(rounds) do
    if #times[i] > 0 then r.time, r.status = values.middle(times[i]), "ok" end
    judge(self, r)
  end
end

-- Learns how noisy readings are, from chains of delays.
local function learn_noise(self, links)
  local chains, seen = {}, {}
  for i = 1, constants.noise_sample do
    local one = links[(i - 1) % #links + 1]
    chains[i] = {}
    for k = 1, 2 + (i - 1) // #links do chains[i][k] = one end
  end
  local first, second = read(self, chains, false), read(self, chains, true)
  for i, result in ipairs(first) do
    if result.status == "ok" and second[i].status == "ok" then
      seen[#seen + 1] = { readings = { result.cycles, second[i].cycles } }
    end
  end
  self.noise = math.max(values.noise(seen), constants.least_noise)
end

--- Prepares: learns the noise, unless it is known.
-- @param delays connectors, at least one
function meter:prepare(delays)
  if self.noise then return end
  local links = lists.map(delays, link_of)
  learn_noise(self, links)
end

-- Measured, the time is known, and so is whether one reading of it is precise enough.
local function imprecise(self, rounds)
  local list = lists.where(rounds, function(r) return r.status == "ok" and self.noise * r.time > constants.error end)
  return list
end

-- Rounds whose time is near no whole number, though it is precise enough for that.
local function uneven(rounds)
  local list = lists.where(rounds, function(r) return r.status == "ok" and r.waits and r.uneven end)
  return list
end

--- Measures rounds.
-- @param rounds list; those that were measured before are left alone
function meter:measure(rounds)
  local fresh = lists.where(rounds, function(r) return not r.status end)
  if #fresh == 0 then return end
  take(self, fresh, false)
  for _, r in ipairs(fresh) do r.bound = self.needs(r.links, r.cuts or {}) end
  local again = imprecise(self, fresh)
  if #again > 0 then take(self, again, true) end
  for _, r in ipairs(fresh) do judge(self, r) end
  again = uneven(fresh)
  if #again > 0 then self:again(again) end
end

--- One reading of each round with the other kind of values in the registers.
-- @param rounds list
-- @return list of cycles, false for those without
function meter:other(rounds)
  local chains, times = {}, {}
  for i, r in ipairs(rounds) do chains[i] = r.links end
  for i, result in ipairs(read(self, chains, false, true)) do times[i] = result.status == "ok" and result.cycles or false end
  return times
end

--- Takes a second reading of rounds that claims rest on, and the middle of several where the two differ.
-- @param rounds list
-- @return how many differed
function meter:confirm(rounds)
  if #rounds == 0 then return 0 end
  local first, doubtful = {}, {}
  for i, r in ipairs(rounds) do first[i] = r.time end
  take(self, rounds, true)
  for i, r in ipairs(rounds) do
    if not r.time or math.abs(r.time - first[i]) > constants.held_up + tolerance_of(self, first[i]) then doubtful[#doubtful + 1] = r end
    r.time, r.status = first[i], "ok"
  end
  if #doubtful > 0 then self:again(doubtful) end
  return #doubtful
end

return meter
