--- A class of schemes whose only uop has the same ports, as a record; also what blocks ports as such a class does: a union of classes, or what
-- two of them have in common.
-- @module portolan.infer.chart.port_class
local core = require "portolan.core"
local place = require "portolan.place"
local record = require "portolan.support.record"

local port_class = {}

--- Field -> what it is, its unit; the file that writes it.
port_class.fields = {
  representative = "scheme that stands for the class, its name; of unions, names in words; stages/classes, stages/elimination",
  members = "names of the schemes of the class; stages/classes, stages/elimination",
  count = "number of its ports; stages/classes",
  loads = "true: there are loads among its members; stages/classes",
  issue_loss = "factor by which it may be slower among others than its issue slots need; nil: it is not; stages/full_issue",
  issue_filled = "share of the issue slots in which it loses none; nil: all; stages/full_issue",
  wide = "true: as many ports as the front end has slots; stages/classes",
  improper = "true: its members store, by two uops of which one limits them; stages/stores",
  profile = "jobs that say what such a store leaves on the ports of proper classes; stages/stores, store_data",
  address = "class of the uop that addresses such a store; nil: unknown; store_data",
  also = "names of further ports that its flood keeps full; nil: none; stages/store_addresses",
  unshared = "true: that such a store shares a uop with a proper class was given up; stages/class_ports",
  ports = "names of its ports; stages/class_ports, blocking/unions, blocking/intersections",
  uops = "its members' uops as mapping entries { ports, number }; stages/class_ports",
  posited = "ports of a store's uop that never shows; stages/class_ports",
  assumed = "ports of its uops that no experiment shows; stages/class_ports",
  ambiguous = "true: other ports would agree with the measurements, too; stages/class_ports",
  open = "why a record leaves its ports open, a sentence; nil: it does not; stages/class_ports",
  witnesses = "evidence for its ports, in words; port_witnesses",
  beside = "kind of a job -> name of the scheme that floods the class next to it; blocking/flood",
  union = "true: no scheme has just these ports; blocking/unions, blocking/intersections",
  mix = "classes that flood a union: list of { class =, share = (copies a cycle) }; blocking/unions",
  intersection = "true: ports that two classes have in common; blocking/intersections",
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

--- What the ports of a class work on, as its representative tells: "memory", or the one file of registers that it has operands of.
-- @param class the class
-- @return "memory", "gpr", "vector", "mask", "mmx", "x87", "several"; or nil if it is not known
function port_class.domain(class)
  if class.loads or class.improper then return "memory" end
  local scheme = core.isa.scheme(class.representative)
  local found
  for number, operand in ipairs(scheme and scheme.operands or {}) do
    if operand.kind == "register" and operand.class ~= "flags" and operand.class ~= "other" then
      local at = place.parse(tostring(number), scheme)
      if not at or found and found ~= at.file then return "several" end
      found = at.file
    end
  end
  return found
end

return port_class
