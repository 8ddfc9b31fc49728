--- The command line: finds the subcommand, parses its arguments, runs it, and turns what comes back into an exit status.
--
-- A subcommand is a module `portolan.cli.NAME`:
--
--    return {
--      summary = "one line for the list",
--      configure = function(parser, arguments) ... end,  -- an argparse parser; what it is going to parse
--      run = function(args, context) ... end,      -- -> exit status (none: 0), or nil, message[, status (portolan.support.failure)]
--      interruptible = true,                       -- Ctrl-C sets core.base.interrupted() instead of ending the process
--    }
--
-- What nobody between a function and the command line can do anything about may be thrown in the place of nil, message, status
-- (portolan.support.failure).
--
-- `context.out(format, ...)` writes to standard output (without arguments after the format: the text as it is),
-- `context.json` is the value of `--json` if the subcommand has that option, `context.write_json(value)` writes a value as JSON to
-- standard output, `context.color` and `context.color_err` say whether standard output and error take colours,
-- `context.style(text, name)` colours text for standard output.
--
-- Exit status: 0; 1 for failures; 2 for what the user can mend; 130 if interrupted (after results were written), 143 if that was by SIGTERM; 141
-- if the reader of the output went away.
-- @module portolan.cli
local architectures = require "portolan.support.architectures"
local argparse = require "argparse"
local distance = require "portolan.support.distance"
local failure = require "portolan.support.failure"
local json = require "portolan.support.json"
local lists = require "portolan.support.lists"
local printable = require "portolan.support.printable"
local terminal = require "portolan.support.terminal"
require "portolan" -- for the mappings that are made on demand

local cli = {}

--- The subcommands, in the order of `--help`.
cli.commands = { "doctor", "loop", "isa", "bench", "sample", "measure", "chart", "explain", "recheck", "patterns", "report", "infer", "verify",
  "predict", "eval", "compare", "disagree", "campaign", "generalize", "cover", "domain", "export", "merge", "run", "repl" }

local known = lists.set(cli.commands)
local pause = 300 -- percent of what is in use, to which memory grows before it is collected: a chart takes a quarter less time, and more memory

local say, one_line = terminal.say, printable.line

-- Thrown by context.out when nobody can read any more.
local output_lost = setmetatable({}, { __tostring = function() return "output lost" end })

local function check_output(ok, message)
  if ok then return end
  if not tostring(message):find("Broken pipe", 1, true) then output_lost.reason = message end
  error(output_lost, 0)
end

local function out(format, ...)
  local text = select("#", ...) > 0 and string.format(format, ...) or format
  local ok, message = io.stdout:write(terminal.harmless(text))
  check_output(ok, message)
end

local function write_json(value) out("%s", json.shown(value)) end

-- The subcommand's module; nil if there is none.
local function load_command(name)
  if not known[name] then return nil end
  local module = "portolan.cli." .. name
  if not package.searchpath(module, package.path) then return nil end
  return require(module)
end

-- The known name that was probably meant, or nil.
local function nearest(name)
  local best, best_distance
  for _, command in ipairs(cli.commands) do
    local d = command:sub(1, #name) == name and 0 or distance(name, command)
    if not best_distance or d < best_distance then best, best_distance = command, d end
  end
  return best_distance <= math.max(1, #name // 3) and best or nil
end

local function version()
  local ok, core = pcall(require, "portolan.core")
  return ok and core.version or "(not built)"
end

local function help()
  local lines = {
    "portolan: charts the execution ports of processors.", "",
    "Usage: portolan COMMAND [ARGUMENT ...]", "       portolan COMMAND --help", "", "Commands:",
  }
  for _, name in ipairs(cli.commands) do
    local ok, command = pcall(load_command, name)
    if ok and command then lines[#lines + 1] = ("   %-10s %s"):format(name, command.summary) end
  end
  for _, line in ipairs {
    "", "Options:", "   -h, --help   Show this help.", "   --version    Show the version.",
    "   --debug      With an internal error, show where in the program it happened.", "",
    "Exit status: 0 done, 1 failure, 2 wrong usage or input, 130 interrupted (results so far are written),",
    "143 the same by SIGTERM.",
  } do
    lines[#lines + 1] = line
  end
  return table.concat(lines, "\n") .. "\n"
end

-- Options before the subcommand: options, rest of the arguments; or nil, message.
local function global_options(arguments)
  local options = {}
  for i, argument in ipairs(arguments) do
    if argument == "--debug" then
      options.debug = true
    elseif argument == "-h" or argument == "--help" then
      options.help = true
    elseif argument == "--version" then
      options.version = true
    elseif argument:sub(1, 1) == "-" then
      return nil, ("unknown option '%s'; see portolan --help"):format(argument)
    else
      return options, table.move(arguments, i, #arguments, 1, {})
    end
  end
  return options, {}
end

--- Makes the parser of a subcommand.
-- @param name of the subcommand
-- @param arguments that it is going to parse: a name of the user's own may become part of it
-- @return parser of argparse; nil if there is no such subcommand
function cli.parser(name, arguments)
  local command = load_command(name)
  if not command then return nil end
  local parser = argparse("portolan " .. name, command.description or command.summary)
  parser:usage_max_width(100):help_max_width(100):help_description_margin(30)
  if command.configure then command.configure(parser, arguments) end
  parser:flag("--debug", "With an internal error, show where in the program it happened.")
  return parser
end

local function make_context(args)
  local color = terminal.color(io.stdout)
  return {
    out = out, write_json = write_json, json = args.json, color = color, color_err = terminal.color(io.stderr),
    style = function(text, style) return terminal.style(text, style, color) end,
  }
end

-- Joins negative numbers to the options before them, as argparse takes them for options: `--seed -1` becomes `--seed=-1`.
local function joined(arguments)
  local list = {}
  for i, word in ipairs(arguments) do
    if word == "--" then return table.move(arguments, i, #arguments, #list + 1, list) end
    if word:find("^%-%.?%d") and (list[#list] or ""):find("^%-%-[%w-]+$") then
      list[#list] = list[#list] .. "=" .. word
    else
      list[#list + 1] = word
    end
  end
  return list
end

--- Parses arguments.
-- @param parser of `cli.parser`
-- @param arguments list of strings
-- @return true, the arguments as a table; or false and a message
function cli.parse(parser, arguments)
  local ok, args = parser:pparse(arguments)
  if ok or not args:find("^unknown option '%-[.%d]") then return ok, args end
  local again, others = parser:pparse(joined(arguments))
  if again then return again, others end
  local fault = others:find("does not take arguments", 1, true) and args or others
  return false, (fault:gsub("\nDid you mean.*", "")) -- a number was not meant for an option
end

local function interrupted()
  local core = package.loaded["portolan.core"]
  return core and core.base.interrupted() and core.base.interrupt_status()
end

-- Runs f; what it throws becomes an exit status. lua5.4 itself throws "interrupted!" on Ctrl-C.
local function guarded(prefix, options, f)
  local trace
  local result = table.pack(xpcall(f, function(trouble)
    trace = debug.traceback(tostring(trouble), 2)
    return trouble
  end))
  if result[1] then return table.unpack(result, 2, result.n) end
  local trouble = result[2]
  if trouble == output_lost then
    if not trouble.reason then return 141 end
    say(("portolan: cannot write to standard output: %s"):format(trouble.reason))
    return 1
  end
  if tostring(trouble):find("interrupted!$") then
    say(prefix .. ": interrupted")
    return 130
  end
  if failure.is(trouble) then
    say(("%s: %s"):format(prefix, one_line(trouble.message)))
    return failure.exit_status(trouble.status, trouble.message)
  end
  local first = tostring(trouble):gsub("\nstack traceback:.*", "")
  if failure.no_memory(first) then
    say(prefix .. ": out of memory; give it more (ulimit -v), or ask for less")
  elseif options.debug then
    terminal.say_lines(("%s: internal error: %s"):format(prefix, trace or first))
  else
    say(("%s: internal error: %s; --debug shows where"):format(prefix, first))
  end
  return 1
end

local function finish_output(status)
  local ok, message = io.stdout:flush()
  if ok then return status end
  if tostring(message):find("Broken pipe", 1, true) then return status == 0 and 141 or status end
  say(("portolan: cannot write to standard output: %s"):format(message))
  return status == 0 and 1 or status
end

local function run_command(name, command, arguments, options)
  local prefix = "portolan " .. name
  return guarded(prefix, options, function()
    local ok, args = cli.parse(cli.parser(name, arguments), arguments)
    if not ok then
      say(("%s: %s; see %s --help"):format(prefix, one_line(args), prefix))
      return 2
    end
    options.debug = options.debug or args.debug
    if command.interruptible then require("portolan.core").base.catch_interrupts() end
    local status, message, message_status = command.run(args, make_context(args))
    if status == nil and message ~= nil then
      say(("%s: %s"):format(prefix, one_line(message)))
      return failure.exit_status(message_status, tostring(message))
    end
    if interrupted() then return 130 end
    return math.type(status) == "integer" and status or status == false and 1 or 0
  end)
end

local function dispatch(arguments)
  local options, rest = global_options(arguments)
  if not options then
    say("portolan: " .. rest)
    return 2
  elseif options.help then
    return guarded("portolan", options, function() out(help()) return 0 end)
  elseif options.version then
    return guarded("portolan", options, function() out("portolan %s\n", version()) return 0 end)
  end
  local name = rest[1]
  if not name then
    say("portolan: which command? (" .. table.concat(cli.commands, ", ") .. "); see portolan --help")
    return 2
  end
  local command
  local status = guarded("portolan " .. name, options, function()
    failure.check(architectures.check_environment())
    command = load_command(name)
  end)
  if status then return status end
  if not command then
    local meant = nearest(name)
    local mend = meant and meant ~= name and ("did you mean '%s'?"):format(meant) or "see portolan --help"
    say(("portolan: unknown command '%s'; %s"):format(one_line(name), mend))
    return 2
  end
  return run_command(name, command, table.move(rest, 2, #rest, 1, {}), options)
end

--- Runs a command line.
-- @param arguments list of strings, without the program's name
-- @return exit status
function cli.main(arguments)
  collectgarbage("incremental", pause) -- charts make many tables that live shortly
  local status = dispatch(arguments)
  return finish_output(status == 130 and interrupted() or status) -- 130 wherever it is made, whatever the signal was
end

return cli
