--- Does what Algorithm 6.1 found of an instruction add up? And what if a uop was found on two sets of ports?
--
-- Found uops are right only if they are whole numbers that sum to the uops executed, and if the counts of the instruction alone
-- are those of some schedule of them: by Hall's theorem, on each set of ports at least the uops confined to it are counted.
-- @module portolan.infer.uops_info.sum
local blockers = require "portolan.infer.uops_info.blockers"
local counting = require "portolan.measuring.counting"
local port_set = require "portolan.mapping.ports"

local sum = {}

local tolerance, share = 0.15, 0.02 -- of a sum of counts: uops, and of each uop that is counted
local precise = 0.15                -- spread of readings, in uops, that are more than noise

--- Uops on a port that no instruction blocks: if the instruction alone is counted on one such port only, and these are just the uops
-- that are missing.
-- @param run of portolan.infer.uops_info
-- @param i scheme
-- @param found list of `{ ports =, uops = }`
-- @return `{ ports = { one }, uops = }`; nil if there are none or counts do not show it
function sum.beyond(run, i, found)
  local single, covered, here, missing = run.singles[i], {}, {}, run.singles[i].uops
  for _, b in ipairs(run.blockingInsns) do
    for _, port in ipairs(b.ports) do covered[port] = true end
  end
  for _, event in ipairs(run.meter.events) do
    if not covered[event.ports[1]] and blockers.is_used(single.counts[event.name]) then here[#here + 1] = event end
  end
  for _, u in ipairs(found) do missing = missing - u.uops end
  if #here ~= 1 or #here[1].ports ~= 1 or missing <= 0 or counting.settled { single.counts[here[1].name] } ~= missing then return nil end
  return { ports = here[1].ports, uops = missing }
end

-- Can the uops be executed such that the counters show what they show?
local function feasible(run, single, uops)
  local events = run.meter.events
  for choice = 1, (1 << #events) - 1 do
    local ports, count, confined = {}, 0, 0
    for n, event in ipairs(events) do
      if choice >> (n - 1) & 1 == 1 then
        count = count + single.counts[event.name]
        table.move(event.ports, 1, #event.ports, #ports + 1, ports)
      end
    end
    for _, u in ipairs(uops) do
      if port_set.within(u.ports, ports) then confined = confined + u.uops end
    end
    if count < confined - tolerance - share * confined then return false end
  end
  return true
end

--- Tells whether uops are whole, positive, as many as are executed, and agree with the counts of the instruction alone.
-- @param run of portolan.infer.uops_info
-- @param i scheme
-- @param found list of `{ ports =, uops = }`
function sum.adds_up(run, i, found)
  local uops, total = {}, 0
  for n, u in ipairs(found) do
    if math.type(u.uops) ~= "integer" or u.uops < 0 then return false end
    uops[n], total = u, total + u.uops
  end
  local more = sum.beyond(run, i, found)
  if more then uops[#uops + 1], total = more, total + more.uops end
  return total == run.singles[i].uops and feasible(run, run.singles[i], uops)
end

--- A measured number of uops as a whole one; what is none stays as it is.
-- @param uops number
-- @param at_most there may be less: down to the whole number below
function sum.whole(uops, at_most)
  if at_most then return math.floor(uops + 0.3) end
  return counting.settled { uops } or uops
end

--- Tells whether the readings of an experiment agree so well that a difference of less than a uop means something.
-- @param x `{ spread = }`
function sum.is_precise(x) return x.spread < precise end

--- Lines 6 to 11 of Algorithm 6.1 for experiments that are done: what they show, given some uops.
-- @param evidence list of `{ blocking =, inside = uops confined to the blocked ports, at_most = (or less), spread = }`,
-- ascending by number of ports
-- @param given list of `{ ports =, uops = }`
-- @param[opt] leaky precise counts may be too high, since cores bind uops greedily and not all that can evade do; round down
-- @return list of `{ ports =, uops =, blocking = }`, the given ones first; numbers that are no whole ones, or negative, as they are
function sum.attribute(evidence, given, leaky)
  local found = table.move(given, 1, #given, 1, {})
  for _, x in ipairs(evidence) do
    local surplus = x.inside
    for _, u in ipairs(found) do
      if port_set.within(u.ports, x.blocking.ports) then surplus = surplus - u.uops end
    end
    surplus = sum.whole(surplus, x.at_most or leaky and sum.is_precise(x))
    if surplus ~= 0 then found[#found + 1] = { ports = x.blocking.ports, uops = surplus, blocking = x.blocking } end
  end
  return found
end

--- A uop whose ports no instruction blocks just so is found on every set that contains them, and counted more than once. If two sets
-- overlap, the uop runs on what they share: tries how many there are, until everything adds up.
-- @param run of portolan.infer.uops_info
-- @param i scheme
-- @param evidence as for `attribute`, of all blocked sets that matter
-- @return what was found, with the assumed uops marked `shared`; nil if nothing adds up
function sum.shared(run, i, evidence)
  local found = sum.attribute(evidence, {})
  for a = 1, #found do
    for b = a + 1, #found do
      local ports = port_set.common(found[a].ports, found[b].ports)
      local proper = #ports > 0 and #ports < #found[a].ports and #ports < #found[b].ports
      for n = 1, proper and math.floor(math.min(found[a].uops, found[b].uops)) or 0 do
        local other = sum.attribute(evidence, { { ports = ports, uops = n, shared = { found[a].ports, found[b].ports } } })
        if sum.adds_up(run, i, other) then return other end
      end
    end
  end
end

return sum
