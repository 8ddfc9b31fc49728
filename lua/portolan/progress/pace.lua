--- How far work in stages is, and when it will end: from how long each stage usually takes, and from the pace so far.
--
-- Pace is how much longer than usual the work takes. What was finished long ago counts less than what was finished just now, since the
-- weather changes. A time left that was shown is kept: where the estimate grows a little, the countdown waits for it; where it grows a
-- lot, it is shown, and `longer` says so for a while.
-- @module portolan.progress.pace
local pace = {}
pace.__index = pace

local belief = 0.05 -- what the table is worth: that share of all work, done at the usual pace
local memory = 1 / 3 -- share of all work after which what was done counts half
local overrun = 1.25 -- where nothing is known about a stage but that it goes on, it will take that much of the time that it took
local most_counted = 0.97 -- of a stage: there may be something to measure again
local settling = 3 -- seconds in which a shorter estimate is taken over
local growth_shown = { seconds = 5, share = 0.25 } -- beyond both, a longer estimate is shown
local said_for = 15 -- seconds

--- Starts.
-- @param stages list of `{ seconds = it usually takes, counted = does "done of total" say how far it is? }`
-- @param now seconds
-- @return pace
function pace.new(stages, now)
  local total = 0
  for _, stage in ipairs(stages) do total = total + stage.seconds end
  return setmetatable({
    stages = stages, total = total, began = now, index = 0, entered = now, counted = 0, samples = nil, samples_before = nil,
    took = belief * total, usual = belief * total, ends = nil, shown = 0, time = now, longer_until = nil,
  }, pace)
end

-- Takes the time of the current stage into account, unless all its answers were known from an earlier run.
local function learn(self, now)
  local stage = self.stages[self.index]
  if not stage or self.samples and self.samples == self.samples_before then return end
  local kept = 0.5 ^ (stage.seconds / (memory * self.total))
  self.took = kept * self.took + now - self.entered
  self.usual = kept * self.usual + stage.seconds
end

--- Begins a stage; the one before is done.
-- @param index number of the stage
-- @param now seconds
function pace:enter(index, now)
  learn(self, now)
  self.index, self.entered, self.counted, self.samples_before = index, now, 0, self.samples
end

--- Tells how far the current stage is.
-- @param done number, or nil
-- @param total number, or nil
-- @param samples taken so far in all, where that is known: a stage without any tells nothing about the pace
function pace:count(done, total, samples)
  self.samples = samples or self.samples
  self.samples_before = self.samples_before or samples
  local stage = self.stages[self.index]
  if stage and stage.counted and done and total and total > 0 then
    self.counted = math.max(self.counted, math.min(most_counted, done / total))
  end
end

-- Seconds that the current stage has left, and the share of it that is done.
local function of_stage(self, t)
  local stage = self.stages[self.index]
  local usual = stage.seconds * self.took / self.usual
  if stage.counted then
    local left = (1 - self.counted) * ((1 - self.counted) * usual + t)
    return left, t > 0 and self.counted or 0
  end
  local left = math.max(usual, overrun * t) - t
  return left, t > 0 and t / (t + left) or 0
end

-- Seconds left by the pace so far.
local function estimate(self, now)
  if self.index == 0 then return self.total end
  local t, later = now - self.entered, 0
  local left, done = of_stage(self, t)
  local here = self.stages[self.index].seconds
  for i = self.index + 1, #self.stages do later = later + self.stages[i].seconds end
  return left + later * (self.took + (t + left) * done) / (self.usual + here * done)
end

--- Looks at the clock.
-- @param now seconds
-- @return share of the work that is done, 0 to 1: never less than before; seconds left; was it shown to be less, a moment ago?
function pace:look(now)
  local left = estimate(self, now)
  local shown = math.max(0, (self.ends or now + left) - now)
  if left <= shown then
    shown = left + (shown - left) * math.exp(-(now - self.time) / settling)
  elseif left - shown > math.max(growth_shown.seconds, growth_shown.share * shown) then
    shown, self.longer_until = left, now + said_for
  else
    shown = math.max(shown, math.min(left, (self.ends or now) - self.time)) -- the countdown waits
  end
  self.ends, self.time = now + shown, now
  local gone = now - self.began
  if gone > 0 then self.shown = math.max(self.shown, gone / (gone + left)) end
  return self.shown, shown, self.longer_until ~= nil and now < self.longer_until
end

return pace
