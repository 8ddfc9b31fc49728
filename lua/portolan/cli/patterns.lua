--- `portolan patterns`: which schemes of a mapping follow from their other forms, and which are odd (dissertation section 6.3.5).
-- @module portolan.cli.patterns
local choose = require "portolan.cli.choose"
local json = require "portolan.support.json"
local must = require("portolan.support.failure").check
local patterns = require "portolan.patterns"
local show = require "portolan.report.patterns_text"

local command = { summary = "which forms of a mapping follow from their register and 128-bit forms, and which are odd" }

function command.configure(parser)
  parser:description("Compares each scheme that works on memory with its register form, and each of 256 or 512 bits with that of half the width. "
    .. "Regular is what has the same uops and beside them loads and stores, or the same uops or twice as many; the rest is odd.")
  parser:argument("mapping", "mapping file, or the name of a model (docs/predictors.md)"):argname("MAPPING"):args("?"):default(choose.default)
  parser:flag("--full", "all rules, and everything that is odd")
  parser:flag("--json", "print JSON")
end

-- Lists that may be empty are lists nevertheless.
local function plain(result)
  for _, kind in ipairs(result.kinds) do json.array(kind.rules); json.array(kind.odd) end
  json.array(result.kinds); json.array(result.loads); json.array(result.stores)
  return result
end

function command.run(args, context)
  local m = must(choose.mapping(args.mapping))
  local result = patterns.of(m)
  if context.json then context.write_json(plain(result)) else show(result, context, args.full) end
  return 0
end

return command
