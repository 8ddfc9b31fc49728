--- This module finds what stands in for branches that a mapping does not know: branches of the other width or of the opposite condition, calls and
-- jumps to an address for those to what a register or memory holds, and for the latter a load beside them.
--
-- Calls and jumps to what memory holds are not measured, as where they lead is not known. They read the address by a load, and then do what those
-- to a register do, which count as those to an address. What is made up so is a scheme of its own, by a name that says of what
-- (`call rel32 + mov r64, m64`), so that whoever shows it says what it was taken as.
-- @module portolan.mapping.stand_ins
local landmarks = require "portolan.scheme.landmarks"
local lists = require "portolan.support.lists"

local stand_ins = {}

local load = "mov r64, m64"

-- Calls and jumps to what a register holds have the uops of those to an address (where the register is read, there is no adding up); they are not
-- charted.
local indirect = { ["call r64"] = "call rel32", ["jmp r64"] = "jmp rel8", ["notrack call r64"] = "call rel32", ["notrack jmp r64"] = "jmp rel8" }

local from_memory = { ["call m64"] = "call rel32", ["jmp m64"] = "jmp rel8", ["notrack call m64"] = "call rel32", ["notrack jmp m64"] = "jmp rel8" }

local conditions = { "b", "be", "l", "le", "o", "p", "s", "z", "nb", "nbe", "nl", "nle", "no", "np", "ns", "nz" }

local function together(branch) return branch .. " + " .. load end

-- The branch of the opposite condition: jz for jnz. Both are tested alike, and only one of them can be charted as never taken
-- (engine/isa/breaker.h).
local function opposite(name)
  local condition, rest = name:match "^j(%l+)( rel%d+)$"
  if not condition or condition == "mp" or condition:find "cxz$" then return nil end
  return "j" .. (condition:match "^n(.+)$" or "n" .. condition) .. rest
end

--- Finds what stands in for a branch that a mapping does not know: one of the other width, of the opposite condition, or to an address.
-- @param name of a scheme
-- @param knows function(name) -> whether the mapping does
-- @return name; nil if nothing does
function stand_ins.of(name, knows)
  if indirect[name] then return knows(indirect[name]) and indirect[name] or nil end
  local mnemonic, width = name:match "^(j%l+) rel(%d+)$"
  if not mnemonic then return nil end
  local widths = { width, width == "8" and "32" or "8" }
  for _, other in ipairs(widths) do
    local same = ("%s rel%s"):format(mnemonic, other)
    if same ~= name and knows(same) then return same end
    local turned = opposite(same)
    if turned and knows(turned) then return turned end
  end
end

-- The branch of what memory holds, as the mapping knows it, beside the load.
local function branch_from_memory(name, knows)
  local branch = from_memory[name]
  local known = branch and (knows(branch) and branch or stand_ins.of(branch, knows))
  return known and knows(load) and known or nil
end

--- The schemes that stand together for a call or jump to what memory holds.
-- @param name of a scheme
-- @param knows function(name) -> whether the mapping does
-- @return list of names, and the name under which they go together; nil if it is no such branch, or the mapping lacks one of them
function stand_ins.parts(name, knows)
  local branch = branch_from_memory(name, knows)
  if branch then return { branch, load }, together(branch) end
end

--- The scheme whose operands a scheme has: of what is made up, the call or jump to what memory holds.
function stand_ins.of_operands(name)
  local mnemonic = name:match "^(%l+) rel%d+ %+ "
  return mnemonic and mnemonic .. " m64" or name
end

local function knower(m)
  return function(name) return m.schemes[name] ~= nil and m.schemes[name].uops ~= nil end
end

-- Where a load shares its issue slot with the uop that works on what it loads, it takes none of its own.
local function slots_of(branch, loaded, fused)
  if not branch.slots then return nil end
  return branch.slots + (fused and branch.slots > 0 and 0 or loaded.slots or #loaded.uops)
end

-- Both as one scheme. Places are those of the branch: all have one operand that says where it leads.
local function made_up(branch, loaded, fused)
  local uops = table.move(loaded.uops, 1, #loaded.uops, #branch.uops + 1, table.move(branch.uops, 1, #branch.uops, 1, {}))
  return { uops = uops, slots = slots_of(branch, loaded, fused), status = "explained", latencies = branch.latencies, latency = branch.latency }
end

--- A mapping with what stands together for calls and jumps to what memory holds, as schemes of their own.
-- @param m mapping table, which is not changed
-- @return mapping table; the same one if nothing was added
function stand_ins.add(m)
  local knows, whole = knower(m), nil
  for name in pairs(from_memory) do
    local parts, joined = stand_ins.parts(name, knows)
    if parts and not m.schemes[name] then
      whole = whole or lists.copy(m)
      if whole.schemes == m.schemes then whole.schemes = lists.copy(m.schemes) end
      whole.schemes[joined] = made_up(m.schemes[parts[1]], m.schemes[parts[2]], landmarks.of("x86_64").micro_fusion)
    end
  end
  return whole or m
end

--- All branches that a mapping does not know and something stands in for.
-- @param m mapping table, of `add`
-- @return name -> name
function stand_ins.all(m)
  local list, knows = {}, knower(m)
  local function note(name, other)
    if not m.schemes[name] then list[name] = other end
  end
  for _, condition in ipairs(conditions) do
    for _, width in ipairs { 8, 32 } do
      local name = ("j%s rel%d"):format(condition, width)
      note(name, stand_ins.of(name, knows))
    end
  end
  for name in pairs(indirect) do note(name, stand_ins.of(name, knows)) end
  for name in pairs(from_memory) do
    local _, joined = stand_ins.parts(name, knows)
    note(name, joined and m.schemes[joined] and joined)
  end
  return list
end

return stand_ins
