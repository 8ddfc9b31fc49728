--- `portolan infer STRATEGY`: a port mapping from measurements. One file of `portolan/cli/infer/` per strategy.
-- @module portolan.cli.infer
local command = { summary = "infer a port mapping from experiments, by a strategy of your choice", interruptible = true }

local strategies = { "cegis", "chart", "pmevo", "uops-info" }
local former_names = { chart = "explain" }

local function load_strategy(name) return require("portolan.cli.infer." .. name:gsub("-", "_")) end

function command.configure(parser)
  parser:description("Infers a port mapping from experiments on this machine, on a simulated processor, or from recorded ones. "
    .. "'portolan infer STRATEGY --help' explains the options of one strategy.")
  parser:require_command(true):command_target "strategy"
  for _, name in ipairs(strategies) do
    local strategy = load_strategy(name)
    local sub = parser:command(former_names[name] and name .. " " .. former_names[name] or name, strategy.summary)
    sub:usage_max_width(100):help_max_width(100):help_description_margin(30)
    strategy.configure(sub)
  end
end

function command.run(args, context) return load_strategy(args.strategy).run(args, context) end

return command
