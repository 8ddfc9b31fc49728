-- This file says what is known beforehand of AArch64 cores, by MIDR. Nothing here is needed: an unknown core is measured like any other.
--
-- implementer, parts   of MIDR_EL1
-- name    the microarchitecture, for people
-- adders  independent 64-bit register additions per cycle; the measuring engine takes a core that is slower for a shared one (without it, any
--         whole number is believed)
-- ports   how many execution ports a chart finds, as in arch/x86_64/processors.lua
-- llvm    LLVM's name of it
local arm, apple = 0x41, 0x61

local function core(implementer, parts, name, llvm, adders, ports)
  return { implementer = implementer, parts = parts, name = name, llvm = llvm, adders = adders, ports = ports }
end

-- Two for integers, one for multiplications and divisions, two for vectors, loads, stores; and one for branches.
local cortex_a57 = { least = 7, most = 8 }

return {
  core(arm, { 0xd03 }, "Cortex-A53", "cortex-a53", 2),
  core(arm, { 0xd04 }, "Cortex-A35", "cortex-a35"),
  core(arm, { 0xd05 }, "Cortex-A55", "cortex-a55", 2),
  core(arm, { 0xd07 }, "Cortex-A57", "cortex-a57", 2, cortex_a57),
  core(arm, { 0xd08 }, "Cortex-A72", "cortex-a72", 2, cortex_a57),
  core(arm, { 0xd09 }, "Cortex-A73", "cortex-a73", 2),
  core(arm, { 0xd0a }, "Cortex-A75", "cortex-a75"),
  core(arm, { 0xd0b, 0xd0e }, "Cortex-A76", "cortex-a76", 3),
  core(arm, { 0xd0c }, "Neoverse N1", "neoverse-n1", 3),
  core(arm, { 0xd0d }, "Cortex-A77", "cortex-a77"),
  core(arm, { 0xd40 }, "Neoverse V1", "neoverse-v1", 4),
  core(arm, { 0xd41, 0xd42, 0xd4b }, "Cortex-A78", "cortex-a78"),
  core(arm, { 0xd44, 0xd4c }, "Cortex-X1", "cortex-x1"),
  core(arm, { 0xd46 }, "Cortex-A510", "cortex-a510"),
  core(arm, { 0xd47 }, "Cortex-A710", "cortex-a710"),
  core(arm, { 0xd48 }, "Cortex-X2", "cortex-x2"),
  core(arm, { 0xd49 }, "Neoverse N2", "neoverse-n2", 4),
  core(arm, { 0xd4d }, "Cortex-A715", "cortex-a715"),
  core(arm, { 0xd4e }, "Cortex-X3", "cortex-x3"),
  core(arm, { 0xd4f }, "Neoverse V2", "neoverse-v2", 6),
  core(arm, { 0xd80 }, "Cortex-A520", "cortex-a520"),
  core(arm, { 0xd81 }, "Cortex-A720", "cortex-a720"),
  core(arm, { 0xd82 }, "Cortex-X4", "cortex-x4"),
  core(0x43, { 0x0af }, "ThunderX2", "thunderx2t99"),
  core(0x46, { 0x001 }, "A64FX", "a64fx"),
  core(0x48, { 0xd01 }, "TSV110 (Kunpeng 920)", "tsv110"),
  core(0x6d, { 0xd49 }, "Cobalt 100 (Neoverse N2)", "neoverse-n2", 4),
  core(0xc0, { 0xac3 }, "Ampere-1", "ampere1"),
  core(apple, { 0x20 }, "Icestorm (A14)", "apple-a14"),
  core(apple, { 0x21 }, "Firestorm (A14)", "apple-a14"),
  core(apple, { 0x22, 0x24, 0x28 }, "Icestorm (M1)", "apple-m1"),
  core(apple, { 0x23, 0x25, 0x29 }, "Firestorm (M1)", "apple-m1"),
  core(apple, { 0x32, 0x34, 0x38 }, "Blizzard (M2)", "apple-m2"),
  core(apple, { 0x33, 0x35, 0x39 }, "Avalanche (M2)", "apple-m2"),
}
