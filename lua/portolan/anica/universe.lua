--- Universes: which schemes blocks are sampled from (section 8.2.2), and what they leave out, and why.
--
-- A universe is a Lua file that returns a table:
--
--    architecture whose schemes these are; without it, as for sets (portolan.scheme.set)
--    leaves_out   rules as in arch/ARCHITECTURE/exclusions.lua, `{ reason =, when = { filter, ... } }`, or names of universes whose rules are taken
--                 over; of all schemes that the decoder knows, those stay that no rule applies to
--    set          instead: a set of schemes (portolan.scheme.set)
--    immediates   whether a scheme is there once for each kind of immediate that it can have. Such variants are called "shl r64, imm8 = 0",
--                 "= 1", "= small" (other values of 8 bits), "= wide"
-- @module portolan.anica.universe
local core = require "portolan.core"
local file = require "portolan.support.file"
local fingerprint = require "portolan.predictor.machinery.fingerprint"
local instance = require "portolan.scheme.instance"
local isa = require "portolan.scheme.isa"
local lists = require "portolan.support.lists"
local lua_file = require "portolan.support.lua_file"
local own_file = require "portolan.support.own_file"
local scheme_set = require "portolan.scheme.set"

local universe = {}

local deepest = 8 -- universes that take over rules of others
local most_files = 100
local fields = { leaves_out = "table", set = "string", immediates = "boolean", architecture = "string" }

--- The universe of what a campaign between these predictors samples unless told otherwise: nothing is executed that cannot be measured.
-- @tparam[opt] {table,...} predictors
-- @return "measurable" if one of them runs code, otherwise "predicted"
function universe.usual(predictors)
  for _, p in ipairs(predictors or {}) do
    if p.exclusive then return "measurable" end
  end
  return "predicted"
end

--- The names of universes, for the help of commands.
function universe.words() return table.concat(own_file.names "universes", ", ") .. ", or a Lua file" end

-- Reads a file. Returns what it says, checked, its path, its architecture; or nil, message.
local function read(name, wanted)
  local path, architecture = own_file.locate("universes", name, wanted)
  local t, message = lua_file.run(path, nil, "a universe { leaves_out = }")
  if not t and message:find "^cannot read " then message = ("%s; write %s"):format(message, universe.words()) end
  if not t then return nil, message end
  for field, value in pairs(t) do
    if not fields[field] then
      return nil, ("%s: unknown field '%s'; there are architecture, leaves_out, set and immediates"):format(path, tostring(field))
    end
    if type(value) ~= fields[field] then return nil, ("%s: '%s' must be a %s"):format(path, field, fields[field]) end
  end
  if (t.set == nil) == (t.leaves_out == nil) then return nil, path .. ": it must have either 'leaves_out' or 'set'" end
  architecture, message = own_file.architecture(t, path, architecture, wanted)
  if not architecture then return nil, message end
  return t, path, architecture
end

-- Appends the rules of a list, with those of other universes that it names.
local function collect(list, path, architecture, rules, depth)
  if depth > deepest then return nil, path .. ": universes within universes go too deep; does it name itself?" end
  rules.files = (rules.files or 0) + 1
  if rules.files > most_files then return nil, ("%s: more than %d universes within universes"):format(path, most_files) end
  for _, entry in ipairs(list) do
    local ok, message = true, nil
    if type(entry) == "string" then
      local other, where = read(entry, architecture)
      if not other then return nil, where end
      if not other.leaves_out then return nil, ("%s: '%s' has no rules to take over; name another universe"):format(path, entry) end
      ok, message = collect(other.leaves_out, where, architecture, rules, depth + 1)
    else
      rules[#rules + 1] = entry
    end
    if not ok then return nil, message end
  end
  return rules
end

-- Reason -> `{ reason =, count =, example = }`, in the order in which they come up.
local function tally()
  local list, by_reason = {}, {}
  return list, function(reason, name)
    local one = by_reason[reason]
    if not one then
      one = { reason = reason, count = 0, example = name }
      list[#list + 1], by_reason[reason] = one, one
    end
    one.count = one.count + 1
  end
end

-- Names of the schemes that no rule applies to; a function that tells what is left out.
local function by_rules(t, path, architecture)
  local rules, message = collect(t.leaves_out, path, architecture, {}, 1)
  if not rules then return nil, message end
  local exclusions
  exclusions, message = isa.compiled_exclusions(rules, path)
  if not exclusions then return nil, message end
  local kept, excluded = isa.usable(assert(isa.everything(architecture)), exclusions)
  if not kept then return nil, excluded end
  local left_out, count = tally()
  for _, one in ipairs(excluded) do count(one.reason, one.scheme.name) end
  return lists.map(kept, function(scheme) return scheme.name end), function() return left_out end
end

-- Returns what a set leaves out: what cannot be measured, and what it does not have. To find out takes longer than to load the set.
local function left_out_by_set(set, inside, architecture)
  local exclusions = assert(isa.exclusions(nil, nil, architecture))
  local left_out, count = tally()
  for _, scheme in ipairs(assert(isa.everything(architecture))) do
    if not inside[scheme.name] then count(isa.exclusion(scheme, exclusions) or ("not in the set '%s'"):format(set), scheme.name) end
  end
  return left_out
end

-- Names of the schemes of a set; a function that tells what is left out.
local function by_set(t, _, architecture)
  local groups, message = scheme_set.load(t.set, architecture)
  if not groups then return nil, message end
  local names = scheme_set.names(groups)
  return names, function() return left_out_by_set(t.set, lists.set(names), architecture) end
end

-- Each scheme once for each kind of its immediate.
local function varied(names, architecture)
  local list = {}
  for _, name in ipairs(names) do
    local variants, message = core.anica.variants(name, instance.policy(architecture))
    if not variants then return nil, message end
    table.move(variants, 1, #variants, #list + 1, list)
  end
  return list
end

--- Loads a universe.
-- @param name of a file in arch/ARCHITECTURE/universes or in a folder `universes` of the user's (portolan.support.own_file), or a path
-- @tparam[opt] string architecture that it must be of
-- @return `{ name =, architecture =, immediates = boolean, names = of schemes or variants, scheme_count =,
-- left_out = function() -> list of { reason =, count =, example = }, content = digest of its file }`; or nil and a message
function universe.load(name, architecture)
  local t, path, own = read(name, architecture)
  if not t then return nil, path end
  local names, left_out = (t.set and by_set or by_rules)(t, path, own)
  if not names then return nil, left_out end
  local scheme_count, message = #names, nil
  if scheme_count == 0 then return nil, path .. ": no scheme is left" end
  if t.immediates then names, message = varied(names, own) end
  if not names then return nil, message end
  return { name = name, architecture = own, immediates = t.immediates or false, names = names, scheme_count = scheme_count, left_out = left_out,
    content = fingerprint.of(assert(file.read(path))) }
end

--- A universe with each scheme once, whatever its immediate.
-- @param u universe
-- @return universe
function universe.without_immediates(u)
  local copy, seen = lists.copy(u), {}
  copy.immediates, copy.names = false, {}
  for _, name in ipairs(u.names) do
    local plain = universe.plain(name)
    if not seen[plain] then table.insert(copy.names, plain) end
    seen[plain] = true
  end
  return copy
end

--- The scheme of an element of a universe, as features see it: with `immediate`, the kind of its immediate, if it is a variant.
-- @param name of a scheme or of a variant
-- @return scheme (portolan.scheme.isa); or nil, message
function universe.scheme(name)
  local plain, immediate = core.anica.variant(name)
  local scheme, message = isa.scheme(plain)
  if not scheme or not immediate then return scheme, message end
  local copy = lists.copy(scheme)
  copy.immediate, copy.variant = immediate, name
  return copy
end

--- The name of the scheme that an element of a universe is a variant of, or its own.
-- @param name of a scheme or of a variant
function universe.plain(name) return (core.anica.variant(name)) end

return universe
