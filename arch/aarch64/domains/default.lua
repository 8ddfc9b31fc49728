-- The features of A64 instruction schemes that AnICA abstracts from (in the manner of dissertation Table 8.1, Table 8.2).
-- docs/abstract-domain.md explains them; `portolan domain check` checks the laws they must obey.

local function accesses(operand, letter) return operand.access:find(letter, 1, true) ~= nil end

local function letters(reads, writes) return (reads and "R" or "") .. (writes and "W" or "") end

-- A list without duplicates, sorted.
local function set(members)
  local list = {}
  for member in pairs(members) do list[#list + 1] = member end
  table.sort(list)
  return list
end

-- R, W and the sizes of all accesses.
local function memory_usage(scheme)
  local members = {}
  for _, o in ipairs(scheme.operands) do
    if o.kind == "memory" then
      members["Size: " .. o.width] = true
      if accesses(o, "r") then members.R = true end
      if accesses(o, "w") then members.W = true end
    end
  end
  return set(members)
end

-- Tells how an address is formed, as the name of the scheme says: [x, imm12], [x, imm9]!, [x], imm9, [x, w, sxtw imm].
local function addressing(scheme)
  local inside, behind = scheme.name:match "%[([xp][^%]]*)%](.*)$"
  if not inside then return "none" end
  if behind == "!" then return "pre-index" end
  if behind:find "^, " then return behind:find "^, x" and "post-index by register" or "post-index" end
  if inside == "x" then return "base" end
  if inside:find "^x, imm" then return "base + immediate" end
  if inside:find "^pc" then return "literal" end
  local extended, shifted = inside:find "[su]xt", inside:find "imm" or inside:find "lsl"
  return extended and (shifted and "extended and shifted index" or "extended index") or shifted and "shifted index" or "index"
end

-- Arrangements of vectors: 4s, 16b; elements: s[]; scalars by their class.
local function shapes(scheme)
  local members = {}
  for arrangement in scheme.name:gmatch "v%.(%d*[bhsdq]%[?)" do members[arrangement:find "%[" and arrangement .. "]" or arrangement] = true end
  for _, o in ipairs(scheme.operands) do
    if o.kind == "register" and o.visibility ~= "hidden" and o.class and not o.class:find "^v" then members[o.class] = true end
  end
  return set(members)
end

-- Bits of a vector's elements; of the widest register, where there are none.
local sizes = { b = 8, h = 16, s = 32, d = 64, q = 128 }
local function element_size(scheme)
  local letter = scheme.name:match "v%.%d*([bhsdq])" or scheme.name:match "[ {]([bhsdq])%f[%A]"
  if letter then return tostring(sizes[letter]) end
  return scheme.name:find " x" and "64" or scheme.name:find " w" and "32" or "none"
end

local types = {
  register = function(o) return o.fixed or o.class end,
  memory = function(o) return "m" .. o.width end,
  address = function() return "address" end,
  immediate = function(o) return o.constant and "constant " .. o.constant or "imm" .. o.width end,
  relative = function(o) return "rel" .. o.width end,
}

-- The types of all operands, printed or not, each with its access; every flag on its own.
local function operand_types(scheme)
  local members = {}
  for _, o in ipairs(scheme.operands) do
    if o.class ~= "flags" then
      local access = letters(accesses(o, "r"), accesses(o, "w"))
      members[types[o.kind](o) .. (access ~= "" and " " .. access or "")] = true
    end
  end
  local uses = {}
  for _, flag in ipairs(scheme.flags_read) do uses[flag] = { reads = true } end
  for _, flag in ipairs(scheme.flags_written) do
    uses[flag] = uses[flag] or {}
    uses[flag].writes = true
  end
  for flag, use in pairs(uses) do members[flag:upper() .. " " .. letters(use.reads, use.writes)] = true end
  return set(members)
end

-- Tells how the last register is changed on the way: lsl, asr, sxtw.
local function modifier(scheme)
  return scheme.name:gsub("%[.*%]", ""):match ", ([lar]sl)" or scheme.name:gsub("%[.*%]", ""):match ", (%a%a%a) imm"
    or scheme.name:gsub("%[.*%]", ""):match ", ([su]xt%a)" or "none"
end

local features = {
  { name = "mnemonic", lattice = "edit", bound = 3, value = function(s) return s.mnemonic end },
  { name = "category", lattice = "singleton", value = function(s) return s.category:lower() end },
  { name = "isa set", lattice = "singleton", value = function(s) return s.isa_set end },
  { name = "element size", lattice = "singleton", value = element_size },
  { name = "shapes", lattice = "subset", value = shapes },
  { name = "addressing", lattice = "singleton", value = addressing },
  { name = "modifier", lattice = "singleton", value = modifier },
  { name = "memory", lattice = "subset", value = memory_usage },
  { name = "operands", lattice = "subset", value = operand_types },
}

-- The number of uops, if the domain is loaded with a mapping that knows it.
if mapping then
  features[#features + 1] = {
    name = "uops", lattice = "log", bound = 5,
    value = function(s)
      local known = mapping.schemes[s.name]
      if not known or not known.uops then return nil end
      local count = 0
      for _, uop in ipairs(known.uops) do count = count + (uop[2] or 1) end
      return count
    end,
  }
end

return features
