--- What else the uops of a scheme may be that is slower: one more, or one on fewer of the ports.
--
-- A mixture that is slower than claims allow speaks against one of them only if something else that could be claimed takes as long. What is slow by
-- less than a uop is what schemes lose beside each other.
-- @module portolan.infer.chart.alternatives
local compose = require "portolan.infer.chart.compose"
local experiment = require "portolan.experiment"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local port_set = require "portolan.ports"

local alternatives = {}

-- Uops with `more` (which may be less) on some ports.
local function with(uops, ports, more)
  local list, found = {}, false
  for _, uop in ipairs(uops) do
    local same = port_set.same(uop[1], ports)
    local n = uop[2] + (same and more or 0)
    found = found or same
    if n > 0 then list[#list + 1] = { uop[1], n } end
  end
  if not found then list[#list + 1] = { ports, more } end
  return list
end

-- The port sets of the classes, each once.
local function sets_of(survey)
  local sets = {}
  for _, class in ipairs(survey.classes) do sets[#sets + 1] = class.ports end
  return lists.distinct(sets, port_set.unordered_key)
end

-- All that are one change away from the uops of a scheme, and as slow or slower: list of lists of uops.
local function around(uops, sets)
  local list = {}
  for _, ports in ipairs(sets) do list[#list + 1] = with(uops, ports, 1) end
  for _, uop in ipairs(uops) do
    local without = with(uops, uop[1], -1)
    for _, ports in ipairs(sets) do
      if #ports < #uop[1] and port_set.within(ports, uop[1]) then list[#list + 1] = with(without, ports, 1) end
    end
  end
  return list
end

--- The alternatives to what was found of some schemes.
-- @param survey the survey
-- @tparam {string,...} names of schemes with `uops`
-- @treturn table name -> list of `{ uops =, time = function(experiment) -> cycles if the scheme has these uops, and the others what was found }`
function alternatives.of(survey, names)
  local m, sets, all, compiled = compose.mapping(survey, true), sets_of(survey), {}, nil
  for _, name in ipairs(names) do
    all[name] = {}
    for i, uops in ipairs(around(survey.facts[name].uops, sets)) do
      local alias = ("%s, otherwise %d"):format(name, i)
      m.schemes[alias] = { uops = uops, slots = m.schemes[name].slots, status = "explained" }
      all[name][i] = { uops = uops, time = function(e)
        local other = experiment.without(e, name)
        other[alias] = e[name]
        return compiled:throughput(other)
      end }
    end
  end
  compiled = mapping.compile(m)
  return all
end

return alternatives
