--- Mnemonics as OSACA's machine models have them: those of the GNU assembler (AT&T syntax), with or without a suffix for
-- the operand width.
-- @module portolan.format.osaca_names
local names = {}

local suffixes = { [8] = "b", [16] = "w", [32] = "l", [64] = "q" }

-- Zydis' word for a condition, and the others.
local conditions = {
  nb = { "ae", "nc" }, b = { "nae", "c" }, z = { "e" }, nz = { "ne" }, nbe = { "a" }, be = { "na" }, nle = { "g" }, le = { "ng" },
  nl = { "ge" }, l = { "nge" }, p = { "pe" }, np = { "po" },
}

local other_words = {
  cdqe = { "cltq" }, cqo = { "cqto" }, cdq = { "cltd" }, cwde = { "cwtl" }, shl = { "sal" }, mov = { "movabs" }, movsxd = { "movslq" },
}

-- The width that a suffix would tell: of the first general-purpose register, or else of memory, if no vectors are involved.
local function width_of(operands)
  local memory, other
  for _, operand in ipairs(operands) do
    local general = (operand.class or ""):find("^gpr")
    if operand.kind == "register" and general and not operand.fixed then return operand.width end
    if operand.kind == "memory" then memory = memory or operand.width end
    other = other or operand.kind == "register" and not general
  end
  return not other and memory or nil
end

--- The operands that Intel syntax prints, but for masks, which belong to other operands.
-- @param scheme of `portolan.isa`
-- @return list of operands
function names.printed(scheme)
  local list = {}
  for _, operand in ipairs(scheme.operands) do
    if operand.visibility ~= "hidden" and not operand.mask then list[#list + 1] = operand end
  end
  return list
end

-- movzx and movsx: both widths are in the mnemonic.
local function extension(scheme, operands)
  local stem = scheme.mnemonic == "movzx" and "movz" or scheme.mnemonic == "movsx" and "movs"
  local from, to = operands[2] and suffixes[operands[2].width], operands[1] and suffixes[operands[1].width]
  if stem and from and to then return stem .. from .. to, stem .. from end
end

--- The mnemonic with the suffix for its width, and the one without. The same if there is no width to tell.
-- @param scheme of `portolan.isa`
-- @param operands its printed ones
function names.pair(scheme, operands)
  local long, short = extension(scheme, operands)
  if long then return long, short end
  local suffix = suffixes[width_of(operands) or 0]
  local general = not scheme.mnemonic:find("^v") and not (scheme.branch or false)
  return general and suffix and scheme.mnemonic .. suffix or scheme.mnemonic, scheme.mnemonic
end

local function add_condition_words(list, mnemonic)
  for _, stem in ipairs { "j", "cmov", "set" } do
    local words = mnemonic:sub(1, #stem) == stem and conditions[mnemonic:sub(#stem + 1)]
    for _, word in ipairs(words or {}) do list[#list + 1] = stem .. word end
  end
end

--- All names under which OSACA may have a scheme, the most special first.
-- @return list of lower-case names
function names.all(scheme, operands)
  local long, short = names.pair(scheme, operands)
  local list = { long }
  if short ~= long then list[2] = short end
  if scheme.mnemonic ~= short then list[#list + 1] = scheme.mnemonic end -- movzx, in Intel syntax
  local words = {}
  add_condition_words(words, scheme.mnemonic)
  for _, word in ipairs(other_words[scheme.mnemonic] or {}) do words[#words + 1] = word end
  local suffix = long:sub(1, #short) == short and long:sub(#short + 1) or ""
  for _, word in ipairs(words) do
    if suffix ~= "" then list[#list + 1] = word .. suffix end
    list[#list + 1] = word
  end
  return list
end

-- The other words, turned round: what is a word for which mnemonics.
local function meanings()
  local of = {}
  local function add(word, mnemonic)
    of[word] = of[word] or {}
    table.insert(of[word], mnemonic)
  end
  for mnemonic, words in pairs(other_words) do
    for _, word in ipairs(words) do add(word, mnemonic) end
  end
  for condition, words in pairs(conditions) do
    for _, stem in ipairs { "j", "cmov", "set" } do
      for _, word in ipairs(words) do add(stem .. word, stem .. condition) end
    end
  end
  return of
end

local meaning_of = meanings()

--- The mnemonics that a name may stand for: a superset, which `all` narrows down.
-- @param name lower case
-- @return list of words, of which some are no mnemonics
function names.mnemonics(name)
  local list = {}
  for _, word in ipairs { name, (name:gsub("[bwlq]$", "")) } do
    list[#list + 1] = word
    for _, mnemonic in ipairs(meaning_of[word] or {}) do list[#list + 1] = mnemonic end
  end
  local stem = name:match("^mov([zs])[bw][wlq]?$")
  if stem then list[#list + 1] = "mov" .. stem .. "x" end
  return list
end

return names
