--- What a mapping says of the first data cache, where it is narrower than the ports of loads and stores (`first_cache` in mapping.json,
-- docs/formats.md).
--
--    bank_loads       loads a cycle from one bank: bytes at the same place of their lines. Absent: as many as ports let, or not known
--    bank_bytes       how many bytes a bank has; 8 if it is absent
--    stored_lines     lines a cycle that stores are written to, if they alternate between lines. Absent: as many as ports let, or not known
--    stored_at_once   stores in a row to one line that leave in one turn, where more than two do. Absent: two
--    stored_bytes     of a line that stores are written to at once; half of it where both halves in turn are as slow as lines. 64 if it is absent
--    scattered_lines  the same if they alternate between more lines than a core gathers before it writes: 64. Absent: as stored_lines
--    blocked          cycles from a store to the result of a load that it has not all bytes of
--    held_up          cycles from one load to the next, each of which has to wait until a store ahead of it has reached the cache
--    held_up_from_start  the same, if the loads begin where the store does
--    narrow_stall     cycles for which a line that a narrow store went to holds up the next store to it, if other lines came in between
--    narrow_lines     as long as these are lines in turn, at most so many
--    narrow_bytes     a narrow store has at most so many
--    handed           stores a cycle if each is loaded again: less than others, as it leaves for the cache with no other
--    chained          cycles of the ports of loads that an access costs besides if its address waits for a load
--    straight_chained  the same in straight code; if it is absent, as in loops
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
-- @module portolan.first_cache
local limits = require "portolan.support.limits"

local first_cache = {}

--- What is the matter with a load of what was just stored.
first_cache.renamed_for = { "plain", "framed", "moved", "indexed", "other_base", "stack", "inside" }

--- All fields.
first_cache.fields = { "bank_loads", "bank_bytes", "stored_lines", "stored_at_once", "stored_bytes",
  "scattered_lines", "blocked", "held_up", "held_up_from_start",
  "narrow_stall", "narrow_lines", "narrow_bytes", "handed", "chained",
  "straight_chained" }
for _, code in ipairs { "in_place_", "straight_" } do
  for _, name in ipairs(first_cache.renamed_for) do table.insert(first_cache.fields, code .. name) end
end

--- Checks what the format prescribes.
-- @param c table
-- @return true; or nil and a message with the path to the field
function first_cache.check(c)
  for _, field in ipairs(first_cache.fields) do
    local value = c[field]
    if value ~= nil and not (limits.is_amount(value) and value > 0) then
      return nil, ("'first_cache' must have a number above 0 up to %g (first_cache.%s)"):format(limits.cycles.most, field)
    end
  end
  local size = c.bank_bytes
  if size and not (size <= 64 and math.log(size, 2) % 1 == 0) then
    return nil, "'first_cache' must have banks of 1, 2, 4, ... 64 bytes (first_cache.bank_bytes)"
  end
  if c.stored_bytes and c.stored_bytes ~= 32 and c.stored_bytes ~= 64 then
    return nil, "'first_cache' must have stores to 32 or 64 bytes of a line (first_cache.stored_bytes)"
  end
  return true
end

--- What two mappings of one processor say together; where both speak, the first is believed.
-- @param a table, or nil
-- @param b table, or nil
-- @return table, or nil
function first_cache.union(a, b)
  if not a or not b then return a or b end
  local whole = {}
  for _, field in ipairs(first_cache.fields) do whole[field] = a[field] or b[field] end
  return whole
end

return first_cache
