--- The processor of this machine, as the operating system describes it.
-- @module portolan.cpu
local file = require "portolan.file"
local paths = require "portolan.paths"

local cpu = {}

local function fields(text)
  local f, processors = {}, 0
  for key, value in text:gmatch("([^\n:]-)%s*:[ \t]*([^\n]*)\n") do
    if key == "processor" then processors = processors + 1 end
    f[key] = f[key] or value
  end
  return f, processors
end

local function contains(list, value)
  if not list then return true end
  for _, v in ipairs(list) do
    if v == value then return true end
  end
  return false
end

--- The first entry of a list (arch/x86_64/processors.lua, counters.lua) whose vendor, family, models and steppings fit.
-- @param list of tables; without `models` or `steppings` all fit
-- @param facts of `cpu.facts`
-- @return entry, or nil
function cpu.entry(list, facts)
  for _, entry in ipairs(list) do
    if entry.vendor == facts.vendor and entry.family == facts.family and contains(entry.models, facts.model)
      and contains(entry.steppings, facts.stepping) then
      return entry
    end
  end
end

--- Facts of the processor.
-- @param[opt] text the content of /proc/cpuinfo (for tests)
-- @return table: `vendor`, `family`, `model`, `stepping` (numbers), `cpu` (its name), `cores` (that the system sees),
-- `hypervisor` (boolean), `flags` (set), `microarchitecture` and `adders` (nil where arch/x86_64/processors.lua does not know
-- it), `key` (names this processor model in the store); or nil and a message
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
  facts.microarchitecture, facts.adders = entry.name, entry.adders
  facts.key = ("%s-%s-%s-%s"):format(facts.vendor, facts.family, facts.model, facts.stepping)
  return facts
end

return cpu
