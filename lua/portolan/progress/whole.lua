--- Progress of work in stages as one figure for the whole: which stage, the share of all work that is done, the time left; of experiments how many
-- are planned and done, and how many a second.
--
-- It is one live line on a terminal. Elsewhere it is a plain line every five seconds, also while a stage says nothing, and one for each stage
-- that took at least as long. `portolan.progress.ticker` keeps one going while its caller computes.
-- @module portolan.progress.whole
local duration = require "portolan.support.duration"
local pace = require "portolan.progress.pace"
local progress = require "portolan.progress.line"

local whole = {}
whole.__index = whole

local live_interval, plain_interval = 0.2, 5 -- seconds between two lines
local long_stage = 5 -- seconds: worth a line of its own in a log

--- Starts.
-- @tparam table options
-- @tparam string options.title
-- @tparam table options.stages list of `{ name =, seconds =, experiments = }` (portolan.progress.pace)
-- @tparam[opt] number options.budget seconds
-- @param[opt] options.stream as of `progress.new`
-- @tparam[opt] boolean options.live as of `progress.new`
-- @tparam[opt] func options.clock as of `progress.new`
-- @tparam[opt] int options.columns of the terminal
-- @return whole
function whole.new(options)
  local clock = options.clock or progress.now
  local now, place, screen = clock(), {}, progress.screen(options.stream, options.live, options.columns)
  for i, stage in ipairs(options.stages) do place[stage.name] = i end
  return setmetatable({
    title = options.title, stages = options.stages, place = place, budget = options.budget, clock = clock, began = now,
    screen = screen, pace = pace.new(options.stages, now),
    index = 0, entered = now, note = nil, noisy = false, last = screen.live and now - live_interval or now, finished = false,
  }, whole)
end

-- A stage that took long is worth a line in a log; on a terminal that line would push the live line up.
local function leave_stage(self, now)
  local stage = self.stages[self.index]
  if stage and not self.screen.live and now - self.entered >= long_stage then
    self.screen:write(("%s: %s took %s"):format(self.title, stage.name, duration.text(now - self.entered)))
  end
end

--- Tells how far the work is. May be called as often as one likes.
-- @param name of the stage. One that is not among the stages, or that is over, is part of the current one.
-- @param[opt] done number of experiments of this stage; nil: `total` is what it is going to ask
-- @param[opt] total number that it has asked for so far
-- @param[opt] note string
-- @param[opt] samples taken so far, in all stages
function whole:update(name, done, total, note, samples)
  local index, now = self.place[name], self.clock()
  if index and index > self.index then
    leave_stage(self, now)
    self.index, self.entered = index, now
    self.pace:enter(index, now)
  end
  self.note = note
  self.pace:count(done, total, now, samples)
  self:tick()
end

--- Says how the weather is now: why it may take longer.
-- @param noisy boolean
function whole:weather(noisy) self.noisy = noisy end

-- The time left in words; a budget bounds it.
local function time_left(self, left, now)
  local of_budget = self.budget and self.began + self.budget - now
  if of_budget and of_budget <= 0 then return ("%s left, over its budget of %s"):format(duration.text(left), duration.given(self.budget)) end
  if of_budget and left > of_budget then return ("at most %s left (its budget)"):format(duration.text(of_budget)) end
  return duration.text(left) .. " left"
end

-- Says what is planned and done in words; nil before anything is.
local function experiments(self, now)
  local done, planned, rate = self.pace:experiments(now)
  if not rate then return nil end
  return ("%d of some %d experiments, %s a second"):format(done, planned, (rate >= 9.5 and "%.0f" or "%.1f"):format(rate))
end

--- The line as it is now.
function whole:line()
  local now, stage, parts = self.clock(), self.stages[self.index], {}
  local share, left = self.pace:look(now)
  if stage then parts = { ("stage %d of %d"):format(self.index, #self.stages), stage.name } end
  parts[#parts + 1] = ("%d %%"):format(math.min(99, math.floor(100 * share)))
  parts[#parts + 1] = time_left(self, left, now)
  parts[#parts + 1] = experiments(self, now)
  if self.noisy then parts[#parts + 1] = "noisy" end
  if self.note and self.note ~= "" then parts[#parts + 1] = self.note end
  return self.title .. ": " .. table.concat(parts, ", ")
end

--- Shows the line if it is time to.
function whole:tick()
  local now = self.clock()
  if self.finished or now - self.last < (self.screen.live and live_interval or plain_interval) then return end
  self.last = now
  self.screen:show(self:line())
end

--- Says something that stays, above the live line.
-- @param text one line or several; `%left` in it becomes the time left
function whole:say(text)
  local now = self.clock()
  local _, left = self.pace:look(now)
  local words = time_left(self, left, now)
  self.screen:write(self.title .. ": " .. text:gsub("%%left", (words:gsub("%%", "%%%%"))))
  self.last = now
  if self.screen.live then self.screen:show(self:line()) end
end

--- Ends; leaves no line.
function whole:finish()
  if self.finished then return end
  leave_stage(self, self.clock())
  self.finished = true
  self.screen:clear()
end

return whole
