--- This module knows what a mapping says of the first data cache, where it is narrower than the ports of loads and stores (`first_cache` in
-- mapping.json, docs/formats.md).
--
-- `amounts` are numbers of the core; docs/formats.md says more of them. Beside them:
--
--    in_place_NAME    cycles of a round in a short loop that stores a word and loads it again. Less than a load takes: the core renames memory all
--                     the same. NAME is what is the matter with the load:
--                       plain       nothing: both have their address from one register, which stays as it is (an update)
--                       framed      nothing, and the register is the stack pointer (an update)
--                       moved       the register of the address is written in between (an update: add [rbx], 1)
--                       indexed     the address has an index (an update; in loops the index is written, too)
--                       other_base  the address is in another register
--                       stack       the address is the stack pointer's, which is moved in between
--                       inside      it wants the second half of what was stored
--    straight_NAME    the same in straight code, too long for a core to learn from
-- @module portolan.mapping.first_cache
local shape = require "portolan.support.shape"

local first_cache = {}

--- Lists what may be the matter with a load of what was just stored.
first_cache.renamed_for = { "plain", "framed", "moved", "indexed", "other_base", "stack", "inside" }

--- The amounts, as reports have them: name, unit (portolan.report.front_end), title; without a title a report leaves it out.
first_cache.amounts = {
  { "bank_loads", "a cycle", "Loads from one bank of the first cache" }, -- bytes at the same place of their lines
  { "bank_bytes", "bytes" }, -- of a bank; absent: 8
  { "crossing_loads", "loads more", "A load that crosses a line counts as" }, -- absent: none, or not known
  { "stored_lines", "a cycle", "Lines that stores are written to" }, -- if they alternate between lines
  { "scattered_lines", "a cycle", "Lines that stores are written to, of 64 in turn" }, -- more than a core gathers before it writes
  { "stored_bytes", "bytes", "Of a line stores in a row are written to at once" }, -- half of it where its halves in turn are slow; absent: 64
  { "stored_at_once", "stores" }, -- in a row to one line that leave in one turn; absent: two
  { "handed", "a cycle", "Stores that are loaded again" }, -- less than others, as each leaves for the cache with no other
  { "narrow_stall", "cycles", "A line that a narrow store went to holds up the next one" }, -- if other lines came in between
  { "narrow_lines", "lines" }, -- in turn, at most so many
  { "narrow_bytes", "bytes" }, -- of a narrow store, at most
  { "blocked", "cycles", "From a store to a load that it lacks bytes of" },
  { "held_up", "cycles", "From one load to the next that each lack bytes of a store" },
  { "held_up_from_start", "cycles" }, -- the same, if the loads begin where the store does
  { "chained", "cycles more", "An access by what was just loaded costs loads" },
  { "straight_chained", "cycles more" }, -- in straight code; absent: as in loops
}

--- All fields.
first_cache.fields = {}
for i, amount in ipairs(first_cache.amounts) do first_cache.fields[i] = amount[1] end
for _, code in ipairs { "in_place_", "straight_" } do
  for _, name in ipairs(first_cache.renamed_for) do table.insert(first_cache.fields, code .. name) end
end

local fields = {}
for _, field in ipairs(first_cache.fields) do fields[field] = shape.positive end
fields.bank_bytes = shape.where(shape.positive, "1, 2, 4, ... 64 bytes", function(bytes)
  return bytes >= 1 and bytes <= 64 and math.log(bytes, 2) % 1 == 0
end)
fields.stored_bytes = shape.where(shape.positive, "32 or 64 bytes", function(bytes) return bytes == 32 or bytes == 64 end)

--- What the format prescribes (portolan.support.shape).
first_cache.shape = shape.object(fields)

return first_cache
