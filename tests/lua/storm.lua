-- For tests and benchmarks: storms on demand, noise on one processor that starts and ends when told (tests/storm).
local process = require "process"
local uv = require "luv"

local storm = {}

storm.program = os.getenv "PORTOLAN_BUILD" .. "/bench/storm"

-- The standard storms. Of all but neighbour, vector and memory some 5% of windows of 100,000 cycles are spared, on a Cascade Lake in a
-- virtual machine; tests/bench/storm.lua tells what it is here.
storm.kinds = {
  { name = "timers", arguments = { "timers" }, says = "timers and signals wake up ahead of what runs" },
  { name = "stalls", arguments = { "stalls" }, says = "interrupts with no work to do" },
  { name = "neighbour", arguments = { "neighbour" }, says = "a neighbour comes and goes, for microseconds to a second" },
  { name = "urgent", arguments = { "neighbour", "--longest", "70" }, says = "a neighbour that does not wait for its time slice" },
  { name = "vector", arguments = { "vector" }, says = "wide vectors change the frequency" },
  { name = "slow", arguments = { "vector", "--rate", "45000", "--work", "5" }, says = "wide vectors interrupt, and keep the frequency low" },
  { name = "memory", arguments = { "memory" }, says = "another processor takes caches and memory" },
  { name = "all", arguments = { "all", "--strength", "0.4" }, says = "everything at once" },
}
for _, kind in ipairs(storm.kinds) do storm.kinds[kind.name] = kind end

local function read(pipe, into)
  uv.read_start(pipe, function(_, chunk)
    if chunk then into.text = into.text .. chunk else pipe:close() end
  end)
end

local Storm = {}
Storm.__index = Storm

-- Starts a storm and returns it when it blows; or nil and a message. It ends after options.seconds (60), with this process,
-- or by stop(). kind: a name or an entry of storm.kinds. options.arguments: more of the program's, to turn dials.
function storm.start(kind, cpu, options)
  options = options or {}
  kind = storm.kinds[kind] or kind
  local args = { table.unpack(kind.arguments) }
  for _, argument in ipairs { "--cpu", tostring(cpu), "--seconds", tostring(options.seconds or 60) } do args[#args + 1] = argument end
  for _, argument in ipairs(options.arguments or {}) do args[#args + 1] = argument end
  local self = setmetatable({ out = { text = "" }, err = { text = "" } }, Storm)
  local out, err = uv.new_pipe(false), uv.new_pipe(false)
  self.handle, self.pid = uv.spawn(storm.program, { args = args, stdio = { nil, out, err }, env = process.environment() },
    function(status, signal) self.status, self.signal = status, signal end)
  if not self.handle then return nil, storm.program .. ": " .. tostring(self.pid) .. "; build it first" end
  read(out, self.out)
  read(err, self.err)
  self.pipes = { out, err }
  while not self.out.text:find "\n" and not (self.status and out:is_closing() and err:is_closing()) do uv.run "once" end
  if self.out.text:find "\n" then return self end
  self:stop()
  return nil, (self.err.text:gsub("\n$", "")), self.status
end

-- Ends it, waits for that, and returns its exit status and the signal that ended it (0: none).
function Storm:stop()
  if not self.status then self.handle:kill "sigterm" end
  return self:wait()
end

-- Waits until it has ended by itself.
function Storm:wait()
  while not (self.status and self.pipes[1]:is_closing() and self.pipes[2]:is_closing()) do uv.run "once" end
  if not self.handle:is_closing() then self.handle:close() end
  uv.run "nowait"
  return self.status, self.signal
end

-- Calls f while a storm blows on a processor, and returns what f does; or nil, a message and the program's exit status, if there is no
-- storm to be had.
function storm.during(kind, cpu, f, options)
  local s, message, status = storm.start(kind, cpu, options)
  if not s then return nil, message, status end
  local result = table.pack(pcall(f))
  s:stop()
  if not result[1] then error(result[2], 0) end
  return table.unpack(result, 2, result.n)
end

-- What a pinned program notices of a processor's weather in so many seconds: shares of windows of so many cycles that were clean
-- (one speed, no stall, no busy sibling), and of those without a stall: { clean = { [cycles] = share }, running = likewise, text = }.
function storm.watch(cpu, seconds)
  local result = process.run { args = { storm.program, "watch", "--cpu", tostring(cpu), "--seconds", tostring(seconds) } }
  local text = result.out
  assert(result.status == 0, result.err)
  local clean, running = {}, {}
  for cycles, share, unstalled in text:gmatch "(%d+) cycles: (%S+) clean, (%S+) without a stall" do
    clean[math.tointeger(cycles)], running[math.tointeger(cycles)] = tonumber(share), tonumber(unstalled)
  end
  return { clean = clean, running = running, text = text }
end

return storm
