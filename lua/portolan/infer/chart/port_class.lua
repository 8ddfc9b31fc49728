--- A class of schemes whose only uop has the same ports, as a record.
-- @module portolan.infer.chart.port_class
local core = require "portolan.core"
local lists = require "portolan.support.lists"
local place = require "portolan.scheme.place"
local record = require "portolan.support.record"

local port_class = {}

--- Field -> what it is, its unit; the file that writes it.
port_class.fields = {
  representative = "scheme that stands for the class, its name; stages/classes, stages/elimination",
  members = "names of the schemes of the class; stages/classes, stages/elimination",
  carriers = "names of schemes that have its uop and others, found later; nil: none are known; init",
  count = "number of its ports; stages/classes",
  loads = "true: there are loads among its members; stages/classes",
  issue_filled = "share of the issue slots in which it loses none; nil: all; stages/full_issue",
  wide = "true: as many ports as the front end has slots; stages/classes",
  improper = "true: its members store, by two uops of which one limits them; stages/stores",
  profile = "jobs that say what such a store leaves on the ports of others; stages/stores",
  seen = "{ ports, number, class = (of these) }: the uop of such a store that others show; nil: none does; stages/stores",
  address = "class of the uop that addresses such a store; nil: none is known; stages/stores",
  also = "names of further ports that its flood keeps full; nil: none; stages/store_addresses",
  ports = "names of its ports; stages/class_ports, stages/stores",
  uops = "its members' uops as mapping entries { ports, number }; stages/class_ports, stages/stores",
  posited = "ports of a store's uop that never shows; stages/stores",
  assumed = "ports of its uops that no experiment shows; stages/class_ports, stages/stores, stages/store_addresses",
  ambiguous = "true: other ports would agree with the measurements, too; stages/class_ports, stages/stores",
  slow_beside = "true: an experiment of it and others takes longer than their ports explain; stages/class_ports",
  open = "why a record leaves its ports open, a sentence; nil: it does not; stages/class_ports",
  witnesses = "evidence for its ports, in words; port_witnesses, stages/stores",
  beside = "kind of a job -> name of the scheme that floods the class next to it; blocking/flood",
  mix = "classes that flood its ports in turns: list of { class =, share = (copies a cycle) }; nil: it does; stages/store_addresses",
}

--- Makes one: function(initial fields) -> record.
port_class.new = record.kind("class", port_class.fields)

--- Do all members access memory? Then its ports are those of loads, or of stores.
-- @param class the class
-- @param facts name -> facts (portolan.infer.chart.facts)
function port_class.is_of_memory(class, facts)
  for _, member in ipairs(class.members or {}) do
    local use = facts[member].memory
    if not (use.reads or use.writes) then return false end
  end
  return class.members ~= nil and #class.members > 0
end

-- The register files that a scheme has operands of, and "memory", whose addresses are in general registers: a set.
local function works_on(name, uses_memory)
  local scheme, set = core.isa.scheme(name), { memory = uses_memory or nil, gpr = uses_memory or nil }
  for number, operand in ipairs(scheme and scheme.operands or {}) do
    local is_register = operand.kind == "register" and operand.class ~= "flags" and operand.class ~= "other"
    local at = is_register and place.parse(tostring(number), scheme)
    if is_register then set[at and at.file or "unknown"] = true end
  end
  return set
end

--- Returns what a scheme works on.
-- @param name scheme
-- @param use of memory (portolan.scheme.memory_use)
-- @return set of "memory", "gpr", "vector", "mask", "mmx", "x87"; "unknown" stands for what is not known
function port_class.domains(name, use) return works_on(name, use.reads or use.writes) end

local of_members = setmetatable({}, { __mode = "k" }) -- class -> what its members work on, and how many these were

--- Returns what the members of a class work on: where all access memory, it is only that which they have in common.
-- @param class the class
-- @param facts name -> facts (portolan.infer.chart.facts)
-- @return set as of `domains`
function port_class.domains_of_members(class, facts)
  local known = of_members[class]
  local members = class.members or {}
  if known and known.n == #members then return known.set end
  local set = {}
  for _, member in ipairs(members) do
    for domain in pairs(port_class.domains(member, facts[member].memory)) do set[domain] = true end
  end
  if port_class.is_of_memory(class, facts) then set = { memory = true } end
  of_members[class] = { set = set, n = #members }
  return set
end

--- Says what the ports of a class work on, as its representative tells: "memory", or the one file of registers that it has operands of.
-- @param class the class
-- @return "memory", "gpr", "vector", "mask", "mmx", "x87", "several"; or nil if it is not known
function port_class.domain(class)
  if class.loads or class.improper then return "memory" end
  local set = works_on(class.representative)
  local domains = lists.keys(set)
  return (set.unknown or #domains > 1) and "several" or domains[1]
end

return port_class
