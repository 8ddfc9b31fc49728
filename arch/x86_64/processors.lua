-- This file says what is known beforehand of processors, by CPUID. Nothing here is needed: an unknown processor is measured like any other.
--
-- name    the microarchitecture, for people
-- adders  independent integer operations (`test r64, r64`) per cycle on a core that is not shared; the measuring engine takes a core that is
--         slower for a shared one (without it, any whole number from three on is believed)
-- ports   how many execution ports a chart finds: `least`, those of arithmetic and loads and one for stores (a port for the
--         addresses of stores never limits anything, and a second one for their data hardly does); `most`, all that the core has.
--         A chart that finds another number says so; nothing else depends on it
-- llvm    LLVM's name of it, where LLVM itself would take it for another processor
-- chart   the file of `mappings` that is a chart of this core (without its ending), if one ships
--
-- The first entry whose vendor, family and model (and stepping, flags and `code_cache`, KiB of the first cache of code, where given) fit is used.
local haswell, sunny_cove, golden_cove = { least = 7, most = 8 }, { least = 7, most = 10 }, { least = 9, most = 12 }
local zen_3 = { least = 12, most = 16 } -- adders, loads and vector pipes; with a unit for jumps, two for stores, two that vectors leave by

return {
  { vendor = "GenuineIntel", family = 6, models = { 0x8f }, name = "Sapphire Rapids (Golden Cove)", adders = 5, ports = golden_cove },
  { vendor = "GenuineIntel", family = 6, models = { 0xcf }, name = "Emerald Rapids (Raptor Cove)", adders = 5, ports = golden_cove },
  { vendor = "GenuineIntel", family = 6, models = { 0xad, 0xae }, name = "Granite Rapids (Redwood Cove)", adders = 5, ports = golden_cove,
    chart = "redwood-cove" },
  -- Hypervisors may give a processor the model number of an older one, and hide some of what it can execute. The rest tells, and so do its caches.
  { vendor = "GenuineIntel", family = 6, flags = { "amx_tile" }, code_cache = 64, adders = 5, ports = golden_cove, llvm = "sapphirerapids",
    name = "Granite Rapids (Redwood Cove)", chart = "redwood-cove" },
  { vendor = "GenuineIntel", family = 6, flags = { "amx_tile" }, adders = 5, name = "Sapphire Rapids or later, under an older one's number",
    ports = { least = 9 }, llvm = "sapphirerapids" },
  { vendor = "GenuineIntel", family = 6, models = { 0x3c, 0x3f, 0x45, 0x46 }, name = "Haswell", adders = 4, ports = haswell },
  { vendor = "GenuineIntel", family = 6, models = { 0x3d, 0x47, 0x4f, 0x56 }, name = "Broadwell", adders = 4, ports = haswell },
  { vendor = "GenuineIntel", family = 6, models = { 0x55 }, steppings = { 5, 6, 7 }, name = "Cascade Lake", adders = 4, ports = haswell },
  { vendor = "GenuineIntel", family = 6, models = { 0x55 }, steppings = { 10, 11 }, name = "Cooper Lake", adders = 4, ports = haswell },
  { vendor = "GenuineIntel", family = 6, models = { 0x55 }, name = "Skylake-SP", adders = 4, ports = haswell },
  { vendor = "GenuineIntel", family = 6, models = { 0x4e, 0x5e, 0x8e, 0x9e, 0xa5, 0xa6 }, name = "Skylake", adders = 4, ports = haswell },
  { vendor = "GenuineIntel", family = 6, models = { 0x6a, 0x6c }, name = "Ice Lake-SP", adders = 4, ports = sunny_cove },
  { vendor = "GenuineIntel", family = 6, models = { 0x7d, 0x7e }, name = "Ice Lake", adders = 4, ports = sunny_cove },
  { vendor = "GenuineIntel", family = 6, models = { 0x8c, 0x8d }, name = "Tiger Lake", adders = 4, ports = sunny_cove },
  { vendor = "GenuineIntel", family = 6, models = { 0xa7 }, name = "Rocket Lake", adders = 4, ports = sunny_cove },
  -- Cores of two kinds, whose adders differ: not said beforehand.
  { vendor = "GenuineIntel", family = 6, models = { 0x97, 0x9a }, name = "Alder Lake" },
  { vendor = "GenuineIntel", family = 6, models = { 0xb7, 0xba, 0xbf }, name = "Raptor Lake" },
  { vendor = "GenuineIntel", family = 6, models = { 0xaa, 0xac }, name = "Meteor Lake" },
  { vendor = "GenuineIntel", family = 6, models = { 0xb5, 0xc5, 0xc6 }, name = "Arrow Lake" },
  { vendor = "GenuineIntel", family = 6, models = { 0xbd }, name = "Lunar Lake" },
  { vendor = "AuthenticAMD", family = 0x17, name = "Zen, Zen+ or Zen 2", adders = 4, ports = { least = 9, most = 11 } },
  { vendor = "AuthenticAMD", family = 0x19, flags = { "avx512f" }, name = "Zen 4", adders = 4, ports = zen_3 },
  { vendor = "AuthenticAMD", family = 0x19, name = "Zen 3", adders = 4, ports = zen_3, chart = "zen3" },
  { vendor = "AuthenticAMD", family = 0x1a, name = "Zen 5", adders = 6, ports = { least = 14, most = 20 }, chart = "zen5" },
}
