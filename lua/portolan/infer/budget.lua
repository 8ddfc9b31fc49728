--- This module keeps account of what an inference may spend: time, and experiments.
-- @module portolan.infer.budget
local core = require "portolan.core"
local record = require "portolan.support.record"

local budget = {}

local Budget = record.kind("budget", {
  began = "time of the start (core.base.now, seconds)",
  deadline = "time of the end (core.base.now); infinite if nothing was said",
  limit = "experiments that may be asked for, in all",
  asked = "experiments that were asked for so far",
}, budget)

--- Begins to spend.
-- @tparam table options
-- @tparam number options.time_limit seconds
-- @tparam number options.experiment_limit experiments
-- @return budget
function budget.new(options)
  local began = core.base.now()
  return Budget { began = began, deadline = began + options.time_limit, limit = options.experiment_limit, asked = 0 }
end

--- Experiments that may still be asked for.
function budget:left() return self.limit - self.asked end

--- So many experiments are asked for.
function budget:spend(experiments) self.asked = self.asked + experiments end

--- Seconds until the deadline.
function budget:seconds_left() return self.deadline - core.base.now() end

--- Seconds since the start.
function budget:seconds() return core.base.now() - self.began end

--- Is it time to end? The word for how: "limit" or "interrupted"; nil if not.
function budget:over()
  if core.base.interrupted() then return "interrupted" end
  if self:seconds_left() <= 0 or self:left() <= 0 then return "limit" end
end

return budget
