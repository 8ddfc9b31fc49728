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

-- What the others of an experiment take without the scheme, and the ports that they keep busy; nothing if the mapping cannot say it.
local function flood(compiled, e, name)
  local rest = {}
  for other, count in pairs(e) do
    if other ~= name then rest[other] = count end
  end
  if next(rest) == nil or not e[name] then return end
  local p = compiled:predict(rest)
  if not p or p.cycles <= 0 then return end
  return p.cycles, p.limit == "ports" and p.bottleneck or nil
end

local function meaning_alone(r)
  local each = r.cycles / r.instances
  if not r.expected then return ("%s cycles each"):format(witness.cycles(each)) end
  local expected = witness.cycles(r.expected / r.instances)
  local agrees = witness.compare(r.cycles, r.expected, r.instances)
  if agrees == "agrees" then return "as long as its ports and issue slots need" end
  return agrees == "faster" and ("less than its ports allow (%s)"):format(expected)
    or ("its ports would do with %s: something else limits it"):format(expected)
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

-- Why a witness does not bear out its role, or not this mapping; nil if it does.
local function doubt(r)
  if r.role == "contradicts" then return nil end
  local ports = r.ports and #r.ports
  if r.predicted and witness.compare(r.expected, r.predicted, r.length, ports) ~= "agrees" then
    return ("the mapping predicts %s"):format(witness.cycles(r.predicted))
  end
  if r.role == "shows" and r.uops and r.uops + short < 1 then return "its cycles do not show a uop there" end
  local agrees = r.cycles and r.expected and witness.compare(r.cycles, r.expected, r.length, ports) or "agrees"
  return agrees ~= "agrees" and "measured " .. agrees .. " than expected" or nil
end

--- Reads one witness of a scheme.
-- @param compiled the mapping, compiled
-- @param name the scheme
-- @param w witness that has no fault
-- @return `{ experiment =, text =, about =, instances =, length =, cycles =, expected =, predicted =, without =, ports =, uops =,
-- role =, says =, means =, doubt = }`: cycles `without` the scheme, the `ports` that the others keep busy, the number of `uops` of an instance
-- that cannot evade them, why its numbers do not bear out its role (`doubt`); what the mapping or the witness does not tell is missing
function argument.reading(compiled, name, w)
  local r = witness.read(w)
  r.about, r.instances, r.length = witness.about(r.experiment, name), r.experiment[name], experiment.length(r.experiment)
  r.without, r.ports = flood(compiled, r.experiment, name)
  r.predicted = compiled:throughput(r.experiment)
  r.expected = r.expected or r.predicted
  r.alone = r.instances == r.length
  if r.cycles and r.alone then
    r.means = meaning_alone(r)
  elseif r.cycles and r.ports then
    r.uops, r.means = meaning_of_flood(r)
  end
  if not r.role then
    local agrees = r.cycles and r.expected and witness.compare(r.cycles, r.expected, r.length, r.ports and #r.ports)
    r.role = agrees and agrees ~= "agrees" and "contradicts" or r.uops and (r.uops + short >= 1 and "shows" or "bounds") or nil
  end
  r.doubt = doubt(r)
  return r
end

-- The uop that a reading is about: one that cannot evade the flooded ports, of the narrowest fit; for a bound, one that they overlap.
local function uop_of(reading, parts)
  local flooded, best, best_rank = set_of(reading.ports), nil, 0
  for _, part in ipairs(parts) do
    local common = share(part.ports, flooded)
    local inside = within(part.ports, flooded)
    local rank = reading.role == "shows" and (inside and 1000 or 0) + common or common
    if (inside or reading.role ~= "shows") and rank > best_rank then best, best_rank = part, rank end
  end
  return best
end

local function sorted_into(scheme, readings)
  local parts, further, contradicts, alone = {}, {}, {}, nil
  for i, uop in ipairs(scheme.uops or {}) do parts[i] = { ports = uop[1], n = uop[2] or 1, shows = {}, bounds = {} } end
  for _, r in ipairs(readings) do
    local part = r.ports and uop_of(r, parts)
    if r.alone and not alone then
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
  local status, readings = statuses.get(scheme.status), {}
  for i, w in ipairs(scheme.witnesses or {}) do readings[i] = argument.reading(compiled, name, w) end
  local parts, further, contradicts, alone = sorted_into(scheme, readings)
  return {
    scheme = name, status = status.name, kind = status.kind, means = status.means, recognised = status.recognised, note = scheme.note,
    usage = mapping.usage(scheme), uops = parts, slots = scheme.slots or 1, cycles = scheme.tp,
    predicted = scheme.uops and compiled:throughput { [name] = 1 } or nil,
    assumed = scheme.assumed and #scheme.assumed > 0 and scheme.assumed or nil, alone = alone, further = further, contradicts = contradicts,
    witnesses = #readings,
  }
end

return argument
