--- Inferences that end before their time: by the user, at a limit, or as a processor or the engine refuses.
--
-- Whoever needs an answer asks for it with `stop.need`, and whoever runs the inference catches the end with `stop.guard`: nobody between has to hand
-- it on.
-- @module portolan.infer.stop
local stop = {}
stop.__index = stop

--- Ends the inference that runs.
-- @param[opt] message why
-- @param[opt] status its name: "interrupted", "limit reached", ...
function stop.raise(message, status) error(setmetatable({ message = message, status = status }, stop), 0) end

--- Hands on what a function gave that returns nil, a message and a status where it has no answer: then the inference ends.
-- @param value nil: there is no answer
-- @param[opt] message why, or another value
-- @param[opt] status of the end, or another value
-- @return all three
function stop.need(value, message, status)
  if value == nil then stop.raise(message, status) end
  return value, message, status
end

-- Lua itself throws "interrupted!", which whoever catches it knows by its end.
local function trace(trouble)
  return type(trouble) == "string" and not trouble:find "interrupted!$" and debug.traceback(trouble, 2) or trouble
end

local function result(ok, ...)
  if ok then return ... end
  local trouble = ...
  if getmetatable(trouble) ~= stop then error(trouble, 0) end
  return nil, trouble.message, trouble.status
end

--- Calls a function.
-- @param f function
-- @param ... its arguments
-- @return what it returns; or nil, message and status of the end
function stop.guard(f, ...) return result(xpcall(f, trace, ...)) end

return stop
