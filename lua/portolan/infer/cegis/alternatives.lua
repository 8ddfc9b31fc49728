--- Finds what the observations leave open about schemes of several uops: the port usages that each scheme has in the mappings that
-- remain, in the port names of the one that was chosen.
-- @module portolan.infer.cegis.alternatives
local algebra = require "portolan.mapping.algebra"
local core = require "portolan.core"
local explore = require "portolan.infer.cegis.explore"
local outcome_words = require "portolan.infer.outcome_words"
local port_set = require "portolan.mapping.ports"

local alternatives = {}

-- "[5] + 2*[6,7]"
local function text(scheme)
  local parts = {}
  for i, uop in ipairs(scheme.uops) do
    parts[i] = (uop[2] > 1 and uop[2] .. "*" or "") .. "[" .. port_set.text(uop[1]) .. "]"
  end
  table.sort(parts)
  return table.concat(parts, " + ")
end

-- Every number of ports that each uop, and each pair of uops, can have is met by one of the mappings.
local function met(u, search, mapping, ports, most)
  local known = { mapping }
  for j = 1, u.rows do
    for i = 1, j do
      if #known >= most then return known end
      explore.union(search, 1 << (i - 1) | 1 << (j - 1), ports, known)
    end
  end
  return known
end

--- The schemes of which more than one usage remains possible.
-- @param u unknowns
-- @param search solver that holds the observations
-- @param mapping the chosen mapping of the solver
-- @tparam integer ports
-- @return list of `{ a = name, usages = { texts, the chosen one first }, text = }`
function alternatives.open(u, search, mapping, ports)
  local chosen, usages = u:mapping(mapping), {}
  for k, masks in ipairs(met(u, search, mapping, ports, 64)) do
    local m = u:mapping(masks)
    if k > 1 then
      local relation = core.model.compare(core.model.mapping(m), core.model.mapping(chosen), { epsilon = 1 })
      m = algebra.match(m, chosen, relation) or m
    end
    for i, name in ipairs(u.names) do
      local list, usage = usages[i] or {}, text(m.schemes[name])
      if not list[usage] then list[#list + 1], list[usage] = usage, true end
      usages[i] = list
    end
  end
  local open = {}
  for i, name in ipairs(u.names) do
    local list = table.move(usages[i], 1, #usages[i], 1, {})
    if #list > 1 then
      open[#open + 1] = { a = name, usages = list, text = outcome_words.could_be(name, list, #list) }
    end
  end
  return open
end

return alternatives
