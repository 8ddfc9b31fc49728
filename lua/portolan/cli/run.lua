--- `portolan run`: runs a Lua script with Portolan loaded.
-- @module portolan.cli.run
local repl = require "portolan.cli.repl"

local run = { summary = "runs a Lua script with Portolan loaded: campaigns, studies" }

function run.configure(parser)
  parser:description("Runs a Lua 5.4 script with the library loaded as the global `portolan`. Ctrl-C ends it.")
  parser:argument("script", "The script; it finds its arguments in `...` and `arg`."):argname("FILE")
  parser:argument("args", "Arguments of the script (those that start with a dash after `--`)."):args("*")
end

run.run = repl.run_script

return run
