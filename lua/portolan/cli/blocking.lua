--- `--blocking` of `portolan chart` and `portolan infer chart`: schemes that are to represent their classes, and what became of them.
-- @module portolan.cli.blocking
local file = require "portolan.support.file"
local lists = require "portolan.support.lists"
local printable = require "portolan.support.printable"
local scheme_options = require "portolan.cli.scheme_options"

local blocking = {}

--- Declares the option.
-- @param parser an argparse parser
function blocking.configure(parser)
  parser:option("--blocking", "a scheme that is to represent all that have its ports, and to block these, or a file of such schemes, one a line; "
    .. "what is unfit is not used, and the output says why"):argname("SCHEME|FILE"):count("*")
end

--- The schemes that the words of the option name, each once.
-- @param words list
-- @return list, nil if there is no word; or nil and a message
function blocking.names(words)
  if #words == 0 then return nil end
  local list = {}
  for _, word in ipairs(words) do
    local names, message = { word }, nil
    if file.kind(word) then names, message = scheme_options.file(word) end
    if not names then return nil, "--blocking: " .. message end
    table.move(names, 1, #names, #list + 1, list)
  end
  return lists.distinct(list)
end

--- Is every one of these among the schemes that are charted?
-- @param names list, or nil
-- @param set list of `{ schemes = }`
-- @return true; or nil and a message
function blocking.check(names, set)
  local known = {}
  for _, group in ipairs(set) do
    for _, name in ipairs(group.schemes) do known[name] = true end
  end
  for _, name in ipairs(names or {}) do
    if not known[name] then return nil, ("--blocking: '%s' is not one of the schemes to chart"):format(name) end
  end
  return true
end

--- Says what became of them.
-- @param verdicts `chart.blocking`, or nil
-- @param context of the command
function blocking.show(verdicts, context)
  if not verdicts then return end
  context.out("\nblocking instructions that were chosen by hand:\n")
  for _, v in ipairs(verdicts) do
    local words = v.used and (v.improper and "used, improper: a store, which blocks by one of its uops" or "used") or "not used: " .. v.why
    context.out("  %s: %s\n", printable(v.scheme), printable(words))
  end
end

return blocking
