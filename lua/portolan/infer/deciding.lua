--- A deciding experiment: one for which two mappings that use the ports of a scheme differently predict clearly different cycles.
--
-- Candidates are the scheme alone, and floods: many copies of a scheme of one uop, on whose ports both mappings agree, with one to three
-- copies of the scheme in question (section 6.2.2). A flood keeps cores from scheduling worse than the model: among candidates that tell,
-- those are taken in which the faster mapping leaves room beside the flood, and is not limited by the front end (where the two mappings
-- count issue slots differently, the larger number is taken for both). Only where no flood tells, other pairs of schemes are tried.
-- @module portolan.infer.deciding
local experiment = require "portolan.experiment"
local isa = require "portolan.scheme.isa"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local port_set = require "portolan.mapping.ports"

local deciding = {}

--- The least difference that counts, a share of the cycles.
deciding.least = 0.05

local Deciding = {}
Deciding.__index = Deciding

local flood_cycles = { 2, 3, 4 } -- that a flood takes alone
local most_copies = 3 -- of the scheme in question
local most_pair = 4 -- copies of either scheme of a pair

-- The ports of a scheme of just one uop.
local function only_set(scheme)
  local uops = scheme and scheme.uops
  if uops and #uops == 1 and (uops[1][2] or 1) == 1 then return uops[1][1] end
end

-- Returns what an operand adds to the awkwardness: memory may get in its own way, parts of registers are merged, fixed ones are waited for.
local function operand_awkwardness(operand)
  local fixed = operand.visibility == "hidden" and operand.class ~= "flags"
  if operand.kind == "memory" then return 1 end
  if operand.kind ~= "register" then return 0 end
  return (fixed and 2 or 0) + (operand.access ~= "r" and operand.width < 32 and 2 or 0) + (operand.access == "rw" and 0.1 or 0)
end

-- Rates how well a scheme serves for flooding; less is better. What is slower alone than its ports does not serve.
local function awkwardness(name, scheme, ports)
  local known, score = isa.scheme(name), #name / 1000
  for _, operand in ipairs(known and known.operands or {}) do score = score + operand_awkwardness(operand) end
  if scheme.tp then score = score + 10 * math.max(0, scheme.tp * #ports - 1.05) end
  if scheme.assumed or scheme.note or scheme.status ~= "explained" and scheme.status then score = score + 5 end
  return score + ((scheme.slots or 1) ~= 1 and 5 or 0)
end

-- The best scheme for each set of ports: name, and the number of ports. `agreed`: only where the reference agrees.
local function representatives(m, reference, agreed)
  local best, list = {}, {}
  for _, name in ipairs(mapping.schemes(m, true)) do
    local ports, other = only_set(m.schemes[name]), only_set(reference.schemes[name])
    local known = reference.schemes[name] and reference.schemes[name].uops
    if ports and known and (not agreed or other and port_set.same(ports, other)) then
      local key, score = port_set.unordered_key(ports), awkwardness(name, m.schemes[name], ports)
      if not best[key] or score < best[key].score then best[key] = { name = name, count = #ports, score = score, key = key } end
    end
  end
  for _, entry in pairs(best) do list[#list + 1] = entry end
  table.sort(list, function(a, b) return a.key < b.key end)
  return list
end

-- A mapping as experiments with both see it, for the schemes that both explain: with what goes with an instance. `tight`: with the limits of issue
-- of the two that are tighter, too, as the difference is to be one of ports.
local function as_measured(m, a, b, tight)
  local schemes, rmax = {}, math.min(a.rmax or math.huge, b.rmax or math.huge)
  for name, scheme in pairs(m.schemes) do
    local x, y = a.schemes[name], b.schemes[name]
    if x and y and x.uops and y.uops then
      local copy = lists.copy(scheme)
      copy.breakers, copy.companions = x.breakers or y.breakers, x.companions or y.companions
      copy.slots = tight and math.max(x.slots or 1, y.slots or 1) or scheme.slots
      schemes[name] = copy
    end
  end
  if not tight then rmax = m.rmax or math.huge end
  return mapping.compile { ports = m.ports, rmax = rmax < math.huge and rmax or nil, schemes = schemes }
end

--- Prepares for two mappings.
-- @param m mapping
-- @param reference mapping, its ports under the names of the first
-- @return object; or nil and a message
function deciding.new(m, reference)
  local ours, message = as_measured(m, m, reference, true)
  if not ours then return nil, message end
  local theirs
  theirs, message = as_measured(reference, m, reference, true)
  if not theirs then return nil, message end
  local says = { ours = assert(as_measured(m, m, reference)), theirs = assert(as_measured(reference, m, reference)) }
  return setmetatable({ ours = ours, theirs = theirs, says = says, floods = representatives(m, reference, true),
    partners = representatives(m, reference, false) }, Deciding)
end

-- Is the prediction of the faster mapping one that a core will meet? The front end must not be what limits it, and next to a flood there
-- must be room for one more copy of the scheme.
local function is_safe(faster, e, name, is_flood)
  local p = faster:predict(e)
  if p.limit ~= "ports" then return false end
  return not is_flood or faster:throughput(experiment.merge(e, { [name] = 1 })) <= p.cycles * 1.001
end

-- Keeps the better of two candidates: safe ones first, then the larger difference, then the shorter one.
local function better(a, b)
  if not b then return true end
  if a.safe ~= b.safe then return a.safe end
  if math.abs(a.apart - b.apart) > 1e-6 then return a.apart > b.apart end
  return a.length < b.length
end

local function apart_of(ours, theirs) return ours and theirs and ours > 0 and theirs > 0 and math.abs(ours - theirs) / math.min(ours, theirs) or 0 end

-- What is searched for is a difference of ports, what is told is what the mappings predict.
function Deciding:consider(best, e, name, is_flood)
  if apart_of(self.ours:throughput(e), self.theirs:throughput(e)) < deciding.least then return best end
  local ours, theirs = self.says.ours:throughput(e), self.says.theirs:throughput(e)
  local apart = apart_of(ours, theirs)
  if apart < deciding.least then return best end
  local candidate = { experiment = e, ours = ours, theirs = theirs, apart = apart, length = experiment.length(e),
    safe = is_safe(ours < theirs and self.ours or self.theirs, e, name, is_flood) }
  return better(candidate, best) and candidate or best
end

--- The experiment for a scheme.
-- @param name of a scheme that both mappings explain
-- @return `{ experiment =, ours = cycles, theirs = cycles, apart = share }`; nil if no candidate tells the two apart
function Deciding:of(name)
  local best = self:consider(nil, { [name] = 1 }, name, false)
  for _, flood in ipairs(self.floods) do
    for _, cycles in ipairs(flood.name ~= name and flood_cycles or {}) do
      for n = 1, most_copies do best = self:consider(best, { [flood.name] = cycles * flood.count, [name] = n }, name, true) end
    end
  end
  for _, partner in ipairs(best and {} or self.partners) do
    for k = 1, partner.name ~= name and most_pair or 0 do
      for n = 1, most_pair do best = self:consider(best, { [partner.name] = k, [name] = n }, name, true) end
    end
  end
  return best
end

return deciding
