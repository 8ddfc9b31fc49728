--- Work that waits for other programs, several pieces of it at once: one thread, one event loop.
--
--    local job = task.start(function() return program.run(path, {}) end)   -- runs until it has to wait
--    ...                                                                   -- start others
--    local result = job:wait()
--
-- A task is a coroutine. What waits (`task.wait`) gives way to the others if it is called within a task, and turns the event loop if it is
-- not; so the same code serves both. Callbacks of the loop only note what happened: no task ever runs within one.
-- @module portolan.predictor.machinery.task
local uv = require "luv"

local task = {}

local Job = {}
Job.__index = Job

local live = {} -- jobs that have not ended, in the order of their start
local job_of = setmetatable({}, { __mode = "k" }) -- coroutine -> job

-- Runs a job until it waits or ends.
local function step(job)
  job.ready = nil
  local results = table.pack(coroutine.resume(job.thread))
  if coroutine.status(job.thread) ~= "dead" then return end
  job.ended = true
  if results[1] then
    job.results = table.pack(table.unpack(results, 2, results.n))
  else
    local trouble = results[2]
    job.trouble = type(trouble) == "string" and debug.traceback(job.thread, trouble) or trouble
  end
  for i, other in ipairs(live) do
    if other == job then
      table.remove(live, i)
      break
    end
  end
end

-- Lets every job go on that can. Returns whether there was one.
local function advance()
  local moved = false
  for _, job in ipairs(table.move(live, 1, #live, 1, {})) do
    if not job.ended and coroutine.status(job.thread) == "suspended" and job.ready() then
      step(job)
      moved = true
    end
  end
  return moved
end

--- Waits until something holds.
-- @param ready function that says whether it does; what makes it hold is a callback of the event loop, or another task
function task.wait(ready)
  local job = job_of[coroutine.running()]
  while not ready() do
    if job then
      job.ready = ready
      coroutine.yield()
    elseif not advance() then
      if not uv.loop_alive() then error("waiting for what nobody will do") end
      uv.run "once"
    end
  end
end

--- Starts a task: runs it until it waits for the first time.
-- @param f function
-- @param ... its arguments
-- @return job, whose `wait()` returns what f does; an error in f is raised there
function task.start(f, ...)
  local arguments = table.pack(...)
  local job = setmetatable({ ended = false }, Job)
  job.thread = coroutine.create(function() return f(table.unpack(arguments, 1, arguments.n)) end)
  job_of[job.thread] = job
  live[#live + 1] = job
  step(job)
  return job
end

--- Waits for the end of the task.
-- @return what its function returned
function Job:wait()
  task.wait(function() return self.ended end)
  if self.trouble then error(self.trouble, 0) end
  return table.unpack(self.results, 1, self.results.n)
end

--- Tells whether the task has ended, without waiting.
function Job:done() return self.ended end

return task
