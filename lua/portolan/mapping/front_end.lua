--- This module knows what a mapping says of the front end, beside the issue slots of its schemes (`front_end` in mapping.json, docs/formats.md).
--
-- `amounts` are numbers of the core. Of schemes:
--
--    fuses            scheme -> list of jumps that it is one uop with, if they follow it at once
--    separate         scheme -> list of jumps that it is not one uop with. Of other pairs nothing is known
--    indexed_slots    scheme -> issue slots of an instance whose address has an index register, where these are more
--    takes_copy       scheme -> whether it is one issue slot with a copy of a register right ahead of it that it works on: mov ecx, eax; add ecx, edx
--    unlaminated      true if there are such schemes
--    straight_lines   list of `{ slots =, cycles = }`, ascending: cycles that 64 bytes of straight code take with so many issue slots, where short
--                     instructions make it more than the slots alone
-- @module portolan.mapping.front_end
local lists = require "portolan.support.lists"
local shape = require "portolan.support.shape"

local front_end = {}

--- The amounts, as reports have them: name, unit (portolan.report.front_end), title. What is absent is not known, or none.
front_end.amounts = {
  { "width", "slots", "Issue slots a cycle" },
  { "loop", "cycles", "Shortest loop" },
  { "taken_branch", "cycles", "From one taken jump to the next" }, -- at least, in code with many of them; the middle, where it varies
  { "taken_branch_in_loop", "cycles", "The same in small loops" }, -- with a dozen of them, or fewer
  { "call_and_return", "cycles", "A call and its return" }, -- with five NOPs and a jump beside them
  { "stack_sync", "cycles later", "The stack pointer to others than pushes and pops" }, -- push rax; add rsp, 8
  { "stack_sync_address", "cycles later", "The same to addresses" }, -- push rax; lea rsp, [rsp + 8]; absent: as `stack_sync`
  { "decoded", "instructions", "Decoded where no cache helps" }, -- absent: as many as issue slots, or not known
  { "length_changing", "cycles", "A prefix that changes a length" }, -- of an immediate, in code that has to be decoded
}

local per_cycle = { slots = true, instructions = true } -- nothing would ever be issued at none
local most_lines, line_bytes, most_cycles, least_step = 16, 64, 1000000, 0.01 -- of `straight_lines`
local tables_of_schemes = { fuses = true, separate = true, indexed_slots = true, takes_copy = true }
local lists_of_jumps = { fuses = true, separate = true }

local amount, jumps = shape.amount, shape.map(shape.list(shape.text))

local line = shape.where(shape.object { slots = amount, cycles = amount },
  ("an object with 'slots' from 1 to %d, and 'cycles' above 0 up to %d"):format(line_bytes, most_cycles), function(l)
    return l.slots and l.cycles and l.slots >= 1 and l.slots <= line_bytes and l.cycles > 0 and l.cycles <= most_cycles
  end)

local lines = shape.where(shape.list(line), ("a list of at most %d, whose 'slots' ascend"):format(most_lines), function(list)
  for i = 2, #list do
    if list[i].slots < list[i - 1].slots + least_step then return false end
  end
  return #list <= most_lines
end)

local fields = { unlaminated = shape.boolean, fuses = jumps, separate = jumps, indexed_slots = shape.map(amount),
  takes_copy = shape.map(shape.boolean), straight_lines = lines }
for _, of in ipairs(front_end.amounts) do fields[of[1]] = per_cycle[of[2]] and shape.positive or amount end

--- What the format prescribes (portolan.support.shape).
front_end.shape = shape.object(fields)

--- Do a scheme and a jump fuse?
-- @param f table of a mapping, or nil
-- @param scheme name of what writes flags
-- @param jump mnemonic of the conditional branch behind it
-- @return true, false; nil if that is not known
function front_end.fused(f, scheme, jump)
  local function has(field)
    return lists.any(f and f[field] and f[field][scheme] or {}, function(other) return other == jump end)
  end
  if has "fuses" then return true end
  if has "separate" then return false end
  return nil
end

-- The jumps of one mapping, then those of the other of which the first says nothing, neither that they fuse nor that they do not.
local function jumps_of_both(a, b, field, scheme)
  local list = lists.copy(a[field] and a[field][scheme] or {})
  for _, jump in ipairs(b[field][scheme]) do
    if front_end.fused(a, scheme, jump) == nil then list[#list + 1] = jump end
  end
  return list
end

-- A table of schemes of both mappings.
local function schemes_of_both(a, b, field)
  local merged = lists.copy(a[field] or {})
  for scheme, value in pairs(b[field] or {}) do
    if lists_of_jumps[field] then
      local list = jumps_of_both(a, b, field, scheme)
      merged[scheme] = #list > 0 and list or nil
    elseif merged[scheme] == nil then
      merged[scheme] = value
    end
  end
  return merged
end

--- Returns what two mappings of one processor say together; where both speak, the first is believed.
-- @param a table
-- @param b table
-- @return table
function front_end.union(a, b)
  local whole = {}
  for _, f in ipairs { b, a } do
    for field, value in pairs(f) do
      whole[field] = tables_of_schemes[field] and schemes_of_both(a, b, field) or value
    end
  end
  return whole
end

return front_end
