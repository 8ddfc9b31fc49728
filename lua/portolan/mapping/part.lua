--- The part of a mapping that code needs: whoever asks about one loop need not wait for the facts of thousands of schemes.
-- @module portolan.mapping.part
local landmarks = require "portolan.scheme.landmarks"
local lists = require "portolan.support.lists"

local part = {}

local function mnemonic_of(name) return name:match "^%S+" end

-- Schemes that models of code ask a mapping for, whatever the code is: they tell what the core does.
local function always(known)
  local list = lists.joined(known.loads, known.additions)
  for _, access in ipairs { known.code.load or {}, known.code.store or {} } do list[#list + 1] = access.name end
  return list
end

--- Keeps the schemes that code consists of, all others of their mnemonics, and what these are compared with.
-- @param m mapping table, which is not changed
-- @param architecture of its schemes
-- @param names of the schemes of the code
-- @return mapping table; models of blocks (portolan.block.model) say of this code what they say with the whole one
function part.of(m, architecture, names)
  local known, wanted, found = landmarks.of(architecture), {}, lists.copy(m)
  for _, name in ipairs(lists.joined(names, always(known))) do
    wanted[mnemonic_of(name)] = true
    local other = known.code.executing_form(name)
    if other then wanted[mnemonic_of(other)] = true end
  end
  found.schemes = {}
  for name, scheme in pairs(m.schemes) do
    if wanted[mnemonic_of(name)] or name:find " rel%d" then found.schemes[name] = scheme end -- branches stand in for each other
  end
  for _, name in ipairs(lists.keys(found.schemes)) do
    local unit = found.schemes[name].unit -- the scheme after which the unit is called
    if unit and m.schemes[unit] then found.schemes[unit] = m.schemes[unit] end
  end
  return found
end

return part
