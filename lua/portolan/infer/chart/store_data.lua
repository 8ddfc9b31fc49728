--- Stores that have ports of their own: their data, while the address uop is one of another class (section 6.3.4), or both.
--
-- Blocking shows the first kind as one uop on the ports of loads. Where these are more than it is limited by alone, its other uop has the ports that
-- limit it, and they are none of those that were blocked; where they are as many, they limit it, and its other uop never shows. The second kind
-- leaves nothing on any. How the data ports of several such stores
-- overlap is told by experiments with these stores only; there, the address uops are a front end as wide as the ports that they have in common.
-- @module portolan.infer.chart.store_data
local constants = require "portolan.infer.chart.constants"
local lists = require "portolan.support.lists"
local port_set = require "portolan.ports"

local store_data = {}

-- The class of fewest ports of those on which a store leaves a uop, if it leaves one on ports of loads only: what runs on some of these is seen on
-- all of them, too. Nil where others hold it (these may be its two uops), or none: on Cascade Lake vector stores hold up a flood of vector
-- instructions by as much as a uop or two would, and have none there.
local function address_class(classes, class)
  local found
  for _, job in ipairs(class.profile or {}) do
    if job.uops > 1 or job.uops > 0 and not job.class.loads then return nil end
    if job.uops > 0 and (not found or job.class.count < found.count) then found = job.class end
  end
  if not found or found.count < class.count then return nil end
  return lists.first(classes, function(other) return other == found end)
end

-- Does a store leave nothing on any ports that can be blocked?
local function is_alone(class)
  return #class.profile > 0 and lists.all(class.profile, function(job) return job.uops == 0 end)
end

--- The classes that are inferred together: all but these stores. Each store is given `address` = class of the address uop, one of the classes; nil
-- where that has ports of its own.
-- @param classes list
-- @return list
function store_data.beside_others(classes)
  return lists.where(classes, function(class)
    class.address = class.improper and address_class(classes, class) or nil
    return not class.address and not (class.improper and is_alone(class))
  end)
end

-- How the data ports of stores overlap: an outcome of an inference of these classes alone.
local function overlaps(survey, apart, infer)
  if #apart == 0 then return { mapping = { ports = {} }, observations = {} } end
  local width = survey.rmax
  for _, class in ipairs(apart) do width = math.min(width, class.address and class.address.count or width) end
  return infer(survey, apart, nil, width)
end

-- The data ports that a store has in common with one that was inferred beside the others, as their times add up; nil if there is no such store.
local function known_ports(survey, classes, class, schemes)
  for _, other in ipairs(classes) do
    if other.improper and other.count == class.count then
      local n = class.count
      local result = survey:measure({ { [class.representative] = n, [other.representative] = n } })[1]
      local adds_up = result.status == "ok" and result.cycles > constants.consistent_faster * 2
      for _, uop in ipairs(adds_up and schemes[other.representative].uops or {}) do
        if #uop[1] == n then return uop[1] end
      end
    end
  end
end

-- Do the ports that address a store limit it? Then nothing shows where its data are.
local function limited_by_address(class) return class.address ~= nil and class.address.count == class.count end

local function copied(list) return table.move(list, 1, #list, 1, {}) end

-- Names of new ports, handed out for those of an inference of its own: function(port of that) -> port; each is added to `ports`.
local function naming(ports, count)
  local names, new = port_set.further(ports, count), {}
  return function(port)
    if not new[port] then
      new[port] = table.remove(names, 1)
      ports[#ports + 1] = new[port]
    end
    return new[port]
  end
end

--- Gives these stores, if there are any, their uops in the outcome of the other classes.
-- @param survey the survey
-- @param outcome of portolan.infer.cegis, without them
-- @param classes all of them
-- @param infer function(survey, classes, observations, rmax) -> outcome
-- @return message if that was in vain
function store_data.add(survey, outcome, classes, infer)
  local schemes, beside, apart = outcome.mapping.schemes, {}, {}
  local missing = lists.where(classes, function(class) return not schemes[class.representative] end)
  for _, class in ipairs(classes) do
    if schemes[class.representative] then beside[#beside + 1] = class elseif not limited_by_address(class) then apart[#apart + 1] = class end
  end
  local theirs, message = overlaps(survey, apart, infer)
  if not theirs or not theirs.mapping then return message or "the data ports of stores contradict each other" end
  local named = naming(outcome.mapping.ports, #theirs.mapping.ports)
  for _, class in ipairs(missing) do
    local uops, own = {}, theirs.mapping.schemes and theirs.mapping.schemes[class.representative]
    local data = own and (known_ports(survey, beside, class, schemes) or lists.map(own.uops[1][1], named))
    uops[1] = data and { copied(data), 1 }
    if class.address then uops[#uops + 1] = { copied(schemes[class.address.representative].uops[1][1]), 1 } end
    schemes[class.representative] = { uops = uops }
  end
  table.move(theirs.observations, 1, #theirs.observations, #outcome.observations + 1, outcome.observations)
end

return store_data
