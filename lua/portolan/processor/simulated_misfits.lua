--- Schemes of a simulated processor that ports do not account for. They do what real ones do, to test how such schemes are recognised.
--
-- A scheme of the mapping says what it does in its field `misfit` (docs/formats.md):
--
-- - `busy`: cycles for which an instance keeps a unit of its own busy that is not pipelined;
-- - `large_inputs`: the same with large numbers in the registers;
-- - `microcoded`: true: a sequencer issues it, and nothing else is issued meanwhile (dissertation section 6.3.5);
-- - `excess`: cycles by which an instance delays others;
-- - `unsteady`: true: no two readings agree;
-- - `status`: how measuring it ends, as "illegal instruction";
-- - `stall`: cycles by which the decoder holds up an instance, at most: another number with each reading;
-- - `rates`: how many times longer than at best a body of little else takes at times, as the core has two rates for it;
-- - `eliminated`: share of the instances that no port executes;
-- - `unchainable`: true: no chain of it can be made;
-- - `dependent`: true: an instance waits for others (the processor `avoids` it);
-- - `reads_flags`: true: it waits for what writes flags, if anything beside it does (the processor `avoids` it, too);
-- - `hinders`: uops by which it seems to be on the widest set of ports where that is kept busy, however many instances there are;
-- - `held_up`: uops that there seem to be more on its ports where it keeps them busy next to something that works on memory;
-- - `unbalanced`: true: other uops are spread over their ports as if this one was not there (moves to general registers on Zen 3);
-- - `crowded`: how many times longer than its issue slots need an experiment takes that is half of it, and half of others, at most (Zen 5, which
--   binds uops by where they stand in a group);
-- - `sluggish`: how many times longer a body of it and NOPs alone takes;
-- - `fuses`: true: an instance takes no issue slot behind another instruction, and about half of one behind its like (NOPs on Zen 4);
-- - `varies`: share of the cycles by which one reading of it alone differs from the next, at most.
-- @module portolan.processor.simulated_misfits
local filler = require "portolan.processor.filler"
local limits = require "portolan.support.limits"
local lists = require "portolan.support.lists"
local memory_use = require "portolan.scheme.memory_use"
local port_set = require "portolan.mapping.ports"

local misfits = {}

local types = { busy = "number", large_inputs = "number", microcoded = "boolean", excess = "number", unsteady = "boolean", status = "string",
  stall = "number", rates = "number", eliminated = "number", unchainable = "boolean", dependent = "boolean", hinders = "number",
  held_up = "number", sluggish = "number", varies = "number", crowded = "number",
  unbalanced = "boolean", reads_flags = "boolean", fuses = "boolean" }

local fields = "busy, large_inputs, excess and stall (cycles), rates, crowded and sluggish (times), eliminated and varies (share), "
  .. "hinders and held_up (uops), microcoded, unsteady, unbalanced, unchainable, reads_flags, fuses and dependent (true), status (text)"

local ranges = { rates = { 1, math.huge }, crowded = { 1, math.huge }, sluggish = { 1, math.huge }, eliminated = { 0, 1 } } -- others: from 0 on

local function is_in_range(field, value)
  local range = ranges[field] or { 0, math.huge }
  return value >= range[1] and value <= range[2] and value < math.huge
end

local none = {}

-- Returns what a scheme does that ports do not account for; an empty table if it is nothing.
local function misfit_of(schemes, name) return schemes[name] and schemes[name].misfit or none end

local function fuses(schemes, name) return misfit_of(schemes, name).fuses end

-- Returns the scheme that takes an issue slot and nothing else; nil if nothing does.
local function plain_filler(schemes)
  return lists.first(filler.among(schemes), function(name) return not fuses(schemes, name) and #(schemes[name].uops or {}) == 0 end)
end

--- Are the misfits of a mapping's schemes what they should be?
-- @param schemes of a mapping table
-- @return true; or nil and a message
function misfits.check(schemes)
  for name, scheme in pairs(schemes) do
    if scheme.misfit ~= nil and type(scheme.misfit) ~= "table" then
      return nil, ("'misfit' must be an object (schemes.\"%s\".misfit)"):format(name)
    end
    for _, field in ipairs { "latency", "macro_ops" } do
      local x = scheme[field]
      if x ~= nil and not limits.is_amount(x) then
        return nil, ("'%s' must be %s (schemes.\"%s\".%s)"):format(field, limits.amount, name, field)
      end
    end
    for field, value in pairs(scheme.misfit or {}) do
      if type(value) ~= types[field] or type(value) == "number" and not is_in_range(field, value) then
        return nil, ("no such misfit; there are %s (schemes.\"%s\".misfit.%s)"):format(fields, name, tostring(field))
      end
      if field == "eliminated" and not plain_filler(schemes) then
        return nil, ("what is eliminated takes a slot as some other scheme does that has no uops; there is none, or it fuses "
          .. "(schemes.\"%s\".misfit.eliminated)"):format(name)
      end
    end
  end
  return true
end

--- Does the time of a scheme depend on its inputs?
function misfits.input_dependent(schemes)
  for _, scheme in pairs(schemes) do
    if scheme.misfit and scheme.misfit.large_inputs then return true end
  end
  return false
end

-- The experiment without what a sequencer issues, and the issue slots of that.
local function split(schemes, e)
  local rest, slots
  for name, count in pairs(e) do
    if misfit_of(schemes, name).microcoded then rest, slots = rest or {}, (slots or 0) + count * (schemes[name].slots or 1) end
  end
  for name, count in pairs(rest and e or {}) do
    if not misfit_of(schemes, name).microcoded then rest[name] = count end
  end
  return rest, slots
end

local fold = 20 -- copies of an experiment of which a share of some instances is eliminated

-- Returns the experiment with NOPs for what is eliminated, where a share of a scheme's instances is, and how many times longer that is.
local function without_eliminated(schemes, e)
  local any = false
  for name in pairs(e) do any = any or misfit_of(schemes, name).eliminated end
  if not any then return e, 1 end
  local long = {}
  local function add(name, count) long[name] = count > 0 and (long[name] or 0) + count or long[name] end
  for name, count in pairs(e) do
    local share = misfit_of(schemes, name).eliminated or 0
    local gone = math.floor(share * fold * count + 0.5)
    add(name, fold * count - gone)
    if gone > 0 then add(plain_filler(schemes), gone) end
  end
  return long, fold
end

-- Returns, where instances fuse, the experiment twice, with as many of them as there are slots that they take; and how many times longer that is.
local function without_fused(schemes, e)
  local fused, slots = 0, 0
  for name, count in pairs(e) do
    if fuses(schemes, name) then fused = fused + count else slots = slots + count * (schemes[name] and schemes[name].slots or 1) end
  end
  if fused == 0 then return e, 1 end
  local left, twice = math.max(0, fused - slots), {}
  left = left + math.min(left, slots) -- behind each other instruction a run begins, whose last one may find nothing to fuse with
  for name, count in pairs(e) do
    local times = fuses(schemes, name) and left * count // fused or 2 * count
    twice[name] = times > 0 and times or nil
  end
  return twice, 2
end

-- The uops of an experiment on the widest sets of ports that there are, and how many ports these are.
local function on_widest(schemes, e)
  local uops, widest = 0, 0
  for _, scheme in pairs(schemes) do
    for _, uop in ipairs(scheme.uops or {}) do widest = math.max(widest, #uop[1]) end
  end
  for name, count in pairs(e) do
    for _, uop in ipairs(schemes[name] and schemes[name].uops or {}) do uops = uops + (#uop[1] == widest and count * uop[2] or 0) end
  end
  return uops, widest
end

-- Returns how many cycles the experiment takes at least, as one of its schemes hinders others; and how many times longer it takes, as it is of a
-- sluggish one and NOPs.
local function hindered(schemes, e)
  local extra, times, executed = 0, 1, 0
  for name in pairs(e) do
    local scheme, misfit = schemes[name] or none, misfit_of(schemes, name)
    extra, times = math.max(extra, misfit.hinders or 0), math.max(times, misfit.sluggish or 1)
    executed = executed + (#(scheme.uops or {}) > 0 and 1 or 0)
  end
  if executed > 1 then times = 1 end
  if extra == 0 or executed < 2 then return 0, times end
  local uops, widest = on_widest(schemes, e)
  return uops > 0 and (uops + extra) / widest or 0, times
end

local function works_on_memory(e)
  for name in pairs(e) do
    local use = memory_use(name)
    if use.reads or use.writes then return true end
  end
  return false
end

-- Returns how many cycles the experiment takes at least, as some of its schemes are held up by others that work on memory. Few schemes are ever held
-- up, so what others do to memory is looked up for these alone.
local function held_up(schemes, e)
  local least, on_memory = 0, nil
  for name, count in pairs(e) do
    local scheme = schemes[name]
    local more = misfit_of(schemes, name).held_up
    local uop = more and scheme.uops and scheme.uops[1]
    if uop and on_memory == nil then on_memory = works_on_memory(e) end
    if uop and on_memory then least = math.max(least, (count * uop[2] + more) / #uop[1]) end
  end
  return least
end

local function meets(a, b)
  for _, x in ipairs(a.uops or {}) do
    for _, y in ipairs(b.uops or {}) do
      if port_set.overlap(x[1], y[1]) then return true end
    end
  end
  return false
end

-- Returns how many cycles the experiment takes at least, as some uops are bound without regard to others: what meets them at a port takes its time
-- besides.
local function unbalanced(schemes, e, by_ports)
  local least = 0
  for name, count in pairs(e) do
    local scheme = schemes[name]
    if misfit_of(schemes, name).unbalanced then
      local others = {}
      for other, n in pairs(e) do
        if other ~= name and schemes[other] and meets(scheme, schemes[other]) then others[other] = n end
      end
      if next(others) then least = math.max(least, by_ports { [name] = count } + by_ports(others)) end
    end
  end
  return least
end

-- Returns how many cycles the experiment takes at least, as half of it or more is of one that is crowded beside others.
local function crowded(schemes, e, rmax)
  local slots, own, factor = 0, 0, 1
  for name, count in pairs(e) do
    local taken, much = count * ((schemes[name] or none).slots or 1), misfit_of(schemes, name).crowded
    slots = slots + taken
    if much then own, factor = own + taken, math.max(factor, much) end
  end
  return rmax and own < slots and 2 * own >= slots and factor * slots / rmax or 0
end

--- The true cycles of an experiment.
-- @param schemes of the mapping table
-- @param e experiment
-- @param by_ports function(experiment) -> what ports and front end need; or nil and a message
-- @param rmax issue slots a cycle
-- @param[opt] large true: with large numbers in the registers
-- @return cycles; or nil and a message
function misfits.cycles(schemes, e, by_ports, rmax, large)
  local executed, times = without_eliminated(schemes, e)
  local unfused, twice = without_fused(schemes, executed)
  executed, times = unfused, times * twice
  local cycles, message = by_ports(executed)
  if not cycles then return nil, message end
  local least, sluggish = hindered(schemes, e)
  cycles = math.max(cycles / times, least, held_up(schemes, e), unbalanced(schemes, executed, by_ports) / times,
    crowded(schemes, e, rmax)) * sluggish
  local rest, slots = split(schemes, e)
  if rest and rmax then cycles = math.max(cycles, slots / rmax + (next(rest) and by_ports(rest) or 0)) end
  local busiest, several = 0, lists.count(lists.keys(e), function(name) return #((schemes[name] or {}).uops or {}) > 0 end) > 1
  for name, count in pairs(e) do
    local misfit = misfit_of(schemes, name)
    busiest = math.max(busiest, count * (large and misfit.large_inputs or misfit.busy or 0))
    if several then cycles = cycles + count * (misfit.excess or 0) end
  end
  return math.max(cycles, busiest)
end

--- Tells how measuring an experiment ends, if not well.
-- @param schemes of the mapping table
-- @param e experiment
-- @return result; nil if it can be measured
function misfits.failure(schemes, e)
  for name in pairs(e) do
    local misfit = misfit_of(schemes, name)
    if misfit.status then return { status = misfit.status, n = 0, rejected = 0 } end
    if misfit.unsteady then
      return { status = "unstable", unsteady = true, n = 0, rejected = 0, message = "its readings differ while the machine is quiet" }
    end
  end
end

local two_rates = 0.8 -- share of an experiment's instances from which on their two rates show
local unsteady = 0.03 -- share of the cycles: what stalls by more than that comes out unstable at times
local slow_only = 0.15 -- share of the readings of a body with two rates that see only the slower one
local lucky = 0.5 -- share of such readings that come out nevertheless

-- Returns what share of an experiment's instances have two rates, and the slower one's factor.
local function rates_of(schemes, e)
  local all, some, factor = 0, 0, 1
  for name, count in pairs(e) do
    local rates = misfit_of(schemes, name).rates
    all, some, factor = all + count, some + (rates and count or 0), math.max(factor, rates or 1)
  end
  return some / all, factor
end

-- Cycles that the decoder stalls, at most.
local function stalls(schemes, e)
  local sum = 0
  for name, count in pairs(e) do sum = sum + count * (misfit_of(schemes, name).stall or 0) end
  return sum
end

-- The largest share by which readings of an experiment of little else vary.
local function varies(schemes, e)
  local all, some, share = 0, 0, 0
  for name, count in pairs(e) do
    local own = misfit_of(schemes, name).varies
    all, some, share = all + count, some + (own and count or 0), math.max(share, own or 0)
  end
  return some >= two_rates * all and share or 0
end

--- Makes one reading of an experiment, before the noise of the clock.
-- @param schemes of the mapping table
-- @param e experiment
-- @param cycles true ones
-- @param rng of this reading
-- @return cycles, fields of the result (`spread`, and `share` and `slow` of two rates); or nil and a result: no readings agree
function misfits.reading(schemes, e, cycles, rng)
  local most = stalls(schemes, e)
  if most > 0 then
    if most > unsteady * cycles and rng:unit() > lucky then
      return nil, { status = "unstable", unsteady = true, spread = most / cycles, n = 0, rejected = 0 }
    end
    return cycles + most * rng:unit(), { spread = most / cycles }
  end
  local variation = varies(schemes, e)
  if variation > 0 then
    return nil, { status = "unstable", unsteady = true, range = { low = cycles, high = (1 + variation) * cycles }, n = 0, rejected = 0 }
  end
  local share, factor = rates_of(schemes, e)
  if share < two_rates or factor == 1 then return cycles, {} end
  local fast = rng:unit()
  if fast < slow_only then return factor * cycles, { share = 1, spread = 0 } end
  return cycles, { share = fast, slow = { cycles = factor * cycles, share = 1 - fast }, spread = factor - 1 }
end

return misfits
