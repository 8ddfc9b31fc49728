--- What a mapping says of code beyond its schemes, as a model of blocks takes it: forms that schemes do not tell apart, and memory.
-- @module portolan.block_forms
local forms = require "portolan.forms"
local lists = require "portolan.support.lists"

local block_forms = {}

-- Whose flags come late to whom, where the core has such a thing (forms.flags): those of logical instructions to what one condition decides.
local logical = { ["and"] = true, ["or"] = true, xor = true, test = true }

--- Is it a logical instruction, whose flags may be late?
-- @param mnemonic text
function block_forms.gives_late(mnemonic) return logical[mnemonic] end

--- Does one condition decide what this instruction does?
-- @param mnemonic text
function block_forms.takes_late(mnemonic)
  local conditional = mnemonic:find "^cmov" or mnemonic:find "^set"
  return conditional ~= nil and not mnemonic:find "be$"
end

--- The unit of immediates with prefixes. Immediates of 16 bits have a prefix that changes their length: what is held up by it waits for one
-- and the same decoder.
block_forms.prefixes = "prefixes that change the length of an immediate"

--- Does a prefix change the length of its immediate?
-- @param name of a scheme
function block_forms.changes_length(name) return name:find "imm16" and name:find " [rm]16" end

--- What forms cost that a scheme does not tell apart (engine/predict/item_shape.h); a form that is slow is a unit of its own.
-- @param m mapping
-- @param units list of names, which grows
-- @return form -> `{ unit = number, cycles =, later = }`
function block_forms.shapes(m, units)
  local shapes = {}
  for _, name in ipairs(lists.keys(forms.titles)) do
    local form, title = m.forms and m.forms[name], forms.titles[name]
    if form then
      if form.cycles then units[#units + 1] = title end
      shapes[name] = { unit = form.cycles and #units, cycles = form.cycles, later = form.later }
    end
  end
  return shapes
end

--- What is known of loads of what was just stored: whether they get it without the first cache.
-- @param first_cache of a mapping
-- @param load cycles of a plain load; nil: not known
-- @return `{ renames_moved =, renames_indexed =, in_place = }` (engine/predict/memory_facts.h)
function block_forms.renaming(first_cache, load)
  local found = {}
  if not load then return found end
  local moved, indexed = first_cache.in_place_moved, first_cache.in_place_indexed
  found.renames_moved = moved and moved < load or false
  if indexed then found.renames_indexed = indexed < load end
  found.in_place = math.max(moved or 0, indexed or 0)
  if found.in_place < load then found.in_place = nil end
  return found
end

return block_forms
