-- What the machine refuses: no room, no rights, no descriptors, no memory. One line says so, the exit status is the right one (1: the machine;
-- 2: other arguments mend it), nothing is half-written, and what was there before is there still.
local file = require "portolan.support.file"
local lock = require "portolan.support.lock"
local mapping = require "portolan.mapping"
local process = require "process"
local small_core = require "support.small_core"
local store = require "portolan.experiment.store"
local uv = require "luv"

local sanitized = (os.getenv "PORTOLAN_SANITIZE" or "") ~= ""
local as_root = uv.getuid() == 0

local function quoted(words)
  local list = {}
  for i, word in ipairs(words) do list[i] = "'" .. word:gsub("'", "'\\''") .. "'" end
  return table.concat(list, " ")
end

-- Runs portolan after some words of the shell, such as `ulimit -f 16`. In bash: dash needs descriptors of its own.
local function limited(before, ...)
  return process.run { args = { "bash", "-c", before .. "; exec " .. quoted { process.portolan, ... } }, seconds = 120 }
end

-- The only line of stderr that is no progress.
local function the_line(r, what)
  local lines = {}
  for line in r.err:gmatch "[^\n]+" do
    local progress = line:find "^%a[%a ]+: %d+ in " or line:find "^chart: " or line:find " s left$"
    if not progress then lines[#lines + 1] = line end
  end
  assert.equal(1, #lines, ("%s: status %s, signal %s: %s"):format(what or "", r.status, r.signal, r.err))
  assert.is_nil(lines[1]:find("internal error", 1, true), lines[1])
  return lines[1]
end

local function fails(status, pattern, r)
  local line = the_line(r)
  assert.equal(status, r.status, line)
  assert.matches(pattern, line)
end

local names = process.names

-- The commands that write, each with a folder of its own to write to: name -> function(directory with a.json and b.json, folder) -> arguments.
local writers = {
  campaign = function(d, folder)
    return "campaign", "--a", "mapping:" .. d .. "/a.json", "--b", "mapping:" .. d .. "/b.json", "--dry", "2", "--coverage", "5", "--length", "2",
      "--universe", d .. "/universe.lua", "--out", folder
  end,
  pmevo = function(d, folder)
    return "infer", "pmevo", "--oracle", "sim:" .. d .. "/a.json", "--out", folder, "--evaluate", "5", "--threads", "1"
  end,
  explain = function(d, folder)
    return "infer", "explain", "--oracle", ("sim:%s/a.json,store=%s/m.db"):format(d, folder), "--out", folder .. "/mapping.json", "--report",
      folder .. "/report.html", "--evaluate", "5"
  end,
  export = function(d, folder) return "export", d .. "/a.json", "--to", "csv", "--out", folder .. "/a.csv" end,
}

local function prepared(f)
  process.in_directory(function(d)
    assert(mapping.save(small_core.mapping(), d .. "/a.json"))
    assert(mapping.save(small_core.mapping { ["vpand ymm, ymm, ymm"] = small_core.uops(1, "0") }, d .. "/b.json"))
    small_core.universe(d)
    assert(file.make_directory(d .. "/out"))
    f(d, d .. "/out")
  end)
end

-- Each writer, with a folder that is new.
local function each_writer(f)
  for name, arguments in pairs(writers) do
    prepared(function(d, folder) f(name, folder, arguments(d, folder)) end)
  end
end

local function no_fragments(folder)
  for _, name in ipairs(names(folder)) do
    assert.is_nil(name:find "%.tmp$", name)
    assert.is_true(name ~= lock.file, "a lock is left")
  end
end

describe("a full disk", function()
  it("is one line and status 1, and leaves nothing half-written", function()
    local refused = 0
    for _, blocks in ipairs { 1, 4, 40, 100 } do -- of 1024 bytes: the largest file that may be
      each_writer(function(name, folder, ...)
        local r = limited("ulimit -f " .. blocks, ...)
        if r.status ~= 0 then
          fails(1, name == "export" and "file too large$" or "[:] %l", r)
          refused = refused + 1
        end
        no_fragments(folder)
        local again = limited(":", ...) -- with room it goes on, or begins anew
        assert.equal(0, again.status, again.err)
      end)
    end
    assert.is_true(refused >= 8, refused .. " refused")
  end)

  it("is said of a file system without room, too", function()
    local probe = as_root and process.run { args = { "unshare", "-m", "mount", "-t", "tmpfs", "-o", "size=64k", "none", "/mnt" } }
    if not probe or probe.status ~= 0 then return pending "no file systems can be mounted here" end
    each_writer(function(_, folder, ...)
      local mount = ("mount -t tmpfs -o size=24k none %s; %s; status=$?; ls -A %s; exit $status"):format(folder,
        quoted { process.portolan, ... }, folder)
      local r = process.run { args = { "unshare", "-m", "sh", "-c", mount }, seconds = 120 }
      if r.status ~= 0 then fails(1, "%l+", r) end
      assert.is_nil(r.out:find("%.tmp", 1), r.out)
      assert.is_nil(("\n" .. r.out):find("\n" .. lock.file .. "\n", 1, true), r.out)
    end)
  end)

  it("takes nothing from a store that was there", function()
    prepared(function(d, folder)
      local opened = assert(store.open(folder .. "/m.db"))
      for i = 1, 40 do assert(opened:put("a machine", { { key = "e" .. i, result = { status = "ok", cycles = i } } })) end
      opened:close()
      local r = limited("ulimit -f 24", writers.explain(d, folder))
      fails(1, "m%.db: ", r)
      opened = assert(store.open(folder .. "/m.db"))
      assert(opened:check())
      assert.equal(40, opened:count "a machine")
      opened:close()
    end)
  end)

  it("is said of standard output and of devices", function()
    prepared(function(d)
      fails(1, "cannot write to standard output: No space left on device$", limited("exec >/dev/full", "export", d .. "/a.json", "--to", "json"))
      fails(1, "cannot write /dev/full: no space left on device$", limited(":", "export", d .. "/a.json", "--to", "json", "--out", "/dev/full"))
    end)
  end)
end)

describe("a folder that cannot be written", function()
  it("is one line and status 2, before anything is measured", function()
    prepared(function(d)
      for _, folder in ipairs { "/proc/portolan", d .. "/a.json/x" } do
        for name, arguments in pairs(writers) do
          local r = limited(":", arguments(d, folder))
          fails(2, "^portolan %l+", r)
          assert.is_true(r.out == "" or name == "explain", r.out)
        end
        fails(2, "cannot make the directory", limited(":", "chart", "--out", folder))
      end
    end)
  end)

  it("is so without rights, too", function()
    local other = as_root and "setpriv --reuid=65534 --regid=65534 --clear-groups " or ""
    if process.run { args = { "sh", "-c", other .. "test -x " .. process.portolan } }.status ~= 0 then return pending "nobody may read this tree" end
    prepared(function(d, folder)
      assert(uv.fs_chmod(d, 493))
      assert(uv.fs_chmod(folder, 365)) -- r-xr-xr-x
      for name, arguments in pairs(writers) do
        local words = quoted { process.portolan, arguments(d, folder) }
        local r = process.run { args = { "sh", "-c", other .. words }, seconds = 120, env = { HOME = d } }
        local line = the_line(r)
        assert.equal(2, r.status, name .. ": " .. line)
      end
      assert.same({}, names(folder))
    end)
  end)

  it("is so of TMPDIR", function()
    prepared(function()
      local r = process.run { args = { process.portolan, "predict", "--predictor", "command:echo 1", "add rax, rbx" }, env = { TMPDIR = "/nope" } }
      fails(2, "cannot make a temporary directory in /nope: no such file or directory; set TMPDIR", r)
    end)
  end)
end)

-- Each writer within each limit: one line and status 1, or enough. Returns how many of them it refused.
local function refused_within(option, limits)
  local refused = 0
  for _, n in ipairs(limits) do
    each_writer(function(_, folder, ...)
      local r = limited(("ulimit %s %d"):format(option, n), ...)
      if r.status ~= 0 or r.signal ~= 0 then
        fails(1, "%l", r)
        refused = refused + 1
      end
      no_fragments(folder)
    end)
  end
  return refused
end

describe("too few descriptors", function()
  it("are one line, or enough", function()
    local few = { 14, 15, 16, 18, 20 }
    local refused = refused_within("-n", few)
    for _, n in ipairs(few) do
      local r = limited("ulimit -n " .. n, "predict", "--predictor", "command:echo 1", "add rax, rbx")
      if r.status ~= 0 or r.signal ~= 0 then
        fails(1, "too many open files", r)
        refused = refused + 1
      end
    end
    assert.is_true(refused > 0)
  end)
end)

describe("too little memory", function()
  if sanitized then return pending "sanitizers need more than any limit" end
  it("is one line, or enough", function()
    local limits = { 20000, 60000, 100000, 200000, 300000, 340000, 360000, 400000 } -- kilobytes
    local many = tonumber(os.getenv "PORTOLAN_LIMITS") -- that many instead: a limit of its own for nearly every allocation
    if many then
      for i = 1, many do limits[i] = 20000 + i * 440000 // many end
    end
    assert.is_true(refused_within("-v", limits) > 0)
  end)
end)

-- Faults that are injected (tests/faults): into the program itself, and into what it starts.
local function injected(fault, ...)
  local preload = os.getenv "PORTOLAN_BUILD" .. "/bench/faults.so"
  return process.run { args = { process.portolan, ... }, seconds = 120, env = { PORTOLAN_PRELOAD = preload, PORTOLAN_FAULT = fault } }
end

-- Did the C library end the program? It does so where it finds no memory for what a library that is being loaded keeps for each thread.
local function ended_by_libc(r) return r.status == 127 and r.err:find("cannot allocate memory for thread-local data: ABORT", 1, true) ~= nil end

describe("an allocation that fails", function()
  if sanitized then return pending "sanitizers have allocators of their own" end
  it("is one line and status 1, or is done without, and leaves nothing half-written", function()
    local tries, refused = tonumber(os.getenv "PORTOLAN_FAULTS" or "4"), 0
    for name, arguments in pairs(writers) do
      prepared(function(d, folder)
        assert.equal(0, injected("count " .. d .. "/n", arguments(d, folder)).status)
        local all = tonumber(file.read(d .. "/n"))
        assert(all and all > 1000)
        for i = 1, tries do
          local into = d .. "/" .. i
          assert(file.make_directory(into))
          local r = injected("memory " .. all * (2 * i - 1) // (2 * tries), arguments(d, into))
          if not ended_by_libc(r) and (r.status ~= 0 or r.signal ~= 0) then
            local line = the_line(r, ("%s, moment %d of %d"):format(name, i, tries))
            assert(r.status == 1 and r.signal == 0 and line:find "memory", ("%s: %s/%s %s"):format(name, r.status, r.signal, line))
            refused = refused + 1
          end
          local again = limited(":", arguments(d, into))
          assert.equal(0, again.status, again.err)
          no_fragments(into)
        end
      end)
    end
    assert.is_true(refused >= 2 * tries, refused .. " refused")
  end)
end)

describe("a process that cannot be had", function()
  if sanitized then return pending "sanitizers have allocators of their own" end
  it("is one line and status 1", function()
    fails(1, "cannot be started: Resource temporarily unavailable", injected("fork 1", "bench", "--experiment", "add r64, r64"))
    fails(1, "resource temporarily unavailable", injected("fork 1", "predict", "--predictor", "command:echo 1", "add rax, rbx"))
  end)
end)

describe("a clock that jumps", function()
  if sanitized then return pending "sanitizers have allocators of their own" end
  it("changes no result", function()
    for name, arguments in pairs(writers) do
      prepared(function(d, folder)
        local r = injected("clock", arguments(d, folder))
        assert.equal(0, r.status, name .. ": " .. r.err)
        no_fragments(folder)
      end)
    end
  end)
end)
