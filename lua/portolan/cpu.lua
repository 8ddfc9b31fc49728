--- The processor of this machine, as the operating system describes it.
-- @module portolan.cpu
local file = require "portolan.support.file"
local lists = require "portolan.support.lists"
local paths = require "portolan.support.paths"

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

--- The first entry of a list (arch/x86_64/processors.lua, counters.lua) whose vendor, family, models, steppings and flags fit.
-- @param list of tables; one without `models`, `steppings` or `flags` fits all of these
-- @param facts of `cpu.facts`
-- @return entry, or nil
function cpu.entry(list, facts)
  for _, entry in ipairs(list) do
    if entry.vendor == facts.vendor and entry.family == facts.family and contains(entry.models, facts.model)
      and contains(entry.steppings, facts.stepping) and has_all(facts.flags, entry.flags) then
      return entry
    end
  end
end

--- Facts of the processor.
-- @param[opt] text the content of /proc/cpuinfo (for tests)
-- @return table: `vendor`, `family`, `model`, `stepping` (numbers), `cpu` (its name), `cores` (that the system sees),
-- `hypervisor` (boolean), `flags` (set), `microarchitecture`, `adders`, `ports` and `llvm` (nil where arch/x86_64/processors.lua does not
-- know them), `key` (names this processor model in the store); or nil and a message
function cpu.facts(text)
  if not text then
    local message
    text, message = file.read("/proc/cpuinfo")
    if not text then return nil, message end
  end
  local f, processors = fields(text)
  if not f.vendor_id then return nil, "/proc/cpuinfo: no vendor_id; Portolan measures on x86-64 only" end
  local facts = {
    vendor = f.vendor_id,
    family = math.tointeger(tonumber(f["cpu family"])),
    model = math.tointeger(tonumber(f.model)),
    stepping = math.tointeger(tonumber(f.stepping)),
    cpu = (f["model name"] or "unknown processor"):gsub("%(R%)", ""):gsub("%(TM%)", ""):gsub("%s+", " "),
    cores = processors,
    flags = {},
  }
  for flag in (f.flags or ""):gmatch("%S+") do facts.flags[flag] = true end
  facts.hypervisor = facts.flags.hypervisor or false
  local entry = cpu.entry(dofile(paths.arch "x86_64/processors.lua"), facts) or {}
  facts.microarchitecture, facts.adders, facts.ports, facts.llvm = entry.name, entry.adders, entry.ports, entry.llvm
  facts.key = ("%s-%s-%s-%s"):format(facts.vendor, facts.family, facts.model, facts.stepping)
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

local kinds = { "core", "atom", "lowpower" } -- as the kernel names the counters of hybrid processors' cores

--- The kinds of cores of a hybrid processor.
-- @param[opt] read function(path) -> content of a file, or nil (for tests)
-- @return list of `{ name =, cpus = { numbers } }`; empty if all cores are alike
function cpu.kinds(read)
  local list = {}
  for _, name in ipairs(kinds) do
    local text = (read or file.read)(("/sys/devices/cpu_%s/cpus"):format(name))
    if text then list[#list + 1] = { name = name, cpus = cpu.numbers(text) } end
  end
  return #list > 1 and list or {}
end

--- The cores to measure on together: on a hybrid processor, those of one kind only, so that no results of different kinds are mixed.
-- @param[opt] number of the processor that is asked for; by default the first kind counts
-- @param[opt] read as of `cpu.kinds`
-- @return the kind's name and its processors; or nil if all cores are alike
function cpu.kind_of(number, read)
  for _, kind in ipairs(cpu.kinds(read)) do
    if not number or contains(kind.cpus, number) then return kind.name, kind.cpus end
  end
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

return cpu
