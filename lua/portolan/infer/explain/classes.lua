--- Stage: single-uop schemes in classes of equal port sets (dissertation section 6.2.1, steps 1 to 3).
--
-- A candidate touches registers only, or is a plain load or store; it takes one issue slot and 1/n cycles for a whole n: one uop, n
-- ports. Two candidates of equal n use the same ports iff their inverse throughputs add up (Theorem 6.3). Stores
-- stand in for a blocking instruction that does not exist: their two uops come together (section 6.3.4), the scarcer one shows.
-- @module portolan.infer.explain.classes
local whole = 0.04    -- relative distance of 1/t from a whole number
local unpipelined = 1.1 -- cycles
local additive = 0.96 -- share of the sum from which on inverse throughputs count as added up

local function ports_of(f)
  local n = 1 / f.single.cycles
  local nearest = math.floor(n + 0.5)
  return nearest >= 1 and math.abs(n - nearest) < whole * nearest and nearest
end

-- "register", "load" or "store" for a scheme that may be a single uop; nil for others.
local function kind_of(f)
  if f.slots ~= 1 or not ports_of(f) then return nil end
  if not (f.memory.reads or f.memory.writes) then return "register" end
  if not f.memory.moves or f.memory.reads and f.memory.writes then return nil end
  return f.memory.reads and "load" or "store"
end

-- Candidates as a list of lists: of one kind and one number of ports each, by rising number. Loads and stores that are not as fast
-- as the fastest have another uop on scarcer ports, fused into the same slot: they are no candidates.
local function candidates(survey)
  local lists, fastest = {}, { register = 0, load = 0, store = 0 }
  for _, name in ipairs(survey:unsettled()) do
    local kind, n = kind_of(survey.facts[name]), ports_of(survey.facts[name])
    if kind and kind ~= "register" then fastest[kind] = math.max(fastest[kind], n) end
  end
  for _, name in ipairs(survey:unsettled()) do
    local kind, n = kind_of(survey.facts[name]), ports_of(survey.facts[name])
    if kind and n >= fastest[kind] then
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

local function note_member(survey, class, name, e, cycles)
  class.members[#class.members + 1] = name
  if cycles then
    survey:witness(name, e, cycles, 2, ("adds up: the same ports as %s"):format(class.representative))
  end
end

-- Splits the names, all of n ports, into classes; each round compares everybody left with one representative.
local function split(survey, names, n)
  while #names > 0 do
    local class = { representative = names[1], count = n, members = {}, improper = survey.facts[names[1]].memory.writes }
    note_member(survey, class, names[1])
    local list, rest = {}, {}
    for i = 2, #names do list[i - 1] = { [class.representative] = n, [names[i]] = n } end
    for i, result in ipairs(survey:measure(list)) do
      local name = names[i + 1]
      if result.status == "ok" and result.cycles > additive * 2 then
        note_member(survey, class, name, list[i], result.cycles)
      else
        rest[#rest + 1] = name
      end
    end
    survey.classes[#survey.classes + 1] = class
    names = rest
  end
end

-- One slot, no memory, and more than a cycle: one uop never takes longer on a pipelined port.
local function settle_unpipelined(survey)
  for _, name in ipairs(survey:unsettled()) do
    local f = survey.facts[name]
    if f.slots == 1 and not (f.memory.reads or f.memory.writes) and f.single.cycles > unpipelined then
      survey:settle(name, "not pipelined",
        ("one issue slot, but %.2f cycles alone: its unit, or a dependency, is busy for longer than a cycle"):format(f.single.cycles))
    end
  end
end

return function(survey)
  survey:stage("classes of equal ports")
  settle_unpipelined(survey)
  local wide = {}
  for _, list in ipairs(candidates(survey)) do
    if list.count < survey.width then
      split(survey, list, list.count)
    else
      table.move(list, 1, #list, #wide + 1, wide)
    end
  end
  -- As many ports as issue slots: whatever such schemes are combined with, the front end is as slow as the ports. They cannot be
  -- told apart, nor block each other (section 6.2.3): one class.
  if #wide > 0 then
    survey.classes[#survey.classes + 1] = { representative = wide[1], count = survey.width, members = wide, wide = true }
  end
end
