--- The argument for what a mapping says about one scheme: its witnesses, each read against the mapping, and for every uop which of them show
-- it and which bound it, or why none does.
-- @module portolan.argument
local experiment = require "portolan.experiment"
local bottlenecks = require "portolan.argument.bottlenecks"
local mapping = require "portolan.mapping"
local blockable_sets = require "portolan.argument.blockable_sets"
local read = require "portolan.argument.reading"
local statuses = require "portolan.mapping.statuses"
local uops = require "portolan.argument.uops"
local reading_words = require "portolan.argument.reading_words"

local argument = {}

-- This table holds what does not depend on the scheme, by the compiled mapping.
local known = setmetatable({}, { __mode = "k" })

local function of_mapping(m, compiled)
  local facts = known[compiled]
  if not facts or facts.m ~= m then
    facts = { m = m, limits = bottlenecks.new(m, compiled) }
    known[compiled] = facts
  end
  return facts
end

--- A set of ports in the notation of uops.info: p015.
-- @param list names of ports
function argument.ports(list) return reading_words.ports(list) end

--- Reads the witnesses of a scheme; what it takes alone is one, also where none says so.
-- @param m mapping table
-- @param compiled the same by ports and issue slots alone (portolan.mapping.compile_ports)
-- @param name a scheme of it
-- @return list of `{ experiment =, text =, about =, instances =, length =, alone =, cycles =, expected =, predicted =, without =, base =,
-- ports =, flood =, kind =, slow =, uops =, sum =, role =, says =, means =, off =, doubt = }`: predicted cycles `without` the scheme, the `ports`
-- that the others keep busy; is that a `flood`, and what did it take alone (`base`); how it is to be compared (`kind`, `slow`:
-- `portolan.experiment.witness`), the number of `uops` of an instance that cannot evade these ports, the arithmetic (`sum`), the side
-- on which it is `off` what is expected, why it does not bear out its role (`doubt`); what the mapping or the witness does not tell is missing
function argument.readings(m, compiled, name)
  local scheme, list, has_alone = m.schemes[name], {}, false
  local good, what = statuses.get(scheme.status).kind == "good", of_mapping(m, compiled).limits
  for i, w in ipairs(scheme.witnesses or {}) do
    list[i] = read(what, name, w, good)
    has_alone = has_alone or list[i].alone and list[i].instances == 1
  end
  if scheme.tp and not has_alone then
    local r = read(what, name, { experiment = experiment.format { [name] = 1 }, cycles = scheme.tp }, good)
    r.implicit = true
    table.insert(list, 1, r)
  end
  return list
end

--- The argument for one scheme.
-- @param m mapping table
-- @param compiled the same by ports and issue slots alone (portolan.mapping.compile_ports)
-- @param name a scheme of it
-- @return `{ scheme =, status =, kind =, means =, recognised =, note =, usage =, uops = { { ports =, n =, assumed =, shows = { readings },
-- bounds = { readings }, unseen = why nothing shows it, unbounded = why nothing bounds it } }, slots =, cycles = (alone), predicted = (alone),
-- assumed =, alone = reading, further = { readings }, contradicts = { readings } }`; `further` are experiments that touch none of its uops' ports
function argument.of(m, compiled, name)
  local scheme, facts = m.schemes[name], of_mapping(m, compiled)
  local status, readings = statuses.get(scheme.status), argument.readings(m, compiled, name)
  local parts, further, contradicts, alone = uops.sort(scheme, readings)
  facts.port_sets = facts.port_sets or blockable_sets.new(m)
  uops.explain(parts, scheme, facts.port_sets)
  if alone and (alone.placed or alone.implicit and not alone.doubt) then alone = nil end
  return {
    scheme = name, status = status.name, kind = status.kind, means = status.means, recognised = status.recognised, note = scheme.note,
    usage = mapping.usage(scheme), uops = parts, slots = scheme.slots or 1, cycles = scheme.tp,
    predicted = scheme.uops and compiled:throughput { [name] = 1 } or nil,
    assumed = scheme.assumed and #scheme.assumed > 0 and scheme.assumed or nil, alone = alone, further = further, contradicts = contradicts,
    witnesses = #readings, latencies = scheme.latencies,
  }
end

return argument
