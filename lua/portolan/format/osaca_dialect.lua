--- This module knows what OSACA's machine models of x86 and of AArch64 write differently: operands, their order, names, plain loads and stores.
-- @module portolan.format.osaca_dialect
local a64_names = require "portolan.format.osaca_a64_names"
local lists = require "portolan.support.lists"
local match = require "portolan.format.osaca_match"
local names = require "portolan.format.osaca_names"

local vectors = { xmm = "xmm", ymm = "ymm", zmm = "zmm", mmx = "mm" }

-- x86 ----------------------------------------------------------------------------------------------------------------

local x86 = { isa = "x86" }

-- Plain loads and stores, the first that the mapping knows: for operands in memory that have no form.
x86.loads = { "mov r64, m64", "mov r32, m32", "movups xmm, m128", "vmovups xmm, m128", "vmovups ymm, m256" }
x86.stores = { "mov m64, r64", "mov m32, r32", "movups m128, xmm", "vmovups m128, xmm", "vmovups m256, ymm" }

-- These schemes load a register of each of OSACA's classes, and do nothing else; the first that the mapping knows counts.
x86.load_classes = {
  { "gpr", { "mov r64, m64", "mov r32, m32" } }, { "mm", { "movq mm, m64", "movd mm, m32" } },
  { "xmm", { "vmovups xmm, m128", "movups xmm, m128", "vmovaps xmm, m128", "movaps xmm, m128", "vmovdqu xmm, m128", "movdqu xmm, m128" } },
  { "ymm", { "vmovups ymm, m256", "vmovaps ymm, m256", "vmovdqu ymm, m256" } }, { "zmm", { "vmovups zmm, m512", "vmovaps zmm, m512" } },
}

-- A store and a load of the same class, one of which hands its value to the other.
x86.forwards = { { "mov m64, r64", "mov r64, m64" }, { "mov m32, r32", "mov r32, m32" } }

-- The lines of an operand.
local function x86_lines(operand, scheme, first)
  if operand.kind == "memory" or operand.kind == "address" then
    local index = operand.index and ('"%s"'):format(operand.index) or '"*"'
    return { "class: memory", 'base: "*"', 'offset: "*"', "index: " .. index, 'scale: "*"' }
  elseif operand.kind == "immediate" then
    return { "class: immediate", "imd: int" }
  elseif operand.kind == "relative" then
    return { "class: identifier" }
  end
  local lines = { "class: register", "name: " .. (vectors[operand.class] or "gpr") }
  if first and scheme.masked then lines[3] = "mask: k" end
  if first and scheme.zeroing then lines[4] = "zeroing: z" end
  return lines
end

-- The lines of all operands, in AT&T's order.
function x86.operand_lines(scheme, operands)
  local list = {}
  for i = #operands, 1, -1 do list[#list + 1] = x86_lines(operands[i], scheme, i == 1) end
  return list
end

-- All ways to write a scheme; nil if OSACA cannot tell it.
function x86.spellings(scheme)
  local operands = names.printed(scheme)
  if not match.expressible(scheme, operands) then return nil end
  local list = names.spellings(scheme, operands)
  for i, spelling in ipairs(list) do spelling.rank = i end
  local words, others = names.comparisons(scheme, operands)
  for _, word in ipairs(words) do list[#list + 1] = { long = word, short = word, operands = others, rank = 10 } end
  return list
end

-- AArch64 ------------------------------------------------------------------------------------------------------------

local aarch64 = { isa = "aarch64" }

aarch64.loads = { "ldr x, [x, imm12]", "ldr w, [x, imm12]", "ldr q, [x, imm12]" }
aarch64.stores = { "str x, [x, imm12]", "str w, [x, imm12]", "str q, [x, imm12]" }
aarch64.load_classes = lists.map({ "w", "x", "b", "h", "s", "d", "q" }, function(class)
  return { class, { class == "b" and "ldr b, [x, imm12]" or ("ldr %s, [x, imm12]"):format(class) } }
end)
aarch64.forwards = { { "str x, [x, imm12]", "ldr x, [x, imm12]" }, { "str w, [x, imm12]", "ldr w, [x, imm12]" } }

local function a64_lines(operand)
  if operand.class == "register" then
    return { "class: register", "prefix: " .. operand.prefix, operand.shape and "shape: " .. operand.shape or nil,
      operand.shape and 'width: "*"' or nil }
  end
  if operand.class == "memory" then
    local plain = operand.offset and not operand.pre -- an offset of 0 is not written
    return { "class: memory", "base: x", "offset: " .. (plain and '"*"' or operand.offset or "~"), "index: " .. (operand.index or "~"),
      "scale: " .. operand.scale, "pre_indexed: " .. tostring(operand.pre), "post_indexed: " .. tostring(operand.post) }
  end
  if operand.class == "immediate" then return { "class: immediate", "imd: " .. operand.kind } end
  if operand.class == "condition" then return { "class: condition", 'ccode: "*"' } end
  return { "class: " .. operand.class }
end

function aarch64.operand_lines(_, operands) return lists.map(operands, a64_lines) end

function aarch64.spellings(scheme)
  local list, copy = a64_names.spellings(scheme), a64_names.copy(scheme)
  if copy then list[#list + 1] = { name = "mov", operands = copy } end
  for i, spelling in ipairs(list) do
    spelling.long, spelling.short, spelling.rank = spelling.name, spelling.name, i
  end
  return list
end

--- By architecture: `isa` (OSACA's word), `loads`, `stores`, `load_classes`, `forwards` (names of schemes), `operand_lines(scheme, operands)` -> for
-- each operand its lines, `spellings(scheme)` -> list of `{ long =, short =, operands =, rank = }`, or nil if OSACA cannot tell the scheme.
return { x86_64 = x86, aarch64 = aarch64 }
