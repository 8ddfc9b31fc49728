--- Progress of long work: a live line with the time left on a terminal, now and then a plain line elsewhere.
-- @module portolan.progress.line
local uv = require "luv"
local duration = require "portolan.support.duration"
local printable = require "portolan.support.printable"
local terminal = require "portolan.support.terminal"

local progress = {}
progress.__index = progress

local live_interval, plain_interval = 0.1, 5 -- seconds between two lines

-- A screen is where lines go: a terminal, whose last line is written again and again, or anything else.
local screen = {}
screen.__index = screen

--- Seconds on a clock that only goes forward.
function progress.now() return uv.hrtime() / 1e9 end

-- At most `width` characters of text, on one line.
local function cut(text, width)
  text = printable(text)
  local length = utf8.len(text)
  if not length or length <= width then return text end
  return text:sub(1, utf8.offset(text, width) - 1) .. "…"
end

--- Makes a screen, which lines are shown on.
-- @param[opt] stream io.stderr
-- @param[opt] live boolean; by default whether the stream is a terminal
-- @param[opt] columns of a terminal; by default its width when the first line is shown
-- @return screen: `live`, `show(line)` (in place of the one before, if live), `write(line)` (one that stays), `clear()`
function progress.screen(stream, live, columns)
  stream = stream or io.stderr
  if live == nil then live = terminal.is(stream) and os.getenv("TERM") ~= "dumb" end
  return setmetatable({ stream = stream, live = live, columns = columns }, screen)
end

function screen:show(line)
  if not self.live then return self:write(line) end
  self.columns = self.columns or terminal.width(self.stream)
  self.stream:write("\r\27[K", cut(line, self.columns - 1))
  self.stream:flush()
end

function screen:clear()
  if self.live then self.stream:write("\r\27[K") end
  self.stream:flush()
end

function screen:write(line)
  self.stream:write(self.live and "\r\27[K" or "", printable.text(line), "\n")
  self.stream:flush()
end

--- Starts.
-- @tparam table options
-- @tparam[opt="working"] string options.title
-- @tparam[opt] int options.total number of steps; may be set later
-- @param[opt=io.stderr] options.stream where it is written
-- @tparam[opt] boolean options.live one line that changes; by default if the stream is a terminal
-- @tparam[opt] func options.clock function() -> seconds; for tests
-- @return progress
function progress.new(options)
  local clock = options.clock or progress.now
  local p = { title = options.title or "working", total = options.total, clock = clock,
    screen = progress.screen(options.stream, options.live) }
  p.started = clock()
  p.shown = p.started - (p.screen.live and live_interval or 0)
  return setmetatable(p, progress)
end

-- Time left, from the pace of the recent half of the work (work speeds up and slows down), or nil while unknown.
function progress:left(done)
  local time = self.clock()
  if not self.mark or done < self.mark.done then self.mark = { time = self.started, done = 0 } end
  if not self.next_mark then self.next_mark = { time = time, done = done } end
  local pace_time, pace_done = time - self.mark.time, done - self.mark.done
  if self.next_mark.done > 0 and done >= 2 * self.next_mark.done then
    self.mark, self.next_mark = self.next_mark, { time = time, done = done }
  end
  if not self.total or pace_done <= 0 or pace_time < 0.5 then return nil end
  return math.max(0, (self.total - done) * pace_time / pace_done)
end

local function line(self, done, note)
  local parts = { self.title }
  if self.total then
    local share = self.total > 0 and math.min(1, done / self.total) or 1
    parts[#parts + 1] = ("%d of %d (%d%%)"):format(done, self.total, math.floor(share * 100))
  elseif done then
    parts[#parts + 1] = ("%d"):format(done)
  end
  local left = self:left(done or 0)
  if left and done < self.total then parts[#parts + 1] = duration.text(left) .. " left" end
  if note and note ~= "" then parts[#parts + 1] = note end
  return table.concat(parts, ", ")
end

--- Tells how far the work is. It may be called as often as one likes; lines are shown only now and then.
-- @param done number of steps done
-- @param[opt] note string
function progress:update(done, note)
  local time = self.clock()
  self.done, self.note = done, note
  if time - self.shown < (self.screen.live and live_interval or plain_interval) then return end
  self.shown = time
  self.screen:show(line(self, done, note))
end

--- Says something that stays, above the live line.
-- @param text one line
function progress:say(text) self.screen:write(self.title .. ": " .. text) end

--- Ends: leaves one line that says how long it took.
-- @param[opt] note string; false leaves no line at all
function progress:finish(note)
  if self.finished then return end
  self.finished = true
  if note == false then return self.screen:clear() end
  local steps = self.done and ("%d in "):format(self.done) or ""
  local tail = note and note ~= "" and ", " .. note or ""
  self.screen:write(("%s: %s%s%s"):format(self.title, steps, duration.text(self.clock() - self.started), tail))
end

--- Progress of the one measurement of a command.
-- @param shown whether there is a line at all
-- @return function(done, total, note) that tells how far it is, nil without a line; function that ends the line
function progress.measuring(shown)
  local current = shown and progress.new { title = "measuring" }
  return current and function(done, total, note)
    current.total = total
    current:update(done, note)
  end or nil, function() if current then current:finish() end end
end

--- Progress of work in stages, a line each.
-- @param[opt] last false: the last line leaves nothing
-- @return function(stage, done, total, note) that tells how far it is; function that ends the last line
function progress.by_stage(last)
  local current, stage_now
  return function(stage, done, total, note)
    if stage ~= stage_now then
      if current then current:finish() end
      current, stage_now = progress.new { title = stage }, stage
    end
    current.total = total
    current:update(done, note)
  end, function() if current then current:finish(last) end end
end

return progress
