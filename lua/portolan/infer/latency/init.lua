--- Latencies of a whole instruction set, from the times of chains alone (docs/inference.md, "Latencies").
--
-- All chains together are a linear system in unknown latencies, of pairs of places of a scheme (portolan.scheme.place). Connectors, few and in every
-- chain between files, are solved jointly (`core`); then each pair by itself, beside them. What only sums determine is reported as an interval, with
-- one choice for all.
-- @module portolan.infer.latency
local core = require "portolan.infer.latency.core"
local cost = require "portolan.infer.latency.cost"
local clock = require("portolan.core").base
local flags = require "portolan.infer.latency.flags"
local isa = require "portolan.scheme.isa"
local lists = require "portolan.support.lists"
local meter = require "portolan.infer.latency.meter"
local network = require "portolan.infer.latency.network"
local outcome = require "portolan.infer.latency.outcome"
local refine = require "portolan.infer.latency.refine"
local mapping = require "portolan.mapping"
local record = require "portolan.support.record"
local stop = require "portolan.infer.stop"

local latency = {}

-- Holds what the inference knows, filled step by step; each field names the file that writes it.
local new_state = record.kind("latencies' state", {
  mapping = "table whose schemes are looked at; init",
  names = "of the schemes, in order; init",
  cost = "what instances need without waiting (portolan.infer.latency.cost); init",
  meter = "portolan.infer.latency.meter; init",
  network = "portolan.infer.latency.network; init",
  progress = "function(stage, done, total, note); init",
  began = "clock at the start, in seconds; init",
  deadline = "clock after which nothing is measured, in seconds; nil: none; init",
  pairs = "list of pairs of places (portolan.infer.latency.pairs); pairs",
  flags = "flag -> the flag that is measured for it; flags",
  system = "sums of connectors (portolan.infer.latency.system); core",
  gauge = "unknown of a connector -> the cycles that it is given; core",
  ranges = "sum of connectors, as text -> { least, greatest }, in cycles; core",
  rounds = "key of a chain -> round, all that were asked for; rounds",
  broken = "rounds of connectors that contradict the others, a list; core",
  kinds = "kinds of values that pairs have, a set; pairs",
  domains = "list of domains that vector registers have delays of; init",
  unfinished = "step that was not finished, its name; nil: all were; init",
  failure = "why it ended early, a sentence; nil: it did not, or the user wished it; init",
})

-- Domains by kind of registers.
local function domains_of(net)
  local of = {}
  for _, d in ipairs(net.delays) do
    if d.domain then
      lists.into(of, d.kind, d.domain)
    end
  end
  return of
end

local function works_on_x87(name)
  local scheme = isa.scheme(name)
  return scheme ~= nil and lists.any(scheme.operands, function(o) return o.class == "x87" end)
end

-- The connectors that can be used: those of the mapping, and those that can be measured alone. Those of the x87 stack lead nowhere but there, and
-- are left out if no scheme that is asked for works on it.
local function connectors(processor, costs, architecture, wanted)
  local x87 = lists.any(wanted, works_on_x87)
  local every, why = network.new(function(name) return x87 or not works_on_x87(name) end, architecture)
  if not every then return nil, why end
  local names = {}
  for _, list in ipairs { every.connectors, every.delays } do
    for _, c in ipairs(list) do names[#names + 1] = c.scheme end
  end
  local ok, message = costs:measure(processor, names)
  if not ok then return nil, message end
  return network.new(function(name) return (x87 or not works_on_x87(name)) and costs:of_one(name) ~= nil end, architecture)
end

-- Runs the steps; those that a stop cut off are missing.
local function steps(s)
  local function step(name, f)
    s.unfinished = name
    s.progress(name, 0)
    f(s)
  end
  step("connectors", function()
    s.meter:prepare(s.network.delays)
    core.run(s)
  end)
  step("flags", flags.run)
  step("chains", refine.first)
  step("longer chains", refine.longer)
  step("contradictions", refine.contradictions)
  step("intervals", refine.intervals)
  step("other inputs", refine.other)
  step("second readings", refine.confirm)
  s.unfinished = nil
end

--- Infers latencies.
-- @param processor with `measure_chains` and `measure`
-- @param m mapping table: what instances need otherwise
-- @tparam[opt] table options
-- @tparam[opt] {string,...} options.schemes names; by default all of the mapping that can be measured
-- @tparam[opt] number options.noise relative standard deviation of readings; found out where it is not given
-- @tparam[opt] number options.budget seconds
-- @tparam[opt] number options.deadline clock
-- @tparam[opt] func options.progress function(stage, done, total, note)
-- @return outcome (portolan.infer.latency.outcome); or nil and a message
function latency.infer(processor, m, options)
  options = options or {}
  if not processor.measure_chains then return nil, "this processor measures no chains" end
  local costs, message = cost.of(m)
  if not costs then return nil, message end
  local net
  local wanted = options.schemes or outcome.schemes(m)
  net, message = connectors(processor, costs, mapping.architecture(m), wanted)
  if not net then return nil, message end
  if #net.delays == 0 then return nil, "nothing can be chained: none of the schemes that gauge chains can be measured" end
  local began, progress, name = clock.now(), options.progress or function() end, nil
  local s = new_state {
    mapping = m, names = wanted, cost = costs, network = net, domains = domains_of(net), rounds = {}, pairs = {},
    flags = {}, broken = {}, began = began, deadline = options.deadline or options.budget and began + options.budget or nil,
    progress = function(step, ...)
      name = step
      progress(step, ...)
    end,
  }
  s.meter = meter.new(processor, function(links, cuts) return costs:needs(links, cuts) end, { noise = options.noise, deadline = s.deadline,
    progress = function(...) progress(name, ...) end })
  s.failure = select(2, stop.guard(steps, s))
  return outcome.of(s)
end

return latency
