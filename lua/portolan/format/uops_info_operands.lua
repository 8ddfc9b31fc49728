--- Instructions as uops.info's XML describes them: the attributes of `<instruction>` and of its `<operand>`s.
--
-- They are made of the scheme's own operands. `string` and `iform` have their manner, but are not theirs to the letter: they name forms of XED, of
-- which schemes know nothing.
-- @module portolan.format.uops_info_operands
local lists = require "portolan.support.lists"

local operands = {}

local function numbered(prefix, from, to)
  local list = {}
  for i = from, to do list[#list + 1] = prefix .. i end
  return list
end

local legacy_general = { "AX", "CX", "DX", "BX", "SP", "BP", "SI", "DI" }

local function registers_of_width(width)
  if width == 8 then
    local list = { "AL", "CL", "DL", "BL", "SPL", "BPL", "SIL", "DIL" }
    for i = 8, 15 do list[#list + 1] = "R" .. i .. "B" end
    return list
  end
  local letter, ending = width == 64 and "R" or width == 32 and "E" or "", width == 32 and "D" or width == 16 and "W" or ""
  local list = lists.map(legacy_general, function(name) return letter .. name end)
  for i = 8, 15 do list[#list + 1] = "R" .. i .. ending end
  return list
end

local function x87()
  local list = {}
  for i = 0, 7 do list[#list + 1] = ("ST(%d)"):format(i) end
  return list
end

-- The registers of a class, at least two; function(scheme) -> list.
local classes = {
  gpr8 = function() return registers_of_width(8) end, gpr16 = function() return registers_of_width(16) end,
  gpr32 = function() return registers_of_width(32) end, gpr64 = function() return registers_of_width(64) end,
  mmx = function() return numbered("MM", 0, 7) end, x87 = x87, mask = function() return numbered("K", 1, 7) end,
  segment = function() return { "ES", "CS", "SS", "DS", "FS", "GS" } end, control = function() return numbered("CR", 0, 15) end,
  debug = function() return numbered("DR", 0, 15) end, bound = function() return numbered("BND", 0, 3) end,
  tile = function() return numbered("TMM", 0, 7) end,
}
for _, class in ipairs { "xmm", "ymm", "zmm" } do
  classes[class] = function(scheme) return numbered(class:upper(), 0, scheme.encoding == "evex" and 31 or 15) end
end

local function fixed_name(operand) return (operand.fixed:upper():gsub("^ST(%d)$", "ST(%1)")) end

local prefixes = { [8] = "byte ptr", [16] = "word ptr", [32] = "dword ptr", [64] = "qword ptr", [80] = "tbyte ptr", [128] = "xmmword ptr",
  [256] = "ymmword ptr", [512] = "zmmword ptr" }

local function register(operand, scheme)
  if operand.class == "flags" then
    local result = { type = "flags" }
    for _, flag in ipairs(scheme.flags_read) do result["flag_" .. flag:upper()] = "r" end
    for _, flag in ipairs(scheme.flags_written) do
      local name = "flag_" .. flag:upper()
      result[name] = result[name] and "r/w" or "w"
    end
    return result
  end
  local result = { type = "reg", width = ("%d"):format(operand.width), opmask = operand.mask and "1" or nil }
  if operand.fixed then return result, fixed_name(operand) end
  local list = classes[operand.class]
  return result, list and table.concat(list(scheme), ",") or (operand.class or "register"):upper()
end

local function memory(operand, scheme)
  local result = { type = "mem", width = ("%d"):format(operand.width), ["memory-prefix"] = prefixes[operand.width],
    moffs = operand.absolute and "1" or nil, VSIB = operand.index and operand.index:upper() }
  result["memory-suffix"] = operand.broadcast and scheme.name:match "{1to%d+}" or nil
  return result
end

local function immediate(operand)
  local width = ("%d"):format(operand.width)
  if operand.constant then return { type = "imm", width = width, implicit = "1" }, ("%d"):format(operand.constant) end
  return { type = "imm", width = width }
end

local kinds = {
  register = register, memory = memory, immediate = immediate,
  address = function() return { type = "agen" } end,
  relative = function(operand) return { type = "relbr", width = ("%d"):format(operand.width) } end,
}

local names = { reg = "REG", mem = "MEM", imm = "IMM", agen = "AGEN", relbr = "RELBR", flags = "REG" }

--- The operands of a scheme, in its own order: number i in the XML is operand i.
-- @param scheme of portolan.scheme.isa
-- @return list of attributes (name -> text), with `text` for what is between the tags
function operands.list(scheme)
  local counts = {}
  return lists.map(scheme.operands, function(operand)
    local result, text = kinds[operand.kind](operand, scheme)
    local name = names[result.type]
    counts[name] = (counts[name] or -1) + 1
    result.name, result.text = name .. counts[name], text or ""
    if operand.access:find "r" or operand.kind == "immediate" or operand.kind == "address" then result.r = "1" end
    if operand.access:find "w" then result.w = "1" end
    if operand.conditional and operand.access == "rw" then result.conditionalWrite = "1" end
    if operand.visibility == "hidden" then result.suppressed = "1" end
    if operand.visibility == "implicit" then result.implicit = "1" end
    return result
  end)
end

local letters = { reg = "R", mem = "M", imm = "I", agen = "AGEN", relbr = "Rel" }
local short = { mmx = "MM", x87 = "ST", mask = "K", segment = "SEG", control = "CR", debug = "DR", bound = "BND" }

-- Returns what stands for an operand in `string`.
local function word(operand, attributes)
  if operand.kind == "register" then
    if operand.fixed then return attributes.text end
    return short[operand.class] or operand.class and not operand.class:find "^gpr" and operand.class:upper() or "R" .. operand.width
  end
  if attributes.text ~= "" then return attributes.text end
  local suffix = attributes["memory-suffix"]
  return letters[attributes.type] .. (attributes.width or "") .. (suffix and "_" .. suffix:match "%w+" or "")
    .. (attributes.VSIB and "_" .. attributes.VSIB or "")
end

local function marks(scheme)
  local list = lists.map(scheme.prefixes, function(prefix) return "_" .. prefix:upper() end)
  if scheme.name:find "{evex}" then list[#list + 1] = "_EVEX" end
  if scheme.rounding then list[#list + 1] = "_ER" elseif scheme.sae then list[#list + 1] = "_SAE" end
  if scheme.zeroing then list[#list + 1] = "_Z" end
  return table.concat(list)
end

--- The attributes of a scheme's `<instruction>`.
-- @param scheme of portolan.scheme.isa
-- @param list its operands, of `operands.list`
-- @return attributes (name -> text)
function operands.instruction(scheme, list)
  local words = {}
  for i, operand in ipairs(scheme.operands) do
    if operand.visibility ~= "hidden" then words[#words + 1] = word(operand, list[i]) end
  end
  local mnemonic = scheme.mnemonic:upper()
  local head = mnemonic:gsub("%W", "_") .. marks(scheme)
  local evex = scheme.encoding == "evex"
  local repeated = lists.map(scheme.prefixes, string.upper)
  repeated[#repeated + 1] = mnemonic
  return {
    asm = (scheme.name:find "{evex}" and "{evex} " or "") .. table.concat(repeated, " "), category = scheme.category, cpl = "3",
    extension = scheme.extension, iclass = head, iform = head .. (#words > 0 and "_" or "") .. table.concat(words, "_"):gsub("%W", "_"),
    ["isa-set"] = scheme.isa_set, string = head .. (#words > 0 and (" (%s)"):format(table.concat(words, ", ")) or ""),
    evex = evex and "1" or nil, mask = evex and (scheme.masked and "1" or "0") or nil, zeroing = scheme.zeroing and "1" or nil,
    eosz = scheme.name:find "{o16}" and "1" or scheme.name:find "{o64}" and "3" or nil,
    locked = lists.any(scheme.prefixes, function(prefix) return prefix == "lock" end) and "1" or nil,
  }
end

-- The number of a suppressed operand of the XML among a scheme's hidden ones that are not taken.
local function hidden(given, scheme, taken)
  local name = given.text:match("^[^,]*"):lower():gsub("^st%((%d)%)$", "st%1")
  for i, operand in ipairs(scheme.operands) do
    local flags = operand.class == "flags"
    local fits = given.type == "flags" and flags or given.type == "mem" and operand.kind == "memory"
      or given.type == "reg" and not flags and operand.fixed == name and operand.kind == "register"
    if fits and operand.visibility == "hidden" and not taken[i] then return i end
  end
end

--- Finds which of a scheme's operands those of the XML are: printed ones by their order, others by their kind and register.
-- @param list attributes of `<operand>`s, with `text`
-- @param scheme of portolan.scheme.isa
-- @return `idx` of the XML (text) -> number; what is missing is not known. If the printed ones are not as many, none is
function operands.numbers(list, scheme)
  local printed = lists.indices(scheme.operands, function(operand) return operand.visibility ~= "hidden" end)
  local numbers, taken, n = {}, {}, 0
  for _, given in ipairs(list) do
    if given.suppressed ~= "1" and given.type ~= "flags" then
      n = n + 1
      if given.idx and printed[n] then numbers[given.idx] = printed[n] end
    end
  end
  if n ~= #printed then return {} end
  for _, given in ipairs(list) do
    local number = given.idx and (given.suppressed == "1" or given.type == "flags") and hidden(given, scheme, taken)
    if number then numbers[given.idx], taken[number] = number, true end
  end
  return numbers
end

return operands
