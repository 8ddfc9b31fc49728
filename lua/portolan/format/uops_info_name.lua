--- Portolan's scheme name of an instruction of uops.info's instructions.xml (docs/scheme-names.md).
--
-- Its `<operand>`s tell kinds, classes and widths, `asm` the mnemonic with its prefixes. The name that they make is only
-- taken if there is such a scheme.
-- @module portolan.format.uops_info_name
local isa = require "portolan.scheme.isa"

local naming = {}

local register_kinds = {
  { "^XMM", "xmm" }, { "^YMM", "ymm" }, { "^ZMM", "zmm" }, { "^MM", "mm" }, { "^TMM", "tmm" }, { "^K%d", "k" }, { "^BND", "bnd" },
  { "^ST", "st" }, { "^CR", "cr" }, { "^DR", "dr" }, { "^[CDEFGS]S$", "sreg" },
}

local function register(operand)
  local first = operand.text:match("^[^,]*")
  if operand.implicit == "1" or not operand.text:find(",", 1, true) then
    return (first:lower():gsub("^st%((%d)%)$", "st%1"))
  end
  for _, kind in ipairs(register_kinds) do
    if first:find(kind[1]) then return kind[2] end
  end
  return operand.width and "r" .. operand.width
end

local function memory(operand)
  local text = (operand.moffs == "1" and "moffs" or "m") .. (operand.width or "")
  if operand.VSIB then text = text .. "[" .. operand.VSIB:lower() .. "]" end
  return text .. (operand["memory-suffix"] or "")
end

local function immediate(operand)
  if operand.implicit == "1" and operand.text ~= "" then return operand.text end
  return operand.width and "imm" .. operand.width
end

local types = {
  reg = register, mem = memory, imm = immediate, agen = function() return "m" end,
  relbr = function(operand) return operand.width and "rel" .. operand.width end,
}

-- The types of the printed operands; a mask belongs to the operand before it. Nil if one has no name.
local function operand_texts(instruction)
  local list = {}
  for _, operand in ipairs(instruction.operands) do
    if operand.suppressed ~= "1" and operand.type ~= "flags" then
      local of_type = types[operand.type]
      if operand.opmask == "1" and #list > 0 then
        list[#list] = list[#list] .. "{k}" .. (instruction.zeroing == "1" and "{z}" or "")
      else
        local text = of_type and of_type(operand)
        if not text then return nil end
        list[#list + 1] = text
      end
    end
  end
  return list
end

-- {er} and {sae} stand in the string only, as VADDPD_ER (ZMM, ZMM, ZMM); {evex} where nothing else shows it.
local function mark(instruction, name)
  local head = instruction.string:match("^[^ ]*")
  if head:find("_ER%f[_\0]") then return " {er}" end
  if head:find("_SAE%f[_\0]") then return " {sae}" end
  local shows = name:find("[{]") or name:find("zmm", 1, true)
  return instruction.evex == "1" and not shows and " {evex}" or ""
end

-- Values of operands that uops.info lists separately although they belong to the same scheme: ah to bh, constants that are zero.
local function special(instruction)
  return instruction.immzero == "1" or (instruction.high8 or "") ~= ""
end

-- Sizes that no operand shows, and far jumps; each is taken only if there is such a scheme.
local sizes = { ["1"] = " {o16}", ["3"] = " {o64}" }

local function mnemonic_of(instruction)
  local mnemonic = instruction.asm:gsub("{%w+}%s*", ""):lower()
  local far = (instruction.iclass or ""):find("_FAR$") and not mnemonic:find(" far$")
  return far and mnemonic .. " far" or mnemonic
end

-- The names to try, the most special first.
local function candidates(instruction, operands)
  local mnemonic, list = mnemonic_of(instruction), {}
  local function join() return mnemonic .. (#operands > 0 and " " .. table.concat(operands, ", ") or "") end
  local name = join()
  if sizes[instruction.eosz] then list[1] = name .. sizes[instruction.eosz] end
  list[#list + 1] = name .. mark(instruction, name)
  for i, text in ipairs(operands) do operands[i] = text:gsub("^m%d+$", "m") end -- no width: such as lea, fxsave
  list[#list + 1] = join()
  return list
end

--- The name of an instruction's scheme: Portolan's where there is one, otherwise uops.info's string.
-- @param instruction the attributes of `<instruction>`, with `operands`: a list of the attributes of `<operand>`s, each with `text`
-- @return name, whether it is Portolan's
function naming.scheme(instruction)
  local own = instruction["portolan:scheme"] -- of files that Portolan wrote: what the operands do not tell
  if own and isa.scheme(own) then return own, true end
  local operands = not special(instruction) and operand_texts(instruction)
  if not operands or not instruction.asm then return instruction.string, false end
  for _, name in ipairs(candidates(instruction, operands)) do
    if isa.scheme(name) then return name, true end
  end
  return instruction.string, false
end

return naming
