--- This module computes which part of a block's uops each port executes: a spread of all uops that gives the ports the loads of the prediction.
--
-- The loads are those of the most even optimal schedule, and there are many ways to spread uops that give them. This one treats uops of the same
-- ports alike, and is otherwise the most even one: from an even spread rows and columns are scaled in turn until both sums fit (iterative
-- proportional fitting, Deming and Stephan 1940).
-- @module portolan.report.prediction.shares
local block_words = require "portolan.report.block_words"
local lists = require "portolan.support.lists"

local shares = {}

local rounds = 2000
local enough = 1e-7 -- cycles by which sums may be off; pictures show two decimals

-- Kinds of uops: sets of ports, with how many uops an iteration has of them.
local function kinds_of(p)
  local kinds, of_key = {}, {}
  for _, instruction in ipairs(p.instructions) do
    for _, uop in ipairs(instruction.uops or {}) do
      local key = table.concat(uop[1], " ")
      if not of_key[key] and #uop[1] > 0 then
        of_key[key] = { ports = uop[1], count = 0, key = key, part = {} }
        kinds[#kinds + 1] = of_key[key]
      end
      if of_key[key] then of_key[key].count = of_key[key].count + uop[2] end
    end
  end
  table.sort(kinds, function(a, b) return a.key < b.key end)
  return kinds, of_key
end

local function spread_evenly(kinds)
  for _, kind in ipairs(kinds) do
    for _, port in ipairs(kind.ports) do kind.part[port] = kind.count / #kind.ports end
  end
end

-- Scales every port's parts to its load; the largest difference that there was.
local function fit_ports(kinds, load, ports)
  local worst = 0
  for _, port in ipairs(ports) do
    local sum = lists.sum(kinds, function(kind) return kind.part[port] or 0 end)
    worst = math.max(worst, math.abs(sum - (load[port] or 0)))
    for _, kind in ipairs(sum > 0 and kinds or {}) do
      if kind.part[port] then kind.part[port] = kind.part[port] * (load[port] or 0) / sum end
    end
  end
  return worst
end

local function fit_kinds(kinds)
  for _, kind in ipairs(kinds) do
    local sum = lists.sum(kind.ports, function(port) return kind.part[port] end)
    for _, port in ipairs(sum > 0 and kind.ports or {}) do kind.part[port] = kind.part[port] * kind.count / sum end
  end
end

--- The uops of each instruction by port.
-- @param p prediction of a block, with `instructions` and `load`
-- @param ports names of all ports
-- @treturn table list by instruction: port -> uops per iteration, nil where it has none. Of two instructions that are one uop the first has them.
function shares.of(p, ports)
  local kinds, of_key = kinds_of(p)
  spread_evenly(kinds)
  for _ = 1, rounds do
    local off = fit_ports(kinds, p.load, ports)
    fit_kinds(kinds)
    if off < enough then break end
  end
  local list = {}
  for i, instruction in ipairs(p.instructions) do
    list[i] = {}
    for _, uop in ipairs(not instruction.fused and block_words.uops(p, i) or {}) do
      local kind = of_key[table.concat(uop[1], " ")]
      for _, port in ipairs(uop[1]) do list[i][port] = (list[i][port] or 0) + kind.part[port] * uop[2] / kind.count end
    end
  end
  return list
end

return shares
