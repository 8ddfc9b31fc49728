local file = require "portolan.support.file"
local process = require "process"
local store = require "portolan.experiment.store"

describe("store", function()
  it("gives back what was put, by machine and experiment", function()
    process.in_directory(function(d)
      local s = assert(store.open(d .. "/deep/er/store.db"))
      local result = { cycles = 0.1 + 0.2, status = "ok", n = 31, spread = 0.004, layout = { 1, 2, { a = "b" } } }
      assert.is_nil(s:get("m", "e"))
      assert.is_true(s:put("m", { { key = "e", result = result }, { key = "f", result = { status = "trap" } } }))
      assert.is_true(s:put("n", { { key = "e", result = { status = "timeout" } } }))
      assert.same(result, s:get("m", "e"))
      assert.same({ status = "timeout" }, s:get("n", "e"))
      assert.same({ 3, 2, 0 }, { s:count(), s:count("m"), s:count("none") })
      assert.is_true(s:put("m", { { key = "e", result = { status = "ok", cycles = 2 } } }))
      s:close()
      s = assert(store.open(d .. "/deep/er/store.db"))
      local seen = {}
      for key, r in s:each("m") do seen[#seen + 1] = key .. "=" .. r.status .. tostring(r.cycles) end
      assert.same({ "e=ok2", "f=trapnil" }, seen)
      assert.equal(2, s:forget("m"))
      assert.equal(1, s:count())
      s:close()
    end)
  end)

  it("gives back all that a measurement, and all that a predictor says", function()
    process.in_directory(function(d)
      local s = assert(store.open(d .. "/s"))
      local results = {
        { status = "ok", cycles = 1, spread = 0.001, error = 0.0003, share = 0.9, n = 9, rejected = 1, frequency = 3e9, variant = 1, copies = 40,
          slow = { cycles = 2, share = 0.1 }, layout = "spread", unroll = 80, counter_cycles = 1, counts = { 1 } },
        { status = "unstable", unsteady = true, range = { low = 1, high = 2 }, n = 0, rejected = 40 },
        { status = "error", error = "the command crashed (signal 6)", crash = true },
        { status = "unsupported", message = "no such encoding", n = 0, rejected = 0 },
      }
      for i, result in ipairs(results) do assert.is_true(s:put("m", { { key = "e" .. i, result = result } })) end
      for i, result in ipairs(results) do assert.same(result, s:get("m", "e" .. i)) end
      s:close()
    end)
  end)

  it("takes any text for a key", function()
    process.in_directory(function(d)
      local s = assert(store.open(d .. "/s"))
      local keys = { "it's", "'; DROP TABLE result; --", '"', "%d%s", "a\nb", "", "ü", "\\'" }
      for i, key in ipairs(keys) do assert.is_true(s:put(key, { { key = key, result = { n = i, text = key } } })) end
      for i, key in ipairs(keys) do assert.same({ n = i, text = key }, s:get(key, key)) end
      assert.equal(#keys, s:count())
      assert.has_error(function() s:get("a\0b", "c") end, "a key must not contain a NUL byte")
      s:close()
    end)
  end)

  it("puts all of a batch or nothing", function()
    process.in_directory(function(d)
      local s = assert(store.open(d .. "/s"))
      local ok, message = s:put("m", { { key = "a", result = { cycles = 1 } }, { key = "b", result = { cycles = 0 / 0 } } })
      assert.is_nil(ok)
      assert.matches("result of b: cycles: %-?nan is no number that JSON has$", message)
      assert.equal(0, s:count())
      assert.is_true(s:put("m", { { key = "a", result = { cycles = 1 } } })) -- no transaction was left open
      s:close()
    end)
  end)

  it("tells in one line what it cannot open", function()
    process.in_directory(function(d)
      local function fails(pattern, path)
        local s, message = store.open(path)
        assert.is_nil(s)
        assert.matches(pattern, message)
        assert.is_nil(message:find("\n", 1, true))
      end
      assert(file.write(d .. "/text", ("no database "):rep(1000)))
      fails("/text: file is not a database; move the file away", d .. "/text")
      fails(": a directory, not a store", d)
      fails("cannot make the directory .*/text", d .. "/text/s")
      local other = assert(require("luasql.sqlite3").sqlite3():connect(d .. "/other"))
      other:execute("CREATE TABLE result (x)")
      other:close()
      fails("/other: an SQLite file, but not a store of Portolan's", d .. "/other")
      assert(store.open(d .. "/s")):close()
      local bytes = file.read(d .. "/s")
      assert(file.write(d .. "/newer", bytes:sub(1, 60) .. ("\0\0\0\9") .. bytes:sub(65)))
      fails("/newer: written by a newer Portolan %(version 9", d .. "/newer")
      assert(file.write(d .. "/damaged", bytes:sub(1, 100) .. ("\xAA"):rep(#bytes - 100)))
      fails("/damaged: database disk image is malformed; move the file away", d .. "/damaged")
      assert(file.write(d .. "/empty", ""))
      assert(store.open(d .. "/empty")):close()
    end)
  end)

  it("reports damage found later, too", function()
    process.in_directory(function(d)
      local s, batch = assert(store.open(d .. "/s")), {}
      for i = 1, 2000 do batch[i] = { key = "e" .. i, result = { n = i, text = ("x"):rep(100) } } end
      assert(s:put("m", batch))
      s:close()
      local bytes = file.read(d .. "/s")
      assert(file.write(d .. "/s", bytes:sub(1, 5 * 4096) .. ("\xAA"):rep(#bytes - 5 * 4096)))
      s = store.open(d .. "/s")
      if not s then return end
      local faults = 0
      for i = 1, 2000 do
        local result, message = s:get("m", "e" .. i)
        if not result and message then faults = faults + 1 end
      end
      assert.is_true(faults > 0)
      assert.is_nil((s:check()))
      s:close()
    end)
  end)

  it("lets two processes write", function()
    process.in_directory(function(d)
      local code = ([[
        local s = assert(require("portolan.experiment.store").open(%q))
        for i = 1, 50 do assert(s:put(arg[1], { { key = "e" .. i, result = { n = i } } })) end
      ]]):format(d .. "/s")
      assert(file.write(d .. "/w.lua", code))
      local script = ("lua5.4 '%s/w.lua' a & lua5.4 '%s/w.lua' b && wait $!"):format(d, d)
      local r = process.run { args = { "sh", "-c", script } }
      assert.same({ 0, "" }, { r.status, r.err })
      local s = assert(store.open(d .. "/s"))
      assert.equal(100, s:count())
      s:close()
    end)
  end)

  it("is whole after kill -9, without any batch that was reported as written missing", function()
    process.in_directory(function(d)
      local code = ([[
        local s = assert(require("portolan.experiment.store").open(%q))
        local log = io.open(%q, "a")
        log:setvbuf("no")
        local start = s:count("m") // 20
        for round = start + 1, math.huge do
          local batch = {}
          for i = 1, 20 do batch[i] = { key = ("%%d/%%d"):format(round, i), result = { n = round, text = ("x"):rep(500) } } end
          assert(s:put("m", batch))
          log:write(round .. "\n") -- one string, so one write: a kill leaves whole lines
        end
      ]]):format(d .. "/s", d .. "/log")
      local written = 0
      for kill = 1, 12 do
        assert.equal(9, process.run_and_kill({ "lua5.4", "-e", code }, 60 + 13 * kill))
        local s = assert(store.open(d .. "/s"))
        assert.is_true(s:check())
        local count = s:count("m")
        assert.equal(0, count % 20)
        local reported = tonumber((file.read(d .. "/log") or ""):match("(%d+)\n$") or 0)
        local before = math.max(written, reported)
        written = count // 20
        -- At most one batch is on disk that the killed process could not report any more.
        assert.is_true(written == before or written == before + 1)
        s:close()
      end
      assert.is_true(written > 5)
    end)
  end)
end)
