-- AArch64 processors by the main ID register of their cores: /proc/cpuinfo as Linux writes it (tests/data/cpuinfo).
local cpu = require "portolan.machine.cpu"
local file = require "portolan.support.file"
local hardware_counters = require "portolan.processor.hardware_counters"

local function text_of(name) return assert(file.read(("%s/tests/data/cpuinfo/%s.txt"):format(os.getenv "PORTOLAN_SOURCE", name))) end

-- Reads files of a system with this /proc/cpuinfo.
local function system(name, files)
  return function(path) return path == "/proc/cpuinfo" and text_of(name) or (files or {})[path] end
end

local function capacities(list)
  local files = {}
  for n, capacity in pairs(list) do files[("/sys/devices/system/cpu/cpu%d/cpu_capacity"):format(n)] = capacity .. "\n" end
  return files
end

describe("facts of an AArch64 core", function()
  it("come from MIDR and arch/aarch64/processors.lua", function()
    local f = assert(cpu.facts(text_of "raspberry-pi-4"))
    assert.same({ "aarch64", "Arm", "0xd08", "r0p3", 4, "Arm Cortex-A72 r0p3", "Cortex-A72", 2, "cortex-a72", "aarch64-41-d08-r0p3" },
      { f.architecture, f.vendor, f.model, f.stepping, f.cores, f.cpu, f.microarchitecture, f.adders, f.llvm, f.key })
    assert.same({ least = 7, most = 8 }, f.ports)
    assert.is_true(f.flags.asimd)
    assert.is_nil(f.flags.sve)
    f = assert(cpu.facts(text_of "neoverse-n1"))
    assert.same({ "Neoverse N1", 3, "aarch64-41-d0c-r3p1" }, { f.microarchitecture, f.adders, f.key })
  end)

  it("are those of the core that is asked for, where cores differ", function()
    local text = text_of "rk3588"
    assert.equal("Cortex-A55", cpu.facts(text).microarchitecture)
    assert.equal("Cortex-A55", cpu.facts(text, 3).microarchitecture)
    assert.equal("Cortex-A76", cpu.facts(text, 4).microarchitecture)
    assert.not_equal(cpu.facts(text, 3).key, cpu.facts(text, 4).key)
    assert.same({ "Icestorm (M1)", "Firestorm (M1)" },
      { cpu.facts(text_of "apple-m1").microarchitecture, cpu.facts(text_of "apple-m1", 7).microarchitecture })
  end)

  it("do without what is not known", function()
    local f = assert(cpu.facts(text_of "unknown"))
    assert.same({ "Arm part 0xfff r1p2", "aarch64-41-fff-r1p2" }, { f.cpu, f.key })
    assert.is_nil(f.microarchitecture)
    assert.is_nil(f.adders)
    assert.is_nil(f.llvm)
  end)

  it("tell of no counters that this core does not have", function()
    assert.is_nil(hardware_counters.counters_of(cpu.facts(text_of "neoverse-n1")))
    local usable, why = hardware_counters.counters { facts = cpu.facts(text_of "neoverse-n1") }
    assert.same({}, usable)
    assert.matches("arch/aarch64/counters.lua does not list this processor", why, 1, true)
  end)
end)

describe("kinds of AArch64 cores", function()
  it("are told apart by MIDR, the one that does most work first", function()
    local little = {}
    for n = 0, 3 do little[n] = 381 end
    for n = 4, 7 do little[n] = 1024 end
    local expected = { { name = "cortex-a76", cpus = { 4, 5, 6, 7 } }, { name = "cortex-a55", cpus = { 0, 1, 2, 3 } } }
    assert.same(expected, cpu.kinds(system("rk3588", capacities(little))))
    for n = 0, 3 do little[n], little[n + 4] = 1024, 381 end
    assert.same({ expected[2], expected[1] }, cpu.kinds(system("rk3588", capacities(little))))
    assert.same(expected, cpu.kinds(system "rk3588")) -- where the kernel does not rate them
  end)

  it("are none where all cores are alike", function() assert.same({}, cpu.kinds(system "raspberry-pi-4")) end)

  it("are chosen by the number of a processor, or by name", function()
    local read = system "rk3588"
    assert.equal("cortex-a76", (cpu.kind_of(nil, read)))
    assert.equal("cortex-a55", (cpu.kind_of(2, read)))
    local name, cpus = cpu.kind_of(nil, read, "cortex-a55")
    assert.equal("cortex-a55", name)
    assert.same({ 0, 1, 2, 3 }, cpus)
  end)

  it("that are not there are refused, with those that are", function()
    local read = system "rk3588"
    local none, message = cpu.kind_of(nil, read, "cortex-a72")
    assert.is_nil(none)
    assert.matches("there is no such kind; the kinds here are cortex-a76 (4,5,6,7), cortex-a55 (0,1,2,3)", message, 1, true)
    none, message = cpu.kind_of(1, read, "cortex-a76")
    assert.is_nil(none)
    assert.matches("processor 1 is not of that kind", message, 1, true)
    none, message = cpu.kind_of(nil, system "raspberry-pi-4", "cortex-a72")
    assert.is_nil(none)
    assert.matches("the cores of this system are alike; leave it out", message, 1, true)
  end)

  it("are read from sysfs where /proc/cpuinfo has no MIDR", function()
    local text = (text_of "rk3588"):gsub("CPU part[^\n]*\n", "")
    local files = { ["/proc/cpuinfo"] = text }
    for n = 0, 7 do
      files[("/sys/devices/system/cpu/cpu%d/regs/identification/midr_el1"):format(n)] = n < 6 and "0x00000000412fd050\n" or "0x00000000414fd0b0\n"
    end
    assert.same({ { name = "cortex-a76", cpus = { 6, 7 } }, { name = "cortex-a55", cpus = { 0, 1, 2, 3, 4, 5 } } },
      cpu.kinds(function(path) return files[path] end))
  end)
end)

describe("arch/aarch64/processors.lua", function()
  it("has no core twice, and a name for each", function()
    local seen = {}
    for _, entry in ipairs(cpu.known("aarch64", "processors.lua")) do
      assert.is_string(entry.name)
      assert.is_string(entry.llvm)
      for _, part in ipairs(entry.parts) do
        local key = ("%x-%x"):format(entry.implementer, part)
        assert.is_nil(seen[key], key)
        seen[key] = true
      end
    end
    for _, part in ipairs { "41-d03", "41-d05", "41-d08", "41-d0b", "41-d41", "41-d44", "41-d48", "41-d0c", "41-d49", "41-d40", "41-d4f",
      "61-23", "61-33" } do
      assert.is_true(seen[part], part)
    end
  end)
end)
