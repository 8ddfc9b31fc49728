--- Blocking instructions, found by counters: a single uop, counted on just the ports that it blocks (dissertation section 6.1).
--
-- A store's two uops come only in pairs; one improper blocking instruction stands for both.
-- @module portolan.infer.uops_info.blockers
local core = require "portolan.core"
local lists = require "portolan.support.lists"
local port_set = require "portolan.mapping.ports"

local blockers = {}

local used = 0.05   -- uops per instance on a port from which on it counts as used
local slower = 1.2  -- what blocks Q runs |Q| times a cycle, or nearly

--- Tells whether a count of uops means that the port is used.
function blockers.is_used(count) return count > used end

-- Computes how many ports of a shared counter are busy while instances run alone: uops on them over the cycles.
local function busy(count, cycles, ports) return math.max(1, math.min(#ports, math.floor(count / cycles + 0.5))) end

--- The ports that uops of a scheme alone are counted on. Of ports with a common counter so many, from the first, as are busy.
-- @param meter portolan.infer.uops_info.port_meter
-- @param single `{ cycles =, counts = { event name = uops } }`
-- @return list of ports; whether some of them are assumed, as their counter cannot tell them from others
function blockers.ports_used(meter, single)
  local ports, assumed = {}, false
  for _, event in ipairs(meter.events) do
    local count = single.counts[event.name]
    if blockers.is_used(count) then
      local n = busy(count, single.cycles, event.ports)
      table.move(event.ports, 1, n, #ports + 1, ports)
      assumed = assumed or n < #event.ports
    end
  end
  return ports, assumed
end

-- Tells whether a is taken of two schemes that block the same ports: the faster one is, then the first by name.
local function better(a, b)
  local x, y = math.floor(100 * a.cycles + 0.5), math.floor(100 * b.cycles + 0.5)
  if x ~= y then return x < y end
  return a.name < b.name
end

local function enter(best, candidate)
  local k = port_set.unordered_key(candidate.ports)
  if not best[k] or better(candidate, best[k]) then best[k] = candidate end
end

local function fast_enough(single, ports, width) return single.cycles <= slower * math.max(1 / #ports, width and 1 / width or 0) end

local function proper(best, meter, singles, width)
  for name, single in pairs(singles) do
    if single.uops == 1 then
      local ports, assumed = blockers.ports_used(meter, single)
      if #ports > 0 and fast_enough(single, ports, width) then
        enter(best, { name = name, ports = ports, cycles = single.cycles, assumed = assumed })
      end
    end
  end
end

-- All ways to divide counters with uops into two groups with one uop each; the first group has the first counter.
local function halves(meter, single)
  local list, found = lists.where(meter.events, function(event) return blockers.is_used(single.counts[event.name]) end), {}
  for choice = 0, #list >= 2 and #list <= 12 and (1 << (#list - 1)) - 2 or -1 do
    local groups, sum = { {}, {} }, { 0, 0 }
    for i, event in ipairs(list) do
      local g = (i == 1 or choice >> (i - 2) & 1 == 1) and 1 or 2
      sum[g] = sum[g] + single.counts[event.name]
      table.move(event.ports, 1, #event.ports, #groups[g] + 1, groups[g])
    end
    if math.abs(sum[1] - 1) < 0.1 and math.abs(sum[2] - 1) < 0.1 then found[#found + 1] = groups end
  end
  return found
end

-- Can it be a store? Of names that are no scheme's nobody knows.
local function may_store(name)
  local scheme = core.isa.scheme(name)
  for _, operand in ipairs(scheme and scheme.operands or {}) do
    if operand.kind == "memory" and operand.access:find("w", 1, true) then return true end
  end
  return scheme == nil
end

-- Pairs of uops on ports that nothing else blocks.
local function improper(best, meter, singles, width)
  local covered, pairs_found = {}, {}
  for _, b in pairs(best) do
    for _, port in ipairs(b.ports) do covered[port] = true end
  end
  local function something_new(ports) return not port_set.inside(ports, covered) end
  for name, single in pairs(singles) do
    local ways = single.uops == 2 and may_store(name) and halves(meter, single) or {}
    local a, b = table.unpack(ways[1] or {})
    if a and (something_new(a) or something_new(b)) and single.cycles <= slower * math.max(1 / #a, 1 / #b, width and 1 / width or 0) then
      for _, ports in ipairs { a, b } do
        enter(pairs_found, { name = name, ports = ports, cycles = single.cycles, improper = true, assumed = #ways > 1 })
      end
    end
  end
  for k, b in pairs(pairs_found) do best[k] = best[k] or b end
end

--- Finds one blocking instruction for each set of ports that occurs.
-- @param meter portolan.infer.uops_info.port_meter
-- @param singles scheme name -> `{ cycles =, uops = whole number, counts = { event name = uops } }`
-- @param[opt] width slots per cycle
-- @return list of `{ name =, ports =, improper = (it has a uop on other ports, too), assumed = (which ports of a shared counter) }`,
-- ascending by number of ports
function blockers.find(meter, singles, width)
  local best, list = {}, {}
  proper(best, meter, singles, width)
  improper(best, meter, singles, width)
  for _, b in pairs(best) do list[#list + 1] = b end
  table.sort(list, function(a, b)
    if #a.ports ~= #b.ports then return #a.ports < #b.ports end
    return port_set.unordered_key(a.ports) < port_set.unordered_key(b.ports)
  end)
  return list
end

--- The blocking instructions that can tell something of one instruction: not those that block only ports on which no uop of it is
-- counted when it runs alone.
-- @param list of `blockers.find`
-- @param meter portolan.infer.uops_info.port_meter
-- @param single `{ counts = }` of the instruction
-- @return list of some of them, in the same order
function blockers.relevant(list, meter, single)
  local on = {}
  for _, event in ipairs(meter.events) do
    for _, port in ipairs(event.ports) do on[port] = blockers.is_used(single.counts[event.name]) end
  end
  return lists.where(list, function(b) return lists.any(b.ports, function(port) return on[port] end) end)
end

return blockers
