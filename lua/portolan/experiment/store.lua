--- The store of measurements: an SQLite file, written one transaction per batch, so that `kill -9` at any moment loses at
-- most the batch that was being written.
--
-- A result is filed under the key of the machine that gave it and the key of the experiment; measuring again replaces it.
-- The evidence (samples, spread, layout, ...) is kept whole, as JSON.
-- @module portolan.experiment.store
local luasql = require "luasql.sqlite3"
local uv = require "luv"
local database = require "portolan.support.database"
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local limits = require "portolan.support.limits"

local damaged, each_row, fail, guarded, pragma, quote = database.damaged, database.each_row, database.fail, database.guarded, database.pragma,
  database.quote
local run, transaction = database.run, database.transaction

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

-- Looks and creates in one transaction: another process may be doing the same.
local function create(connection)
  transaction(connection, function()
    local id, tables = pragma(connection, "application_id"), run(connection, "SELECT 1 FROM sqlite_master LIMIT 1")
    if id == application then return end -- the other process was faster
    if id ~= 0 or #tables > 0 then fail("an SQLite file, but not a store of Portolan's") end
    for _, statement in ipairs(schema) do run(connection, statement) end
  end)
end

local function squeezed(sql) return sql and sql:gsub("%s+", " ") end

-- Are there just the tables that `schema` makes? A view or a trigger in their place is code, which may run for ever.
local function check_tables(connection)
  local wanted = {}
  for _, statement in ipairs(schema) do
    local name = statement:match("^CREATE TABLE (%w+)")
    if name then wanted[name] = squeezed(statement) end
  end
  for _, row in ipairs(run(connection, "SELECT type, name, sql FROM sqlite_master LIMIT 10")) do
    local kind, name, sql = row[1], tostring(row[2]), row[3]
    local own = kind == "table" and wanted[name] ~= nil and squeezed(sql) == wanted[name]
    if not own and not (kind == "index" and sql == nil) then damaged("%s '%s' is not one of the store's tables", tostring(kind), name) end
    wanted[name] = nil
  end
  local missing = next(wanted)
  if missing then damaged("there is no table '%s'", missing) end
end

-- An empty file becomes a store; anything else must be one, of our version.
local function prepare(connection)
  run(connection, ("PRAGMA busy_timeout = %d"):format(patience))
  database.distrust(connection)
  if pragma(connection, "application_id") ~= application then create(connection) end
  local found = pragma(connection, "user_version")
  if found > version then
    fail("written by a newer Portolan (version %d of the store, not %d)", found, version)
  end
  check_tables(connection)
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
  local kind = file.kind(path)
  if kind and kind ~= "file" then return nil, ("%s: a %s, not a store; give a file"):format(path, kind) end
  local environment = luasql.sqlite3()
  local connection, trouble = environment:connect(path)
  if not connection then
    environment:close()
    return database.refusal(path, database.reason(trouble))
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
  local id = rows[1] and math.tointeger(tonumber(rows[1][1]))
  if (make or rows[1]) and not id then damaged("a machine without a number") end
  return id
end

-- Fields of a result that others rely on must be of these types. `error` is a measurement's standard error, or, with the status "error", why a
-- predictor has no answer.
local kinds = { status = "string", message = "string", error = "number", cycles = "number", count = "number", n = "number", rejected = "number",
  spread = "number", frequency = "number", latency = "number" }

-- A result that is filed as `text`.
local function decoded(key, text)
  if type(key) ~= "string" or type(text) ~= "string" then damaged("a result without a text") end
  local result, message = json.decode(text, "result of " .. key)
  if result == nil then fail("%s", message) end
  if type(result) ~= "table" then damaged("result of %s: it must be an object", key) end
  for field, kind in pairs(kinds) do
    if field == "error" and result.status == "error" then kind = "string" end
    if result[field] ~= nil and type(result[field]) ~= kind then damaged("result of %s: '%s' must be a %s", key, field, kind) end
  end
  if (result.cycles or 0) < 0 then damaged("result of %s: 'cycles' must not be negative", key) end
  return result
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
    return decoded(experiment, rows[1][1])
  end)
end

-- One result as an SQL statement; refuses what JSON cannot hold.
local function replace_statement(id, entry, time)
  local evidence, message = json.encode(entry.result)
  if not evidence then fail("result of %s: %s", entry.key, message) end
  local status, cycles = entry.result.status, entry.result.cycles
  return ("INSERT OR REPLACE INTO result (machine, experiment, status, cycles, evidence, time) VALUES (%d, %s, %s, %s, %s, %d)")
    :format(id, quote(entry.key), status and quote(tostring(status)) or "NULL", cycles and ("%.17g"):format(cycles) or "NULL",
      quote(evidence), time)
end

--- Files results, all of them or none.
-- @param machine string, the machine's key
-- @param entries list of `{ key = experiment's key, result = result }`
-- @return true; or nil, message, status (portolan.support.failure)
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
    local of = machine and ("WHERE machine = %d"):format(machine_id(self, machine) or -1) or ""
    local sql = ("SELECT count(*) FROM (SELECT 1 FROM result %s LIMIT %d)"):format(of, limits.store.results)
    return math.tointeger(tonumber(run(self.connection, sql)[1][1]))
  end)
end

--- Walks through the results of a machine, sorted by key: `for key, result in store:each(machine) do`.
-- The results are those of the moment of the call.
-- @param machine string, the machine's key
-- @return iterator; or nil and a message
function store:each(machine)
  local keys, results = {}, {}
  local ok, message, status = guarded(self.path, function()
    local sql = ("SELECT experiment, evidence FROM result WHERE machine = %d ORDER BY experiment"):format(machine_id(self, machine) or -1)
    each_row(self.connection, sql, function(row)
      local n = #keys + 1
      if n > limits.store.results then fail("more than %d results", limits.store.results) end
      results[n] = decoded(row[1], row[2])
      if n > 1 and row[1] <= keys[n - 1] then damaged("results are not in order") end -- pages that lead back to themselves
      keys[n] = row[1]
    end)
    return true
  end)
  if not ok then return nil, message, status end
  local i = 0
  return function()
    i = i + 1
    return keys[i], results[i]
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
    if found ~= "ok" then fail("damaged: %s", (found:gsub("%s+", " "))) end
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
