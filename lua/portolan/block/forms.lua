--- This module tells what a mapping says of code beyond its schemes, as a model of blocks takes it: forms that schemes do not tell apart, and memory.
-- @module portolan.block.forms
local cache_facts = require "portolan.mapping.first_cache"
local forms = require "portolan.mapping.forms"
local lists = require "portolan.support.lists"

local block_forms = {}

--- The unit of immediates with prefixes. Immediates of 16 bits have a prefix that changes their length: what is held up by it waits for one
-- and the same decoder.
block_forms.prefixes = "prefixes that change the length of an immediate"

--- Returns what forms cost that a scheme does not tell apart (engine/predict/item_shape.h); a form that is slow is a unit of its own.
-- @param m mapping
-- @param units list of names, which grows
-- @return form -> `{ unit = number, cycles =, later = }`
function block_forms.shapes(m, units)
  local known, shapes = m.forms or {}, {}
  for _, name in ipairs(lists.keys(forms.titles)) do
    local form = known[name]
    if form then
      if form.cycles then units[#units + 1] = forms.titles[name] end
      shapes[name] = { unit = form.cycles and #units, cycles = form.cycles, later = form.later,
        later_by_index = form.later_by_index }
    end
  end
  for name, other in pairs(forms.like) do shapes[name] = shapes[name] or shapes[other] end
  return shapes
end

--- Tells what a core renames memory for: which loads of what was just stored get it without the first cache. What was not measured is taken for
-- what loops say; of a load by another register than the store's, or of a part of what was stored, nothing is said there: they are renamed.
-- @param first_cache of a mapping
-- @param code `in_place`: in loops, which a core can learn; `straight`: in straight code
-- @param load cycles of a plain load; nil: not known
-- @param handing cycles of a store and a load of what it stored, by the load's address; nil: not known
-- @return `{ plain =, framed =, moved =, stack =, indexed =, other_base =, inside =, in_place =, later =, chained = }`
-- (engine/predict/memory_facts.h)
function block_forms.renaming(first_cache, code, load, handing)
  local found, update, handed = {}, 0, 0
  found.chained = code == "straight" and first_cache.straight_chained or first_cache.chained
  if not load then return found end
  for _, name in ipairs(cache_facts.renamed_for) do
    local cycles = first_cache[code .. "_" .. name] or first_cache["in_place_" .. name]
    if cycles then found[name] = cycles < load end
    if name == "plain" or name == "moved" or name == "indexed" then update = math.max(update, cycles or 0) end
    if name == "other_base" or name == "inside" then handed = math.max(handed, cycles or 0) end
  end
  if found.stack == nil then found.stack = found.moved end
  found.in_place, found.later = update >= load and update or nil, handing and math.max(0, handed - handing)
  return found
end

return block_forms
