-- portolan repl: a Lua prompt with the library loaded; also runs scripts and pieces of code with it.
local portolan = require "portolan"
local paths = require "portolan.support.paths"
local show = require "portolan.support.show"
local terminal = require "portolan.support.terminal"

local repl = { summary = "a Lua prompt with Portolan loaded; runs Lua scripts with it" }

function repl.configure(parser)
  parser:description("A Lua 5.4 prompt with the library loaded as `portolan`. An expression is evaluated and shown; a statement "
    .. "that is not complete goes on in the next line. Ctrl-C ends an evaluation, Ctrl-D the prompt. Lines may come from a pipe.")
  parser:argument("script", "A Lua script to run instead; it finds its arguments in `...` and `arg`."):args("?")
  parser:argument("args", "Arguments of the script (those that start with a dash after `--`)."):args("*")
  parser:option("-e", "Evaluate this code instead. May be given several times."):argname("CODE"):count("*"):target("execute")
end

-- A chunk that starts on a given line: function; or nil, message, whether more lines could complete it.
local function compile(code, name, line)
  local above = ("\n"):rep((line or 1) - 1)
  local f, as_expression = load(above .. "return " .. code:gsub("^%s*=", "", 1), name, "t")
  if f then return f end
  local as_statement
  f, as_statement = load(above .. code, name, "t")
  if f then return f end
  if as_statement:find("<eof>$") then return nil, as_statement, true end
  local incomplete = as_expression:find("<eof>$") ~= nil
  return nil, incomplete and as_expression or as_statement, incomplete
end

local library = "@" .. paths.project "lua/portolan/"

-- Calls f so that Ctrl-C ends it even where Lua code loops: true, results...; or false, message. The library is left to end by itself: it returns
-- what it has, and code that called it can make something of that.
local function evaluate(f, ...)
  local base = portolan.base
  base.catch_interrupts()
  local trace
  local results
  local arguments = table.pack(...)
  local done, trouble = base.interruptible(function()
    results = table.pack(xpcall(f, function(message)
      if type(message) ~= "string" then message = show(message) end
      trace = debug.traceback(message, 2)
      return message
    end, table.unpack(arguments, 1, arguments.n)))
  end, library)
  if not done then return false, trouble, trace end
  if results[1] then return table.unpack(results, 1, results.n) end
  return false, results[2], trace
end

local function show_results(context, first, ...)
  local n = select("#", ...)
  if n == 0 then return end
  local parts, width = {}, terminal.width(io.stdout)
  for i = 1, n do parts[i] = show((select(i, ...)), width) end
  if n == 1 and parts[1] == "nil" then return end
  context.out(table.concat(parts, "  ") .. "\n")
  return first
end

-- Evaluates code and shows what comes back: true; or nil, message.
local function run_code(context, args, code, name, line)
  local f, message = compile(code, name, line)
  if not f then return nil, message end
  local results = table.pack(evaluate(f))
  if results[1] then
    show_results(context, table.unpack(results, 1, results.n))
    return true
  end
  return nil, args.debug and results[3] or results[2]
end

local function report(message, one_line)
  io.stdout:flush()
  local say = one_line and terminal.say or terminal.say_lines
  say(message)
end

local function interactive(context, args)
  local base = portolan.base
  local prompt = require("portolan.support.prompt").new(paths.state("repl_history"))
  context.out(("Portolan %s, %s. The library is `portolan`. Ctrl-D ends.\n"):format(portolan.version, _VERSION))
  local pending
  while true do
    base.catch_interrupts()
    local line, state = prompt:read(pending and ">> " or "> ")
    if state == "interrupted" then
      pending = nil
    elseif not line then
      return state == "terminated" and 143 or 0
    else
      prompt:remember(line)
      pending = pending and pending .. "\n" .. line or line
      local _, _, incomplete = compile(pending, "=stdin")
      if not incomplete or line == "" then
        local ok, message = run_code(context, args, pending, "=stdin")
        if not ok then report(message, not args.debug) end
        pending = nil
      end
    end
    base.set_interrupted(false)
    io.stdout:flush()
  end
end

-- Evaluates the lines of a pipe as if they were typed. It goes on after errors, and the exit status tells of them.
local function piped(context, args)
  local base, status, pending, start, number = portolan.base, 0, nil, 1, 0
  local function finish()
    local ok, message = run_code(context, args, pending, "=stdin", start)
    pending = nil
    if ok then return end
    status = 1
    report(message, not args.debug)
  end
  for line in io.lines() do
    number = number + 1
    if not pending then start = number end
    pending = pending and pending .. "\n" .. line or line
    local _, _, incomplete = compile(pending, "=stdin")
    if not incomplete then finish() end
    if base.interrupted() then return 130 end
  end
  if pending then finish() end
  return status
end

--- Runs a script, as `portolan run` does, too.
-- @param args `script`, `args`, `debug`
-- @return exit status; or nil, message, status
function repl.run_script(args)
  local f, message = loadfile(args.script, "t")
  if not f then return nil, message end
  _G.portolan = portolan
  _G.arg = { [0] = args.script, table.unpack(args.args) }
  local ok, trouble, trace = evaluate(f, table.unpack(args.args))
  if portolan.base.interrupted() then return nil, "interrupted", 130 end -- whatever became of the error on its way
  if ok then return 0 end
  if args.debug then terminal.say_lines(trace) end
  return nil, trouble, 1
end

function repl.run(args, context)
  _G.portolan = portolan
  if args.script and args.script ~= "-" then return repl.run_script(args) end
  for _, code in ipairs(args.execute) do
    local ok, message = run_code(context, args, code, "=(-e)")
    if not ok and portolan.base.interrupted() then return nil, "interrupted", 130 end
    if not ok then return nil, message, 1 end
  end
  if #args.execute > 0 then return 0 end
  if args.script ~= "-" and terminal.is(io.stdin) then return interactive(context, args) end
  return piped(context, args)
end

return repl
