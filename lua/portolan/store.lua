--- The store of measurements: an SQLite file, written one transaction per batch, so that `kill -9` at any moment loses at
-- most the batch that was being written.
--
-- A result is filed under the key of the machine that gave it and the key of the experiment; measuring again replaces it.
-- The evidence (samples, spread, layout, ...) is kept whole, as JSON.
-- @module portolan.store
local luasql = require "luasql.sqlite3"
local uv = require "luv"
local failure = require "portolan.failure"
local file = require "portolan.file"
local json = require "portolan.json"
local room = require "portolan.room"

local store = {}
store.__index = store

local application = 0x50544C4E -- "PTLN": tells a Portolan store from other SQLite files
local version = 1
local patience = 10000 -- ms to wait for another process that is writing

local schema = {
  "CREATE TABLE machine (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE)",
  [[CREATE TABLE result (machine INTEGER NOT NULL REFERENCES machine(id), experiment TEXT NOT NULL, status TEXT,
    cycles REAL, evidence TEXT NOT NULL, time INTEGER NOT NULL, PRIMARY KEY (machine, experiment)) WITHOUT ROWID]],
  ("PRAGMA application_id = %d"):format(application),
  ("PRAGMA user_version = %d"):format(version),
}

-- This driver has no bound parameters: quote as SQL does. SQLite's parser would stop at a NUL.
local function quote(text)
  if text:find("\0", 1, true) then error("a key must not contain a NUL byte", 0) end
  return "'" .. text:gsub("'", "''") .. "'"
end

-- The driver's messages, without its prefix.
local function reason(message) return (tostring(message):gsub("^LuaSQL: ", ""):gsub("%s+$", "")) end

-- Every row of a query as a list of columns; errors are thrown as `{ failed = message }`.
local function run(connection, sql)
  local cursor, message = connection:execute(sql)
  if not cursor then error({ failed = reason(message) }, 0) end
  if type(cursor) == "number" then return math.tointeger(cursor) end
  local rows = {}
  while true do
    local row, trouble = cursor:fetch({}, "n")
    if trouble then
      pcall(cursor.close, cursor)
      error({ failed = reason(trouble) }, 0)
    end
    if not row then break end
    rows[#rows + 1] = row
  end
  cursor:close()
  return rows
end

-- SQLite's words for what the machine refused.
local machine_words = { "disk is full", "disk I/O error", "out of memory" }

local descriptors = 4 -- that a store needs: the file, its log, the index of that, and one to spare

-- Nil, a message of SQLite with its path, its status (portolan.failure). SQLite has the same words for a lack of rights and of descriptors.
local function refusal(path, message)
  local status
  if message:find("unable to open database file", 1, true) and not room(descriptors) then
    message, status = "too many open files", failure.system
  end
  for _, words in ipairs(machine_words) do
    if message:find(words, 1, true) then status = failure.system end
  end
  return nil, ("%s: %s"):format(path, message), status
end

-- Calls f; what `run` throws becomes nil, one line and its status.
local function guarded(path, f, ...)
  local result = table.pack(pcall(f, ...))
  if result[1] then return table.unpack(result, 2, result.n) end
  local trouble = result[2]
  if type(trouble) ~= "table" or not trouble.failed then error(trouble, 0) end
  return refusal(path, trouble.failed)
end

local function transaction(connection, f)
  run(connection, "BEGIN IMMEDIATE")
  local ok, trouble = pcall(f)
  if ok then ok, trouble = pcall(run, connection, "COMMIT") end
  if ok then return end
  pcall(run, connection, "ROLLBACK")
  error(trouble, 0)
end

local function pragma(connection, name)
  local rows = run(connection, "PRAGMA " .. name)
  return rows[1] and tonumber(rows[1][1])
end

-- Looks and creates in one transaction: another process may be doing the same.
local function create(connection)
  transaction(connection, function()
    local id, tables = pragma(connection, "application_id"), run(connection, "SELECT count(*) FROM sqlite_master")[1][1]
    if id == application then return end -- the other process was faster
    if id ~= 0 or tonumber(tables) > 0 then error({ failed = "an SQLite file, but not a store of Portolan's" }, 0) end
    for _, statement in ipairs(schema) do run(connection, statement) end
  end)
end

-- An empty file becomes a store; anything else must be one, of our version.
local function prepare(connection)
  run(connection, ("PRAGMA busy_timeout = %d"):format(patience))
  if pragma(connection, "application_id") ~= application then create(connection) end
  local found = pragma(connection, "user_version")
  if found > version then
    error({ failed = ("written by a newer Portolan (version %d of the store, not %d)"):format(found, version) }, 0)
  end
  run(connection, "PRAGMA journal_mode = WAL")
  run(connection, "PRAGMA synchronous = NORMAL")
  run(connection, "PRAGMA foreign_keys = ON")
end

--- Opens a store; makes it (and the directory) if there is none.
-- @param path string
-- @return store; or nil and `PATH: what is wrong`, e.g. for a damaged file or one that is no store
function store.open(path)
  local directory = path:match("^(.+)/[^/]*$")
  if directory then
    local made, message, status = file.make_directory(directory)
    if not made then return nil, message, status end
  end
  local ours, fault = file.trusted(path)
  if not ours then return nil, fault end
  local environment = luasql.sqlite3()
  local connection, trouble = environment:connect(path)
  if not connection then
    environment:close()
    return refusal(path, reason(trouble))
  end
  local self = setmetatable({ path = path, environment = environment, connection = connection, ids = {} }, store)
  local ok, message, status
  for _ = 1, 100 do -- changing to WAL does not wait for another process that does the same
    ok, message, status = guarded(path, function()
      prepare(connection)
      return true
    end)
    if ok then return self end
    if not message:find("locked", 1, true) then break end
    uv.sleep(20)
  end
  self:close()
  if message:find("malformed", 1, true) or message:find("not a database", 1, true) then
    message = message .. "; move the file away to start a new one"
  end
  return nil, message, status
end

-- The number of a machine; with `make`, a new one if it has none.
local function machine_id(self, key, make)
  if self.ids[key] then return self.ids[key] end
  if make then run(self.connection, ("INSERT OR IGNORE INTO machine (key) VALUES (%s)"):format(quote(key))) end
  local rows = run(self.connection, ("SELECT id FROM machine WHERE key = %s"):format(quote(key)))
  return rows[1] and math.tointeger(tonumber(rows[1][1]))
end

--- Looks a result up.
-- @param machine string, the machine's key
-- @param experiment string, the experiment's key
-- @return result (a table as it was put); or nil if there is none; or nil and a message if the file cannot be read
function store:get(machine, experiment)
  return guarded(self.path, function()
    local id = machine_id(self, machine)
    if not id then return nil end
    self.ids[machine] = id
    local rows = run(self.connection, ("SELECT evidence FROM result WHERE machine = %d AND experiment = %s")
      :format(id, quote(experiment)))
    if not rows[1] then return nil end
    local result, message = json.decode(rows[1][1], "result of " .. experiment)
    if not result then error({ failed = message }, 0) end
    return result
  end)
end

-- One result as an SQL statement; refuses what JSON cannot hold.
local function replace_statement(id, entry, time)
  local evidence, message = json.encode(entry.result)
  if not evidence then error({ failed = ("result of %s: %s"):format(entry.key, message) }, 0) end
  local status, cycles = entry.result.status, entry.result.cycles
  return ("INSERT OR REPLACE INTO result (machine, experiment, status, cycles, evidence, time) VALUES (%d, %s, %s, %s, %s, %d)")
    :format(id, quote(entry.key), status and quote(tostring(status)) or "NULL", cycles and ("%.17g"):format(cycles) or "NULL",
      quote(evidence), time)
end

--- Files results, all of them or none.
-- @param machine string, the machine's key
-- @param entries list of `{ key = experiment's key, result = result }`
-- @return true; or nil, message, status (portolan.failure)
function store:put(machine, entries)
  local time, id = os.time(), nil
  return guarded(self.path, function()
    transaction(self.connection, function()
      id = machine_id(self, machine, true)
      for _, entry in ipairs(entries) do run(self.connection, replace_statement(id, entry, time)) end
    end)
    self.ids[machine] = id
    return true
  end)
end

--- Number of results.
-- @param[opt] machine string: of this machine only
-- @return whole number; or nil and a message
function store:count(machine)
  return guarded(self.path, function()
    local sql = "SELECT count(*) FROM result"
    if machine then sql = sql .. (" WHERE machine = %d"):format(machine_id(self, machine) or -1) end
    return math.tointeger(tonumber(run(self.connection, sql)[1][1]))
  end)
end

--- Walks through the results of a machine, sorted by key: `for key, result in store:each(machine) do`.
-- The results are those of the moment of the call.
-- @param machine string, the machine's key
-- @return iterator; or nil and a message
function store:each(machine)
  local rows, message, status = guarded(self.path, function()
    return run(self.connection, ("SELECT experiment, evidence FROM result WHERE machine = %d ORDER BY experiment")
      :format(machine_id(self, machine) or -1))
  end)
  if not rows then return nil, message, status end
  local i = 0
  return function()
    i = i + 1
    if rows[i] then return rows[i][1], assert(json.decode(rows[i][2], "result of " .. rows[i][1])) end
  end
end

--- Forgets all results of a machine.
-- @param machine string, the machine's key
-- @return number of results that were forgotten; or nil and a message
function store:forget(machine)
  return guarded(self.path, function()
    return run(self.connection, ("DELETE FROM result WHERE machine = %d"):format(machine_id(self, machine) or -1))
  end)
end

--- Looks for damage in the whole file.
-- @return true; or nil and a message
function store:check()
  return guarded(self.path, function()
    local found = run(self.connection, "PRAGMA integrity_check(1)")[1][1]
    if found ~= "ok" then error({ failed = "damaged: " .. found:gsub("%s+", " ") }, 0) end
    return true
  end)
end

--- Closes the store. It must not be used any more.
function store:close()
  if not self.connection then return end
  self.connection:close()
  self.environment:close()
  self.connection, self.environment = nil, nil
end

store.__gc = store.close

return store
