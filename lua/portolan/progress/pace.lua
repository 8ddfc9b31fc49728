--- This module tells how far work in stages is, and when it will end: from what is planned and done, and from the pace so far.
--
-- What is planned is a number of experiments for each stage, which is corrected when the stage asks for more or ends with fewer, and the seconds
-- that so many usually take. Pace is how much longer than usual they take. What was done long ago counts less than what was done just now, since
-- the weather changes. Stages without a number of experiments are those that compute: they take their usual time, or longer, and tell nothing about
-- the pace.
--
-- With what is done the share grows by that part of what is left which this is. So it never goes back where more turns out to be left, nor stands
-- still until that has been made up for, nor leaps where a stage ends early.
-- @module portolan.progress.pace
local pace = {}
pace.__index = pace

local belief = 0.01 -- what the table is worth: that share of all work, done at the usual pace
local memory = 1 / 3 -- share of all work after which what was done counts half
local overrun = 1.25 -- where nothing is known about a stage but that it goes on, it will take that much of the time that it took
local patience = 1 -- seconds without an answer that are no sign of a slower pace
local settling = 2 -- seconds in which another estimate is taken over
local recent = 10 -- seconds after which experiments count half for the rate

--- Starts.
-- @param stages list of `{ seconds = it usually takes, experiments = in this time; nil: it computes }`
-- @param now seconds
-- @return pace
function pace.new(stages, now)
  local total = 0
  for _, stage in ipairs(stages) do total = total + stage.seconds end
  return setmetatable({
    stages = stages, total = total, index = 0, over = 0, done = 0, planned = 0, samples = nil, samples_before = nil,
    took = belief * total, usual = belief * total, pending = 0, mark = now, lately = { experiments = 0, seconds = 0, time = now },
    worked = 0, share = 0, shown = nil, time = now,
  }, pace)
end

-- Learns from work that took so many seconds at the usual pace, and all the time since the last one.
local function learn(self, usual, now)
  local kept = 0.5 ^ (usual / (memory * self.total))
  self.took, self.usual = kept * self.took + now - self.mark, kept * self.usual + usual
  self.pending, self.mark, self.samples_before = 0, now, self.samples
end

-- Have there been answers that were not known from an earlier run?
local function is_new(self) return not self.samples or self.samples ~= self.samples_before end

-- Returns what the current stage has done and has left, both in seconds at the usual pace, and all that is left in seconds.
local function estimate(self, now)
  local stage, usual = self.stages[self.index], 0
  for i = self.index + 1, #self.stages do usual = usual + self.stages[i].seconds end
  if not stage then return 0, usual, usual end
  local silent, so_far = now - self.mark, self.took / self.usual
  local here, left
  if stage.experiments then
    so_far = (self.took + math.max(0, silent - patience)) / self.usual
    here = (self.planned - self.done) * stage.seconds / stage.experiments
    left = math.max(here * so_far, (overrun - 1) * silent)
  else
    left = math.max(stage.seconds, overrun * silent) - silent
    here = stage.seconds * left / (silent + left)
  end
  local done = stage.experiments and self.done * stage.seconds / stage.experiments or stage.seconds - here
  return done, usual + here, left + usual * so_far
end

-- Adds what was done since the last time to the share; seconds left.
local function grow(self, now)
  local done, usual, left = estimate(self, now)
  local new = math.max(0, done - self.worked)
  if new > 0 then self.share = 1 - (1 - self.share) * usual / (usual + new) end
  self.worked = done
  return left
end

--- Begins a stage; the one before is done.
-- @param index number of the stage
-- @param now seconds
function pace:enter(index, now)
  grow(self, now)
  if self.pending > 0 and is_new(self) then learn(self, self.pending, now) end
  self.over = self.over + self.done
  self.index, self.done, self.planned, self.pending, self.mark, self.worked = index, 0, self.stages[index].experiments or 0, 0, now, 0
end

--- Tells how far the current stage is.
-- @param done number of its experiments that are answered; nil: `total` is what it is going to ask, whatever was planned
-- @param total number that it has asked for so far, or nil
-- @param now seconds
-- @param samples taken so far in all, where that is known: answers without any tell nothing about the pace
function pace:count(done, total, now, samples)
  self.samples = samples or self.samples
  self.samples_before = self.samples_before or samples
  local stage, new = self.stages[self.index], (done or 0) - self.done
  if total then self.planned = math.max(done and self.planned or self.done, total) end
  if not stage or new <= 0 then return end
  self.done = done
  self.planned = math.max(self.planned, done)
  local l = self.lately
  local kept = 0.5 ^ ((now - l.time) / recent)
  l.experiments, l.seconds, l.time = kept * l.experiments + new, kept * l.seconds + now - l.time, now
  if not stage.experiments then return end
  self.pending = self.pending + new * stage.seconds / stage.experiments
  if is_new(self) then learn(self, self.pending, now) end
end

--- Tells what is planned and done in all stages.
-- @param now seconds
-- @return number of experiments that are done; of those that are planned, as far as it is known; how many a second were done lately, nil where
-- there were none
function pace:experiments(now)
  local planned, l = self.over + self.planned, self.lately
  for i = self.index + 1, #self.stages do planned = planned + (self.stages[i].experiments or 0) end
  local seconds = l.seconds + now - l.time
  return self.over + self.done, planned, l.experiments > 0 and seconds > 0 and l.experiments / seconds or nil
end

--- Looks at the clock.
-- @param now seconds
-- @return share of the work that is done, 0 to 1: never less than before; seconds left
function pace:look(now)
  local left = grow(self, now)
  local counted_down = math.max(0, (self.shown or left) - (now - self.time))
  self.shown = left + (counted_down - left) * math.exp(-(now - self.time) / settling)
  self.time = now
  return self.share, self.shown
end

return pace
