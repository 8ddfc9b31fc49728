--- Finds where a mapping and a reference disagree, and which of them is right: the reference's ports are renamed to the mapping's, every scheme
-- that the two use differently gets a deciding experiment (`portolan.infer.deciding`), and a processor answers it.
-- @module portolan.infer.reference
local algebra = require "portolan.mapping.algebra"
local best_known = require "portolan.mapping.best_known"
local deciding = require "portolan.infer.deciding"
local experiment = require "portolan.experiment"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local mapping_diff = require "portolan.mapping.diff"

local reference = {}

local noise = 0.02 -- what is faster than both by more than this share fits neither
local slowest = 0.25 -- what is slower than both by more than this share fits neither: cores are slower than the model at times

-- The deciding experiment of a scheme, by those of its kind: the same with another name.
local function substituted(found, from, name)
  if not found or from == name then return found end
  local e, copy = {}, lists.copy(found)
  for scheme, count in pairs(found.experiment) do e[scheme == from and name or scheme] = count end
  copy.experiment = e
  return copy
end

local function entry_of(name, ours, theirs, found, assumed)
  local entry = { scheme = name, usage = ours, reference_usage = theirs, assumed = assumed or nil }
  if found then
    entry.experiment, entry.e = experiment.format(found.experiment), found.experiment
    entry.ours, entry.theirs, entry.apart = found.ours, found.theirs, found.apart
  end
  return entry
end

-- All that predictions of a scheme depend on: its usage, issue slots, and what it takes alone if that is more.
local function kind_key(scheme, used)
  return ("%s\0%d\0%s"):format(used, scheme.slots or 1, best_known.is_rough(scheme) and scheme.tp or "")
end

-- Puts a scheme under its kind.
local function kind_of(kinds, decider, name, key)
  local kind = kinds[key]
  if not kind then
    kind = { found = decider:of(name), from = name }
    kinds[key] = kind
  end
  -- a scheme that is part of the experiment of its own kind needs one of its own
  if kind.found and kind.from ~= name and kind.found.experiment[name] then return { found = decider:of(name), from = name } end
  return kind
end

local function by_difference(a, b)
  local x, y = a.apart or 0, b.apart or 0
  if math.abs(x - y) > 1e-9 then return x > y end
  if a.usage ~= b.usage then return a.usage < b.usage end
  if a.reference_usage ~= b.reference_usage then return a.reference_usage < b.reference_usage end
  return a.scheme < b.scheme
end

--- Compares a mapping with a reference.
-- @param m mapping
-- @param other the reference, a mapping; its ports may have any names
-- @return `{ common =, same =, renaming = port of the reference -> port, list = { entry, ... } }`, the largest differences first; an
-- entry is `{ scheme =, usage =, reference_usage = (texts), experiment = text, e = table, ours =, theirs = (cycles), apart = share, assumed =
-- true if either mapping chose ports of it }`, without experiment if none tells the two apart; or nil and a message
function reference.differences(m, other)
  local renamed, renaming = algebra.match(other, m)
  if not renamed then return nil, renaming end
  local decider, message = deciding.new(m, renamed)
  if not decider then return nil, message end
  local names, list, kinds = mapping.common(m, renamed), {}, {}
  for _, name in ipairs(names) do
    local a, b = m.schemes[name], renamed.schemes[name]
    local ours, theirs = mapping_diff.usage(a, m.ports), mapping_diff.usage(b, renamed.ports)
    if ours ~= theirs then
      local kind = kind_of(kinds, decider, name, kind_key(a, ours) .. kind_key(b, theirs))
      list[#list + 1] = entry_of(name, ours, theirs, substituted(kind.found, kind.from, name), a.assumed ~= nil or b.assumed ~= nil)
    end
  end
  table.sort(list, by_difference)
  return { common = #names, same = #names - #list, renaming = renaming, list = list }
end

--- Tells which of two predictions a measurement bears out.
-- @param ours cycles
-- @param theirs cycles
-- @param measured cycles
-- @return "ours", "theirs", "neither" or "undecided"
function reference.verdict(ours, theirs, measured)
  local fast, slow = math.min(ours, theirs), math.max(ours, theirs)
  if measured < fast * (1 - noise) or measured > slow * (1 + slowest) then return "neither" end
  local place = (measured - fast) / (slow - fast)
  if place > 1 / 3 and place < 2 / 3 then return "undecided" end
  return (place <= 1 / 3) == (ours < theirs) and "ours" or "theirs"
end

--- Measures the deciding experiments and judges.
-- @param processor any (`portolan.processor`)
-- @param differences what `differences` returned; its entries get `status`, and where there is a measurement `measured` (cycles), `verdict`
-- and `errors = { ours =, theirs = }` (shares of the measured cycles)
-- @param[opt] options of the processor: `progress`, `again`
-- @return counts by verdict; or nil and a message
function reference.decide(processor, differences, options)
  local experiments, entries, counts = {}, {}, { ours = 0, theirs = 0, neither = 0, undecided = 0 }
  for _, entry in ipairs(differences.list) do
    if entry.e then
      experiments[#experiments + 1] = entry.e
      entries[#experiments] = entry
    end
  end
  local results, message = processor:measure(experiments, options)
  if not results then return nil, message end
  for i, result in ipairs(results) do
    local entry = entries[i]
    entry.status, entry.verdict = result.status, "undecided"
    if result.status == "ok" then
      local t = result.cycles
      entry.measured, entry.verdict = t, reference.verdict(entry.ours, entry.theirs, t)
      entry.errors = { ours = (entry.ours - t) / t, theirs = (entry.theirs - t) / t }
    end
    counts[entry.verdict] = counts[entry.verdict] + 1
  end
  return counts
end

return reference
