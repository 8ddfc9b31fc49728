--- Uops of memory operands that no count shows, by postulate.
--
-- Counters of macro-ops and issue slots count some uops together. How many uops there are is postulated from the memory operands:
-- Postulate 6.5 of the dissertation for AMD's macro-ops, and in its manner micro-fusion for issue slots. Blocking experiments
-- confirm or refute it scheme by scheme, since their uops must add up.
-- @module portolan.mapping.memory_uops
local core = require "portolan.core"
local landmarks = require "portolan.scheme.landmarks"
local lists = require "portolan.support.lists"

local memory_uops = {}

-- The memory operands of a scheme; none for a name that is no scheme's.
local function memory_operands(name)
  local scheme = core.isa.scheme(name)
  local list = lists.where(scheme and scheme.operands or {}, function(operand) return operand.kind == "memory" end)
  return list, scheme
end

local function reads(operand) return operand.access:find("r", 1, true) ~= nil end
local function writes(operand) return operand.access:find("w", 1, true) ~= nil end

--- Postulate 6.5: uops are macro-ops and one for each memory operand, two for one of 256 bits, as it is two operations of 128.
-- This does not hold for lea, which accesses no memory, nor for a `mov` that loads.
-- @param name scheme
-- @param[opt] bits that one operation carries; 128, as on Zen and Zen+
-- @return number of uops beyond the macro-ops
function memory_uops.beyond_macro_ops(name, bits)
  local operands, scheme = memory_operands(name)
  local more = 0
  for _, operand in ipairs(operands) do
    if not (scheme.mnemonic == "mov" and operand.access == "r") then
      more = more + math.max(1, math.ceil(operand.width / (bits or 128)))
    end
  end
  return more
end

-- Does an instance leave the address behind in its base: [x, imm9]!, [x], imm9?
local function updates_base(scheme) return scheme.architecture == "aarch64" and scheme.name:find "%[x[^%]]*%][!,]" ~= nil end

-- A load and nothing else: it fills a register of 32 bits or more from memory of any width, or copies 32 bits or more into all elements.
local function only_loads(scheme, operand)
  local filling = landmarks.of(scheme.architecture).filling
  local moves = filling.categories[scheme.category] and not filling.not_by[scheme.mnemonic] or filling.by[scheme.mnemonic]
  if not moves or writes(operand) or updates_base(scheme) then return false end
  if scheme.category == "BROADCAST" and operand.width < 32 then return false end
  return not lists.any(scheme.operands, function(other)
    return other.kind == "register" and other.visibility == "explicit" and (other.access ~= "w" or other.width < 32)
  end)
end

local function pieces_of(operand, bits) return bits and math.max(1, math.ceil(operand.width / bits)) or 1 end

--- Micro-fusion, on architectures that have it (`portolan.scheme.landmarks`): a load shares its issue slot with the uop that works on what it loads,
-- and a store's two uops (address, data) share one.
-- It is not assumed for gathers and scatters.
-- @param name scheme
-- @param[opt] bits that one operation carries; wider ones are several, each of which shares a slot. By default all that there are
-- @return number of uops beyond the issue slots
function memory_uops.beyond_slots(name, bits)
  local operands, scheme = memory_operands(name)
  local more = 0
  if not scheme or not landmarks.of(scheme.architecture).micro_fusion then return 0 end
  for _, operand in ipairs(operands) do
    if not operand.index then
      local pieces = pieces_of(operand, bits)
      if reads(operand) and not only_loads(scheme, operand) then more = more + pieces end
      if writes(operand) then more = more + pieces end
    end
  end
  return more
end

--- Does a scheme fill a register from memory, and nothing else?
function memory_uops.only_loads(name)
  local operands, scheme = memory_operands(name)
  return operands[1] ~= nil and not operands[2] and only_loads(scheme, operands[1])
end

--- Tells how many operations of so many bits the widest memory operand of a scheme takes; 1 if it has none.
function memory_uops.pieces(name, bits)
  return lists.largest((memory_operands(name)), function(operand) return pieces_of(operand, bits) end, 1)
end

return memory_uops
