--- The processors of this machine that are measured on.
-- @module portolan.processor.hardware_cpus
local cpu = require "portolan.cpu"

local hardware_cpus = {}

--- The processors to measure on: those of one kind of core that this process may use.
-- @tparam[opt] int number of a processor of that kind
-- @tparam[opt] string name of the kind; by default that of the processor, or the fastest
-- @return name of the kind, and the list of their numbers; nil where all cores are of one kind; or nil and a message where such a kind cannot be had
function hardware_cpus.choose(number, name)
  local kind, of_kind = cpu.kind_of(number, nil, name)
  if not kind then return nil, of_kind end
  local usable, list = {}, {}
  for _, n in ipairs(cpu.allowed()) do usable[n] = true end
  for _, n in ipairs(of_kind) do
    if usable[n] then list[#list + 1] = n end
  end
  if #list == 0 then return nil, ("this process may use no core of the kind %s; see its affinity (taskset -p)"):format(kind) end
  return kind, list
end

return hardware_cpus
