local core = require "portolan.core"
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local lock = require "portolan.support.lock"
local mapping = require "portolan.mapping"
local process = require "process"
local small_core = require "support.small_core"
local uv = require "luv"

-- What a process of its own prints that tries to lock a folder.
local function other(directory)
  local code = ("local l, m = require('portolan.support.lock').folder(%q, 'another'); print(l and 'locked' or m)"):format(directory)
  local r = process.run { args = { "lua5.4", "-e", code }, env = { LD_PRELOAD = os.getenv "LD_PRELOAD" or false } }
  assert.equal(0, r.status, r.err)
  return (r.out:gsub("\n$", ""))
end

-- Starts a process that locks a folder, runs further code and stays; returns its handle and pid once it has the lock.
local function holder(directory, code)
  local out, said, ended = uv.new_pipe(false), "", false
  local script = ("local l = assert(require('portolan.support.lock').folder(%q, 'the first')) %s io.write('ready') io.stdout:flush() io.read()")
    :format(directory, code or "")
  local handle, pid = uv.spawn("lua5.4", { args = { "-e", script }, stdio = { uv.new_pipe(false), out, 2 }, env = process.environment {
    LD_PRELOAD = os.getenv "LD_PRELOAD" or false } }, function() ended = true end)
  out:read_start(function(_, chunk) said = said .. (chunk or "") end)
  while not (said:find "ready" or ended) do uv.run "once" end
  return pid, function()
    handle:kill(9)
    while not ended do uv.run "once" end
    out:close()
    handle:close()
    uv.run "nowait"
  end
end

describe("lock", function()
  it("is one's own until it is released, and leaves nothing", function()
    process.in_directory(function(d)
      local held = assert(lock.folder(d, "portolan chart"))
      local said = assert(json.decode(process.run { args = { "cat", d .. "/" .. lock.file } }.out, "lock"))
      assert.same({ uv.os_getpid(), uv.os_gethostname(), "portolan chart" }, { said.pid, said.host, said.command })
      assert.matches("^%d%d%d%d%-%d%d%-%d%dT%d%d:%d%d:%d%dZ$", said.since)
      assert.matches("^%d%d%d%d%-%d%d%-%d%dT%d%d:%d%d:%d%dZ$", said.start)
      assert.equal(("%s: process %d (portolan chart, since %s) is writing there; wait until it has ended, or give another directory"):format(d,
        uv.os_getpid(), said.since), other(d))
      local again, message = lock.folder(d, "portolan chart")
      assert.is_nil(again)
      assert.matches("this very process is writing there", message)
      assert.matches("is writing there", other(d)) -- asking has not lost it
      held:release()
      held:release()
      assert.is_nil(file.kind(d .. "/" .. lock.file))
      assert.equal("locked", other(d))
      assert.is_nil(file.kind(d .. "/" .. lock.file))
    end)
  end)

  it("ends with its process, even one that was killed, whatever its file says", function()
    process.in_directory(function(d)
      for _ = 1, 5 do
        local pid, kill = holder(d)
        assert.matches(("process %d %%(the first, since "):format(pid), other(d))
        kill()
        assert.equal("file", file.kind(d .. "/" .. lock.file))
        assert.equal("locked", other(d))
      end
      -- a file that names a process which is alive, as after its number was given to another
      assert(file.write(d .. "/" .. lock.file, assert(json.encode { pid = 1, host = uv.os_gethostname(), command = "portolan chart" })))
      assert.equal("locked", other(d))
    end)
  end)

  it("is not held by what its process has started or forked", function()
    process.in_directory(function(d)
      local _, kill = holder(d, "require('luv').spawn('sleep', { args = { '5' }, detached = true }, function() end)")
      kill()
      assert.equal("locked", other(d))
    end)
  end)

  it("says what it knows where the file says nothing, and shows nothing that could do harm", function()
    process.in_directory(function(d)
      local pid, kill = holder(d)
      for _, text in ipairs { "", "{", "[]", "null", '{"pid":"x","command":3}', ("x"):rep(5000) } do
        local out = assert(io.open(d .. "/" .. lock.file, "wb")) -- another file would be another lock
        out:write(text)
        out:close()
        assert.equal(("%s: process %d is writing there; wait until it has ended, or give another directory"):format(d, pid), other(d))
      end
      kill()
    end)
  end)

  it("follows no links and spoils no file", function()
    process.in_directory(function(d)
      assert(file.write(d .. "/precious", "x"))
      assert(uv.fs_symlink(d .. "/precious", d .. "/" .. lock.file))
      local held, message, status = lock.folder(d, "a test")
      assert.is_nil(held)
      assert.matches("the lock is a symbolic link .*; remove it$", message)
      assert.equal("bad input", status)
      assert(uv.fs_unlink(d .. "/" .. lock.file))
      assert(uv.fs_link(d .. "/precious", d .. "/" .. lock.file))
      assert.is_nil(lock.folder(d, "a test"))
      assert(uv.fs_unlink(d .. "/" .. lock.file))
      assert(uv.fs_mkdir(d .. "/" .. lock.file, 493))
      assert.is_nil(lock.folder(d, "a test"))
      assert.equal("x", file.read(d .. "/precious"))
    end)
  end)

  it("is had by one at a time, however many ask", function()
    process.in_directory(function(d)
      local code = ([[
        local lock, uv = require "portolan.support.lock", require "luv"
        for i = 1, 200 do
          local l = lock.folder(%q, "one of many")
          if l then
            local fd = assert(uv.fs_open(%q, "wx", 384)) -- two at once would meet here
            uv.fs_close(fd)
            assert(uv.fs_unlink(%q))
            l:release()
          end
        end
        print "fine"]]):format(d, d .. "/one", d .. "/one")
      local running, outs = 0, {}
      for k = 1, 4 do
        local out = uv.new_pipe(false)
        outs[k] = ""
        running = running + 1
        local handle
        handle = assert(uv.spawn("lua5.4", { args = { "-e", code }, stdio = { nil, out, 2 }, env = process.environment {
          LD_PRELOAD = os.getenv "LD_PRELOAD" or false } }, function() handle:close() end))
        out:read_start(function(_, chunk)
          if chunk then outs[k] = outs[k] .. chunk return end
          out:close()
          running = running - 1
        end)
      end
      while running > 0 do uv.run "once" end
      uv.run "nowait"
      assert.same({ "fine\n", "fine\n", "fine\n", "fine\n" }, outs)
    end)
  end)

  it("fails in one line where there is no such folder, and the collector releases it", function()
    local held, message, status = lock.folder("/nope", "a test")
    assert.is_nil(held)
    assert.matches("^the folder cannot be locked: No such file or directory %(/nope/%.lock%)$", message)
    assert.equal("bad input", status)
    process.in_directory(function(d)
      assert(core.base.lock(d .. "/x", "nobody"))
      collectgarbage()
      collectgarbage()
      assert.is_nil(file.kind(d .. "/x"))
    end)
  end)
end)

describe("a second process in a folder", function()
  local function refused(d, ...)
    local pid, kill = holder(d .. "/out")
    local r = process.run { args = { process.portolan, ... } }
    kill()
    assert.equal(2, r.status, r.err)
    local last = r.err:match "([^\n]+)\n$" -- a slow machine shows progress before it
    assert.matches(("^portolan [%%a ]+: [^\n]*/out: process %d %%(the first, since [^\n]+%%) is writing there; wait until it has ended, or "
      .. "give another directory$"):format(pid), last)
    assert.equal("", r.out)
  end

  it("is told who is there", function()
    process.in_directory(function(d)
      assert(mapping.save(small_core.mapping(), d .. "/a.json"))
      assert(file.make_directory(d .. "/out"))
      local a = d .. "/a.json"
      refused(d, "chart", "--out", d .. "/out")
      refused(d, "campaign", "--a", "mapping:" .. a, "--b", "mapping:" .. a, "--out", d .. "/out")
      refused(d, "infer", "pmevo", "--oracle", "sim:" .. a, "--out", d .. "/out")
    end)
  end)

  it("is a campaign of the same name: one of the two goes on, its journal is whole", function()
    process.in_directory(function(d)
      local other_mapping = small_core.mapping { ["vpand ymm, ymm, ymm"] = small_core.uops(1, "0") }
      assert(mapping.save(small_core.mapping(), d .. "/a.json"))
      assert(mapping.save(other_mapping, d .. "/b.json"))
      local command = ("%s campaign --a mapping:%s/a.json --b mapping:%s/b.json --dry 2 --coverage 5 --length 2 --out %s/out 2>&1")
        :format(process.portolan, d, d, d)
      local both = ("(%s >%s/1; echo $? >%s/s1) & (%s >%s/2; echo $? >%s/s2); wait"):format(command, d, d, command, d, d)
      process.run { args = { "sh", "-c", both } }
      local statuses = { tonumber(assert(file.read(d .. "/s1"))), tonumber(assert(file.read(d .. "/s2"))) }
      table.sort(statuses)
      assert.equal(0, statuses[1])
      assert.is_true(statuses[2] == 0 or statuses[2] == 2) -- the second may have come when the first had gone
      local seen = {}
      for line in assert(file.read(d .. "/out/journal.jsonl")):gmatch "[^\n]+" do
        local event = assert(json.decode(line, "journal"))
        if event.event == "discovery" then
          assert.is_nil(seen[event.id])
          seen[event.id] = true
        end
      end
      assert.is_true(next(seen) ~= nil)
    end)
  end)
end)
