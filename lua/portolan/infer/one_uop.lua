--- The assumption that a scheme is one uop, where nobody says how many it has, and the schemes that say otherwise themselves.
-- @module portolan.infer.one_uop
local lists = require "portolan.support.lists"
local memory_uops = require "portolan.mapping.memory_uops"

local one_uop = {}

--- Number of uops by issue slots and memory operands (`portolan.mapping.memory_uops`).
-- @tparam string name of a scheme
-- @tparam[opt] table slots name -> issue slots; otherwise 1
-- @treturn int
function one_uop.number(name, slots) return (slots and slots[name] or 1) + memory_uops.beyond_slots(name) end

--- The schemes that have several uops by issue slots and memory operands.
-- @tparam {string,...} names
-- @tparam[opt] table slots name -> issue slots
-- @treturn {string,...}
function one_uop.doubtful(names, slots) return lists.where(names, function(name) return one_uop.number(name, slots) > 1 end) end

--- Returns what an inference assumes of the numbers of uops.
-- @tparam {string,...} schemes
-- @tparam table given `uops`, `fixed`, by the names of schemes, as of cegis.infer and as of a certificate
-- @treturn[1] table `{ kind = "one uop", text =, schemes = those whose number nobody says }`
-- @return[2] nil: all numbers are given
function one_uop.assumed(schemes, given)
  local list = lists.where(schemes, function(name) return not (given.uops and given.uops[name] or given.fixed and given.fixed[name]) end)
  if #list == 0 then return nil end
  return { kind = "one uop", schemes = list, text = "every scheme is one uop" .. (#list < #schemes and " whose number of uops is not given" or "") }
end

--- The words of this assumption among all that are made; nil if it is not.
-- @tparam {table,...} assumed list of an outcome
-- @treturn ?string
function one_uop.words(assumed)
  local found = lists.first(assumed, function(a) return a.kind == "one uop" end)
  return found and found.text
end

return one_uop
