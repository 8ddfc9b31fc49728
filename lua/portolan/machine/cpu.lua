--- The processor of this machine, as the operating system describes it.
-- @module portolan.machine.cpu
local aarch64 = require "portolan.machine.cpu_aarch64"
local core = require "portolan.core"
local file = require "portolan.support.file"
local lists = require "portolan.support.lists"
local paths = require "portolan.support.paths"
local printable = require "portolan.support.printable"

local cpu = {}

local function fields(text)
  local f, processors = {}, 0
  for key, value in text:gmatch("([^\n:]-)%s*:[ \t]*([^\n]*)\n") do
    if key == "processor" then processors = processors + 1 end
    f[key] = f[key] or value
  end
  return f, processors
end

local function contains(list, value) return not list or lists.any(list, function(v) return v == value end) end

local function has_all(flags, wanted) return lists.all(wanted or {}, function(flag) return flags and flags[flag] end) end

--- The first entry of a list (processors.lua, counters.lua of arch/) that fits: by MIDR; on x86-64 by vendor, family, models, steppings, flags and
-- the size of the first cache of code.
-- @param list of tables; one without `models`, `steppings`, `flags` or `code_cache` fits all of these
-- @param facts of `cpu.facts`
-- @return entry, or nil
function cpu.entry(list, facts)
  if facts.architecture == "aarch64" then return aarch64.entry(list, facts) end
  for _, entry in ipairs(list) do
    if entry.vendor == facts.vendor and entry.family == facts.family and contains(entry.models, facts.model)
      and contains(entry.steppings, facts.stepping) and has_all(facts.flags, entry.flags)
      and (not entry.code_cache or entry.code_cache == facts.code_cache) then
      return entry
    end
  end
end

--- A file of what is known beforehand about processors of an architecture, as a list.
-- @param architecture "x86_64", "aarch64"
-- @param name "processors.lua", "counters.lua"
function cpu.known(architecture, name) return paths.data(architecture, name) end

local cpuinfo, caches = "/proc/cpuinfo", "/sys/devices/system/cpu/cpu0/cache/index%d/"

-- The size of the first cache of code, in KiB; nil where the system does not say.
local function code_cache_of(read)
  for i = 0, 3 do
    local at = caches:format(i)
    if (read(at .. "level") or ""):match "%d+" == "1" and (read(at .. "type") or ""):match "%a+" == "Instruction" then
      return math.tointeger(tonumber((read(at .. "size") or ""):match "^(%d+)K"))
    end
  end
end

-- Facts of an x86-64 processor.
local function x86_facts(text, read)
  local f, processors = fields(text)
  if not f.vendor_id then
    return nil, "/proc/cpuinfo: no vendor_id and no CPU implementer; Portolan measures on x86-64 and AArch64 only"
  end
  local facts = {
    architecture = "x86_64",
    vendor = f.vendor_id,
    family = math.tointeger(tonumber(f["cpu family"])),
    model = math.tointeger(tonumber(f.model)),
    stepping = math.tointeger(tonumber(f.stepping)),
    cpu = (f["model name"] or "unknown processor"):gsub("%(R%)", ""):gsub("%(TM%)", ""):gsub("%s+", " "),
    cores = processors,
    flags = {},
    code_cache = code_cache_of(read),
  }
  for flag in (f.flags or ""):gmatch("%S+") do facts.flags[flag] = true end
  facts.hypervisor = facts.flags.hypervisor or false
  local entry = cpu.entry(cpu.known("x86_64", "processors.lua"), facts) or {}
  facts.microarchitecture, facts.adders, facts.ports, facts.llvm, facts.chart = entry.name, entry.adders, entry.ports, entry.llvm, entry.chart
  facts.key = ("%s-%s-%s-%s"):format(facts.vendor, facts.family, facts.model, facts.stepping)
  return facts
end

-- The cores of an AArch64 system; nil on any other. An emulator shows its host's /proc/cpuinfo, which tells nothing of the cores that it emulates.
local function cores_of(text, read, here)
  if aarch64.describes(text) then return aarch64.cores(text, read) end
  return here and core.bench.architecture == "aarch64" and {} or nil
end

--- Facts of the processor.
-- @param[opt] text the content of /proc/cpuinfo (for tests)
-- @tparam[opt] int number of the core that they are of, where cores differ (AArch64); by default the first
-- @tparam[opt] func read function(path) -> content of a file, or nil (for tests)
-- @return table: `architecture`, `vendor`, `family`, `model`, `stepping` (numbers; AArch64: no family, the part of MIDR, "0xd08", and the
-- revision, "r0p3"), `cpu` (its name), `cores` (that the system sees), `hypervisor` (boolean), `flags` (set), `code_cache` (KiB of the first cache
-- of code; x86-64), `microarchitecture`, `adders`, `ports`, `llvm` and `chart` (nil where arch/ARCHITECTURE/processors.lua does not know them), `key`
-- (names this processor model in the store); or nil and a message
function cpu.facts(text, number, read)
  local here = not text
  if here then
    local content, message = file.read(cpuinfo)
    if not content then return nil, message end
    text = content
  end
  local cores = cores_of(text, here and file.read, here)
  if not cores then return x86_facts(text, read or here and file.read or function() end) end
  local facts = aarch64.facts(cpu.known("aarch64", "processors.lua"), cores, number)
  if #cores == 0 then facts.cores = #cpu.allowed() end
  return facts
end

--- The numbers in a list of ranges as the kernel writes them: "0-3,8".
-- @param text string
function cpu.numbers(text)
  local list = {}
  for first, last in text:gmatch("(%d+)%-?(%d*)") do
    for n = tonumber(first), tonumber(last) or tonumber(first) do list[#list + 1] = math.tointeger(n) end
  end
  return list
end

local hybrid_kinds = { "core", "atom", "lowpower" } -- as the kernel names the counters of hybrid processors' cores

--- The kinds of cores of a hybrid processor, of a big.LITTLE one by MIDR.
-- @param[opt] read function(path) -> content of a file, or nil (for tests)
-- @return list of `{ name =, cpus = { numbers } }`, the fastest kind first; empty if all cores are alike
function cpu.kinds(read)
  local here = not read
  read = read or file.read
  local cores, list = cores_of(read(cpuinfo) or "", read, here), {}
  if cores then list = aarch64.kinds(cpu.known("aarch64", "processors.lua"), cores, read) end
  for _, name in ipairs(cores and {} or hybrid_kinds) do
    local text = read(("/sys/devices/cpu_%s/cpus"):format(name))
    if text then list[#list + 1] = { name = name, cpus = cpu.numbers(text) } end
  end
  return #list > 1 and list or {}
end

--- The cores to measure on together: on a hybrid processor, those of one kind only, so that no results of different kinds are mixed.
-- @param[opt] number of the processor that is asked for; by default the first kind counts
-- @param[opt] read as of `cpu.kinds`
-- @tparam[opt] string name of the kind that is asked for
-- @return the kind's name and its processors; or nil if all cores are alike; or nil and a message: there is no such processor or kind, or it is not
-- the kind of that processor
function cpu.kind_of(number, read, name)
  local online = number and (read or file.read) "/sys/devices/system/cpu/online"
  if online and not contains(cpu.numbers(online), number) then
    return nil, ("there is no processor %d; the processors of this system are %s"):format(number, online:match "%S+")
  end
  local kinds = cpu.kinds(read)
  for _, kind in ipairs(kinds) do
    if (not number or contains(kind.cpus, number)) and (not name or kind.name == name) then return kind.name, kind.cpus end
  end
  if not name then return nil end
  if #kinds == 0 then return nil, ("--core-kind %s: the cores of this system are alike; leave it out"):format(printable(name)) end
  local words = lists.map(kinds, function(kind) return ("%s (%s)"):format(kind.name, table.concat(kind.cpus, ",")) end)
  return nil, ("--core-kind %s: %s; the kinds here are %s"):format(printable(name),
    number and ("processor %d is not of that kind"):format(number) or "there is no such kind", table.concat(words, ", "))
end

--- The processors that this process may use.
-- @return list of numbers
function cpu.allowed()
  for line in io.lines "/proc/self/status" do
    local ranges = line:match "^Cpus_allowed_list:%s*(%S+)"
    if ranges then return cpu.numbers(ranges) end
  end
  return {}
end

--- The processors to measure on: those of one kind of core that this process may use.
-- @tparam[opt] int number of a processor of that kind
-- @tparam[opt] string name of the kind; by default that of the processor, or the fastest
-- @return name of the kind, and the list of their numbers; nil where all cores are of one kind; or nil and a message where such a kind cannot be had
function cpu.usable(number, name)
  local kind, of_kind = cpu.kind_of(number, nil, name)
  if not kind then return nil, of_kind end
  local allowed = lists.set(cpu.allowed())
  local list = lists.where(of_kind, function(n) return allowed[n] end)
  if #list == 0 then return nil, ("this process may use no core of the kind %s; see its affinity (taskset -p)"):format(kind) end
  return kind, list
end

return cpu
