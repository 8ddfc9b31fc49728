--- The observations of an inference: experiments, what they took, and what that says about the model (portolan.infer.bounds).
-- @module portolan.infer.observations
local bounds = require "portolan.infer.bounds"
local experiment = require "portolan.experiment"
local record = require "portolan.support.record"
local values = require "portolan.measuring.values"

local observations = {}

local Observations = record.kind("set of observations", {
  list = "observations, in the order in which they were made",
  reading = "how they are read: symmetric or asymmetric",
  epsilon = "what measurements resolve, in cycles per instruction",
  noise = "standard deviation of a reading, a share of it; nil until it is known",
  floor = "function(terms) -> cycles up to which the front end may be the reason",
}, observations)

local Observation = record.kind("observation", {
  terms = "the experiment, in the terms of the inference: scheme -> copies",
  cycles = "what it took; of several readings the middle one",
  readings = "cycles of each reading; nil if they were given, not measured",
  floor = "cycles up to which the front end may be the reason, where somebody gave them",
  bounds = "what they say about the model (portolan.infer.bounds)",
  doubted = "true once its readings were taken anew, as they contradicted others",
})

--- No observations yet.
-- @tparam table options
-- @tparam string options.reading
-- @tparam number options.epsilon cycles per instruction
-- @tparam function options.floor terms -> cycles
-- @tparam[opt] number options.noise share
-- @return observations
function observations.new(options)
  return Observations { list = {}, reading = options.reading, epsilon = options.epsilon, noise = options.noise, floor = options.floor }
end

--- Returns what a measurement says, as bounds (portolan.infer.bounds).
-- @param terms experiment
-- @param cycles measured
-- @param[opt] floor cycles that the front end takes, if they were given
function observations:bounds(terms, cycles, floor)
  return bounds.of(self.reading, cycles, experiment.length(terms), floor or self.floor(terms), self.epsilon, self.noise)
end

local function bound(self, seen)
  if seen.readings then seen.cycles = values.middle(seen.readings) end
  seen.bounds = self:bounds(seen.terms, seen.cycles, seen.floor)
end

--- An observation more.
-- @tparam table seen
-- @tparam table seen.terms experiment
-- @tparam[opt] number seen.cycles, if they were given
-- @tparam[opt] table seen.readings list of cycles, if they were measured
-- @tparam[opt] number seen.floor cycles of the front end, if they were given
-- @return the observation, with its bounds
function observations:add(seen)
  bound(self, Observation(seen))
  self.list[#self.list + 1] = seen
  return seen
end

--- Computes anew what all of them say: the noise, or some readings, have changed.
function observations:read_again()
  for _, seen in ipairs(self.list) do bound(self, seen) end
end

--- The observations of one scheme alone: an iterator over scheme, copies, observation.
function observations:alone()
  local k = 0
  return function()
    while k < #self.list do
      k = k + 1
      local seen = self.list[k]
      local scheme, copies = next(seen.terms)
      if not next(seen.terms, scheme) then return scheme, copies, seen end
    end
  end
end

return observations
