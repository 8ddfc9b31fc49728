--- Watches how many samples pass while a command measures, and tells once when it has been noisy for a minute.
-- @module portolan.cli.weather_watch
local weather_words = require "portolan.machine.weather_words"

local weather_watch = {}
weather_watch.__index = weather_watch

local window, patience = 1, 60 -- seconds: of samples judged at once; of noise until it is worth a word

--- Starts.
-- @param describe function() -> `{ accepted =, rejected = }` of the processor, both nil where there is no noise to speak of; nil while it
-- cannot be asked
-- @param clock function() -> seconds
-- @return watch
function weather_watch.new(describe, clock)
  local facts = describe() or {}
  return setmetatable({
    describe = describe, clock = clock, since = clock(), accepted = facts.accepted or 0, rejected = facts.rejected or 0,
    samples = facts.accepted and facts.accepted + facts.rejected or nil, noisy = false,
    noise = { seconds = 0, accepted = 0, rejected = 0 }, told = false,
  }, weather_watch)
end

-- Adds what a window had to the noise met so far.
local function add(noise, seconds, accepted, rejected)
  noise.seconds, noise.accepted, noise.rejected = noise.seconds + seconds, noise.accepted + accepted, noise.rejected + rejected
end

-- Returns what the words need, from what was met and what the processor says.
local function facts_of(noise, described)
  return { clean = noise.accepted / (noise.accepted + noise.rejected), length = described.sample_cycles, by_length = described.weather,
    shared = described.shared, waited = noise.seconds }
end

--- Looks. May be called as often as one likes.
-- @return facts for `portolan.machine.weather_words`, once; else nil. `samples` is the number taken so far; `noisy`, whether it is noisy now
function weather_watch:look()
  local now = self.clock()
  if not self.samples or now - self.since < window then return nil end
  local d = self.describe()
  if not d then return nil end
  local accepted, rejected = d.accepted - self.accepted, d.rejected - self.rejected
  local seconds = now - self.since
  self.since, self.accepted, self.rejected, self.samples = now, d.accepted, d.rejected, d.accepted + d.rejected
  if accepted + rejected == 0 then return nil end
  self.noisy = weather_words.is_noisy { clean = accepted / (accepted + rejected) }
  if self.noisy then add(self.noise, seconds, accepted, rejected) end
  if self.told or self.noise.seconds < patience then return nil end
  self.told = true
  return facts_of(self.noise, d)
end

return weather_watch
