--- A chart of what is asked for, and of no more: the schemes of a loop, beside those that their ports are told by (arch/ARCHITECTURE/sets/base.lua).
--
-- What is measured stays in the store, so that the next question, which has most of the schemes in common, asks for the rest alone.
-- @module portolan.loop.on_demand
local chart = require "portolan.infer.chart"
local isa = require "portolan.scheme.isa"
local lists = require "portolan.support.lists"
local memory_use = require "portolan.scheme.memory_use"
local scheme_set = require "portolan.scheme.set"
local stand_ins = require "portolan.mapping.stand_ins"

local on_demand = {}

-- Rules of exclusions that do not hold where few schemes are charted: branches and what moves the stack pointer are measured beside others.
local kept_apart = { "branches", "stack", "sse" }

local function has(scheme, class)
  return lists.any(scheme and scheme.operands or {}, function(operand) return operand.class == class end)
end

local function is_legacy_vector(scheme) return has(scheme, "xmm") and scheme.encoding == "legacy" end

local function loads_less(name) return memory_use(name).reads and isa.vector_bits(name) < 512 end

--- The set beside which schemes are charted: legacy SSE is slow, or waits, beside AVX; where vectors have 64 bytes, and nothing loads less, these are
-- charted beside such vectors alone.
-- @param names of schemes
-- @return name of a set
function on_demand.base(names)
  if lists.any(names, function(name) return is_legacy_vector(isa.scheme(name)) end) then return "base-sse" end
  local wide = lists.any(names, function(name) return isa.vector_bits(name) == 512 end)
  return wide and not lists.any(names, loads_less) and "base-512" or "base"
end

--- Are some vector schemes legacy SSE, and others not?
-- @param names of schemes
-- @treturn boolean
function on_demand.is_mixed(names)
  local function is_newer(name)
    local scheme = isa.scheme(name)
    return scheme and scheme.encoding ~= "legacy" and (has(scheme, "xmm") or has(scheme, "ymm") or has(scheme, "zmm"))
  end
  return on_demand.base(names) == "base-sse" and lists.any(names, is_newer)
end

-- A test whether a scheme of an architecture may be measured. What an exclusion says of it may be a matter of what it stands beside.
local function chartable(architecture)
  local rules = lists.map(kept_apart, function(apart) return assert(isa.exclusions(nil, apart, architecture)) end)
  return function(scheme)
    return scheme ~= nil and lists.any(rules, function(exclusions) return not isa.exclusion(scheme, exclusions) end)
  end
end

--- Lists the schemes of some that a chart of its own could tell of, and a mapping does not.
-- @param m mapping, or nil
-- @param names of schemes
-- @return sorted list of those that were not measured and can be
function on_demand.lacking(m, names)
  local there = lists.set(m and {} or scheme_set.names(assert(scheme_set.load(on_demand.base(names)))))
  local function knows(name) return there[name] or m ~= nil and m.schemes[name] ~= nil end
  local can_be_charted = chartable(isa.architecture(names))
  local list = lists.where(lists.distinct(names), function(name)
    return not knows(name) and not stand_ins.of(name, knows) and not stand_ins.parts(name, knows) and can_be_charted(isa.scheme(name))
  end)
  table.sort(list)
  return list
end

--- The set to chart.
-- @param base name of a set
-- @param names of further schemes
-- @return as of `scheme_set.load`; or nil and a message
function on_demand.set(base, names)
  local groups, message = scheme_set.load(base)
  if not groups then return nil, message end
  local there = lists.set(scheme_set.names(groups))
  local further = lists.where(names, function(name) return not there[name] end)
  if #further > 0 then groups[#groups + 1] = { name = "Asked for", schemes = further } end
  return groups
end

--- Charts.
-- @param processor as of `chart.run`
-- @param set of `set`
-- @param options `budget`, `progress`, `kept`, `tried`, `command` as of `chart.run`
-- @return chart
function on_demand.chart(processor, set, options)
  return chart.run(processor, set, { evaluate = 0, latencies = true, budget = options.budget, progress = options.progress,
    kept = options.kept, tried = options.tried, command = options.command })
end

return on_demand
