--- A64 schemes as OSACA's parser sees instructions of them: a mnemonic and operands of its kinds.
--
-- OSACA looks an instruction up as it is written, aliases included: `lsl x0, x1, 3` is not the form `ubfm`. So a scheme has several spellings, the
-- one with its own mnemonic first. Lists of registers count as so many operands; what shifts or extends a register belongs to it; an address tells
-- its index, whether that is scaled, and whether the base is updated.
-- @module portolan.format.osaca_a64_names
local lists = require "portolan.support.lists"

local names = {}

-- The operands of a scheme's name: what commas outside of brackets divide.
local function split(text)
  local list, depth, from = {}, 0, 1
  for i = 1, #text do
    local c = text:sub(i, i)
    if c == "[" or c == "{" then depth = depth + 1 elseif c == "]" or c == "}" then depth = depth - 1 end
    if c == "," and depth == 0 then
      list[#list + 1] = text:sub(from, i - 1):match "^%s*(.-)%s*$"
      from = i + 1
    end
  end
  local last = text:sub(from):match "^%s*(.-)%s*$"
  if last ~= "" then list[#list + 1] = last end
  return list
end

local prefixes = { x = "x", xsp = "x", w = "w", wsp = "w", b = "b", h = "h", s = "s", d = "d", q = "q" }

local function register_of(word)
  if prefixes[word] then return { class = "register", prefix = prefixes[word] } end
  local lanes, shape = word:match "^v%.(%d*)([bhsdq])"
  if shape then return { class = "register", prefix = "v", shape = shape, lanes = tonumber(lanes) } end
end

-- "[x, w, sxtw imm]", "[x, imm9]!"; `behind`: the operand after the bracket, of post-indexed addresses.
local function memory_of(word, behind)
  local parts = split(word:match "^%[(.*)%]")
  if parts[1] == "pc" then return { class = "identifier" } end
  local index = prefixes[parts[2] or ""]
  local modifier = parts[3] or ""
  local scaled = index and (modifier:find "^lsl" or modifier:find "^[us]xtw imm") -- other extensions do not count for OSACA
  return { class = "memory", base = "x", offset = not index and parts[2] and "imd" or nil, index = index, scale = scaled and 2 or 1,
    pre = word:sub(-1) == "!", post = behind ~= nil }
end

local shifts = { lsl = true, lsr = true, asr = true, ror = true, msl = true, uxtb = true, uxth = true, uxtw = true, uxtx = true, sxtb = true,
  sxth = true, sxtw = true, sxtx = true }

-- Immediates as their names have them.
local function immediate_of(word)
  if word == "cond" then return { class = "condition" } end
  if word == "prefetch" then return { class = "prfop" } end
  if word:find "^rel%d+$" then return { class = "identifier" } end
  return { class = "immediate", kind = (word == "fp8" or word == "0.0") and "double" or "int" }
end

--- The operands of a scheme.
-- @param name of the scheme
-- @return list of `{ class =, prefix =, shape =, lanes = }` of registers; `{ class = "memory", base =, offset =, index =, scale =, pre =, post = }`;
-- `{ class = "immediate", kind = "int" | "double" }`; `{ class = }` of conditions, labels, kinds of prefetches
function names.operands(name)
  local words, list = split(name:match "^%S+%s*(.*)$"), {}
  local i = 1
  while i <= #words do
    local word = words[i]
    if word:sub(1, 1) == "{" then
      for _, one in ipairs(split(word:match "^{(.*)}")) do list[#list + 1] = register_of(one) end
    elseif word:sub(1, 1) == "[" then
      list[#list + 1] = memory_of(word, words[i + 1])
      i = i + 1 -- what is behind it belongs to it
    elseif not shifts[word:match "^%a+"] or #list == 0 then
      list[#list + 1] = register_of(word) or immediate_of(word)
    end
    i = i + 1
  end
  return list
end

local function without_last(operands, count) return table.move(operands, 1, #operands - (count or 1), 1, {}) end

local conditions = { "eq", "ne", "hs", "lo", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le" }

-- Compilers write other names for instructions of these schemes; `aliases` is: mnemonic -> list of { alias, function(operands) -> operands, or nil if
-- there are none }.
local function same(operands) return operands end
local function shorter(operands) return #operands == 4 and without_last(operands) or nil end -- ubfm x, x, imm6, imm6: lsl x, x, imm
local function moved(operands) return #operands == 2 and operands or nil end
local function scalar(operands) return operands[1].prefix ~= "v" and operands or nil end
local function without(first, last) -- these operands: they are the zero register, or one that is there twice
  return function(operands)
    local list = {}
    for i, operand in ipairs(operands) do
      if i < first or i > last then list[#list + 1] = operand end
    end
    return #list < #operands and list or nil
  end
end

-- Of whole registers: others are vectors, or numbers.
local function of_registers(change)
  return function(operands)
    for _, operand in ipairs(operands) do
      if operand.class == "register" and operand.prefix == "v" then return nil end
    end
    return operands[#operands].class == "register" and change(operands) or nil
  end
end

-- ldur s, [x, imm9] is written ldr, and so are all loads and stores with an offset that may be negative.
local function unscaled(mnemonic)
  local word, rest = mnemonic:match "^(%a%a)ur(%a*)$"
  return (word == "ld" or word == "st") and { { word .. "r" .. rest, same } } or nil
end

local product = of_registers(without(4, 4))
local aliases = {
  subs = { { "cmp", without(1, 1) } }, adds = { { "cmn", without(1, 1) } }, ands = { { "tst", without(1, 1) } },
  madd = { { "mul", product } }, msub = { { "mneg", product } }, smaddl = { { "smull", product } }, umaddl = { { "umull", product } },
  sub = { { "neg", of_registers(without(2, 2)) } }, orn = { { "mvn", of_registers(without(2, 2)) } },
  csinc = { { "cset", without(2, 3) }, { "cinc", without(3, 3) } }, csinv = { { "csetm", without(2, 3) }, { "cinv", without(3, 3) } },
  csneg = { { "cneg", without(3, 3) } }, extr = { { "ror", without(3, 3) } },
  ubfm = { { "lsr", shorter }, { "lsl", shorter }, { "ubfx", same }, { "ubfiz", same } }, sbfm = { { "asr", shorter }, { "sbfx", same } },
  bfm = { { "bfi", same }, { "bfxil", same } },
  lslv = { { "lsl", same } }, lsrv = { { "lsr", same } }, asrv = { { "asr", same } }, rorv = { { "ror", same } },
  movz = { { "mov", moved } }, movn = { { "mov", moved } }, umov = { { "mov", same } }, ins = { { "mov", same } }, dup = { { "mov", scalar } },
  ["not"] = { { "mvn", same } }, hint = { { "nop", function() return {} end } },
  ret = { { "ret", function() return {} end } },
  sshll = { { "sxtl", without_last } }, ushll = { { "uxtl", without_last } },
  sshll2 = { { "sxtl2", without_last } }, ushll2 = { { "uxtl2", without_last } },
}

-- Compilers write another name for each of these.
local unwritten = lists.set { "ubfm", "sbfm", "bfm", "lslv", "lsrv", "asrv", "rorv", "movz", "movn", "sshll", "sshll2", "ushll", "ushll2" }

--- Tells how copies are written, which are logical instructions with the zero register. A form of them says nothing of the logical instruction.
-- @param scheme of `portolan.scheme.isa`
-- @return operands of `mov`; nil if the scheme is no copy, whatever its operands
function names.copy(scheme)
  local operands = names.operands(scheme.name)
  if scheme.mnemonic ~= "orr" or #operands ~= 3 or #scheme.operands ~= 3 then return nil end
  if operands[1].prefix == "v" then return without(3, 3)(operands) end
  return without(2, 2)(operands)
end

--- The ways to write a scheme.
-- @param scheme of `portolan.scheme.isa`
-- @return list of `{ name = mnemonic, operands =, unwritten = }`, the scheme's own first, or last and `unwritten` if compilers write aliases alone
function names.spellings(scheme)
  local operands = names.operands(scheme.name)
  if scheme.mnemonic == "b.cond" then
    return lists.map(conditions, function(c) return { name = "b." .. c, operands = { operands[#operands] } } end)
  end
  local list, own = {}, { name = scheme.mnemonic, operands = operands, unwritten = unwritten[scheme.mnemonic] }
  list[1] = not own.unwritten and own or nil
  for _, alias in ipairs(aliases[scheme.mnemonic] or unscaled(scheme.mnemonic) or {}) do
    local theirs = alias[2](operands)
    if theirs then list[#list + 1] = { name = alias[1], operands = theirs } end
  end
  list[#list + 1] = own.unwritten and own or nil
  return list
end

return names
