--- SQLite for the store: statements, transactions, and distrust of files that come from anywhere.
-- @module portolan.support.database
local failure = require "portolan.support.failure"
local limits = require "portolan.support.limits"
local printable = require "portolan.support.printable"
local room = require "portolan.support.room"

local database = {}

--- Text as SQL writes it: this driver has no bound parameters. SQLite's parser would stop at a NUL.
function database.quote(text)
  if text:find("\0", 1, true) then error("a key must not contain a NUL byte", 0) end
  return "'" .. text:gsub("'", "''") .. "'"
end

-- The driver's messages, without its prefix.
local function reason(message) return (tostring(message):gsub("^LuaSQL: ", ""):gsub("%s+$", "")) end

--- Ends what `guarded` calls.
local function fail(message, ...) error({ failed = message:format(...) }, 0) end

--- Throws that a file is damaged: it has the form of a store, but holds what none of ours does.
function database.damaged(what, ...) fail("damaged: " .. what .. "; move the file away to start a new one", ...) end

--- Calls f(row) with every row of a query, a list of columns; returns the number of changed rows of a statement that is no query.
-- Errors are thrown as `{ failed = message }`.
local function each_row(connection, sql, f)
  local cursor, message = connection:execute(sql)
  if not cursor then fail("%s", reason(message)) end
  if type(cursor) == "number" then return math.tointeger(cursor) end
  local ok, trouble = pcall(function()
    while true do
      local row, fault = cursor:fetch({}, "n")
      if fault then fail("%s", reason(fault)) end
      if not row then return end
      f(row)
    end
  end)
  pcall(cursor.close, cursor)
  if not ok then error(trouble, 0) end
end

--- Every row of a query of few.
local function run(connection, sql)
  local rows = {}
  return each_row(connection, sql, function(row) rows[#rows + 1] = row end) or rows
end

-- SQLite quotes what stands in the file.
local function one_line(message)
  message = printable((message:gsub("%s+", " ")))
  return #message > 300 and message:sub(1, 300) .. "..." or message
end

-- SQLite's words for what the machine refused.
local machine_words = { "disk is full", "disk I/O error", "out of memory" }

local descriptors = 4 -- that a store needs: the file, its log, the index of that, and one to spare

--- Nil, a message of SQLite with its path, its status (portolan.support.failure). SQLite has the same words for a lack of rights and of descriptors.
function database.refusal(path, message)
  local status
  if message:find("unable to open database file", 1, true) and not room(descriptors) then
    message, status = "too many open files", failure.system
  end
  for _, words in ipairs(machine_words) do
    if message:find(words, 1, true) then status = failure.system end
  end
  return nil, ("%s: %s"):format(path, one_line(message)), status
end

--- Calls f. An error that the other functions throw becomes nil, one line and its status.
function database.guarded(path, f, ...)
  local result = table.pack(pcall(f, ...))
  if result[1] then return table.unpack(result, 2, result.n) end
  local trouble = result[2]
  if type(trouble) ~= "table" or not trouble.failed then error(trouble, 0) end
  return database.refusal(path, trouble.failed)
end

--- Runs f in a transaction.
function database.transaction(connection, f)
  run(connection, "BEGIN IMMEDIATE")
  local ok, trouble = pcall(f)
  if ok then ok, trouble = pcall(run, connection, "COMMIT") end
  if ok then return end
  pcall(run, connection, "ROLLBACK")
  error(trouble, 0)
end

--- The number that a pragma has.
function database.pragma(connection, name)
  local rows = run(connection, "PRAGMA " .. name)
  return rows[1] and tonumber(rows[1][1])
end

--- Has SQLite distrust a file, which may come from anywhere: its schema must not run anything, and pages are checked when they are read.
function database.distrust(connection)
  run(connection, "PRAGMA trusted_schema = OFF")
  run(connection, "PRAGMA cell_size_check = ON")
  run(connection, ("PRAGMA hard_heap_limit = %d"):format(limits.store.memory))
end

database.fail, database.each_row, database.run, database.reason = fail, each_row, run, reason

return database
