--- Instruction schemes: look them up, list, filter, and leave out what cannot be measured sensibly.
--
-- A scheme is a table, shared by all who ask; do not change it:
--
--    architecture  "x86_64" or "aarch64": no name is a scheme's of both
--    name, mnemonic, encoding ("legacy", "vex", "evex", "xop", "3dnow"; "a64"), category, isa_set, extension (of x86-64 Zydis' terms),
--    prefixes      list of "lock", "rep", "repe", "repne", ...
--    operands      list; printed ones first, in the order of Intel syntax:
--      kind        "register", "memory", "address" (computed only: lea), "immediate", "relative" (branch target)
--      visibility  "explicit", "implicit" (printed, not to choose), "hidden"
--      access      "r", "w", "rw" or "" (immediates, addresses); a conditional write is "rw", with `conditional` set
--      width       bits;  class  register class ("gpr64", "xmm", "mask", "flags", ...);  fixed  register's name
--      index       class of the index register of vector addressing;  constant  of an immediate that is not encoded
--      mask, broadcast, absolute, signed   true or absent
--    flags_read, flags_written   lists of "cf", "zf", ...
--    masked, zeroing, rounding, sae, branch, updates_fixed   true or absent
--    breakers      how many instructions go ahead of an instance that is measured: zeroing idioms, which make it independent of the one
--                  before, and NOPs, which keep branches that are taken apart; absent: none
--    taken         true of branches that are always taken where they are measured: behind a zeroing idiom, to the next instruction
--    companions    names of the schemes that stand around an instance that is measured (engine/isa/companions.h), so that it leaves what it found;
--                  behind: how many of them stand behind it; absent: none
--    unbreakable   true: an instance waits for the one before, whatever operands it gets
--    stack_bytes   by which an instance moves rsp: below 0 for push and call, above for pop; absent: it does not, or not by a fixed amount
--
-- Names: docs/scheme-names.md.
-- @module portolan.scheme.isa
local architectures = require "portolan.support.architectures"
local core = require "portolan.core"
local distance = require "portolan.support.distance"
local lists = require "portolan.support.lists"
local lua_file = require "portolan.support.lua_file"
local paths = require "portolan.support.paths"
local scheme_filter = require "portolan.scheme.filter"

local isa = {}

local by_name, catalogues = {}, {}

--- The scheme of a name. No catalogue is built for this.
-- @param name string, e.g. "add r64, r64"
-- @return scheme, or nil, message
function isa.scheme(name)
  local found = by_name[name]
  if found then return found end
  local scheme, message = core.isa.scheme(name)
  if not scheme then return nil, message end
  by_name[name] = scheme
  return scheme
end

--- The bits of a scheme's widest vectors, if these are 256 or more.
-- @param name string
-- @return 256 or 512; 0 of all others, and of what is no scheme's name
function isa.vector_bits(name)
  local scheme, bits = isa.scheme(name), 0
  if scheme and scheme.isa_set:find "_512$" then return 512 end -- also vfpclasspd k, m512, imm8
  for _, operand in ipairs(scheme and scheme.operands or {}) do
    bits = math.max(bits, operand.class == "zmm" and 512 or operand.class == "ymm" and 256 or 0)
  end
  return bits
end

--- The architecture of schemes.
-- @param names list; names that are no scheme's do not matter
-- @return its name, nil if none of the names is a scheme's; or nil and a message if there are schemes of two architectures
function isa.architecture(names)
  local architecture, first
  for _, name in ipairs(names) do
    local scheme = isa.scheme(name)
    if scheme and architecture and scheme.architecture ~= architecture then
      return nil, ("'%s' is of %s, '%s' of %s; keep to one architecture"):format(first, architecture, name, scheme.architecture)
    end
    if scheme and not architecture then architecture, first = scheme.architecture, name end
  end
  return architecture
end

--- The architectures that Portolan knows, whatever it runs on.
-- @return list of names: "x86_64", ...
isa.architectures = core.isa.architectures

--- The architecture that this program runs on; nil if Portolan does not know it.
isa.host = core.isa.host

--- The architecture that is meant where nothing tells: what PORTOLAN_DEFAULT_ARCHITECTURE names, else the host's, else x86_64.
isa.default = core.isa.default

--- The sets of an architecture's catalogue.
-- @tparam[opt] string architecture its name; default isa.default
-- @return list of names: "legacy", "vex", "evex"; list of those that isa.schemes lists unless asked otherwise
isa.sets = core.isa.sets

-- Equal for options that ask for the same schemes.
local function key_of(architecture, options)
  local sets, default = isa.sets(architecture)
  local named = lists.where(sets, function(set) return options[set] ~= nil end)
  if #named == 0 and options.architecture then named = default
  else named = lists.where(named, function(set) return options[set] end) end
  return architecture .. ":" .. table.concat(named, ",")
end

--- All schemes of the sets of an architecture, by name.
-- @tparam[opt] table options by default all of the default sets: of x86-64 `{ legacy = true, vex = true }`
-- @tparam[opt] string options.architecture default isa.default
-- @tparam[opt] boolean options.legacy of x86-64; 3DNow! included
-- @tparam[opt] boolean options.vex of x86-64; XOP included
-- @tparam[opt] boolean options.evex of x86-64; other architectures have sets of other names (isa.sets)
-- @return list of schemes, or nil, message
function isa.schemes(options)
  local architecture, fault = architectures.check(options and options.architecture or isa.default)
  if not architecture then return nil, fault end
  options = options or { architecture = architecture }
  local key = key_of(architecture, options)
  if catalogues[key] then return catalogues[key] end
  local list, message = core.isa.schemes(options)
  if not list then return nil, message end
  for k, scheme in ipairs(list) do
    list[k] = by_name[scheme.name] or scheme
    by_name[scheme.name] = list[k]
  end
  catalogues[key] = list
  return list
end

--- All schemes of an architecture.
-- @tparam[opt] string architecture by default the host's
-- @return list of schemes; or nil and a message
function isa.everything(architecture)
  local known, message = architectures.check(architecture or isa.default)
  if not known then return nil, message end
  local options = { architecture = known }
  for _, set in ipairs(isa.sets(options.architecture)) do options[set] = true end
  return isa.schemes(options)
end

--- The schemes that a filter lets through.
-- @param schemes list
-- @param filter a Lua expression (see portolan.scheme.filter) or a function(scheme) -> boolean
-- @return list, or nil, message
function isa.select(schemes, filter)
  local test, message = filter, nil
  if type(filter) == "string" then test, message = scheme_filter.compile(filter) end
  if not test then return nil, message end
  local chosen = {}
  for _, scheme in ipairs(schemes) do
    local passes, trouble = test(scheme)
    if passes == nil and trouble then return nil, trouble end
    if passes then chosen[#chosen + 1] = scheme end
  end
  return chosen
end

--- Names of schemes that look like what was meant: those of the same mnemonic, nearest first, of the architecture of the nearest.
-- @param name string that is no scheme's name
-- @return list of at most 6 names
function isa.similar(name)
  local wanted = name:lower():sub(1, 100)
  local mnemonic = wanted:match("^%s*([%w_]+)")
  local names, distances = {}, {}
  for _, architecture in ipairs(architectures.names()) do
    for _, scheme in ipairs(isa.schemes { architecture = architecture, legacy = true, vex = true, evex = wanted:find("[z{]") ~= nil } or {}) do
      if scheme.mnemonic == mnemonic then
        names[#names + 1] = scheme.name
        distances[scheme.name] = distance(wanted, scheme.name)
      end
    end
  end
  table.sort(names, function(a, b)
    if distances[a] ~= distances[b] then return distances[a] < distances[b] end
    return a < b
  end)
  local architecture = names[1] and isa.scheme(names[1]).architecture
  return table.move(lists.where(names, function(similar) return isa.scheme(similar).architecture == architecture end), 1, 6, 1, {})
end

-- One rule of an exclusions file: its test; nil, message if it is not right.
local function rule_test(rule, where)
  if type(rule) ~= "table" or type(rule.reason) ~= "string" or type(rule.when) ~= "table" then
    return nil, where .. ": a rule is { reason = text, when = { filter, ... } }"
  end
  local tests = {}
  for k, expression in ipairs(rule.when) do
    if type(expression) ~= "string" then return nil, ("%s, filter %d: it must be a text"):format(where, k) end
    local test, message = scheme_filter.compile(expression)
    if not test then return nil, ("%s (%s), filter %d: %s"):format(where, rule.reason, k, message) end
    tests[k] = test
  end
  return function(scheme)
    for _, test in ipairs(tests) do
      local excluded, message = test(scheme)
      if excluded == nil then return nil, ("%s (%s): %s"):format(where, rule.reason, message) end
      if excluded then return true end
    end
    return false
  end
end

--- Compiles rules of exclusions.
-- @param rules list of { reason =, when = { filter, ... } }
-- @param where they are from, for messages
-- @tparam[opt] string apart rules with this `apart` are left out
-- @return as isa.exclusions; or nil, message
function isa.compiled_exclusions(rules, where, apart)
  local exclusions = {}
  for k, rule in ipairs(rules) do
    local test, trouble = rule_test(rule, ("%s: rule %d"):format(where, k))
    if not test then return nil, trouble end
    if not (apart and rule.apart == apart) then exclusions[#exclusions + 1] = { reason = rule.reason, test = test } end
  end
  return exclusions
end

--- Reads exclusions: what not to measure, and why.
-- @param path string: a Lua file like arch/x86_64/exclusions.lua; by default the architecture's
-- @tparam[opt] string apart rules with this `apart` are left out: the caller keeps what they are about apart
-- @tparam[opt] string architecture by default the host's
-- @return list of { reason = string, test = function(scheme) -> boolean }, or nil, message
function isa.exclusions(path, apart, architecture)
  path = path or paths.arch(architecture or architectures.default(), "exclusions.lua")
  local rules, message = lua_file.run(path, nil, "a list of rules")
  if not rules then return nil, message end
  return isa.compiled_exclusions(rules, path, apart)
end

--- Tells why a scheme is excluded.
-- @return reason, or nil if it is usable; or nil, message if a rule fails
function isa.exclusion(scheme, exclusions)
  for _, rule in ipairs(exclusions) do
    local excluded, message = rule.test(scheme)
    if excluded == nil then return nil, message end
    if excluded then return rule.reason end
  end
  return nil
end

--- Splits schemes into those to measure and those not to measure. Whether this very CPU has them is not decided here.
-- @param schemes list
-- @param exclusions from isa.exclusions; default: those of the schemes' architecture
-- @return list of usable schemes, list of { scheme =, reason = }; or nil, message
function isa.usable(schemes, exclusions)
  if not exclusions then
    local message
    exclusions, message = isa.exclusions(nil, nil, schemes[1] and schemes[1].architecture)
    if not exclusions then return nil, message end
  end
  local usable, excluded = {}, {}
  for _, scheme in ipairs(schemes) do
    local reason, message = isa.exclusion(scheme, exclusions)
    if message then return nil, message end
    if reason then excluded[#excluded + 1] = { scheme = scheme, reason = reason }
    else usable[#usable + 1] = scheme end
  end
  return usable, excluded
end

--- Text of bytes in Intel syntax, by Capstone.
-- @param bytes string
-- @return list of { offset =, bytes = hex, text = }
isa.listing = core.isa.listing

--- Bytes of one simple instruction of a scheme.
-- @param name string
-- @return string, or nil, message
isa.sample = core.isa.sample

return isa
