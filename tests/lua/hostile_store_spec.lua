-- Stores that somebody else made: refused in one line, in no time, whatever their tables are.
local core = require "portolan.core"
local process = require "process"
local sqlite = require("luasql.sqlite3").sqlite3()
local store = require "portolan.experiment.store"

-- Changes a store with SQL, and hands on what opening it gives.
local function with_store(statements, f)
  process.in_directory(function(d)
    local path = d .. "/s"
    local s = assert(store.open(path))
    assert(s:put("m", { { key = "e", result = { status = "ok", cycles = 1 } }, { key = "f", result = { status = "ok", cycles = 2 } } }))
    s:close()
    local connection = assert(sqlite:connect(path))
    for _, statement in ipairs(statements) do assert(connection:execute(statement)) end
    connection:close()
    local began = core.base.now()
    f(store.open(path))
    assert.is_true(core.base.now() - began < 2)
  end)
end

local function is_line(expected, value, message)
  assert.is_nil(value)
  assert.is_truthy(message:find(expected, 1, true), message)
  assert.is_nil(message:find("\n", 1, true))
end

describe("a store", function()
  it("with something else than its tables is refused", function()
    local endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)"
    for expected, statements in pairs {
      ["view 'machine' is not one of the store's tables"] = { "PRAGMA foreign_keys = OFF", "DROP TABLE result", "DROP TABLE machine",
        ("CREATE VIEW machine (id, key) AS %s SELECT x, 'k' || x FROM c"):format(endless),
        "CREATE TABLE result (machine, experiment, status, cycles, evidence, time)" },
      ["trigger 't' is not one"] = { "CREATE TRIGGER t AFTER INSERT ON result BEGIN DELETE FROM result; END" },
      ["table 'machine' is not one"] = { "DROP TABLE machine", "CREATE TABLE machine (id TEXT, key TEXT)" },
      ["table 'more' is not one"] = { "CREATE TABLE more (x)" },
      ["index 'i' is not one"] = { "CREATE INDEX i ON result (abs(cycles))" },
      ["there is no table 'result'"] = { "DROP TABLE result" },
    } do
      with_store(statements, function(s, message) is_line(expected, s, message) end)
    end
  end)

  it("with results of another kind names the result", function()
    for evidence, expected in pairs {
      ["5"] = "result of e: it must be an object", ["[{}"] = "result of e:1:4", ['{"cycles":"1"}'] = "result of e: 'cycles' must be a number",
      ['{"status":{}}'] = "result of e: 'status' must be a string", ['{"cycles":-1}'] = "'cycles' must not be negative",
    } do
      with_store({ ("UPDATE result SET evidence = '%s' WHERE experiment = 'e'"):format(evidence) }, function(s)
        is_line(expected, s:get("m", "e"))
        is_line(expected, s:each "m")
        assert.equal(2, s:get("m", "f").cycles)
        s:close()
      end)
    end
  end)

  it("takes numbers and bytes in the place of texts for what they are", function()
    with_store({ "UPDATE result SET evidence = x'ff00ff', experiment = x'00ff' WHERE experiment = 'e'" }, function(s)
      assert.is_nil((s:each "m"))
      assert.equal(2, s:count())
      s:close()
    end)
  end)

  it("that is no regular file is not waited for", function()
    process.in_directory(function(d)
      os.execute(("mkfifo '%s/p'"):format(d))
      is_line("a fifo, not a store", store.open(d .. "/p"))
      is_line("a char, not a store", store.open "/dev/zero")
    end)
  end)
end)
