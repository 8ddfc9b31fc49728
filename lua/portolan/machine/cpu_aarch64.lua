--- AArch64 processors as the operating system describes them: by the main ID register (MIDR) of each core.
--
-- Cores of one system may be of several kinds (big.LITTLE); what is told of a processor is told of one of its cores.
-- @module portolan.machine.cpu_aarch64
local lists = require "portolan.support.lists"

local aarch64 = {}

-- Holds who designed a core, by the implementer's code in MIDR (Arm Architecture Reference Manual, MIDR_EL1).
local implementers = {
  [0x41] = "Arm", [0x42] = "Broadcom", [0x43] = "Cavium", [0x46] = "Fujitsu", [0x48] = "HiSilicon", [0x4e] = "NVIDIA", [0x50] = "APM",
  [0x51] = "Qualcomm", [0x53] = "Samsung", [0x61] = "Apple", [0x6d] = "Microsoft", [0xc0] = "Ampere",
}

local function number(text) return text and math.tointeger(tonumber(text)) end

-- MIDR as the kernel writes it: "0x00000000410fd083".
local function of_midr(text)
  local midr = number(text and text:match "0x%x+")
  if not midr then return {} end
  return { implementer = midr >> 24 & 0xff, variant = midr >> 20 & 0xf, part = midr >> 4 & 0xfff, revision = midr & 0xf }
end

local function midr_path(n) return ("/sys/devices/system/cpu/cpu%d/regs/identification/midr_el1"):format(n) end

local names = { ["CPU implementer"] = "implementer", ["CPU architecture"] = "architecture", ["CPU variant"] = "variant", ["CPU part"] = "part",
  ["CPU revision"] = "revision" }

--- The cores that /proc/cpuinfo lists.
-- @tparam string text its content
-- @tparam[opt] func read function(path) -> content of a file, or nil: MIDR is read from there where the text does not have it
-- @return list of `{ number =, implementer =, part =, variant =, revision =, architecture =, flags = set }`; fields that nobody tells are nil
function aarch64.cores(text, read)
  local list, core = {}, nil
  for line in text:gmatch "[^\n]+" do
    local key, value = line:match "^(.-)%s*:%s*(.-)%s*$"
    if key == "processor" then
      core = { number = number(value) or #list, flags = {} }
      list[#list + 1] = core
    elseif core and names[key] then
      core[names[key]] = number(value)
    elseif core and key == "Features" then
      for flag in value:gmatch "%S+" do core.flags[flag] = true end
    end
  end
  for _, c in ipairs(list) do
    local midr = not c.part and read and of_midr(read(midr_path(c.number))) or {}
    for field, value in pairs(midr) do c[field] = value end
  end
  return list
end

--- Is this the text of an AArch64 system?
function aarch64.describes(text) return text:find("\nCPU implementer%s*:") ~= nil or text:find "^CPU implementer%s*:" ~= nil end

local function fits(entry, core)
  return entry.implementer == core.implementer and lists.any(entry.parts, function(part) return part == core.part end)
end

--- The first entry of a list (arch/aarch64/processors.lua) that a core fits.
-- @return entry, or nil
function aarch64.entry(list, core)
  return lists.first(list, function(entry) return fits(entry, core) end)
end

-- As Arm writes revisions: "r0p3".
local function revision_of(core) return ("r%dp%d"):format(core.variant or 0, core.revision or 0) end

-- Says what a core is called: by its entry, or by its numbers.
local function name_of(core, entry)
  if not core.part then return "unknown AArch64 processor" end
  local designer = implementers[core.implementer] or ("implementer 0x%02x"):format(core.implementer)
  return ("%s %s %s"):format(designer, entry and entry.name or ("part 0x%03x"):format(core.part), revision_of(core))
end

local function kind_name(core, entry)
  if entry then return (entry.name:lower():gsub("[^%w]+", "-"):gsub("%-$", "")) end
  return core.part and ("%02x-%03x"):format(core.implementer, core.part) or "unknown"
end

--- Facts of a core, as `portolan.cpu.facts` has them.
-- @param list of arch/aarch64/processors.lua
-- @param cores of `aarch64.cores`
-- @tparam[opt] int wanted number of the core; by default the first
-- @return table: besides, `implementer`, `part`, `variant` and `revision` of MIDR
function aarch64.facts(list, cores, wanted)
  local core = lists.where(cores, function(c) return c.number == wanted end)[1] or cores[1] or { flags = {} }
  local entry = aarch64.entry(list, core)
  local known = entry or {}
  return {
    architecture = "aarch64", vendor = implementers[core.implementer] or "unknown",
    implementer = core.implementer, part = core.part, variant = core.variant, revision = core.revision,
    model = core.part and ("0x%03x"):format(core.part), stepping = core.part and revision_of(core),
    cpu = name_of(core, entry), cores = #cores, flags = core.flags, hypervisor = false,
    microarchitecture = known.name, adders = known.adders, ports = known.ports, llvm = known.llvm,
    key = core.part and ("aarch64-%02x-%03x-%s"):format(core.implementer, core.part, revision_of(core)) or "aarch64-unknown",
  }
end

local function capacity_path(n) return ("/sys/devices/system/cpu/cpu%d/cpu_capacity"):format(n) end

--- The kinds of cores of a system, those first that do most work a second, as the kernel rates them.
-- @param list of arch/aarch64/processors.lua
-- @param cores of `aarch64.cores`
-- @tparam func read function(path) -> content of a file, or nil
-- @return list of `{ name =, cpus = { numbers } }`
function aarch64.kinds(list, cores, read)
  local kinds, by_name = {}, {}
  for _, core in ipairs(cores) do
    local name = kind_name(core, aarch64.entry(list, core))
    local kind = by_name[name]
    if not kind then
      local text = read(capacity_path(core.number))
      kind = { name = name, cpus = {}, capacity = number(text and text:match "%d+") or 0, order = #kinds }
      by_name[name], kinds[#kinds + 1] = kind, kind
    end
    kind.cpus[#kind.cpus + 1] = core.number
  end
  -- Without ratings the last ones are the largest, as such systems usually number them.
  table.sort(kinds, function(a, b) return a.capacity > b.capacity or (a.capacity == b.capacity and a.order > b.order) end)
  return lists.map(kinds, function(kind) return { name = kind.name, cpus = kind.cpus } end)
end

return aarch64
