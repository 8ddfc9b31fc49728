--- Failures of the machine and the like: errors that are no defects of the program. The command line says them in one line.
-- @module portolan.support.failure
local lists = require "portolan.support.lists"

local failure = {}
failure.__index = failure
failure.__tostring = function(self) return self.message end

--- The status of what the machine refused (`nil, message, status`), as the engine names it: a full disk, no more files.
failure.system = "system error"

local exit_statuses = { [failure.system] = 1, ["out of memory"] = 1, ["limit reached"] = 1, ["internal error"] = 1, interrupted = 130 }

-- These say that the machine has run out of something, or cannot do it any more: nobody can mend that by other arguments.
local of_the_machine = { ENOSPC = true, EDQUOT = true, EFBIG = true, EIO = true, ENOMEM = true, EMFILE = true, ENFILE = true, EAGAIN = true,
  [28] = true, [122] = true, [27] = true, [5] = true, [12] = true, [24] = true, [23] = true, [11] = true }

--- The status of a call that the system refused.
-- @param code as luv names it, "ENOSPC", or the number that io.open returns
-- @return `failure.system`; or nil, if it is what the user can mend: another path, other permissions
function failure.status(code) return of_the_machine[code] and failure.system or nil end

--- "ENOENT: no such file or directory: x" -> "no such file or directory"
function failure.reason(message) return (tostring(message):gsub("^%u[%u%d]*: ", ""):gsub(": .*$", ""):gsub("^%u", string.lower)) end

--- Throws one.
-- @param message one line
-- @param[opt] status name, as of `failure.exit_status`; none: the user can mend it
function failure.raise(message, status) error(setmetatable({ message = message, status = status }, failure), 0) end

--- Returns what f gave, or throws its message: `failure.check(file.write(path, text))`.
function failure.check(value, message, status)
  if value == nil and message then failure.raise(message, status) end
  return value, message, status
end

--- Returns what f gave, but throws what the machine refused: nobody between here and the command line can do anything about that.
function failure.of_machine(value, message, status)
  if value == nil and status == failure.system then failure.raise(message, status) end
  return value, message, status
end

--- Tells whether something that was thrown is a failure.
function failure.is(trouble) return getmetatable(trouble) == failure end

-- In small letters: of Lua and the engine, of the loader of libraries, of C++, and of luv, lfs, luasql and lxp.
local words_of_memory = { "not enough memory", "out of memory", "no memory for ", "no memory to ", "failed to map segment", "cannot allocate",
  "can't allocate", "failure to allocate", "problem allocating", "realloc%(%) failed", "bad_alloc" }

--- Tells whether an error says that there was no memory: Lua's own words, the loader's, those of libraries; or that a module cannot be found which is
-- there: it could not be opened.
function failure.no_memory(message)
  local missing = message:match "module '(portolan[%w_.]*)' not found"
  if missing and package.searchpath(missing, package.path) then return true end
  return lists.any(words_of_memory, function(words) return message:lower():find(words) end)
end

--- The exit status of a program that ends with a message.
-- @param status its name, the number itself, or nil
-- @param[opt] message what it ends with: too little memory is no matter of the user's, whoever lost its status on the way
-- @return 1 for what the machine or the program could not do, 130 after Ctrl-C, 2 for what the user can mend
function failure.exit_status(status, message)
  if math.type(status) == "integer" then return status end
  if exit_statuses[status] then return exit_statuses[status] end
  return message and failure.no_memory(message) and 1 or 2
end

return failure
