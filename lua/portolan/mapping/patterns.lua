--- Regular patterns of a mapping (dissertation section 6.3.5): which forms of an instruction follow from another form?
--
-- A memory form is regular if it has the uops of its register form, and beside them only uops on ports that plain loads and stores use. A form on
-- vectors of twice the width is regular if it has the same uops, or twice as many. What is not so is odd: interesting, or a mistake of the mapping.
-- Only schemes whose uops are known are compared.
-- @module portolan.mapping.patterns
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local memory_use = require "portolan.scheme.memory_use"
local port_set = require "portolan.mapping.ports"
local variants = require "portolan.scheme.variants"

local patterns = {}

--- The kinds of patterns in the order in which they are told: `{ key =, title =, rule = }`.
patterns.kinds = {
  { key = "load", title = "operation with a load", rule = "the register form, and loads" },
  { key = "update", title = "memory read and written", rule = "the register form, loads and stores" },
  { key = "store", title = "result stored", rule = "the register form, and stores" },
  { key = "256", title = "256 bits", rule = "as with 128 bits, or twice that" },
  { key = "512", title = "512 bits", rule = "as with 256 bits, or twice that" },
}

local least_share = 0.05 -- of plain loads (stores) that have a set of ports, so that it is one of loads (stores)

local known_status = { explained = true, ["eliminated at rename"] = true }

-- Uops by the key of their ports: `{ [key] = number }`, and `{ [key] = list of ports }`; nil if they are not known.
local function multiset(scheme, ports)
  if not scheme or not scheme.uops or not known_status[scheme.status or "explained"] then return nil end
  local counts = {}
  for _, uop in ipairs(scheme.uops) do
    local sorted = table.move(uop[1], 1, #uop[1], 1, {})
    table.sort(sorted, port_set.before)
    local key = port_set.key(sorted)
    counts[key], ports[key] = (counts[key] or 0) + (uop[2] or 1), sorted
  end
  return counts
end

local function size(uops)
  local n = 0
  for _, count in pairs(uops) do n = n + count end
  return n
end

-- Is it plain: a load on one set of ports, a store of at most two uops (address and data)?
local function is_plain(uops, field)
  if not next(uops) then return false end
  if field == "writes" then return size(uops) <= 2 end
  return next(uops, next(uops)) == nil
end

-- Returns what all plain moves of a kind use: a set of keys, those that enough of them have.
local function sets_of_moves(schemes, names, field)
  local counts, total, frequent = {}, 0, {}
  for _, name in ipairs(names) do
    local use, uops = memory_use(name), schemes[name]
    local other = field == "reads" and use.writes or field == "writes" and use.reads
    if use.moves and use[field] and not other and uops and is_plain(uops, field) then
      total = total + 1
      for key in pairs(uops) do counts[key] = (counts[key] or 0) + 1 end
    end
  end
  for key, n in pairs(counts) do
    if n >= least_share * total then frequent[key] = true end
  end
  return frequent
end

local function difference(a, b)
  local more = {}
  for key, n in pairs(a) do
    if n > (b[key] or 0) then more[key] = n - (b[key] or 0) end
  end
  return more
end

-- Uops in words, `1*p23 + 2*p06`.
local function words(uops, ports)
  local list = {}
  for key, n in pairs(uops) do list[#list + 1] = { ports[key], n } end
  table.sort(list, function(x, y) return port_set.key(x[1]) < port_set.key(y[1]) end)
  return mapping.usage { uops = list }
end

local function within(uops, ...)
  local sets = { ... }
  for key in pairs(uops) do
    if not lists.any(sets, function(set) return set[key] end) then return false end
  end
  return true
end

-- Is there a uop that only stores have?
local function has_store(known, uops)
  for key in pairs(uops) do
    if known.stores[key] and not known.loads[key] then return true end
  end
  return false
end

-- Returns what a memory form follows: its kind and the rule, or its kind and nil.
local function memory_rule(known, use, uops, form)
  local missing, more = difference(form, uops), difference(uops, form)
  local key = use.reads and use.writes and "update" or use.writes and "store" or "load"
  local fits = next(missing) == nil and next(more) ~= nil
  if key == "load" then
    fits = fits and within(more, known.loads)
  else
    fits = fits and has_store(known, more) and within(more, known.stores, key == "update" and known.loads or {})
  end
  return key, fits and "register form + " .. words(more, known.ports) or nil
end

local function width_rule(uops, form, bits)
  local same, double = true, true
  for key in pairs(difference(uops, form)) do same = same and not key end
  same = same and next(difference(form, uops)) == nil
  for key, n in pairs(uops) do double = double and 2 * (form[key] or 0) == n end
  double = double and next(difference(form, uops)) == nil
  if same then return ("the uops of %d bits"):format(bits // 2) end
  return double and ("twice the uops of %d bits"):format(bits // 2) or nil
end

-- The register form that the mapping knows; nil if there is none.
local function register_form(schemes, name)
  return lists.first(variants.register_forms(name), function(form) return schemes[form] end)
end

local function odd_words(known, uops, form)
  local missing, more, parts = difference(form, uops), difference(uops, form), {}
  if next(missing) then parts[#parts + 1] = "lacks " .. words(missing, known.ports) end
  if next(more) then parts[#parts + 1] = "has " .. words(more, known.ports) .. " more" end
  return #parts > 0 and table.concat(parts, ", ") or "the same uops"
end

local function new_kinds()
  local kinds = { following = 0, seen = {} }
  for i, kind in ipairs(patterns.kinds) do
    kinds[i] = { key = kind.key, title = kind.title, rule = kind.rule, total = 0, regular = 0, rules = {}, odd = {} }
    kinds[kind.key] = kinds[i]
  end
  return kinds
end

local function note(known, kinds, key, rule, pair)
  local kind = kinds[key]
  kind.total = kind.total + 1
  if rule then
    kind.regular = kind.regular + 1
    for _, name in pairs(pair) do
      kinds.following, kinds.seen[name] = kinds.following + (kinds.seen[name] and 0 or 1), true
    end
    if not kind.rules[rule] then
      kind.rules[rule] = { text = rule, count = 0 }
      kind.rules[#kind.rules + 1] = kind.rules[rule]
    end
    kind.rules[rule].count = kind.rules[rule].count + 1
    return
  end
  local schemes = known.schemes
  kind.odd[#kind.odd + 1] = { scheme = pair.name, form = pair.form, usage = words(schemes[pair.name], known.ports),
    form_usage = words(schemes[pair.form], known.ports), text = odd_words(known, schemes[pair.name], schemes[pair.form]) }
end

-- Lists without keys beside them, rules by how often they hold; what has no case is left out.
local function finished(kinds)
  local list = {}
  for i = 1, #patterns.kinds do
    local kind = kinds[i]
    local rules = table.move(kind.rules, 1, #kind.rules, 1, {})
    table.sort(rules, lists.most_first("count", "text"))
    kind.rules = rules
    if kind.total > 0 then list[#list + 1] = kind end
  end
  return list
end

local function sorted_words(set, ports)
  return lists.of_fields(set, function(key) return words({ [key] = 1 }, ports) end)
end

-- Collects what is known of all schemes: their uops, and the ports of plain loads and stores.
local function knowledge(m)
  local known, names = { ports = {}, schemes = {} }, mapping.schemes(m)
  for _, name in ipairs(names) do known.schemes[name] = multiset(m.schemes[name], known.ports) end
  known.loads, known.stores = sets_of_moves(known.schemes, names, "reads"), sets_of_moves(known.schemes, names, "writes")
  return known, names
end

--- The regular patterns of a mapping, and what is odd.
-- @param m mapping table
-- @return `{ kinds = { { key =, title =, rule =, total =, regular =, rules = { { text =, count = } }, odd = { { scheme =, form = (what it was
-- compared with), usage =, form_usage =, text = } } } }, loads = { usages of plain loads }, stores = { ports of plain stores }, total =, regular =
-- (comparisons), schemes = (whose uops are known), following = (that are part of a regular pattern) }`, kinds without a case left out
function patterns.of(m)
  local known, names = knowledge(m)
  local kinds, count = new_kinds(), 0
  for _, name in ipairs(names) do
    local uops = known.schemes[name]
    if uops then
      count = count + 1
      local use, form = memory_use(name), register_form(known.schemes, name)
      if form and not use.moves and (use.reads or use.writes) then
        local key, rule = memory_rule(known, use, uops, known.schemes[form])
        note(known, kinds, key, rule, { name = name, form = form })
      end
      local half, bits = variants.half_width(name)
      if half and known.schemes[half] then
        note(known, kinds, tostring(bits), width_rule(uops, known.schemes[half], bits), { name = name, form = half })
      end
    end
  end
  local result = { kinds = finished(kinds), loads = sorted_words(known.loads, known.ports), stores = sorted_words(known.stores, known.ports),
    total = 0, regular = 0, schemes = count, following = kinds.following }
  for _, kind in ipairs(result.kinds) do result.total, result.regular = result.total + kind.total, result.regular + kind.regular end
  return result
end

return patterns
