--- Stage: single-uop schemes in classes of equal port sets (dissertation section 6.2.1, steps 1 to 3).
--
-- A candidate is a single uop, touches registers only or loads, and takes 1/n cycles for a whole n: its uop has n ports. Two
-- candidates of equal n use the same ports iff their inverse throughputs add up (Theorem 6.3). Each candidate is compared with one
-- representative per class, not with all others.
-- @module portolan.infer.explain.classes
local classes = {}

local whole = 0.04    -- relative distance of 1/t from a whole number
local additive = 0.96 -- share of the sum from which on inverse throughputs count as added up

--- The number of ports that a scheme's cycles alone speak of, or nil.
function classes.ports_of(f)
  local n = 1 / f.single.cycles
  local nearest = math.floor(n + 0.5)
  return nearest >= 1 and math.abs(n - nearest) < whole * nearest and nearest or nil
end

-- Candidates as a list of lists: of one kind and one number of ports each, by rising number. Loads that are not as fast as the
-- fastest have another uop on scarcer ports, fused into the same slot: they are no candidates.
local function candidates(survey)
  local lists, names, fastest = {}, {}, 0
  for _, name in ipairs(survey:unsettled(function(_, f) return f.single_uop and classes.ports_of(f) end)) do
    names[#names + 1] = name
    local f = survey.facts[name]
    if f.memory.reads then fastest = math.max(fastest, classes.ports_of(f)) end
  end
  for _, name in ipairs(names) do
    local f = survey.facts[name]
    local kind, n = f.memory.reads and "load" or "register", classes.ports_of(f)
    if kind == "register" or n >= fastest then
      local key = kind .. n
      if not lists[key] then
        lists[key] = { count = n, kind = kind }
        lists[#lists + 1] = lists[key]
      end
      table.insert(lists[key], name)
    end
  end
  table.sort(lists, function(a, b)
    if a.count ~= b.count then return a.count < b.count end
    return a.kind < b.kind
  end)
  return lists
end

--- Compares schemes of n ports with a representative of n ports.
-- @return list of cycles of n of each together, where these add up: the same ports; false for the others; and the experiments
function classes.additive(survey, representative, names, n)
  local list, added = {}, {}
  for i, name in ipairs(names) do list[i] = { [representative] = n, [name] = n } end
  for i, result in ipairs(survey:measure(list)) do
    added[i] = result.status == "ok" and result.cycles > additive * 2 and result.cycles or false
  end
  return added, list
end

-- The first name that can be repeated many times without trouble; the first, if there is none.
local function fittest(survey, names)
  for i, name in ipairs(names) do
    if not (survey.processor.avoids and survey.processor:avoids(name)) then return table.remove(names, i) end
  end
  return table.remove(names, 1)
end

--- Splits names, all of n ports, into classes of the survey; each round compares those left with one representative.
-- @param survey the survey
-- @param names list
-- @param n number of ports
-- @param[opt] make function(representative) -> further fields of a class
-- @param[opt] alike function(class, name): is it worth comparing them?
function classes.split(survey, names, n, make, alike)
  names = table.move(names, 1, #names, 1, {})
  while #names > 0 do
    local representative = fittest(survey, names)
    local class = make and make(representative) or {}
    class.representative, class.count, class.members = representative, n, { representative }
    local others, rest = {}, {}
    for _, name in ipairs(names) do
      local list = (not alike or alike(class, name)) and others or rest
      list[#list + 1] = name
    end
    local added, list = classes.additive(survey, class.representative, others, n)
    for i, name in ipairs(others) do
      if added[i] then
        class.members[#class.members + 1] = name
        survey:witness(name, list[i], added[i], 2, ("adds up: the same ports as %s"):format(class.representative), "shows")
      else
        rest[#rest + 1] = name
      end
    end
    survey.classes[#survey.classes + 1] = class
    names = rest
  end
end

--- The stage.
function classes.__call(_, survey)
  survey:stage("classes of equal ports")
  local wide = {}
  for _, list in ipairs(candidates(survey)) do
    if list.count < survey.width then
      classes.split(survey, list, list.count)
    else
      table.move(list, 1, #list, #wide + 1, wide)
    end
  end
  -- As many ports as issue slots: whatever such schemes are combined with, the front end is as slow as the ports. They cannot be
  -- told apart, nor block each other (section 6.2.3): one class.
  if #wide > 0 then
    local representative = fittest(survey, table.move(wide, 1, #wide, 1, {}))
    survey.classes[#survey.classes + 1] = { representative = representative, count = survey.width, members = wide, wide = true }
  end
end

return setmetatable(classes, classes)
