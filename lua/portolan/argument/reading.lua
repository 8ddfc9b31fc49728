--- One witness of a scheme, read against the mapping.
--
-- An experiment floods some ports with other schemes and adds the scheme to it. What it takes longer than the flood alone, times the
-- number of flooded ports, is how many uops of the scheme cannot evade these ports (section 6.2.2; Algorithm 6.1).
-- @module portolan.argument.reading
local experiment = require "portolan.experiment"
local witness = require "portolan.experiment.witness"
local reading_words = require "portolan.argument.reading_words"

local shortest_flood = 4 -- cycles an instance; on shorter ones cores do not find the best schedule

-- The experiment without the scheme; nil if there is nothing else in it.
local function without(e, name)
  local rest = experiment.without(e, name)
  return e[name] and next(rest) ~= nil and rest or nil
end

-- Reads what the others of an experiment do: the ports that they keep busy and the cycles that they take without the scheme. What the witness
-- records comes first: the mapping may have changed its mind about them since.
local function read_others(limits, r, name)
  local rest, recorded = without(r.experiment, name), r.ports
  r.base, r.without, r.ports = r.without, nil, nil
  if rest then r.without, r.ports = limits:flooded(rest) end
  r.ports = recorded or r.ports
end

-- Does the experiment flood a set of ports with others, for some cycles an instance? Then what limits it with the scheme is the same
-- set; for a scheme without uops, one instance has to do.
local function is_flood(limits, r, whole)
  if not r.ports or not (r.base or r.without) then return false end
  if r.base then return true end
  if r.without < shortest_flood * r.instances then return false end
  if whole then return whole.limit == "ports" and limits:is_tight(r.experiment, r.ports, whole.cycles) end
  return r.instances == 1
end

-- Cycles of a flood alone: as measured; of older charts, what is expected less the scheme's uops, as these expect what was measured and
-- so many uops; otherwise what the mapping predicts.
local function base_of(limits, r, name)
  if r.base then return r.base end
  local own = r.expected and limits:confined({ [name] = r.instances }, r.ports)
  local base = own and r.expected - own / #r.ports
  return base and math.abs(base - r.without) < witness.tolerance.uops / #r.ports and base or r.without
end

-- Returns how many cycles a scheme alone should take, unless the witness says it: what the mapping predicts; what was recorded, where that differs
-- and the mapping does not claim that the ports account for it.
local function expected_alone(r, good)
  if not r.cycles or not r.predicted or good then return r.predicted or r.cycles end
  return witness.compare(r.cycles, r.predicted, r.length, nil, r.slow) == "agrees" and r.predicted or r.cycles
end

-- Tells to which side a reading is off what is expected; nil if it agrees.
local function off(r)
  local agrees = r.cycles and r.expected and witness.compare(r.cycles, r.expected, r.length, r.kind, r.slow) or "agrees"
  return agrees ~= "agrees" and agrees or nil
end

-- Returns why a witness does not bear out its role, or not this mapping; nil if it does.
local function doubt(r)
  if r.role == "contradicts" then return nil end
  if not r.alone and r.predicted and r.expected and witness.compare(r.expected, r.predicted, r.length, r.kind) ~= "agrees" then
    return ("the mapping predicts %s"):format(witness.cycles(r.predicted))
  end
  if r.role == "shows" and r.uops and r.uops + reading_words.short < 1 then return "its cycles do not show a uop there" end
end

local function role_of(r)
  if r.off then return "contradicts" end
  return r.uops and (r.uops + reading_words.short >= 1 and "shows" or "bounds") or nil
end

-- Puts into words what cycles say: of a flood, of the scheme alone, of others with it.
local function interpret(limits, r, whole)
  if r.flood then
    r.uops, r.sum, r.means = reading_words.flood(r)
    return
  end
  local by_ports = whole and whole.limit == "ports"
  r.sum = reading_words.at_work(r.cycles, by_ports and limits:confined(r.experiment, limits.m.ports),
    whole and not by_ports and limits:slots(r.experiment))
  r.means = r.alone and reading_words.alone(r) or not r.alone and reading_words.together(r, whole) or nil
end

-- Of a counter: the uops counted on some ports.
local function counted(r) r.sum, r.means = ("%.2f uops counted on %s"):format(r.count, reading_words.ports(r.ports)), r.says end

--- Reads one witness of a scheme.
-- @param limits of the mapping (portolan.argument.bottlenecks)
-- @param name the scheme
-- @param w a witness that has no fault
-- @param good does the mapping claim that the ports account for the scheme?
-- @return reading (portolan.argument)
return function(limits, name, w, good)
  local r = witness.read(w)
  r.about, r.instances, r.length = witness.about(r.experiment, name), r.experiment[name], experiment.length(r.experiment)
  r.alone = r.instances == r.length
  read_others(limits, r, name)
  local whole = limits:predict(r.experiment)
  r.predicted = whole and whole.cycles
  r.flood = r.instances and is_flood(limits, r, whole)
  r.kind = r.flood and #r.ports or not r.alone and "balanced" or nil
  r.slow = whole and not r.flood and limits.compiled:bind(r.experiment) or nil
  r.expected = r.expected or r.alone and expected_alone(r, good) or r.predicted
  r.off = off(r)
  if r.flood then r.base = base_of(limits, r, name) end
  if r.cycles then interpret(limits, r, whole) end
  r.role = r.role or role_of(r)
  r.doubt = doubt(r)
  if r.count and r.ports then counted(r) end
  return r
end
