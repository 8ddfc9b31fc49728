--- The latency of a scheme as one number, for tools that know no more than one.
--
-- It is the most that a register or a flag which the scheme reads takes to get to one that it writes. An address that is read takes longer, by the
-- load, so that a sum in a loop would seem to wait for loads that nothing waits for: these tools take the number for whatever operand the value came
-- in by. Only what reads no register beside those of its address, such as a plain load, has the number of its address.
-- (`portolan.latencies.longest` is the longest way, addresses included.)
-- @module portolan.mapping.latency_number
local json = require "portolan.support.json"
local latencies = require "portolan.mapping.latencies"
local place = require "portolan.scheme.place"

local latency_number = {}

local sides = { register = "register", flag = "register", base = "address", index = "address", memory = "memory" }

local function is_cycles(x) return math.type(x) and x >= 0 and x < math.huge end

--- The latencies of a scheme with what is at their places. Those whose places the scheme does not have are left out, and those of which no more
-- than a bound is known, which would pass for a latency.
-- @param name of the scheme
-- @param entry of a mapping
-- @return list of `{ pair = of the entry's latencies, from =, to = of portolan.scheme.place, start = "register", "address" or "memory",
-- target = likewise }`
function latency_number.pairs(name, entry)
  local list = {}
  for _, pair in ipairs(json.is_list(entry.latencies) and entry.latencies or {}) do
    local whole = type(pair) == "table" and is_cycles(pair.cycles) and type(pair.from) == "string" and type(pair.to) == "string"
    local from, to = whole and place.parse(pair.from, name), whole and place.parse(pair.to, name)
    if from and to and not latencies.is_bound(pair) then
      list[#list + 1] = { pair = pair, from = from, to = to, start = sides[from.kind], target = sides[to.kind] }
    end
  end
  return list
end

--- The most that pairs take.
-- @param list of `latency_number.pairs`
-- @param start where from: "register", "address" or "memory"
-- @param target where to, likewise
-- @return cycles, nil if there is no such pair; the pair, as in the list
function latency_number.most(list, start, target)
  local most
  for _, entry in ipairs(list) do
    if entry.start == start and entry.target == target and (not most or entry.pair.cycles > most.pair.cycles) then most = entry end
  end
  if most then return most.pair.cycles, most end
end

--- The number of a scheme.
-- @param name of the scheme
-- @param entry of a mapping
-- @return cycles; nil if nothing is known, and for what writes no register; and what they are counted from: "register", "address" or "memory". A
-- mapping that has a number of its own (`latency`) and no pairs keeps it.
function latency_number.of(name, entry)
  local list = latency_number.pairs(name, entry)
  for _, start in ipairs { "register", "address", "memory" } do
    local cycles = latency_number.most(list, start, "register")
    if cycles then return cycles, start end
  end
  if #list == 0 and is_cycles(entry.latency) then return entry.latency, "register" end
end

--- The longest way of a scheme to a result, addresses and memory included: what LLVM's latencies are.
-- @param name of the scheme
-- @param entry of a mapping
-- @return cycles; nil if nothing is known
function latency_number.longest(name, entry)
  local list, longest = latency_number.pairs(name, entry), nil
  for _, start in ipairs { "register", "address", "memory" } do
    local cycles = latency_number.most(list, start, "register")
    longest = cycles and math.max(longest or 0, cycles) or longest
  end
  return longest or (latency_number.of(name, entry))
end

return latency_number
