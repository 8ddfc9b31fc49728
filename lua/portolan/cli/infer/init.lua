--- `portolan infer STRATEGY`: a port mapping from measurements. One file of `portolan/cli/infer/` per strategy.
-- @module portolan.cli.infer
local failure = require "portolan.support.failure"
local own = require "portolan.cli.infer.own"
local own_file = require "portolan.support.own_file"

local command = { summary = "infer a port mapping from experiments, by a strategy of your choice", interruptible = true }

local strategies = { "cegis", "chart", "palmed", "pmevo", "uops-info" }
local former_names = { chart = "explain" }

local ours = { explain = true }
for _, name in ipairs(strategies) do ours[name] = true end

local function load_strategy(name) return require("portolan.cli.infer." .. name:gsub("-", "_")) end

-- The user's own strategies, by the names that they have on this command line.
local theirs = {}

-- Adds the strategy that the first argument names, if it is no word of ours: a file, or a name in the user's folders.
local function add_theirs(parser, arguments)
  local at = 1
  while (arguments[at] or ""):find "^%-%-debug$" do at = at + 1 end
  local name = arguments[at]
  local path = name and name:sub(1, 1) ~= "-" and not ours[name] and own_file.find("strategies", name)
  if not path then return end
  name = name:gsub("%s", "_") -- a command's name is one word
  arguments[at] = name
  theirs[name] = failure.check(own.strategy(path))
  local sub = parser:command(name, theirs[name].summary)
  sub:usage_max_width(100):help_max_width(100):help_description_margin(30)
  theirs[name].configure(sub)
end

function command.configure(parser, arguments)
  local found = own_file.names "strategies"
  parser:description("Infers a port mapping from experiments on this machine, on a simulated processor, or from recorded ones. "
    .. "'portolan infer STRATEGY --help' explains the options of one strategy. A strategy of your own is a Lua file (docs/extending.md)"
    .. (#found > 0 and "; there are: " .. table.concat(found, ", ") or "") .. ".")
  parser:require_command(true):command_target "strategy"
  for _, name in ipairs(strategies) do
    local strategy = load_strategy(name)
    local sub = parser:command(former_names[name] and name .. " " .. former_names[name] or name, strategy.summary)
    sub:usage_max_width(100):help_max_width(100):help_description_margin(30)
    strategy.configure(sub)
  end
  add_theirs(parser, arguments)
end

function command.run(args, context) return (theirs[args.strategy] or load_strategy(args.strategy)).run(args, context) end

return command
