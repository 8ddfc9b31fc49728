--- `portolan infer cegis`: Algorithm 4.1 from the command line.
-- @module portolan.cli.infer.cegis
local cegis = require "portolan.infer.cegis"
local encodings = require "portolan.infer.cegis.encodings"
local options = require "portolan.cli.infer.options"
local port_set = require "portolan.mapping.ports"
local prepare = require "portolan.cli.infer.prepare"
local session = require "portolan.cli.infer.session"
local uop_counts = require "portolan.infer.cegis.uop_counts"

local strategy = { summary = "by counter-examples (Algorithm 4.1), with a certificate" }

function strategy.configure(parser)
  parser:description("Counter-example-guided inference: measures experiments until no other mapping can be told from the one that it has. "
    .. "The mapping file carries a certificate that 'portolan verify' re-checks.")
  parser:argument("schemes", "schemes to infer; by default all that the oracle knows, and on this machine one per class of the starter set")
    :args("*"):argname("SCHEME")
  session.declare(parser, 32)
  parser:option("--encoding", "of the solver's questions", "union"):choices(encodings.names)
  parser:option("--uops", "uops of a scheme (SCHEME=N), a JSON file of them, 'record': as the record has counted, or 'slots': as issue slots and "
    .. "memory operands say; others have one"):argname("SCHEME=N|FILE|record|slots"):count("*")
  parser:option("--find-uops", "numbers of uops, where --uops does not give them, are found out, too: from 1 to MOST; for a few schemes")
    :argname("MOST"):convert(options.number("--find-uops", 1, 16, true))
  parser:option("--same-uop", "one uop of the scheme is that of one of the others"):argname("SCHEME=OTHER;..."):count("*")
  parser:option("--smtlib", "write the solver's last question as SMT-LIB 2"):argname("FILE")
end

-- The options of cegis.infer that the command line gives; or nil and a message.
local function read(args, spec)
  local o, message = session.read(args, spec)
  if not o then return nil, message end
  o.encoding, o.question, o.most_uops = args.encoding, args.smtlib ~= nil, args.find_uops
  local words = {}
  for _, word in ipairs(args.uops) do
    if word == "record" or word == "slots" then o.uops_of = word else words[#words + 1] = word end
  end
  if o.uops_of == "record" and spec.kind ~= "replay" then return nil, "--uops record: only a record (--oracle replay:FILE) has such counts" end
  o.uops, message = options.numbers(words, "--uops")
  if message then return nil, message end
  o.certain = spec.kind == "replay" and not o.most_uops
  o.same_uop, message = options.same_uop(args.same_uop)
  if message then return nil, message end
  if o.most_uops and (o.same_uop or args.fixed) then
    return nil, "--find-uops: --same-uop and --fixed speak of known numbers of uops; leave them out, or give the numbers by --uops"
  end
  return o
end

-- Every name that an option mentions must be one of the schemes. Given ports tell numbers of uops, too.
local function check(o, names)
  local named_by_same = {}
  for _, same in ipairs(o.same_uop or {}) do
    for _, name in ipairs { same.scheme, table.unpack(same.among) } do named_by_same[name] = true end
  end
  local ok, message = session.check(o, names, { ["--uops"] = o.uops or {}, ["--same-uop"] = named_by_same })
  if not ok then return nil, message end
  for name, uops in pairs(o.fixed or {}) do
    local n = port_set.uops(uops)
    if n > 1 and not (o.uops and o.uops[name]) then
      o.uops = o.uops or {}
      o.uops[name] = n
    end
  end
  return true
end

local function infer(processor, names, o)
  if o.most_uops then return uop_counts.infer(processor, names, o) end
  return cegis.infer(processor, names, o)
end

function strategy.run(args, context)
  return session.run(args, context, { method = "cegis", read = read, prepare = prepare.with_uops, check = check, infer = infer })
end

return strategy
