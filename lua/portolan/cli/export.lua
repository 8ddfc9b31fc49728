--- `portolan export`: mappings and experiments in other tools' formats.
-- @module portolan.cli.export
local conjunctive = require "portolan.conjunctive"
local csv = require "portolan.format.csv"
local experiments = require "portolan.experiments"
local file = require "portolan.support.file"
local isa = require "portolan.isa"
local lists = require "portolan.support.lists"
local llvm = require "portolan.format.llvm"
local llvm_mc = require "portolan.predictor.llvm_mca.llvm_mc"
local mapping = require "portolan.mapping"
local osaca = require "portolan.format.osaca_write"
local pmevo = require "portolan.format.pmevo"
local port_set = require "portolan.ports"
local printable = require "portolan.support.printable"
local scheme_filter = require "portolan.scheme_filter"
local terminal = require "portolan.support.terminal"

local command = { summary = "write a mapping in another format: JSON, CSV, LLVM, OSACA, PMEvo, conjunctive" }

local function plural(n, noun) return n == 1 and "1 " .. noun or ("%d %ss"):format(n, noun) end

local function count(m, test)
  local n = 0
  for _, scheme in pairs(m.schemes) do
    if test(scheme) then n = n + 1 end
  end
  return n
end

local function unexplained(scheme) return not scheme.uops end
local function explained(scheme) return scheme.uops ~= nil end
local function has_slots(scheme) return (scheme.slots or 1) ~= 1 end

-- Appends what a format cannot carry, if there is any.
local function note(list, n, text) if n > 0 then list[#list + 1] = text end end

local function note_rmax(list, m) note(list, m.rmax and 1 or 0, m.rmax and ("R_max %g"):format(m.rmax)) end

local function note_slots(list, m)
  local n = count(m, has_slots)
  note(list, n, "the issue slots of " .. plural(n, "scheme"))
end

local function note_unexplained(list, n) note(list, n, plural(n, "scheme") .. " without a port usage") end

local function unused_ports(m)
  local used = lists.set(port_set.used(m.schemes))
  local n = 0
  for _, name in ipairs(m.ports) do n = n + (used[name] and 0 or 1) end
  return n
end

-- What a table has no place for, beside the schemes.
local function to_csv(m)
  local lost = {}
  note_rmax(lost, m)
  local n = unused_ports(m)
  note(lost, n, plural(n, "port") .. " without uops")
  return csv.encode(m), lost
end

-- A file without a single scheme would be no export: returns nil and the message that says why.
local function nothing_left(lost, kept, m)
  if kept > 0 or next(m.schemes) == nil then return nil end
  return ("nothing would be left: the format has no place for %s; export a mapping of schemes that it knows"):format(
    table.concat(lost, "; "))
end

local function to_pmevo(m)
  local lost, n = {}, count(m, unexplained)
  note_unexplained(lost, n)
  local message = nothing_left(lost, count(m, explained), m)
  if message then return nil, message end
  lost = {}
  note_rmax(lost, m)
  note_slots(lost, m)
  note_unexplained(lost, n)
  return pmevo.encode(m), lost
end

local function to_osaca(m)
  local text, left_out = osaca.encode(m)
  if not text then return nil, left_out end
  local schemes = {}
  note_unexplained(schemes, left_out.unexplained)
  note(schemes, left_out.inexpressible, plural(left_out.inexpressible, "scheme") .. " that OSACA has no words for")
  note(schemes, left_out.hidden, plural(left_out.hidden, "scheme") .. " that OSACA does not tell from others")
  local message = nothing_left(schemes, left_out.forms, m)
  if message then return nil, message end
  local lost = {}
  note_rmax(lost, m)
  note_slots(lost, m)
  table.move(schemes, 1, #schemes, #lost + 1, lost)
  return text, lost
end

local function to_conjunctive(m)
  local lost = {}
  note_unexplained(lost, count(m, unexplained))
  local nothing = nothing_left(lost, count(m, explained), m)
  if nothing then return nil, nothing end
  local t, message = conjunctive.of(m)
  if not t then return nil, message end
  return conjunctive.encode(t), lost
end

-- With `--opcodes VERSION` instructions are named as LLVM names them.
local function to_llvm(m, args)
  local opcodes, message
  if args.opcodes then
    opcodes, message = llvm_mc.opcodes(mapping.schemes(m, true), args.opcodes) -- names, and what is to be said of them
    if not opcodes then return nil, "--opcodes: " .. message end
  end
  local lost = {} -- schemes without a port usage are comments
  note(lost, (m.rmax or 1) % 1 ~= 0 and 1 or 0, ("R_max %g, which is rounded"):format(m.rmax or 1))
  return llvm.encode(m, opcodes, message), lost
end

local targets = {
  json = function(m) return mapping.encode(m), {} end,
  conjunctive = to_conjunctive, csv = to_csv, llvm = to_llvm, osaca = to_osaca, pmevo = to_pmevo,
}

local names = { "json", "conjunctive", "csv", "llvm", "osaca", "pmevo" }

function command.configure(parser)
  parser:description("Writes a mapping in another format. Reads all that Portolan reads: its own, PMEvo's and pmtestbench's, OSACA's machine "
    .. "models, uops.info's XML, tables. What the format has no place for is said on standard error.")
  parser:argument("mapping", "mapping file; of uops.info's XML one microarchitecture, as instructions.xml#SKL")
  parser:option("--to", "json: Portolan's own; conjunctive: resources in place of ports; csv: a table; llvm: a fragment of a "
    .. "scheduling model (TableGen); osaca: a machine model (YAML); pmevo: Mapping3"):choices(names):count(1)
  parser:option("--out", "the file to write; default: standard output"):argname("FILE")
  parser:option("--only", "export only schemes for which a Lua expression is true, as of 'portolan isa list'"):argname("FILTER")
  parser:option("--opcodes", "with --to llvm: name instructions as LLVM does; asks llvm-mc-VERSION"):argname("VERSION")
  parser:flag("--experiments", "the file has experiments; --to csv makes a table of them, --to json lines of JSON")
end

-- The mapping with only those schemes that a filter lets through, which never lets through schemes that are not Portolan's.
local function restricted(m, expression)
  local test, message = scheme_filter.compile(expression)
  if not test then return nil, "--only: " .. message end
  local chosen, any = {}, false
  for name, usage in pairs(m.schemes) do
    local scheme = isa.scheme(name)
    if scheme then
      local passes, trouble = test(scheme)
      if passes == nil and trouble then return nil, "--only: " .. trouble end
      if passes then chosen[name], any = usage, true end
    end
  end
  if not any then return nil, "--only: no scheme of the mapping passes the filter" end
  local copy = lists.copy(m)
  copy.schemes = chosen
  return copy
end

local function export_mapping(args)
  local m, message = mapping.load(args.mapping)
  if m and args.only then m, message = restricted(m, args.only) end
  if not m then return nil, message end
  if args.opcodes and args.to ~= "llvm" then return nil, "--opcodes is for --to llvm" end
  local text, lost = targets[args.to](m, args)
  if not text then return nil, ("%s: %s"):format(args.mapping, lost) end
  return text, lost, m.provenance and m.provenance.notes
end

-- What reading has left out, in one line: how many schemes, and the first one.
local function say_notes(path, notes)
  if type(notes) ~= "table" or #notes == 0 then return end
  terminal.say(("portolan export: %s: %s left out: %s%s"):format(path, #notes == 1 and "1 odd entry" or #notes .. " odd entries",
    tostring(notes[1]), #notes > 1 and "; ..." or ""))
end

local function export_experiments(args)
  if args.to ~= "csv" and args.to ~= "json" then return nil, "experiments go to csv or json only" end
  if args.only then return nil, "--only is for mappings" end
  local list, message = experiments.load(args.mapping)
  if not list then return nil, message end
  if message then terminal.say("portolan export: " .. message) end
  if args.to == "csv" then return csv.experiments(list), {} end
  local text, trouble = experiments.encode(list)
  return text, text and {} or ("%s: %s"):format(args.mapping, trouble)
end

function command.run(args, context)
  local export = args.experiments and export_experiments or export_mapping
  local text, lost, notes = export(args)
  if not text then return nil, lost end
  text = printable.text(text) -- the same bytes to a file and to a terminal
  say_notes(args.mapping, notes)
  if args.out then
    local ok, message, status = file.write(args.out, text)
    if not ok then return nil, message, status end
  else
    context.out("%s", text)
  end
  if #lost > 0 then terminal.say(("portolan export: %s has no place for: %s"):format(args.to, table.concat(lost, "; "))) end
  return 0
end

return command
