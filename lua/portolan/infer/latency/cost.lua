--- Computes what instances need without waiting for each other: by ports, issue slots and busy units, or as measured alone.
-- @module portolan.infer.latency.cost
local chain = require "portolan.experiment.chain"
local lists = require "portolan.support.lists"
local memory_use = require "portolan.scheme.memory_use"
local model = require "portolan.prediction.model"
local place = require "portolan.scheme.place"

local cost = {}
cost.__index = cost

--- Costs by a mapping; schemes that it does not explain cost what they take alone.
-- @param m mapping table, compiled without fault
-- @return object; or nil and a message
function cost.of(m)
  local made, message = model.of(m)
  if not made then return nil, message end
  return setmetatable({ model = made, mapping = m, alone = {} }, cost)
end

--- Measures schemes alone that the mapping does not know.
-- @param processor any
-- @param names list
-- @return true; or nil and a message
function cost:measure(processor, names)
  local list, asked = {}, {}
  for _, name in ipairs(names) do
    if not self:of_one(name) and self.alone[name] == nil then list[#list + 1], asked[#asked + 1] = { [name] = 1 }, name end
  end
  if #list == 0 then return true end
  local results, message = processor:measure(list)
  if not results then return nil, message end
  for i, name in ipairs(asked) do self.alone[name] = results[i].status == "ok" and results[i].cycles or false end
  return true
end

--- Returns what one instance needs.
-- @return cycles; nil if that is not known
function cost:of_one(name)
  local scheme = self.mapping.schemes[name]
  return scheme and scheme.tp or self.alone[name] or self.model:explains(name) and self.model:throughput { [name] = 1 } or nil
end

-- What is not explained by its ports counts with all that it takes alone: too much rather than too little.
local function needs_of(self, e)
  local schemes, known = self.mapping.schemes, {}
  local unknown = lists.where(lists.keys(e), function(name) return not (schemes[name] and schemes[name].uops) end)
  for name, count in pairs(e) do known[name] = schemes[name] and schemes[name].uops and count or nil end
  local sum, longest = next(known) and self.model:throughput(known) or 0, 0
  for name, count in pairs(known) do longest = math.max(longest, count * (self:of_one(name) or 0)) end
  sum = math.max(sum, longest)
  for _, name in ipairs(unknown) do
    local alone = self:of_one(name)
    if not alone then return nil end
    sum = sum + e[name] * alone
  end
  return sum
end

local function is_memory(name, at) return place.parse(at, name).kind == "memory" end

-- Computes the cycles that the first cache needs for the stores of a chain. Each has a line of its own, but for updates in place, which stay in the
-- line that they read.
local function needs_of_lines(self, links)
  local first_cache, stores = self.mapping.first_cache or {}, 0
  local rate = first_cache.scattered_lines or first_cache.stored_lines
  if not rate then return 0 end
  for _, link in ipairs(links) do
    local name = link.scheme
    local in_place = is_memory(name, link.from) and is_memory(name, link.to)
    if not in_place and memory_use(name).writes then stores = stores + 1 end
  end
  return stores / rate
end

local of_cut = 1 -- cycles: copies of registers and their like need less, on any core

--- Computes what a round of a chain needs at most, if no instance waits for another.
-- @param links of the chain (portolan.experiment.chain)
-- @param cuts scheme -> instances beside it that cut dependencies
-- @return cycles; nil if that is not known
function cost:needs(links, cuts)
  local whole, sum_of_cuts = chain.experiment(links), 0
  for name, count in pairs(cuts) do
    if self:of_one(name) then whole[name] = (whole[name] or 0) + count else sum_of_cuts = sum_of_cuts + count * of_cut end
  end
  local sum = needs_of(self, whole)
  return sum and math.max(sum, needs_of_lines(self, links)) + sum_of_cuts
end

--- The least latency from a place to another: a uop that is executed takes a cycle. What is read from memory may come from the store itself, as
-- cores rename memory.
-- @param name scheme
-- @param from place
-- @return 1 if the scheme is known to be one executed uop, otherwise 0; in cycles
function cost:least(name, from)
  local scheme, uops = self.mapping.schemes[name], 0
  if not scheme or scheme.status ~= "explained" or not scheme.uops or place.parse(from, name).kind == "memory" then return 0 end
  for _, uop in ipairs(scheme.uops) do uops = uops + (uop[2] or 1) end
  return uops == 1 and 1 or 0
end

return cost
