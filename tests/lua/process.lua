-- For tests: runs programs, with time limits; and a directory of its own for each test.
local uv = require "luv"

local process = {}

-- How many times longer programs may take than on this machine itself: in an emulator (tests/emulated.cmake).
process.slowness = tonumber(os.getenv "PORTOLAN_SLOWNESS") or 1
process.emulated = process.slowness > 1

local function collect(pipe)
  local parts = {}
  uv.read_start(pipe, function(_, chunk)
    if chunk then parts[#parts + 1] = chunk else pipe:close() end
  end)
  return parts
end

-- The environment for a child, as a list. Without LD_PRELOAD: under a sanitizer this very process needs its runtime, shells do
-- not; scripts/portolan puts it back for the engine's sake.
function process.environment(changes)
  local env, list = uv.os_environ(), {}
  env.LD_PRELOAD = nil
  for name, value in pairs(changes or {}) do env[name] = value or nil end
  for name, value in pairs(env) do list[#list + 1] = name .. "=" .. value end
  return list
end

-- Runs options.args[1] with the others as arguments. options: input (string, else no standard input), env (table of
-- changes, false unsets), cwd, seconds (limit, 60). Returns { status =, signal =, out =, err = }.
function process.run(options)
  local args = options.args
  local input, out, err = uv.new_pipe(false), uv.new_pipe(false), uv.new_pipe(false)
  local result = {}
  local handle, pid = uv.spawn(args[1], {
    args = { table.unpack(args, 2) }, stdio = { input, out, err }, env = process.environment(options.env), cwd = options.cwd,
  }, function(status, signal) result.status, result.signal = status, signal end)
  assert(handle, pid)
  local out_parts, err_parts = collect(out), collect(err)
  if options.input then uv.write(input, options.input) end
  uv.shutdown(input, function() if not input:is_closing() then input:close() end end)
  local limit = uv.new_timer()
  uv.update_time() -- the loop's clock stood still since its last run
  limit:start((options.seconds or 60) * 1000 * process.slowness, 0, function() uv.process_kill(handle, 9) end)
  while not (result.status and out:is_closing() and err:is_closing()) do uv.run("once") end
  limit:close()
  handle:close()
  uv.run("nowait")
  result.out, result.err = table.concat(out_parts), table.concat(err_parts)
  return result
end

-- Starts a program, lets it run for some milliseconds (as fast as it is on this machine itself), kills it with SIGKILL and waits for its end.
function process.run_and_kill(args, milliseconds)
  local ended
  local handle, pid = uv.spawn(args[1], { args = { table.unpack(args, 2) }, env = process.environment() },
    function(_, signal) ended = signal end)
  assert(handle, pid)
  local timer = uv.new_timer()
  uv.update_time()
  timer:start(milliseconds * process.slowness, 0, function() uv.process_kill(handle, 9) end)
  while not ended do uv.run("once") end
  timer:close()
  handle:close()
  uv.run("nowait")
  return ended
end

-- Calls f with a fresh directory; removes it afterwards.
function process.in_directory(f)
  local directory = assert(uv.fs_mkdtemp("/tmp/portolan-test-XXXXXX"))
  local ok, message = xpcall(f, debug.traceback, directory)
  os.execute("rm -rf '" .. directory .. "'")
  if not ok then error(message, 0) end
end

-- The names in a directory, sorted; none if there is no such one.
function process.names(directory)
  local list, scan = {}, uv.fs_scandir(directory)
  for name in function() return scan and uv.fs_scandir_next(scan) end do list[#list + 1] = name end
  table.sort(list)
  return list
end

-- The front end of this source tree with this build.
process.portolan = os.getenv("PORTOLAN_SOURCE") .. "/scripts/portolan"

return process
