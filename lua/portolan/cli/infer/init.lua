--- `portolan infer STRATEGY`: a port mapping from measurements.
--
-- A file of `portolan/cli/infer/` is a strategy if it returns `{ summary =, configure = function(parser), run = function(args, context) }`; `former`
-- may be another name of it. The other files there are what strategies share.
-- @module portolan.cli.infer
local failure = require "portolan.support.failure"
local own = require "portolan.cli.infer.own"
local own_file = require "portolan.support.own_file"

local command = { summary = "infer a port mapping from experiments, by a strategy of your choice", interruptible = true }

-- Portolan's strategies: their names, sorted; name, or former name, -> strategy.
local function load_strategies()
  local names, known = {}, {}
  for name, module in pairs(own_file.modules "strategies") do
    local strategy = require(module)
    if type(strategy) == "table" and strategy.summary and strategy.configure and strategy.run then
      names[#names + 1], known[name] = name, strategy
      if strategy.former then known[strategy.former] = strategy end
    end
  end
  table.sort(names)
  return names, known
end

local strategies, ours = load_strategies()

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
  parser:description("Infers a port mapping from experiments on this machine, on a simulated processor, or from recorded ones. "
    .. "'portolan infer STRATEGY --help' explains the options of one strategy. A strategy of your own is a Lua file (docs/extending.md)"
    .. own_file.listed "strategies" .. ".")
  parser:require_command(true):command_target "strategy"
  for _, name in ipairs(strategies) do
    local strategy = ours[name]
    local sub = parser:command(strategy.former and name .. " " .. strategy.former or name, strategy.summary)
    sub:usage_max_width(100):help_max_width(100):help_description_margin(30)
    strategy.configure(sub)
  end
  add_theirs(parser, arguments)
end

function command.run(args, context) return (theirs[args.strategy] or ours[args.strategy]).run(args, context) end

return command
