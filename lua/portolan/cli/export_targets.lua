--- This module holds the formats that `portolan export` can write a mapping as: for each a function(mapping, arguments) -> text, list of what the
-- format has no place for; or nil and a message.
-- @module portolan.cli.export_targets
local best_known = require "portolan.mapping.best_known"
local conjunctive = require "portolan.mapping.conjunctive"
local csv = require "portolan.format.csv"
local exegesis = require "portolan.format.exegesis_write"
local lists = require "portolan.support.lists"
local llvm = require "portolan.format.llvm"
local llvm_mc = require "portolan.predictor.llvm_mca.llvm_mc"
local mapping = require "portolan.mapping"
local osaca = require "portolan.format.osaca_write"
local plural = require "portolan.support.plural"
local pmevo = require "portolan.format.pmevo"
local port_set = require "portolan.mapping.ports"
local uops_info = require "portolan.format.uops_info_write"

local targets = {}


local function count(m, test) return lists.count(m.schemes, test) end

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
  return lists.count(m.ports, function(name) return not used[name] end)
end

-- Writes a table, and lists what it has no place for, beside the schemes.
function targets.csv(m)
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

function targets.pmevo(m)
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

function targets.osaca(m)
  local text, left_out = osaca.encode(m)
  if not text then return nil, left_out end
  local schemes = {}
  note_unexplained(schemes, left_out.unexplained)
  note(schemes, left_out.inexpressible, plural(left_out.inexpressible, "scheme") .. " that OSACA has no words for")
  note(schemes, left_out.hidden, plural(left_out.hidden, "scheme") .. " that OSACA does not tell from others")
  local message = nothing_left(schemes, left_out.forms, m)
  if message then return nil, message end
  local lost = {}
  if not m.rmax then note_slots(lost, m) end
  table.move(schemes, 1, #schemes, #lost + 1, lost)
  return text, lost
end

function targets.conjunctive(m)
  local lost = {}
  note_unexplained(lost, count(m, unexplained))
  local nothing = nothing_left(lost, count(m, explained), m)
  if nothing then return nil, nothing end
  local t, message = conjunctive.of(m)
  if not t then return nil, message end
  return conjunctive.encode(t), lost
end

-- With `--opcodes VERSION` instructions are named as LLVM names them.
function targets.llvm(m, args)
  local opcodes, message, layouts
  if args.opcodes then
    opcodes, message, layouts = llvm_mc.opcodes(mapping.schemes(best_known.of(m), true), args.opcodes) -- names, and what is to be said of them
    if not opcodes then return nil, "--opcodes: " .. message end
  end
  local lost = {} -- schemes that were not measured are comments
  note(lost, (m.rmax or 1) % 1 ~= 0 and 1 or 0, ("R_max %g, which is rounded"):format(m.rmax or 1))
  return llvm.encode(m, opcodes, message, layouts, args.cpu), lost
end

function targets.json(m) return mapping.encode(m), {} end

-- `instructions.xml` of one microarchitecture.
targets["uops-info"] = function(m, args)
  local text, counts = uops_info.encode(m, args.cpu)
  if not text then return nil, counts end
  local lost = {}
  note(lost, counts.foreign, plural(counts.foreign, "scheme") .. " that Portolan does not know")
  local message = nothing_left(lost, counts.kept, m)
  if message then return nil, message end
  note(lost, counts.untimed, ("the time alone of %s, which nobody measured; OSACA's importer ends there"):format(plural(counts.untimed, "scheme")))
  return text, lost
end

-- One kind of measurements in a file, as llvm-exegesis wants it.
function targets.exegesis(m, args)
  if not args.cpu then return nil, "which processor is it to LLVM? add --cpu sapphirerapids, as of llc-19 -mcpu=help" end
  local kind = args.measurement or "inverse_throughput"
  local instructions, message = llvm_mc.instructions(mapping.schemes(m), args.opcodes)
  if not instructions then return nil, "--opcodes: " .. message end
  local text, counts = exegesis.encode(m, kind, instructions, { cpu = args.cpu })
  local lost = {}
  note(lost, counts.unknown, ("%s without a known %s"):format(plural(counts.unknown, "scheme"), (kind:gsub("_", " "))))
  note(lost, counts.unnamed, plural(counts.unnamed, "scheme") .. " that LLVM has no words for")
  local nothing = nothing_left(lost, counts.kept, m)
  if nothing then return nil, nothing end
  return text, lost
end

return targets
