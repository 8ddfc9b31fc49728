--- The argument for what a mapping says about one scheme: its witnesses, each read against the mapping.
--
-- An experiment floods some ports with other schemes and adds the scheme to it. What it takes longer than the flood alone, times the
-- number of flooded ports, is how many uops of the scheme cannot evade these ports (section 6.2.2; Algorithm 6.1).
-- @module portolan.argument
local experiment = require "portolan.experiment"
local mapping = require "portolan.mapping"
local statuses = require "portolan.statuses"
local witness = require "portolan.witness"

local argument = {}

-- Readings of hardware are up to this much below a whole number of uops (as infer/explain/blocking.lua takes them).
local short = 0.3
local shortest_flood = 4 -- cycles an instance; on shorter ones cores do not find the best schedule

local function set_of(list)
  local set = {}
  for _, value in ipairs(list or {}) do set[value] = true end
  return set
end

local function within(list, set)
  for _, value in ipairs(list) do
    if not set[value] then return false end
  end
  return true
end

local function share(list, set)
  local n = 0
  for _, value in ipairs(list) do n = n + (set[value] and 1 or 0) end
  return n
end

--- A set of ports in the notation of uops.info: p015.
function argument.ports(list) return (mapping.usage { uops = { { list, 1 } } }) end

local function uops(n) return n == 1 and "one uop" or ("%d uops"):format(n) end

-- What the others of an experiment take without the scheme, and the ports that they keep busy, if ports are what limits them; nothing if
-- the mapping cannot say it.
local function without(compiled, e, name)
  local rest = {}
  for other, count in pairs(e) do
    if other ~= name then rest[other] = count end
  end
  if next(rest) == nil or not e[name] then return end
  local p = compiled:predict(rest)
  if not p or p.cycles <= 0 then return end
  return p.cycles, p.limit == "ports" and p.bottleneck or nil
end

local function same(a, b) return a ~= nil and b ~= nil and #a == #b and within(a, set_of(b)) end

-- Does the experiment flood a set of ports with others, for some cycles an instance? Then what limits it with the scheme is the same
-- set; for a scheme without uops, one instance has to do.
local function is_flood(r, whole)
  if not r.ports or r.without < shortest_flood * r.instances then return false end
  if whole then return whole.limit == "ports" and same(whole.bottleneck, r.ports) end
  return r.instances == 1
end

-- What a scheme alone should take, unless the witness says it: what the mapping predicts; what was recorded, where that differs and the
-- mapping does not claim that the ports account for it.
local function expected_alone(r, good)
  if not r.cycles or not r.predicted or good then return r.predicted or r.cycles end
  return witness.compare(r.cycles, r.predicted, r.length, nil, r.slow) == "agrees" and r.predicted or r.cycles
end

local function meaning_alone(r)
  if not r.predicted then return nil end
  local predicted = witness.cycles(r.predicted / r.instances)
  local agrees = witness.compare(r.cycles, r.predicted, r.length)
  if agrees == "agrees" then return "as long as its ports and issue slots need" end
  if agrees == "faster" then return ("less than its ports allow (%s)"):format(predicted) end
  if witness.compare(r.cycles, r.predicted, r.length, nil, r.slow) == "agrees" then
    return ("its ports would do with %s, but are chosen greedily"):format(predicted)
  end
  return ("its ports would do with %s: something else limits it"):format(predicted)
end

-- The number of uops per instance that cannot evade the flooded ports, and in words.
local function meaning_of_flood(r)
  local ports = argument.ports(r.ports)
  local extra = (r.cycles - r.without) * #r.ports / r.instances
  local count = math.floor(extra + short)
  if count < 0 then return extra, "faster than the flood alone: no mapping explains that" end
  if extra - count > witness.tolerance.uops then return extra, ("%.2f uops stay on %s: no whole number"):format(extra, ports) end
  if count == 0 then return extra, "it evades " .. ports end
  return extra, ("%s cannot evade %s"):format(uops(count), ports)
end

local function meaning_together(r, whole)
  if r.says or not whole then return r.says end
  if whole.limit ~= "ports" then return "together they fill the issue slots" end
  return ("together they keep %s busy"):format(argument.ports(whole.bottleneck))
end

-- Which side a reading is off what is expected; nil if it agrees.
local function off(r)
  local agrees = r.cycles and r.expected and witness.compare(r.cycles, r.expected, r.length, r.kind, r.slow) or "agrees"
  return agrees ~= "agrees" and agrees or nil
end

-- Why a witness does not bear out its role, or not this mapping; nil if it does.
local function doubt(r)
  if r.role == "contradicts" then return nil end
  if not r.alone and r.predicted and witness.compare(r.expected, r.predicted, r.length, r.kind) ~= "agrees" then
    return ("the mapping predicts %s"):format(witness.cycles(r.predicted))
  end
  if r.role == "shows" and r.uops and r.uops + short < 1 then return "its cycles do not show a uop there" end
end

local function role_of(r)
  if r.off then return "contradicts" end
  return r.uops and (r.uops + short >= 1 and "shows" or "bounds") or nil
end

-- Reads one witness of a scheme.
local function reading(compiled, name, w, good)
  local r = witness.read(w)
  r.about, r.instances, r.length = witness.about(r.experiment, name), r.experiment[name], experiment.length(r.experiment)
  r.alone = r.instances == r.length
  r.without, r.ports = without(compiled, r.experiment, name)
  local whole = compiled:predict(r.experiment)
  r.predicted = whole and whole.cycles
  local flood = is_flood(r, whole)
  r.kind = flood and #r.ports or not r.alone and "balanced" or nil
  r.slow = whole and not flood and compiled:bind(r.experiment) or nil
  r.expected = r.expected or r.alone and expected_alone(r, good) or r.predicted
  r.off = off(r)
  if r.cycles and flood then r.uops, r.means = meaning_of_flood(r) end
  r.role = r.role or role_of(r)
  if r.cycles and not flood then r.means = r.alone and meaning_alone(r) or not r.alone and meaning_together(r, whole) or nil end
  r.doubt = doubt(r)
  return r
end

--- Reads the witnesses of a scheme; what it takes alone is one, also where none says so.
-- @param m mapping table
-- @param compiled the same, compiled
-- @param name a scheme of it
-- @return list of `{ experiment =, text =, about =, instances =, length =, alone =, cycles =, expected =, predicted =, without =, ports =, kind =,
-- slow =, uops =, role =, says =, means =, off =, doubt = }`: cycles `without` the scheme, the `ports` that the others keep busy, how it is to be
-- compared (`kind`, `slow`: `portolan.witness`), the number of `uops` of an instance that cannot evade these ports, the side on which it is `off`
-- what is expected, why it does not bear out its role (`doubt`); what the mapping or the witness does not tell is missing
function argument.readings(m, compiled, name)
  local scheme, list, has_alone = m.schemes[name], {}, false
  local good = statuses.get(scheme.status).kind == "good"
  for i, w in ipairs(scheme.witnesses or {}) do
    list[i] = reading(compiled, name, w, good)
    has_alone = has_alone or list[i].alone and list[i].instances == 1
  end
  if scheme.tp and not has_alone then
    local r = reading(compiled, name, { experiment = experiment.format { [name] = 1 }, cycles = scheme.tp }, good)
    r.implicit = true
    table.insert(list, 1, r)
  end
  return list
end

-- The uop that a reading is about: one that cannot evade the flooded ports, of the narrowest fit; for a bound, one that they overlap.
local function uop_of(r, parts)
  local flooded, best, best_rank = set_of(r.ports), nil, 0
  for _, part in ipairs(parts) do
    local common = share(part.ports, flooded)
    local inside = within(part.ports, flooded)
    local rank = (r.role == "shows" and inside and 1000 or 0) + common
    if rank > best_rank then best, best_rank = part, rank end
  end
  return best
end

local function sorted_into(scheme, readings)
  local parts, further, contradicts, alone = {}, {}, {}, nil
  for i, uop in ipairs(scheme.uops or {}) do parts[i] = { ports = uop[1], n = uop[2] or 1, shows = {}, bounds = {} } end
  for _, r in ipairs(readings) do
    local part = r.ports and uop_of(r, parts)
    if r.alone and (not alone or r.role == "contradicts") then
      alone = r
    elseif r.role == "contradicts" then
      contradicts[#contradicts + 1] = r
    elseif part and (r.role == "shows" or r.role == "bounds") then
      table.insert(part[r.role], r)
    else
      further[#further + 1] = r
    end
  end
  return parts, further, contradicts, alone
end

--- The argument for one scheme.
-- @param m mapping table
-- @param compiled the same, compiled
-- @param name a scheme of it
-- @return `{ scheme =, status =, kind =, means =, recognised =, note =, usage =, uops = { { ports =, n =, shows = { readings },
-- bounds = { readings } } }, slots =, cycles = (alone), predicted = (alone), assumed =, alone = reading, further = { readings },
-- contradicts = { readings } }`; `further` are experiments that touch none of its uops' ports
function argument.of(m, compiled, name)
  local scheme = m.schemes[name]
  local status, readings = statuses.get(scheme.status), argument.readings(m, compiled, name)
  local parts, further, contradicts, alone = sorted_into(scheme, readings)
  if alone and alone.implicit and not alone.doubt then alone = nil end
  return {
    scheme = name, status = status.name, kind = status.kind, means = status.means, recognised = status.recognised, note = scheme.note,
    usage = mapping.usage(scheme), uops = parts, slots = scheme.slots or 1, cycles = scheme.tp,
    predicted = scheme.uops and compiled:throughput { [name] = 1 } or nil,
    assumed = scheme.assumed and #scheme.assumed > 0 and scheme.assumed or nil, alone = alone, further = further, contradicts = contradicts,
    witnesses = #readings,
  }
end

return argument
