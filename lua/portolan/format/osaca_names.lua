--- Mnemonics as OSACA's machine models have them: those of the GNU assembler (AT&T syntax), with or without a suffix for
-- the operand width.
--
-- A *spelling* is one way in which compilers and assemblers write a scheme: `{ long =, short =, operands =, rank =, written = }`. OSACA looks
-- for the long name first, then for the one without the suffix. Compilers write the first spelling, and few others (`sal`): those are `written`.
-- @module portolan.format.osaca_names
local lists = require "portolan.support.lists"
local names = {}

local suffixes = { [8] = "b", [16] = "w", [32] = "l", [64] = "q" }
local x87_suffixes = { [32] = "s", [64] = "l", [80] = "t" }
local vector_suffixes = { [128] = "x", [256] = "y", [512] = "z" }

-- The other words for Zydis' conditions, first the one that compilers write.
local conditions = {
  nb = { "ae", "nc" }, b = { "nae", "c" }, z = { "e" }, nz = { "ne" }, nbe = { "a" }, be = { "na" }, nle = { "g" }, le = { "ng" },
  nl = { "ge" }, l = { "nge" }, p = { "pe" }, np = { "po" },
}
local intel_conditions = { b = true, be = true, le = true, l = true, p = true, np = true } -- which Zydis calls as compilers do

-- Words of the GNU assembler alone.
local gnu_words = { cdqe = "cltq", cqo = "cqto", cdq = "cltd", cwde = "cwtl", cbw = "cbtw", cwd = "cwtd" }

-- Conversions that halve the width: operands in memory tell their width by the name only. So do those of classifications.
local halving = {
  cvtpd2ps = true, cvtpd2dq = true, cvttpd2dq = true, cvtpd2udq = true, cvttpd2udq = true, cvtqq2ps = true, cvtuqq2ps = true,
}

-- Some compilers write these, and others not, or not always: beside `shl`, and beside `ae` of unsigned numbers that of floating-point ones.
local also_written = lists.set { "sal", "jnb", "setnb", "cmovnb" }

local shifts = { shl = true, shr = true, sar = true, rol = true, ror = true, rcl = true, rcr = true }

local function is_general(operand) return operand.kind == "register" and (operand.class or ""):find("^gpr") ~= nil end

-- The width that a suffix would tell: of the first general-purpose register, or else of memory, if no vectors are involved.
local function width_of(operands)
  local memory, other
  for _, operand in ipairs(operands) do
    if is_general(operand) and not operand.fixed then return operand.width end
    if operand.kind == "memory" then memory = memory or operand.width end
    other = other or operand.kind == "register" and not is_general(operand)
  end
  return not other and memory or nil
end

local function x87_suffix(scheme, operands)
  local memory = operands[1] and operands[1].kind == "memory" and operands[1].width
  if not memory then return "" end
  if not scheme.mnemonic:find "^fi" then return x87_suffixes[memory] or "" end
  return memory == 16 and "s" or memory == 64 and "ll" or suffixes[memory] or ""
end

-- The suffix that compilers write, the empty string for none; and whether assemblers take no name without it.
local function suffix_of(scheme, operands)
  local mnemonic, last = scheme.mnemonic, operands[#operands]
  local bare = mnemonic:gsub("^v", "")
  if scheme.extension == "X87" then return x87_suffix(scheme, operands) end
  if halving[mnemonic:sub(2)] then return operands[1].class == "xmm" and vector_suffixes[last.width] or "", last.kind == "memory" end
  if mnemonic:find "^vfpclassp" and operands[2].kind == "memory" then return vector_suffixes[operands[2].width], true end
  if (bare:find "^cvtu?si2" or mnemonic == "crc32") and last then return suffixes[last.width] or "" end
  if bare:find "^cvtt?[sp][sdh]2u?si" then return is_general(operands[1]) and suffixes[operands[1].width] or "" end
  if mnemonic:find "^v" or mnemonic:find "^set" or mnemonic:find "^cmov" or scheme.branch then return "" end
  return suffixes[width_of(operands) or 0] or ""
end

--- The operands that Intel syntax prints, but for masks, which belong to other operands.
-- @param scheme of `portolan.scheme.isa`
-- @return list of operands
function names.printed(scheme)
  return lists.where(scheme.operands, function(operand) return operand.visibility ~= "hidden" and not operand.mask end)
end

-- movzx and movsx: both widths are in the mnemonic.
local function extension(scheme, operands)
  local mnemonic = scheme.mnemonic
  local stem = mnemonic == "movzx" and "movz" or (mnemonic == "movsx" or mnemonic == "movsxd") and "movs"
  local from, to = operands[2] and suffixes[operands[2].width], operands[1] and suffixes[operands[1].width]
  if stem and from and to and from ~= to then return stem .. from .. to, stem .. from end
end

-- The mnemonics without suffixes, first the one that compilers write.
local function words_of(mnemonic)
  for _, stem in ipairs { "j", "cmov", "set" } do
    local condition = mnemonic:sub(1, #stem) == stem and mnemonic:sub(#stem + 1)
    if condition and conditions[condition] then
      local list = lists.map(conditions[condition], function(word) return stem .. word end)
      table.insert(list, intel_conditions[condition] and 1 or 2, mnemonic)
      return list
    end
  end
  if gnu_words[mnemonic] then return { gnu_words[mnemonic], mnemonic } end
  return mnemonic == "shl" and { "shl", "sal" } or { mnemonic }
end

-- The operands and xmm0, which Intel syntax leaves out and compilers write: a blend's mask. Nil for all other schemes.
local function with_xmm0(scheme, operands)
  for _, operand in ipairs(scheme.operands) do
    if operand.visibility == "hidden" and operand.fixed == "xmm0" then
      local all = table.move(operands, 1, #operands, 1, {})
      all[#all + 1] = operand
      return all
    end
  end
end

local function without_last(operands) return table.move(operands, 1, #operands - 1, 1, {}) end

-- AT&T syntax has divisions and subtractions of x87 the other way round where the result goes to another register than st(0).
local function mnemonic_of(scheme, operands)
  local stem, turned, pop = scheme.mnemonic:match "^(f[sd][ui][bv])(r?)(p?)$"
  if not stem or not operands[2] or operands[1].fixed then return scheme.mnemonic end
  return stem .. (turned == "" and "r" or "") .. pop
end

--- All ways to write a scheme, the one that compilers use first.
-- @param scheme of `portolan.scheme.isa`
-- @param operands its printed ones
-- @return list of `{ long =, short =, operands = in Intel's order, rank = number, written = whether compilers do }`; long and short are the same if
--   there is no suffix to tell
function names.spellings(scheme, operands)
  local list = {}
  local function add(long, short, given, word)
    local written = not list[1] or also_written[word] ~= nil and #given == #list[1].operands
    list[#list + 1] = { long = long, short = short, operands = given, rank = #list, written = written }
  end
  local suffix, needed = suffix_of(scheme, operands)
  local long, short = extension(scheme, operands)
  if long then add(long, short, operands) end
  local last = operands[#operands]
  if scheme.mnemonic == "mov" and last and last.kind == "immediate" and last.width == 64 then add("movabsq", "movabs", operands) end
  local words = words_of(mnemonic_of(scheme, operands))
  if shifts[scheme.mnemonic] and scheme.name:find ", 1$" then -- compilers leave the one out
    for _, word in ipairs(words) do add(word .. suffix, word, without_last(operands), word) end
  end
  local all = with_xmm0(scheme, operands)
  if all then add(scheme.mnemonic, scheme.mnemonic, all) end
  for _, word in ipairs(words) do
    local bare = gnu_words[scheme.mnemonic] and "" or suffix
    add(word .. bare, needed and word .. bare or word, operands, word)
  end
  return list
end

local predicates = { "eq", "lt", "le", "unord", "neq", "nlt", "nle", "ord" }
local vex_predicates = { "nge", "ngt", "false", "ge", "gt", "true" }
local whole_predicates = { "eq", "lt", "le", "neq", "nlt", "nle" }

--- The names of comparisons that have the predicate in the mnemonic, in place of the constant: cmpltpd, vpcmpltud.
-- @param scheme of `portolan.scheme.isa`
-- @param operands its printed ones
-- @return list of names; the operands without the constant. An empty list for all other schemes
function names.comparisons(scheme, operands)
  local last = operands[#operands]
  if not last or last.kind ~= "immediate" then return {} end
  local vex, kind = scheme.mnemonic:match "^(v?)cmp([ps][sdh])$"
  local whole = scheme.mnemonic:match "^vpcmp(u?[bwdq])$"
  local list = {}
  for _, set in ipairs { kind and predicates or {}, kind and vex == "v" and vex_predicates or {} } do
    for _, predicate in ipairs(set) do list[#list + 1] = vex .. "cmp" .. predicate .. kind end
  end
  for _, predicate in ipairs(whole and whole_predicates or {}) do list[#list + 1] = "vpcmp" .. predicate .. whole end
  return list, without_last(operands)
end

--- The name of the same instruction with or without VEX, which OSACA takes if it has no form of a name.
function names.alternate(name) return name:find "^v" and name:sub(2) or "v" .. name end

--- A name without the suffix that OSACA leaves out; nil if there is none.
function names.stripped(name) return name:match "^(.+)[bswlqt]$" end

return names
