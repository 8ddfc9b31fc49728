local cpus = require "portolan.machine.cpu"
local process = require "process"
local storm = require "storm"
local uv = require "luv"

local processors = cpus.allowed()
local cpu, alone = processors[#processors], #processors == 1

local function run(...) return process.run { args = { storm.program, ... }, seconds = 20 } end

local function seconds_since(start) return (uv.hrtime() - start) / 1e9 end

local function content(path)
  local file = io.open(path)
  local text = file and file:read "a"
  if file then file:close() end
  return text
end

-- A zombie has ended, too: who reaps orphans may take its time, or not exist.
local function has_ended(pid)
  local stat = content("/proc/" .. pid .. "/stat")
  return not stat or stat:match "%) (%a)" == "Z"
end

-- What the threads pinned to one processor have done: switches of context, and time in hundredths of a second.
local function activity(pid, processor)
  local switches, time = 0, 0
  for thread in uv.fs_scandir_next, assert(uv.fs_scandir("/proc/" .. pid .. "/task")) do
    local directory = "/proc/" .. pid .. "/task/" .. thread
    local status, stat = content(directory .. "/status") or "", content(directory .. "/stat") or ""
    if status:match "Cpus_allowed_list:%s*(%S+)" == tostring(processor) then
      for n in status:gmatch "ctxt_switches:%s*(%d+)" do switches = switches + tonumber(n) end
      local user, system = stat:match "%) %a %S+ %S+ %S+ %S+ %S+ %S+ %S+ %S+ %S+ %S+ (%d+) (%d+)"
      time = time + (tonumber(user) or 0) + (tonumber(system) or 0)
    end
  end
  return switches, time
end

-- Timer interrupts of a processor so far, or nil where the system does not say.
local function timer_interrupts(processor)
  local head, row = (content "/proc/interrupts" or ""):match "^([^\n]*)\n.-\n%s*LOC:([^\n]*)"
  local column = 0
  for n in (head or ""):gmatch "CPU(%d+)" do
    column = column + 1
    if tonumber(n) == processor then break end
  end
  for n in (row or ""):gmatch "%d+" do
    column = column - 1
    if column == 0 then return tonumber(n) end
  end
end

describe("a storm", function()
  for _, kind in ipairs(storm.kinds) do
    it("of the kind " .. kind.name .. " starts, and ends when told", function()
      if alone and kind.name == "memory" then pending "it needs two processors" return end
      local blowing = assert(storm.start(kind, cpu, { seconds = 20 }))
      assert.is_nil(blowing.status)
      assert.equal("storm: " .. kind.arguments[1] .. " on processor " .. cpu .. " for 20 s\n", blowing.out.text)
      local status, signal = blowing:stop()
      assert.same({ 0, 0 }, { status, signal })
      assert.is_true(has_ended(blowing.pid))
    end)
  end

  it("ends by itself", function()
    local start = uv.hrtime()
    assert.equal(0, run("timers", "--seconds", "0.2").status)
    assert.is_true(seconds_since(start) < 10)
  end)

  it("ends with its parent", function()
    local script = '"$0" stalls --seconds 60 >/dev/null & echo $!; sleep 0.5'
    local pid = process.run({ args = { "sh", "-c", script, storm.program } }).out:match "%d+"
    local start = uv.hrtime()
    while not has_ended(pid) and seconds_since(start) < 10 do uv.sleep(10) end
    assert.is_true(has_ended(pid))
  end)

  it("tells what is not permitted in one line, and blows nevertheless", function()
    local result = process.run { args = { "prlimit", "--rtprio=0", "--nice=0", "setpriv", "--bounding-set=-sys_nice", "--inh-caps=-sys_nice",
      storm.program, "timers", "--seconds", "0.2" } }
    if result.err:find "setpriv" then pending "capabilities cannot be dropped here" return end
    assert.equal(0, result.status)
    assert.equal("storm: a priority above the ordinary is not permitted here: the storm is weaker; run it as root\n", result.err)
  end)

  local wrong = {
    { "no kind; see storm %-%-help" },
    { "no kind 'rain'; choose timers", "rain" },
    { "no option '%-%-hail'; see", "timers", "--hail", "1" },
    { "%-%-rate many: write a number from", "timers", "--rate", "many" },
    { "%-%-rate nan: write a number from", "timers", "--rate", "nan" },
    { "%-%-rate %-1: write a number from", "stalls", "--rate", "-1" },
    { "%-%-rate %(nothing%): write a number from", "stalls", "--rate" },
    { "%-%-duty 2: write a number from", "neighbour", "--duty", "2" },
    { "%-%-seconds 1e9: write a number from", "all", "--seconds", "1e9" },
    { "%-%-duty: the kind timers has no such dial", "timers", "--duty", "0.5" },
    { "%-%-cpu 9999: not a processor that may be used; choose", "timers", "--cpu", "9999" },
    { "%-%-cpu %(nothing%): not a processor", "timers", "--cpu" },
    { "%-%-other x: not a processor", "timers", "--other", "x" },
    { "%-%-other %d+ is the disturbed processor", "timers", "--cpu", tostring(cpu), "--other", tostring(cpu) },
  }
  for _, case in ipairs(wrong) do
    it("refuses: " .. table.concat(case, " ", 2), function()
      local result = run(table.unpack(case, 2))
      assert.equal(2, result.status)
      assert.equal("", result.out)
      assert.matches("^storm: " .. case[1] .. "[^\n]*\n$", result.err)
    end)
  end

  it("explains itself", function()
    local result = run "--help"
    assert.equal(0, result.status)
    for _, kind in ipairs(storm.kinds) do assert.matches("\n  " .. kind.arguments[1] .. " ", result.out) end
  end)
end)

describe("on the processor it disturbs,", function()
  local function disturbs(kind, processor, arguments)
    local blowing = assert(storm.start(kind, cpu, { seconds = 20, arguments = arguments }))
    uv.sleep(700)
    local switches, time = activity(blowing.pid, processor)
    blowing:stop()
    assert.is_true(time >= 1 or switches >= 50, ("%d switches, %d ticks"):format(switches, time))
  end

  for name, arguments in pairs { timers = {}, urgent = {}, vector = {}, slow = {}, all = {}, neighbour = { "--longest", "5000" } } do
    it(name .. " runs threads", function() disturbs(name, cpu, arguments) end)
  end

  it("memory runs none, but on another", function()
    if alone then pending "it needs two processors" return end
    disturbs("memory", processors[1])
  end)

  it("stalls interrupts", function()
    local before = timer_interrupts(cpu)
    if not before then pending "/proc/interrupts does not count timers here" return end
    assert(storm.during("stalls", cpu, function() uv.sleep(700) return true end))
    assert.is_true(timer_interrupts(cpu) - before > 2000)
  end)

  it("few windows of 100,000 cycles are spared", function()
    local blowing = assert(storm.start("timers", cpu, { seconds = 20, arguments = { "--strength", "4" } }))
    local watched = storm.watch(cpu, 0.5)
    blowing:stop()
    if blowing.err.text:find "not permitted" then pending(blowing.err.text) return end
    assert.is_true(watched.running[100000] < 0.5, watched.text)
  end)
end)

describe("the watch", function()
  it("tells shares", function()
    local watched = storm.watch(cpu, 0.2)
    for _, cycles in ipairs { 2000, 4000, 8000, 16000, 32000, 64000, 100000 } do
      local clean, running = watched.clean[cycles], watched.running[cycles]
      assert.is_true(clean >= 0 and clean <= running and running <= 1, watched.text)
    end
  end)
end)

describe("during a storm", function()
  it("a function returns what it returns", function()
    assert.same({ 1, "two" }, { storm.during("timers", cpu, function() return 1, "two" end) })
  end)

  it("a function may fail, and the storm ends", function()
    local blowing
    local start = storm.start
    finally(function() storm.start = start end)
    storm.start = function(...)
      blowing = start(...)
      return blowing
    end
    assert.has_error(function() storm.during("timers", cpu, function() error("enough", 0) end) end, "enough")
    assert.is_true(has_ended(blowing.pid))
  end)

  it("what cannot be started is told", function()
    local nothing, message, status = storm.during("timers", 9999, error)
    assert.same({ n = 3, nil, "storm: --cpu 9999: not a processor that may be used; choose one of Cpus_allowed_list in /proc/self/status", 2 },
      table.pack(nothing, message, status))
  end)
end)
