--- `portolan run`: runs a Lua script with Portolan loaded.
-- @module portolan.cli.run
local file = require "portolan.support.file"
local own_file = require "portolan.support.own_file"
local repl = require "portolan.cli.repl"

local run = { summary = "runs a Lua script with Portolan loaded: campaigns, studies" }

function run.configure(parser)
  parser:description("Runs a Lua 5.4 script with the library loaded as the global `portolan`. Ctrl-C ends it" .. own_file.listed "campaigns" .. ".")
  parser:argument("script", "The script, or the name of one in a folder campaigns; it finds its arguments in `...` and `arg`."):argname("FILE")
  parser:argument("args", "Arguments of the script (those that start with a dash after `--`)."):args("*")
end

function run.run(args)
  local path = own_file.find("campaigns", args.script) or args.script
  if not file.kind(path) then return nil, ("cannot read %s: there is no such file%s"):format(path, own_file.listed "campaigns") end
  args.script = path
  return repl.run_script(args)
end

return run
