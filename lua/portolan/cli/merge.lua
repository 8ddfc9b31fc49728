--- `portolan merge`: one mapping out of several of the same processor.
-- @module portolan.cli.merge
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local mapping_union = require "portolan.mapping.union"
local must = require("portolan.support.failure").check
local plural = require "portolan.support.plural"
local printable = require "portolan.support.printable"

local command = { summary = "join mappings of one processor: sets that were charted apart" }

function command.configure(parser)
  parser:description("Joins mappings of one processor, each of which explains schemes that the others do not: of sets that have to be charted "
    .. "apart, such as AVX and legacy SSE. Ports are matched by the schemes that both explain. The first mapping's names, limits and usages count.")
  parser:argument("mapping", "mapping files, two or more"):args("2+")
  parser:option("--out", "file to write"):argname("OUT.json")
  parser:flag("--bare", "leave out witnesses and notes: a fifth of the size, for whoever only predicts")
end

-- Without what says why it is so.
local function bare(m)
  m.schemes = lists.copy(m.schemes)
  for name, scheme in pairs(m.schemes) do
    local copy = lists.copy(scheme)
    copy.witnesses, copy.note = nil, nil
    copy.latencies = copy.latencies and lists.map(copy.latencies, function(latency)
      local plain = lists.copy(latency)
      plain.witnesses, plain.as = nil, nil
      return plain
    end)
    m.schemes[name] = copy
  end
  return m
end

local function listed(names)
  local shown = table.concat(names, ", ", 1, math.min(3, #names))
  return printable(#names > 3 and ("%s and %d more"):format(shown, #names - 3) or shown)
end

local function tell(context, path, note)
  context.out("%s: %s added; %d in common\n", printable(path), plural(note.added, "scheme"), note.common)
  if #note.differing > 0 then context.out("  differing, so the first mapping's usage counts: %s\n", listed(note.differing)) end
  for _, pair in ipairs(note.undecided) do
    context.out("  ports %s and %s: the common schemes do not tell which is which; the added ones may have them exchanged\n",
      printable(pair[1]), printable(pair[2]))
  end
  if note.unmatched then
    context.out("  ports that no common scheme uses: %s of the first and %s of the second; nothing says whether they are the same\n",
      listed(note.unmatched[1]), listed(note.unmatched[2]))
  end
end

function command.run(args, context)
  if not args.out then return nil, "where to? give --out OUT.json" end
  local whole = must(mapping.load(args.mapping[1]))
  for i = 2, #args.mapping do
    local path = args.mapping[i]
    local note
    whole, note = mapping_union.of(whole, must(mapping.load(path)))
    if not whole then return nil, ("%s: %s"):format(path, note) end
    tell(context, path, note)
  end
  must(mapping.save(args.bare and bare(whole) or whole, args.out))
  context.out("%s: %s explained, %s\n", printable(args.out), plural(#mapping.schemes(whole, true), "scheme"), plural(#whole.ports, "port"))
  return 0
end

return command
