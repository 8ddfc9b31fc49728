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
local json = require "portolan.support.json"
local limits = require "portolan.support.limits"
local lists = require "portolan.support.lists"
local printable = require "portolan.support.printable"

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

local function amount_fault(x)
  if not limits.is_amount(x) then return "must be " .. limits.amount end
end

local function jumps_fault(list)
  if not json.is_list(list) then return "must be a list of jumps" end
  for _, jump in ipairs(list) do
    if type(jump) ~= "string" then return "must be a list of jumps" end
  end
end

-- Returns what is wrong with a table of schemes: the path, and the fault; nil if nothing is.
local function schemes_fault(field, of_schemes, fault_of)
  if type(of_schemes) ~= "table" then return field, "must be an object" end
  for name, value in pairs(of_schemes) do
    if type(name) ~= "string" then return field, "must be an object" end
    local fault = fault_of(value)
    if fault then return ('%s."%s"'):format(field, printable(name)), fault end
  end
end

local function truth_fault(value)
  if type(value) ~= "boolean" then return "must be true or false" end
end

local function lines_fault(list)
  if not json.is_list(list) or #list > most_lines then return ("must be a list of at most %d"):format(most_lines) end
  local least = 1
  for _, line in ipairs(list) do
    local slots, cycles = type(line) == "table" and line.slots, type(line) == "table" and line.cycles
    local right = limits.is_amount(slots) and slots >= least and slots <= line_bytes
    if not (right and limits.is_amount(cycles) and cycles > 0 and cycles <= most_cycles) then
      return ("must have 'slots' that ascend from 1 to %d, and 'cycles' above 0 up to %d"):format(line_bytes, most_cycles)
    end
    least = slots + least_step
  end
end

local function fault_of(f)
  for _, amount in ipairs(front_end.amounts) do
    local field, unit = amount[1], amount[2]
    local fault = f[field] ~= nil and amount_fault(f[field])
    if fault then return field, fault end
    if per_cycle[unit] and f[field] == 0 then return field, "must be more than 0" end
  end
  for field in pairs(lists_of_jumps) do
    if f[field] ~= nil then
      local at, fault = schemes_fault(field, f[field], jumps_fault)
      if at then return at, fault end
    end
  end
  local lines = f.straight_lines ~= nil and lines_fault(f.straight_lines)
  if lines then return "straight_lines", lines end
  if f.unlaminated ~= nil and type(f.unlaminated) ~= "boolean" then return "unlaminated", "must be true or false" end
  local at, fault = nil, nil
  if f.takes_copy ~= nil then at, fault = schemes_fault("takes_copy", f.takes_copy, truth_fault) end
  if at then return at, fault end
  if f.indexed_slots ~= nil then return schemes_fault("indexed_slots", f.indexed_slots, amount_fault) end
end

--- Checks what the format prescribes.
-- @param f table
-- @return true; or nil and a message with the path to the field
function front_end.check(f)
  local field, fault = fault_of(f)
  if field then return nil, ("'front_end' %s (front_end.%s)"):format(fault, field) end
  return true
end

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
-- @param a table, or nil
-- @param b table, or nil
-- @return table, or nil
function front_end.union(a, b)
  if not a or not b then return a or b end
  local whole = {}
  for _, f in ipairs { b, a } do
    for field, value in pairs(f) do
      whole[field] = tables_of_schemes[field] and schemes_of_both(a, b, field) or value
    end
  end
  return whole
end

return front_end
