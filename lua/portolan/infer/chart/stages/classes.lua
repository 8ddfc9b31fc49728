--- Stage: single-uop schemes in classes of equal port sets (dissertation section 6.2.1, steps 1 to 3).
--
-- A candidate is a single uop, touches registers only or loads, and takes 1/n cycles for a whole n: its uop has n ports. Two
-- candidates of equal n use the same ports iff their inverse throughputs add up (Theorem 6.3). Each candidate is compared with one
-- representative per class, not with all others.
--
-- Only what is fit for it founds a class (portolan.infer.chart.fitness); what adds up with no class and founds none is left to blocking, as
-- `unfounded`.
-- @module portolan.infer.chart.stages.classes
local constants = require "portolan.infer.chart.constants"
local core = require "portolan.core"
local experiment = require "portolan.experiment"
local fitness = require "portolan.infer.chart.fitness"
local lacking = require "portolan.infer.chart.lacking"
local lists = require "portolan.support.lists"
local port_class = require "portolan.infer.chart.port_class"
local rename = require "portolan.infer.chart.stages.rename"

local classes = {}

--- The number of ports that a scheme's cycles alone speak of, or nil.
function classes.ports_of(f)
  local n = 1 / f.single.cycles
  local nearest = math.floor(n + 0.5)
  return nearest >= 1 and math.abs(n - nearest) < constants.rate_whole * nearest and nearest or nil
end

-- Candidates as a list of lists: of one kind and one number of ports each, by rising number, loads last. `fastest`: are there no faster ones?
local function candidates(survey)
  local found, fastest = {}, 0
  local function may_found(name, f) return f.single_uop and classes.ports_of(f) and not rename.does_nothing(name, f.memory) end
  for _, name in ipairs(survey:unsettled(may_found)) do
    local f = survey.facts[name]
    local kind, n = f.memory.reads and "load" or "register", classes.ports_of(f)
    local key = kind .. n
    if not found[key] then
      found[key] = { count = n, kind = kind }
      found[#found + 1] = found[key]
    end
    table.insert(found[key], name)
    if kind == "load" then fastest = math.max(fastest, n) end
  end
  for _, list in ipairs(found) do list.fastest = list.kind == "register" or list.count == fastest end
  table.sort(found, lists.most_first("kind", "count"))
  return found
end

--- Compares schemes of n ports with a representative of n ports.
-- @return list of cycles of n of each together, where these add up: the same ports; false for the others; and the experiments
function classes.additive(survey, representative, names, n)
  local list, added, least = {}, {}, 2 * constants.consistent_faster
  for i, name in ipairs(names) do list[i] = { [representative] = n, [name] = n } end
  for i, result in ipairs(survey:measure(list, { thresholds = lists.map(list, function() return { least } end) })) do
    lacking.note(survey, names[i], list[i], result)
    added[i] = result.status == "ok" and result.cycles > least and result.cycles or false
  end
  return added, list
end

-- Does a record that lacks a scheme beside a representative compare both with others, beside which they take as long?
local function alike_in_record(survey, representative, name, e)
  return survey.compared and not survey.processor:answers(e) and survey.processor:alike(representative, name, constants.times_differ)
end

-- Adds those of the names to a class that add up with it; the others.
local function join(survey, class, names)
  local added, list = classes.additive(survey, class.representative, names, class.count)
  local rest = {}
  for i, name in ipairs(names) do
    if added[i] then
      class.members[#class.members + 1] = name
      survey:witness(name, list[i], added[i], 2, ("adds up: the same ports as %s"):format(class.representative), "shows")
    elseif alike_in_record(survey, class.representative, name, list[i]) then
      class.members[#class.members + 1] = name
    else
      rest[#rest + 1] = name
    end
  end
  return rest
end

-- Names of which each is the first with its mnemonic, or chosen by hand; the others; and of each the first with its mnemonic.
local function by_mnemonic(survey, names)
  return lists.firsts(names, function(name)
    local scheme = core.isa.scheme(name)
    return scheme and scheme.mnemonic or name
  end, survey.preferred)
end

-- Does a record tell what ports a class has beside others: of its representative, or of many that are alike?
local function is_told(survey, class)
  return not survey.compared or survey.preferred[class.representative] or #class.members > constants.class_few
end

-- Makes classes of names until none is left that may stand for others; each round compares those left with one representative.
local function found(survey, names, n, made, make, alike)
  local lone = {}
  while #names > 0 do
    local representative = fitness.take(survey, names) or fitness.take(survey, names, true)
    if not representative then break end
    local class = port_class.new(make and make(representative))
    class.representative, class.count, class.members = representative, n, { representative }
    local others, rest = {}, {}
    for _, name in ipairs(names) do
      local list = (not alike or alike(class, name)) and others or rest
      list[#list + 1] = name
    end
    local left = join(survey, class, others)
    table.move(left, 1, #left, #rest + 1, rest)
    if is_told(survey, class) then
      survey.classes[#survey.classes + 1], made[#made + 1] = class, class
    else
      table.move(class.members, 1, #class.members, #lone + 1, lone)
    end
    names = rest
  end
  return table.move(lone, 1, #lone, #names + 1, names)
end

-- Adds names to the classes that were made: each to that of its mnemonic if it adds up with it, as is to be expected, and otherwise to any.
-- Returns those that add up with none.
local function join_made(survey, names, made, first_of, alike)
  local of = {}
  for _, class in ipairs(made) do
    for _, member in ipairs(class.members) do of[member] = class end
  end
  for _, expected in ipairs { true, false } do
    for _, class in ipairs(made) do
      local apt, rest = {}, {}
      for _, name in ipairs(names) do
        local wanted = (of[first_of[name]] == class) == expected and (not alike or alike(class, name))
        local list = wanted and apt or rest
        list[#list + 1] = name
      end
      local left = join(survey, class, apt)
      names = table.move(left, 1, #left, #rest + 1, rest)
    end
  end
  return names
end

--- Splits names, all of n ports, into classes of the survey.
-- @param survey the survey
-- @param names list
-- @param n number of ports
-- @param[opt] make function(representative) -> further fields of a class
-- @param[opt] alike function(class, name): is it worth comparing them?
function classes.split(survey, names, n, make, alike)
  local made, first, others, first_of = {}, by_mnemonic(survey, names)
  local left = found(survey, first, n, made, make, alike)
  left = table.move(left, 1, #left, #others + 1, others)
  left = found(survey, join_made(survey, left, made, first_of, alike), n, made, make, alike)
  for _, name in ipairs(left) do survey.facts[name].unfounded = n end
end

--- Those that add up with no class of registers only: a load or store that is slower than others of its kind has fewer ports, unless a further
-- uop holds it up.
-- @param survey the survey
-- @param names list
-- @param n number of ports that they seem to have
-- @return list; empty if they are so few that the limit may be no port
function classes.not_held_up(survey, names, n)
  local left = names
  for _, class in ipairs(survey.classes) do
    if class.count == n and not class.loads and not class.improper then
      local added, rest = classes.additive(survey, class.representative, left, n), {}
      for i, name in ipairs(left) do
        if not added[i] then rest[#rest + 1] = name end
      end
      left = rest
    end
  end
  return #left > constants.class_few and left or {}
end

--- Makes one class of all that have as many ports as there are issue slots: whatever such schemes are combined with, the front end is as slow
-- as the ports. They cannot be told apart, nor block each other (section 6.2.3).
function classes.make_wide(survey, names)
  if #names == 0 then return end
  local representative = fitness.take(survey, table.move(names, 1, #names, 1, {})) or names[1]
  survey.classes[#survey.classes + 1] = port_class.new { representative = representative, count = survey.width, members = names, wide = true }
end

-- Loads that use the same ports as something else does: where every uop takes an issue slot of its own, stores and moves between register files may
-- be single uops there. Returns the other loads.
local function join_others(survey, names, n)
  for _, class in ipairs(survey.classes) do
    if class.count == n and not class.loads and not class.wide then
      local before = #class.members
      names = join(survey, class, names)
      class.loads = #class.members > before or nil
    end
  end
  return names
end

-- Cycles of two schemes that keep the ports of a class each busy for one, if they have none in common; nil if they have, or the front end takes
-- longer: then nothing tells.
local function apart(survey, e)
  local result = experiment.length(e) <= survey.width and survey:measure({ e })[1]
  return result and result.status == "ok" and result.cycles < constants.class_apart and result.cycles or nil
end

local sample = 12 -- members of a class that are compared with others of it

-- So many of a list, from all of it.
local function spread(list, number)
  if #list <= number then return list end
  local some = {}
  for k = 1, number do some[k] = list[k * #list // number] end
  return some
end

-- Two members that have no port in common, { a, b, cycles, experiment }, though both add up with the representative; nil if none are found among
-- those that were tried. Two members are compared with others: one may be of the representative's kind.
local function apart_within(survey, class)
  local others = lists.where(class.members, function(name) return name ~= class.representative end)
  for _, place in ipairs(#others > 1 and { #others // 2, #others } or {}) do
    local one = others[place]
    local names = spread(lists.where(others, function(name) return name ~= one end), sample)
    local added, list = classes.additive(survey, one, names, class.count)
    for i, name in ipairs(names) do
      local cycles = not added[i] and apart(survey, list[i])
      if cycles then return { one, name, cycles, list[i] } end
    end
  end
end

-- Takes representatives that stand for two kinds of schemes out of their classes, which are made anew.
local function divide(survey)
  local k = 1
  while survey.classes[k] do
    local class = survey.classes[k]
    local pair = not class.wide and apart_within(survey, class)
    if pair then
      table.remove(survey.classes, k)
      local name = class.representative
      survey.facts[name].unfounded = class.count
      survey:witness(name, pair[4], pair[3], nil, ("%s and %s both add up with it, and are apart: no single uop does that")
        :format(pair[1], pair[2]), "contradicts")
      classes.split(survey, lists.where(class.members, function(member) return member ~= name end), class.count,
        class.loads and function() return { loads = true } end or nil)
    else
      k = k + 1
    end
  end
end

--- The stage.
function classes.__call(_, survey)
  survey:stage("classes of equal ports")
  survey.as_wide = {}
  for _, list in ipairs(candidates(survey)) do
    local names = list.fastest and list or classes.not_held_up(survey, list, list.count)
    if list.count >= survey.width then
      table.move(list, 1, #list, #survey.as_wide + 1, survey.as_wide)
    elseif list.kind == "load" then
      names = list.fastest and join_others(survey, names, list.count) or names
      classes.split(survey, names, list.count, function() return { loads = true } end)
    else
      classes.split(survey, names, list.count)
    end
  end
  if not lacking.is_record(survey) then divide(survey) end -- which lacks most of these pairs
end

return setmetatable(classes, classes)
