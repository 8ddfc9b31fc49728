--- Does the number of ports that a chart found contradict what is known of the core (arch/x86_64/processors.lua)?
-- @module portolan.report.port_count
local memory_use = require "portolan.scheme.memory_use"
local plural = require "portolan.support.plural"

local port_count = {}

-- Do schemes that load, that store and that do neither have ports? A set of adders alone meets few of a core's ports.
local function is_broad(schemes)
  local loads, stores, others = false, false, false
  for name, scheme in pairs(schemes) do
    if type(scheme.uops) == "table" and #scheme.uops > 0 then
      local use = memory_use(name)
      loads, stores, others = loads or use.reads, stores or use.writes, others or not (use.reads or use.writes)
    end
    if loads and stores and others then return true end
  end
  return false
end

local function words(known)
  if not known.most then return ("at least %d"):format(known.least) end
  if known.least == known.most then return ("%d"):format(known.most) end
  return ("%d to %d"):format(known.least, known.most)
end

--- Says in sentences how the number of ports contradicts what is known of the core; nil if it does not, or nothing is known.
-- @tparam table chart `machine.known_ports` (`{ least =, most = }`), `machine.microarchitecture`, `machine.hypervisor`, `mapping`
-- @treturn string|nil
function port_count.doubt(chart)
  local machine, m = chart.machine or {}, chart.mapping or {}
  local known, found = machine.known_ports, type(m.ports) == "table" and #m.ports or 0
  if type(known) ~= "table" or math.type(known.least) == nil or found == 0 then return nil end
  local many = math.type(known.most) ~= nil and found > known.most
  if not many and (found >= known.least or chart.partial or not is_broad(m.schemes or {})) then return nil end
  return ("%s what is known of %s: a chart of it finds %s. %s%s"):format(plural(found, "port contradicts", "ports contradict"),
    tostring(machine.microarchitecture or "this core"), words(known),
    "Either measurements misled it (--again measures anew; 'portolan recheck --all' tells which schemes come out otherwise), "
      .. "or this is another core than its model number says",
    machine.hypervisor and ", as hypervisors have it now and then." or ".")
end

return port_count
