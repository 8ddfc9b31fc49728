--- Holds what a survey knows of one scheme: a record, filled stage by stage.
-- @module portolan.infer.chart.facts
local core = require "portolan.core"
local memory_use = require "portolan.scheme.memory_use"
local record = require "portolan.support.record"

local facts = {}

--- Field -> what it is, its unit; the file that writes it.
facts.fields = {
  memory = "what its memory operands do (portolan.scheme.memory_use); facts",
  alone = "why its ports are not asked, a text; nil: they are; survey",
  kinds = "list of { values =, bytes =, cycles = }: times for kinds of values; nil: none are known; stages/kinds",
  taken = "true: a branch that is always taken where it is measured; facts",
  breakers = "zeroing idioms that go with an instance, their number; nil: none; facts",
  companions = "names of the schemes that stand around an instance (portolan.mapping.companions); nil: none; facts",
  own = "{ uops =, slots = } without its companions and lost slots; nil: as measured, or not told apart; stages/companions",
  single = "result of measuring it alone, in cycles; stages/singletons",
  busy = "cycles that two instances take each beside others, where that is less than alone; nil: it is not, or was not asked; stages/units",
  unit = "first of the schemes that keep one unit busy, itself perhaps, a name; nil: none are known; stages/units",
  varies = "{ low =, high = } cycles alone, if it is not steady; stages/singletons",
  depends = "how its time alone depends on what it works on, a sentence; nil: it does not, or nobody can ask; stages/inputs",
  slots = "issue slots of an instance, a whole number; stages/counts, stages/rename",
  padded = "issue slots of an instance as padding read them, no whole number; nil: they could not be read; stages/counts",
  issued = "issue slots of an instance with its breakers; stages/counts, stages/rename",
  vague_slots = "true: its slots were near no whole number; stages/counts",
  loses_slots = "true: probes do not tell its slots (x87, ret): `slots` are the fewest possible; stages/counts",
  counted_slots = "issue slots that the probe of such a scheme came to, with those that are lost; stages/counts",
  doubtful_slots = "true: noise may have changed the whole number of its slots; stages/counts",
  pieces = "uops that a wide memory operand takes, their number; stages/counts",
  total = "{ least =, most = } uops, whole numbers, with { second_unit = (one slot), "
    .. "doubtful =, vague =, inexact =, sequenced = }; stages/counts",
  single_uop = "true: one uop that writes no memory; stages/counts",
  chain = "cycles for each link of a chain of dependent instances; nil: it cannot be chained; stages/rename",
  lacks = "experiments about it that a record lacks, a list; nil: none; lacking",
  together = "true: all recorded experiments together decide its ports; jointly",
  relative = "{ name =, uops = (mapping entries), close = (boolean) } of what lets expect its uops; nil: nothing does; blocking/relatives",
  unfounded = "ports that it keeps busy alone, their number, where it is in no class; stages/classes",
  unfit = "why it stands for no others, though its readings are steady, a sentence; nil: it may; unfit, stages/inputs",
  status = "class of portolan.mapping.statuses; nil: not settled; survey:settle",
  note = "why it has that status, a sentence; survey:settle",
  uops = "its uops as mapping entries { ports, number }; stages/class_ports, stages/stores, blocking/verdict",
  parts = "its uops as blocking/attribute gives them; blocking/verdict",
  assumed = "ports of its uops that no experiment shows; stages/class_ports, stages/stores, stages/store_addresses, blocking/verdict, refutation",
  witnesses = "evidence for the mapping, in words; survey:witness",
  borne_out = "true: a mixture takes as long as its uops, and would take less without them; stages/mixtures",
  proofs = "list of { e =, cycles =, expected =, tolerance = (cycles) }, to be measured again; survey:witness",
}

local new = record.kind("scheme's facts", facts.fields)

--- Makes the facts of a scheme that are known before anything is measured.
-- @param name scheme
-- @param breakers zeroing idioms that go with it
-- @param[opt] companions names of the schemes that stand around an instance
function facts.new(name, breakers, companions)
  local scheme = core.isa.scheme(name)
  return new { witnesses = {}, taken = scheme and scheme.taken, memory = memory_use(name), breakers = breakers > 0 and breakers or nil,
    companions = companions }
end

return facts
