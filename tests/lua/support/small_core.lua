-- A core of eight ports, six issue slots wide, with a few schemes on each kind of port set: for tests of whole inferences.
local file = require "portolan.support.file"
local mapping = require "portolan.mapping"

local small_core = {}

--- A scheme with one uop on each of these sets of ports: `uops(2, "06", "015")`.
function small_core.uops(slots, ...)
  local list = {}
  for i, set in ipairs { ... } do
    list[i] = { {}, 1 }
    for port in set:gmatch "." do table.insert(list[i][1], port) end
  end
  return { uops = list, status = "explained", slots = slots }
end

local uops = small_core.uops

--- Its mapping, with further schemes.
function small_core.mapping(further)
  local schemes = {
    ["imul r64, r64"] = uops(1, "1"), ["popcnt r64, r64"] = uops(1, "1"), ["vpermd ymm, ymm, ymm"] = uops(1, "5"),
    ["vpermq ymm, ymm, imm8"] = uops(1, "5"), ["vmovmskps r32, ymm"] = uops(1, "0"), ["shl r64, imm8"] = uops(1, "06"),
    ["sar r64, imm8"] = uops(1, "06"), ["vpaddd ymm, ymm, ymm"] = uops(1, "015"), ["vpand ymm, ymm, ymm"] = uops(1, "015"),
    ["mov r64, m64"] = uops(1, "23"), ["vmovups ymm, m256"] = uops(1, "23"),
    ["bextr r64, r64, r64"] = uops(2, "06", "015"), ["vphaddd ymm, ymm, ymm"] = uops(3, "5", "5", "015"),
  }
  for name, scheme in pairs(further or {}) do schemes[name] = scheme end
  return { format = "portolan-mapping", version = 1, ports = { "0", "1", "2", "3", "4", "5", "6", "7" }, rmax = 6, schemes = schemes }
end

--- Further schemes: a store, memory, an eliminated move, and one whose ports are not what it takes (`misfit` of
-- portolan.processor.simulated).
function small_core.with_misfit(name, scheme, misfit)
  scheme.misfit = misfit
  return small_core.mapping { ["mov m64, r64"] = uops(1, "4", "7"), ["imul r64, m64"] = uops(1, "23", "1"), ["mov r64, r64"] = uops(1),
    [name] = scheme }
end

--- Writes a universe of its schemes into a folder: a campaign over all that the decoder knows spends most of its time on choosing among them.
-- @return the path of the universe
function small_core.universe(directory)
  local names = {}
  for i, name in ipairs(mapping.schemes(small_core.mapping())) do names[i] = ("%q"):format(name) end
  assert(file.write(directory .. "/set.lua", ("return { { name = 'All', schemes = { %s } } }"):format(table.concat(names, ", "))))
  assert(file.write(directory .. "/universe.lua", ("return { set = %q }"):format(directory .. "/set.lua")))
  return directory .. "/universe.lua"
end

return small_core
