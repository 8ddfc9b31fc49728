--- Loops with vectors of twice the width: an iteration does the work of two.
-- @module portolan.loop.wider_vectors
local code_text = require "portolan.loop.code_text"
local core = require "portolan.core"
local lists = require "portolan.support.lists"
local sums = require "portolan.loop.sums"

local wider_vectors = {}

local facts = code_text.facts
local is_here, matches, family_of, assembled, operands_of = code_text.is_here, code_text.matches, code_text.family_of, code_text.assembled,
  code_text.operands

-- A step of a register of addresses: twice as far; nil of anything else that changes it.
local function wider_step(instruction)
  local mnemonic, operands = operands_of(instruction)
  local step = (mnemonic == "add" or mnemonic == "sub") and tonumber(operands[2])
  return step and { ("%s %s, %d"):format(mnemonic, operands[1], 2 * step) }
end

-- The text with wider vectors: what stands a vector's length, or several, from something stands twice as far.
local function wider_text(text, form)
  text = text:gsub("^%S+", form.renamed or {})
  for k, word in ipairs(form.from) do text = text:gsub("%f[%w]" .. word .. "(%d*)%f[%W]", form.to[k] .. "%1") end
  return (text:gsub("([+-])(%w+)%]", function(sign, number)
    local bytes = tonumber(number)
    return bytes and bytes % form.bytes == 0 and ("%s%d]"):format(sign, 2 * bytes) or nil
  end))
end

-- Does an iteration begin with what no other left to it, but for addresses and sums?
local function is_apart(accesses, stepped, found)
  local written, carried = {}, {}
  for _, access in ipairs(accesses) do
    for _, list in ipairs { access.read, access.address } do
      for _, name in ipairs(list) do carried[name] = carried[name] or not written[name] end
    end
    for _, name in ipairs(access.written) do written[name] = true end
  end
  return lists.all(lists.keys(written), function(name)
    return not carried[name] or stepped[name] or found[family_of(name) or ""] ~= nil
  end)
end

-- May this instruction be one with wider vectors?
local function has_wider(instruction, access, form, written)
  local mnemonic, text = instruction.text:match "^%S+", instruction.text
  local own = text:find("%f[%w]" .. form.from[1] .. "%d") and not text:find("%f[%w]" .. form.to[1] .. "%d")
  local moving = lists.any(access.memory, function(memory) return written[memory.base or ""] or written[memory.index or ""] end)
  return own and mnemonic:find "^v" and not matches(mnemonic, facts.single) and not (mnemonic:find "broadcast" and moving)
end

-- All of it with vectors of twice the width, and whether sums are the same in any order; nil where something in it has none, or does something else.
local function with_wider(piece, form)
  local accesses, replaced, any = assert(core.isa.accesses(piece.bytes)), {}, false
  local addresses, written, stepped, n = {}, {}, {}, #piece.instructions
  for _, access in ipairs(accesses) do
    for _, name in ipairs(access.written) do written[name] = true end
    for _, memory in ipairs(access.memory) do addresses[memory.base or ""], addresses[memory.index or ""] = true, true end
  end
  for i, instruction in ipairs(piece.instructions) do
    local access = accesses[i]
    if instruction.text:find "%f[%w][xyz]mm%d" then
      if not has_wider(instruction, access, form, written) then return nil end
      replaced[i], any = { wider_text(instruction.text, form) }, true
    elseif #access.written == 1 and addresses[access.written[1]] then
      replaced[i], stepped[access.written[1]] = wider_step(instruction), true
      if not replaced[i] then return nil end
    elseif i < n - 1 or #access.written > 0 then -- all but the comparison and the branch
      return nil
    end
  end
  local found = sums.accumulators(piece.instructions, accesses)
  if not any or not is_apart(accesses, stepped, found) then return nil end
  return assembled(piece.instructions, replaced), lists.all(lists.keys(found), function(family) return found[family].exact end)
end

--- A loop with vectors of twice the width.
-- @param piece a loop of `portolan.code`
-- @return rewrite as of portolan.loop.rewrites; nil if something in the loop has none, or the processor has no such vectors
function wider_vectors.of(piece)
  for _, form in ipairs(lists.where(facts.wider, is_here)) do
    local bytes, exact = with_wider(piece, form)
    if bytes then
      return { what = ("vectors of %d bytes, an iteration in place of two%s"):format(2 * form.bytes, exact and "" or " (rounds otherwise)"),
        bodies = { bytes }, work = 2 }
    end
  end
end

return wider_vectors
