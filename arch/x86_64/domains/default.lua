-- The features of x86-64 instruction schemes that AnICA abstracts from (dissertation Table 8.1, Table 8.2).
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

-- R, W and the sizes of all accesses; nothing for schemes that access no memory (lea does not).
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

-- "gpr64" -> "r64"; others are called what they are.
local function register_type(o)
  return o.fixed or o.class:gsub("^gpr", "r")
end

local types = {
  register = register_type,
  memory = function(o) return ("m%d%s%s"):format(o.width, o.index and "[" .. o.index .. "]" or "", o.broadcast and "{1toN}" or "") end,
  address = function() return "address" end,
  immediate = function(o) return o.constant and "constant " .. o.constant or "imm" .. o.width end,
  relative = function(o) return "rel" .. o.width end,
}

local function add_flags(scheme, members)
  local uses = {}
  for _, flag in ipairs(scheme.flags_read) do uses[flag] = { reads = true } end
  for _, flag in ipairs(scheme.flags_written) do
    uses[flag] = uses[flag] or {}
    uses[flag].writes = true
  end
  for flag, use in pairs(uses) do members[flag:upper() .. " " .. letters(use.reads, use.writes)] = true end
end

-- The types of all operands, printed or not, each with its access; every flag on its own.
local function operand_types(scheme)
  local members = {}
  for _, o in ipairs(scheme.operands) do
    if o.class ~= "flags" then
      local access = letters(accesses(o, "r"), accesses(o, "w"))
      members[types[o.kind](o) .. (access ~= "" and " " .. access or "")] = true
    end
  end
  add_flags(scheme, members)
  return set(members)
end

local function prefix(pattern)
  return function(scheme)
    for _, name in ipairs(scheme.prefixes) do
      if name:find(pattern) then return name end
    end
    return "none"
  end
end

local features = {
  { name = "mnemonic", lattice = "edit", bound = 3, value = function(s) return s.mnemonic end },
  { name = "category", lattice = "singleton", value = function(s) return s.category:lower() end },
  { name = "isa set", lattice = "singleton", value = function(s) return s.isa_set end },
  { name = "extension", lattice = "singleton", value = function(s) return s.extension end },
  { name = "lock", lattice = "singleton", value = prefix "^lock$" },
  { name = "rep", lattice = "singleton", value = prefix "^rep" },
  { name = "memory", lattice = "subset", value = memory_usage },
  { name = "operands", lattice = "subset", value = operand_types },
}

-- This feature says what the immediate is like, where the universe has a scheme once for each kind of it.
-- `shl r64, 1` has a constant that is not encoded.
if universe and universe.immediates then
  features[#features + 1] = {
    name = "immediate", lattice = "singleton",
    value = function(s)
      for _, o in ipairs(s.operands) do
        if o.constant then return tostring(o.constant) end
      end
      return s.immediate or "none"
    end,
  }
end

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
