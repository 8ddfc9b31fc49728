--- A simulated processor that answers as hardware does (portolan.processor.answer): in batches, from a store if it has one, patiently while it
-- is noisy; with bursts of noise.
--
-- A burst is a stretch of readings of which some come out unstable and some slow; the same experiment measured again is
-- a further reading, sooner or later one after the burst.
-- @module portolan.processor.simulated_session
local answer = require "portolan.processor.answer"
local experiment = require "portolan.experiment"
local json = require "portolan.support.json"

local session = {}
session.__index = session

local burst_readings = 150 -- readings in a burst, and in a quiet stretch
local unstable, slow = 0.4, 0.1 -- shares of the readings of a burst
local least, most = 1.1, 1.5 -- how much longer the slow ones take
local samples, quiet_samples = 10, 1 -- of a reading, and of these the quiet ones in a burst
local patience = 3600 -- seconds

local function is_burst(self)
  local stretch = self.count // burst_readings
  return self.bursts > 0 and self.rng:split(stretch):unit() < self.bursts
end

-- One reading, as the machine's state lets it be.
local function read(self, kernel)
  local result, burst = kernel.read and kernel.read() or self.measure(kernel.e, kernel.key), is_burst(self)
  self.count = self.count + 1
  local quiet = burst and quiet_samples or samples
  self.accepted, self.rejected = self.accepted + quiet, self.rejected + samples - quiet
  if not burst or result.status ~= "ok" then return result end
  local chance = self.rng:split(-1 - self.count):unit()
  if chance < unstable then return { status = "unstable", n = 0, rejected = samples } end
  result.n, result.rejected = quiet, samples - quiet
  if chance < unstable + slow then result.cycles = result.cycles * (least + (most - least) * (chance - unstable) / slow) end
  return result
end

--- Makes a session.
-- @tparam table options
-- @tparam func options.measure function(experiment, key) -> result: a reading of its own for each key; or nil and why it cannot be measured
-- @tparam table options.facts what the processor is: the key of its results in the store
-- @param options.rng random stream
-- @tparam[opt] table options.store a portolan.experiment.store
-- @tparam[opt] number options.bursts share of the time that is noisy
function session.new(options)
  local self = setmetatable({ measure = options.measure, rng = options.rng, bursts = options.bursts or 0, count = 0, accepted = 0, rejected = 0,
    store = options.store, key = "simulated: " .. assert(json.encode(options.facts)), readings = {}, patience = { seconds = patience } }, session)
  self.session = { describe = function() return { accepted = self.accepted, rejected = self.rejected } end }
  return self
end

--- Readings of kernels, for `answer`.
function session:run(lists, progress)
  local results = {}
  for i, list in ipairs(lists) do
    results[i] = read(self, list[1])
    if progress then progress(i) end
  end
  return results, true
end

--- Nothing is missing in a result.
function session.complete(_, result) return result end

--- Answers experiments.
-- @param experiments list
-- @param check function(experiment) -> true; or nil and why it cannot be measured
-- @param[opt] options of a processor's `measure`
-- @return results; or nil and a message
function session:answer(experiments, check, options)
  local jobs = {}
  for i, e in ipairs(experiments) do
    local job = { key = experiment.key(e) }
    function job.kernels()
      local ok, why = check(e)
      if not ok then return nil, why end
      return { { e = e, key = job.key } }
    end
    jobs[i] = job
  end
  return answer(self, jobs, options)
end

--- Answers other questions than experiments.
-- @param jobs list (portolan.processor.answer); kernels are `{ read = function() -> result }`
-- @param[opt] options of a processor's `measure`
-- @return results; or nil and a message
function session:answer_jobs(jobs, options) return answer(self, jobs, options) end

--- Returns how many readings were taken, and samples accepted and rejected.
function session:describe() return { readings = self.count, accepted = self.accepted, rejected = self.rejected } end

--- Closes the store.
function session:close()
  if self.store then self.store:close() end
end

return session
