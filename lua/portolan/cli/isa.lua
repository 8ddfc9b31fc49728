--- portolan isa: the schemes of the instruction set.
local arch_option = require "portolan.cli.arch_option"
local isa = require "portolan.scheme.isa"
local isa_check = require "portolan.experiment.isa_check"
local llvm_opinion = require "portolan.predictor.machinery.llvm_opinion"
local lists = require "portolan.support.lists"
local must = require("portolan.support.failure").check
local number = require "portolan.cli.number"
local occurrences = require "portolan.format.occurrences"
local plural = require "portolan.support.plural"
local scheme_filter = require "portolan.scheme.filter"
local terminal = require "portolan.support.terminal"

local command = { summary = "instruction schemes: list, show, count" }
command.description = "Instruction schemes, derived from the decoder; docs/scheme-names.md explains their names."

local epilog = ([[
A filter is a Lua expression, for example:
   portolan isa list --filter 'extension == "AVX2" and not memory'
   portolan isa count --filter 'uses("ymm") and store' --usable
It may use: %s.]]):format(table.concat(scheme_filter.names, ", "))

local function add_selection(parser)
  parser:option("--filter", "Only schemes for which this Lua expression is true."):argname "EXPR"
  parser:flag("--evex", "With the EVEX schemes (AVX-512).")
  parser:flag("--usable", "Only schemes that make sense to measure.")
  arch_option.add(parser, "the schemes")
  parser:option("--exclusions", "What makes no sense to measure, instead of arch/ARCHITECTURE/exclusions.lua."):argname "FILE"
  parser:flag("--json", "JSON on standard output.")
end

function command.configure(parser)
  parser:epilog(epilog)
  parser:command_target "action"
  local list = parser:command("list", "List schemes.")
  add_selection(list)
  list:option("--blocks", "Only schemes of these basic blocks (BHive's format: hex,frequency), the most frequent first."):argname "FILE":count "*"
  list:option("--most", "With --blocks: only the N most frequent."):argname "N":convert(number.whole("--most", 1, 1e6))
  list:flag("--names", "Names alone, one a line: what --schemes of other commands reads.")
  local show = parser:command("show", "Show all about schemes.")
  show:argument("name", "Names, e.g. 'add r64, r64'."):args "+"
  show:option("--exclusions", "Exclusions instead of arch/ARCHITECTURE/exclusions.lua."):argname "FILE"
  show:flag("--json", "JSON on standard output.")
  local count = parser:command("count", "Count schemes, by encoding and by reason not to measure them.")
  add_selection(count)
  count:flag("--check", "Encode and decode every scheme, and compare with Capstone.")
end

-- Schemes that the arguments select, and the excluded ones among those that pass the filter; or nil, message.
local function selection(args)
  local architecture = args.arch or isa.default
  if args.evex and architecture ~= "x86_64" then return nil, ("--evex: %s has no such schemes; leave it out"):format(architecture) end
  local schemes = must(isa.schemes { architecture = architecture, legacy = true, vex = true, evex = args.evex })
  if args.filter then schemes = must(isa.select(schemes, args.filter)) end
  local exclusions = must(isa.exclusions(args.exclusions, nil, args.arch))
  local usable, excluded = must(isa.usable(schemes, exclusions))
  return { all = schemes, usable = usable, excluded = excluded, chosen = args.usable and usable or schemes }
end

local function pad(text, width) return text .. (" "):rep(width - #text) end

local function widest(schemes, field) return lists.largest(schemes, function(scheme) return #scheme[field] end, #field) end

-- The schemes to list; with --blocks, how often each occurs and how many blocks were left out. Nil and a message.
local function to_list(args)
  if args.most and #args.blocks == 0 then return nil, "--most counts schemes of blocks: add --blocks FILE" end
  local selected = must(selection(args))
  if #args.blocks == 0 then return selected.chosen end
  local counts, left_out = must(occurrences.of_files(args.blocks, args.arch))
  return occurrences.sorted(selected.chosen, counts, args.most), counts, left_out
end

local columns = { "name", "extension", "category", "encoding" }

local function show_list(schemes, counts, left_out, context)
  local widths, header = {}, {}
  for k, field in ipairs(columns) do
    widths[k] = widest(schemes, field)
    header[k] = pad(field, widths[k])
  end
  local function out_row(ahead, cells) context.out("%s\n", (ahead .. table.concat(cells, "  "):gsub(" +$", ""))) end
  context.out("%s\n", context.style((counts and "   count  " or "") .. table.concat(header, "  "), "bold"))
  for _, scheme in ipairs(schemes) do
    local cells = {}
    for k, field in ipairs(columns) do cells[k] = pad(scheme[field], widths[k]) end
    out_row(counts and ("%8d  "):format(counts[scheme.name]) or "", cells)
  end
  context.out("%s\n", context.style(plural(#schemes, "scheme"), "dim"))
  if (left_out or 0) > 0 then
    terminal.say("portolan isa: "
      .. plural(left_out, "block cannot be decoded and was left out", "blocks cannot be decoded and were left out"))
  end
end

local function list(args, context)
  local schemes, counts, left_out = to_list(args)
  if not schemes then return nil, counts end
  if context.json then
    for _, scheme in ipairs(schemes) do scheme.count = counts and counts[scheme.name] end
    context.write_json(schemes)
  elseif args.names then
    for _, scheme in ipairs(schemes) do context.out("%s\n", scheme.name) end
  else
    show_list(schemes, counts, left_out, context)
  end
  return 0
end

local accesses = { r = "read", w = "written", rw = "read, written", [""] = "" }

local function operand_text(o)
  local kind = o.fixed and o.kind == "register" and o.fixed or o.class or o.kind
  local details = { accesses[o.access] }
  if o.conditional then details[#details + 1] = "perhaps not" end
  if o.index then details[#details + 1] = "index " .. o.index end
  if o.constant then details[#details + 1] = "always " .. o.constant end
  if o.mask then details[#details + 1] = "write mask" end
  if o.broadcast then details[#details + 1] = "broadcast" end
  if o.signed then details[#details + 1] = "signed" end
  if o.kind == "memory" and o.fixed then details[#details + 1] = "at " .. o.fixed end
  if details[1] == "" then table.remove(details, 1) end
  return kind, o.width > 0 and o.width .. " bits" or "", o.visibility, table.concat(details, ", ")
end

local function words(list_of_words) return #list_of_words > 0 and table.concat(list_of_words, " ") or "none" end

local function show_one(scheme, exclusions, context)
  local function line(label, text) context.out("  " .. context.style(pad(label, 10), "dim") .. text .. "\n") end
  local reason, message = isa.exclusion(scheme, exclusions)
  if message then return nil, message end
  context.out(context.style(scheme.name, "bold") .. "\n")
  line("encoding", scheme.encoding)
  line("from", ("%s, set %s, category %s"):format(scheme.extension, scheme.isa_set, scheme.category))
  for k, operand in ipairs(scheme.operands) do
    local kind, width, visibility, details = operand_text(operand)
    line(k == 1 and "operands" or "", (("%-12s %-9s %-9s %s"):format(kind, width, visibility, details):gsub(" +$", "")))
  end
  line("flags", ("read: %s; written: %s"):format(words(scheme.flags_read), words(scheme.flags_written)))
  local bytes = isa.sample(scheme.name)
  for _, instruction in ipairs(bytes and isa.listing(bytes, nil, scheme.architecture) or {}) do
    line("example", ("%s   %s"):format(instruction.bytes, instruction.text))
  end
  local n = scheme.breakers
  local ahead = n and (", with %s ahead of each instance"):format(plural(n, scheme.branch and "zeroing idiom or NOP" or "zeroing idiom")) or ""
  if scheme.companions then ahead = ahead .. (", with %s around each instance"):format(table.concat(scheme.companions, " and ")) end
  line("measured", reason and context.style("no: " .. reason, "yellow") or "yes" .. ahead)
  return true
end

local function find(name)
  local scheme, message = isa.scheme(name)
  if scheme then return scheme end
  local similar = isa.similar(name)
  if #similar > 0 then
    return nil, ("no such instruction scheme '%s'; did you mean: %s"):format(name, table.concat(similar, " | "))
  end
  return nil, message
end

local function show(args, context)
  local found, exclusions = {}, {}
  for k, name in ipairs(args.name) do
    found[k] = must(find(name))
    local architecture = found[k].architecture
    if not exclusions[architecture] then
      exclusions[architecture] = must(isa.exclusions(args.exclusions, nil, architecture))
    end
  end
  if context.json then
    context.write_json(#found == 1 and found[1] or found)
    return 0
  end
  for k, scheme in ipairs(found) do
    if k > 1 then context.out "\n" end
    must(show_one(scheme, exclusions[scheme.architecture], context))
  end
  return 0
end

-- Counts of schemes by a key, as a list sorted by count.
local function tally(items, key)
  local result = {}
  for name, n in pairs(lists.tally(lists.map(items, key))) do result[#result + 1] = { name = name, count = n } end
  table.sort(result, lists.most_first("count", "name"))
  return result
end

local function by_encoding(scheme) return scheme.encoding end

local function count_table(rows, context)
  for _, row in ipairs(rows) do context.out("%8d  %s\n", row.count, row.name) end
end

-- Encodes, decodes, allocates, asks other decoders: of x86-64 Capstone, of AArch64, whose forms are Capstone's, LLVM as well.
local function check_all(selected)
  local check = must(isa_check.run(selected.chosen))
  check.allocation = must(isa_check.allocation(selected.usable))
  local first = selected.chosen[1]
  if not first or first.architecture ~= "aarch64" then return check end
  local opinion = must(llvm_opinion.of(selected.chosen))
  check.llvm = isa_check.llvm(opinion, first.architecture)
  return check
end

-- Names in lines as wide as the terminal; at most `most` of them.
local function out_names(names, most, context)
  local indent, width, line = (" "):rep(10), terminal.width(io.stdout), nil
  for k = 1, math.min(#names, most) do
    local name = names[k] .. (k < #names and ";" or "")
    if line and #line + 1 + #name > width then
      context.out(line .. "\n")
      line = nil
    end
    line = line and line .. " " .. name or indent .. name
  end
  if line then context.out(line .. "\n") end
  if #names > most then context.out(indent .. ("and %d more (--json lists all)\n"):format(#names - most)) end
end

-- Prints what a check of all schemes found.
local function show_check(check, context)
  local function heading(text, good)
    context.out("\n" .. context.style(text, good and "green" or "red") .. "\n")
  end
  local function disagreements(groups)
    for _, group in ipairs(groups) do
      context.out("%8d  %s\n", #group.schemes, context.style(group.reason, "bold"))
      out_names(group.schemes, 200, context)
    end
  end
  local function tested(text, result)
    heading(("%s: %d instances of %d schemes, %d failures"):format(text, result.instances, result.schemes, #result.failures),
      #result.failures == 0)
    for _, failure in ipairs(result.failures) do context.out("          %s: %s\n", failure.scheme, failure.message) end
  end
  tested("Encoded and decoded again", check)
  tested("Operands allocated, encoded and decoded again, of what makes sense to measure", check.allocation)
  heading(("Capstone agrees on length and mnemonic of %d schemes, disagrees on %d, %d of these unexplained"):format(
    check.agreements, check.schemes - #check.failures - check.agreements, #check.unexplained), #check.unexplained == 0)
  disagreements(check.disagreements)
  for _, opinion in ipairs(check.unexplained) do
    context.out("          %s: %s is %s to Capstone\n", opinion.scheme, opinion.bytes,
      opinion.verdict == "length" and opinion.their_length .. " bytes long" or opinion.theirs)
  end
  local llvm = check.llvm
  if not llvm then return end
  heading(("The text of %s assembles to the same code for %d schemes, to other or none for %d, %d of these unexplained"):format(
    llvm.program, llvm.agreements, check.schemes - llvm.agreements, #llvm.unexplained), #llvm.unexplained == 0)
  disagreements(llvm.disagreements)
  for _, opinion in ipairs(llvm.unexplained) do
    context.out("          %s: %s is %s to LLVM\n", opinion.scheme, opinion.bytes, opinion.theirs or "no instruction")
  end
end

local function count(args, context)
  local selected = must(selection(args))
  local check
  if args.check then
    check = must(check_all(selected))
  end
  local encodings = tally(selected.chosen, by_encoding)
  local reasons = tally(selected.excluded, function(e) return e.reason end)
  local good = not check or #check.failures + #check.allocation.failures + #check.unexplained + (check.llvm and #check.llvm.unexplained or 0) == 0
  if context.json then
    context.write_json { schemes = #selected.chosen, encodings = encodings, usable = #selected.usable, excluded = reasons, check = check }
    return good and 0 or 1
  end
  context.out(context.style(("%8d  schemes"):format(#selected.chosen), "bold") .. "\n")
  count_table(encodings, context)
  context.out("\n" .. context.style(("%8d  make sense to measure"):format(#selected.usable), "bold") .. "\n")
  if not args.usable then
    context.out(context.style(("%8d  do not"):format(#selected.excluded), "bold") .. "\n")
    count_table(reasons, context)
  end
  if check then show_check(check, context) end
  return good and 0 or 1
end

function command.run(args, context)
  local run = ({ list = list, show = show, count = count })[args.action]
  return run(args, context)
end

return command
