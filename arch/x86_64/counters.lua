-- This file says which performance counters processors have, by the names that libpfm4 gives to their events.
--
-- pmu        libpfm4's name of the processor's counters; only for tests, which look the names up without such a processor
-- uops       uops executed, unfused
-- macro_ops  macro-ops retired; how many uops these are is postulated (Postulate 6.5 of the dissertation): one more for each
--            memory operand of up to `memory_bits`, two for one of twice that width. The postulate is made for Zen+. Zen is the
--            same core; from Zen 2 on, 256 bits are one operation, and the rest is taken over.
-- ports      uops executed on a port; where ports share a counter, all of them, those first that run more kinds of uops: a uop that
--            runs on one of several such ports is taken to run on the first
--
-- The first entry whose vendor, family and model fit is used.

-- { { "0", PREFIX .. "0" }, { "2/3", PREFIX .. "2_3" }, ... }
local function ports(prefix, list)
  local result = {}
  for name in list:gmatch("%S+") do result[#result + 1] = { name, prefix .. name:gsub("/", "_") } end
  return result
end

local executed = "UOPS_EXECUTED:THREAD"
local skylake = ports("UOPS_DISPATCHED_PORT:PORT_", "0 1 2 3 4 5 6 7")
local ice_lake = ports("UOPS_DISPATCHED:PORT_", "0 1 2/3 4/9 5 6 7/8")
local golden_cove = ports("UOPS_DISPATCHED:PORT_", "0 1 2/3/10 4/9 5/11 6 7/8")

return {
  { pmu = "clx", vendor = "GenuineIntel", family = 6, models = { 0x55 }, steppings = { 5, 6, 7 }, uops = executed, ports = skylake },
  { pmu = "skx", vendor = "GenuineIntel", family = 6, models = { 0x55 }, uops = executed, ports = skylake },
  { pmu = "skl", vendor = "GenuineIntel", family = 6, models = { 0x4e, 0x5e, 0x8e, 0x9e, 0xa5, 0xa6 }, uops = executed,
    ports = skylake },
  { pmu = "icx", vendor = "GenuineIntel", family = 6, models = { 0x6a, 0x6c }, uops = executed, ports = ice_lake },
  { pmu = "icl", vendor = "GenuineIntel", family = 6, models = { 0x7d, 0x7e, 0x8c, 0x8d, 0xa7 }, uops = executed, ports = ice_lake },
  { pmu = "spr", vendor = "GenuineIntel", family = 6, models = { 0x8f, 0xcf }, uops = executed, ports = golden_cove },
  { pmu = "amd64_fam17h_zen1", vendor = "AuthenticAMD", family = 0x17, models = { 0x01, 0x08, 0x11, 0x18, 0x20 },
    macro_ops = "RETIRED_UOPS", memory_bits = 128 },
  { pmu = "amd64_fam17h_zen2", vendor = "AuthenticAMD", family = 0x17, macro_ops = "RETIRED_UOPS", memory_bits = 256 },
  { pmu = "amd64_fam19h_zen4", vendor = "AuthenticAMD", family = 0x19,
    models = { 0x10, 0x11, 0x18, 0x60, 0x61, 0x70, 0x74, 0x75, 0x78, 0x7c, 0xa0, 0xa1, 0xaf }, macro_ops = "RETIRED_OPS",
    memory_bits = 256 },
  { pmu = "amd64_fam19h_zen3", vendor = "AuthenticAMD", family = 0x19, macro_ops = "RETIRED_OPS", memory_bits = 256 },
}
