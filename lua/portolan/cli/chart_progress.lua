--- The progress of a chart on standard error: one line for the whole, and a word on the weather.
-- @module portolan.cli.chart_progress
local plan = require "portolan.infer.chart.plan"
local progress = require "portolan.progress.line"
local ticker = require "portolan.progress.ticker"
local weather_watch = require "portolan.cli.weather_watch"
local weather_words = require "portolan.machine.weather_words"

local chart_progress = {}
chart_progress.__index = chart_progress
chart_progress.__close = function(self) self:finish() end

--- Starts.
-- @param schemes their number
-- @tparam[opt] table options
-- @param[opt] options.reference of the chart
-- @tparam[opt] boolean options.latencies of the chart
-- @tparam[opt] number options.budget seconds
-- @return object
function chart_progress.new(schemes, options)
  options = options or {}
  local line = ticker.new { title = "chart", stages = plan.of(schemes, options), budget = options.budget }
  local self = setmetatable({ line = line, watch = nil, noisy = false }, chart_progress)
  self.update = function(...) self:report(...) end
  return self
end

--- Watches the noise that a processor meets from now on.
-- @param processor any
function chart_progress:follow(processor)
  self.watch = weather_watch.new(function()
    local free, facts = pcall(processor.describe, processor) -- it cannot be asked while it measures
    return free and facts or nil
  end, progress.now)
end

--- Tells how far a stage is; `update` is the same as a function of its own.
-- @param stage name
-- @param[opt] done number
-- @param[opt] total number
-- @param[opt] note text
function chart_progress:report(stage, done, total, note)
  local watch = self.watch
  local noise = watch and watch:look()
  if watch and watch.noisy ~= self.noisy then
    self.noisy = watch.noisy
    self.line:weather(self.noisy)
  end
  self.line:update(stage, done, total, note, watch and watch.samples)
  if noise then self.line:say(weather_words.warning(noise, "%left")) end
end

--- Says something that stays.
-- @param text one line
function chart_progress:say(text) self.line:say(text) end

--- Ends.
function chart_progress:finish() self.line:finish() end

return chart_progress
