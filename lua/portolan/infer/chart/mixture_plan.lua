--- Which mixtures would refute what was found of schemes: those whose time the claims of two schemes decide.
--
-- Each scheme once beside another one of its ports that is as unlike it as can be, so that they share nothing but these; schemes of each set of uops
-- in turn beside each class of ports; and some of any uops.
-- @module portolan.infer.chart.mixture_plan
local core = require "portolan.core"
local experiment = require "portolan.experiment"
local lists = require "portolan.support.lists"
local place = require "portolan.place"
local port_set = require "portolan.ports"

local most_of_each = 4 -- instances of a scheme in a mixture
local tries, of_kind = 24, 4 -- draws for a mixture of any uops; such mixtures for each set of uops
local bound, free = 1.15, 1.01 -- factors by which a scheme makes a mixture slower that tells of its uops, or leaves one alone
local least_more = 0.01 -- by which a mixture has to be worth more than a smaller one

-- One of a list.
local function any(rng, list) return list[1 + rng:below(#list)] end

-- What a scheme does with which registers and with memory: a set of words.
local function operation(name, memory)
  local scheme, set = core.isa.scheme(name), {}
  set.loads, set.stores = memory.reads or nil, memory.writes or nil
  for number, operand in ipairs(scheme and scheme.operands or {}) do
    local at = operand.kind == "register" and place.parse(tostring(number), scheme)
    if operand.kind == "register" then set[operand.access .. (at and at.file or operand.class)] = true end
  end
  return set
end

-- How much of two sets is not in both.
local function difference(a, b)
  local n = 0
  for word in pairs(a) do n = n + (b[word] and 0 or 1) end
  for word in pairs(b) do n = n + (a[word] and 0 or 1) end
  return n
end

-- The schemes of a list that do most else than a scheme; one of these, by chance; nil if there is no other.
local function unlike(p, name, list)
  local most, found = 0, {}
  for _, other in ipairs(list) do
    local differ = other == name and -1 or difference(p.operations[name], p.operations[other])
    if differ > most then most, found = differ, {} end
    if differ == most then found[#found + 1] = other end
  end
  return found[1] and any(p.rng, found)
end

-- How a scheme and others share a mixture: cycles of both, of each by itself; nil if the issue slots say too much of it.
local function shared(compiled, e, name)
  local rest = lists.copy(e)
  rest[name] = nil
  local with = compiled:predict(e)
  if with.cycles <= bound * with.slots / (compiled:rmax() or math.huge) then return nil end
  return { cycles = with.cycles, own = compiled:throughput { [name] = e[name] }, rest = compiled:throughput(rest) }
end

-- What a mixture is worth to try a scheme: most where its uops keep it busy, and others bind beside these; less where both are busy apart. Nil if it
-- tells nothing.
local function worth(of, binding)
  if not of then return nil end
  if binding then return of.cycles > bound * math.max(of.own, of.rest) and of.own / of.cycles or nil end
  return of.cycles < free * math.max(of.own, of.rest) and math.min(of.own, of.rest) / of.cycles or nil
end

-- The mixture of two schemes that tells most: one that both make slower, or else one that both fill apart. Nil if none tells.
local function pairing(p, name, other)
  local best, most, binds = nil, 0, false
  for n = 1, name ~= other and most_of_each or 0 do
    for m = 1, most_of_each do
      local e = { [name] = n, [other] = m }
      local of = shared(p.compiled, e, name)
      for _, binding in ipairs { true, false } do
        local much = worth(of, binding)
        if much and (binding and not binds or binding == binds and much > most + least_more) then best, most, binds = e, much, binding end
      end
    end
  end
  return best
end

-- A mixture of a scheme and any others that tells something of it; nil if none of the draws does.
local function draw(p, name)
  for _ = 1, tries do
    local e = { [name] = 1 + p.rng:below(most_of_each) }
    for _ = 1, 1 + p.rng:below(2) do
      local other = any(p.rng, p.members[any(p.rng, p.keys)])
      if other ~= name then e[other] = 1 + p.rng:below(most_of_each) end
    end
    local of = lists.size(e) > 1 and shared(p.compiled, e, name) or nil
    if worth(of, true) or worth(of, false) then return e end
  end
end

-- The schemes of the classes with which a scheme has ports in common.
local function neighbours(p, uops)
  local list = {}
  for _, class in ipairs(p.classes) do
    local ports = p.facts[class[1]].uops[1][1]
    local meets = lists.any(uops, function(uop) return #port_set.common(uop[1], ports) > 0 end)
    if meets then table.move(class, 1, #class, #list + 1, list) end
  end
  return list
end

-- Mixtures of the schemes of one set of uops.
local function of_members(p, own, add)
  local turn = p.rng:below(#own)
  local function next_own()
    turn = turn + 1
    return own[(turn - 1) % #own + 1]
  end
  local near = neighbours(p, p.facts[own[1]].uops)
  for _, name in ipairs(own) do
    local other = unlike(p, name, near)
    add(other and pairing(p, name, other))
  end
  for _, class in ipairs(p.classes) do
    local name = next_own()
    local other = unlike(p, name, class)
    add(other and pairing(p, name, other))
  end
  for _ = 1, of_kind do add(draw(p, next_own())) end
end

--- Plans mixtures.
-- @param rng random stream
-- @param compiled the mapping of what was found, compiled
-- @param facts name -> facts (portolan.infer.chart.facts): `uops`, `memory`
-- @tparam {[string]={string,...}} members key of a set of uops -> the schemes that have it
-- @treturn {table,...} experiments, each once
return function(rng, compiled, facts, members)
  local p = { rng = rng, compiled = compiled, facts = facts, members = members, keys = lists.keys(members), operations = {}, classes = {} }
  for _, key in ipairs(p.keys) do
    local own = members[key]
    for _, name in ipairs(own) do p.operations[name] = operation(name, facts[name].memory) end
    local uops = facts[own[1]].uops
    if #uops == 1 and uops[1][2] == 1 then p.classes[#p.classes + 1] = own end
  end
  local list, seen = {}, {}
  for _, key in ipairs(p.keys) do
    of_members(p, members[key], function(e)
      local text = e and experiment.key(e)
      if e and not seen[text] then seen[text], list[#list + 1] = true, e end
    end)
  end
  return list
end
