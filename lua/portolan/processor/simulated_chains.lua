--- Chains on a simulated processor: the latencies of its mapping, unless its ports take longer.
--
-- Schemes of the mapping have `latencies` (docs/formats.md). A chain that this machine's code could not be made of is refused here as well.
-- `methods` are those of portolan.processor.simulated that measure them.
-- @module portolan.processor.simulated_chains
local architectures = require "portolan.support.architectures"
local chain = require "portolan.experiment.chain"
local core = require "portolan.core"
local experiment = require "portolan.experiment"
local isa = require "portolan.scheme.isa"
local lists = require "portolan.support.lists"
local loop_body = require "portolan.experiment.loop_body"
local misfits = require "portolan.processor.simulated_misfits"
local place = require "portolan.scheme.place"

local methods = {}
local simulated_chains = { methods = methods }

local rounds = 2 -- the shortest code that shows what cuts dependencies

local policies = {} -- declared ones, by architecture

local function policy_of(architecture)
  policies[architecture] = policies[architecture] or assert(loop_body.declared(architecture))
  return policies[architecture]
end

-- The longest latency to where a link leads, from all registers of the carrier's file: they all are the carrier.
local function longest(list, link)
  local most, file = 0, place.parse(link.from, link.scheme).file
  for _, entry in ipairs(list) do
    local from = entry.to == link.to and place.parse(entry.from, link.scheme)
    if from and from.kind == "register" and from.file == file then most = math.max(most, entry.cycles) end
  end
  return most
end

-- The latency of a link; nil and a message if the mapping does not say it.
local function latency_of(schemes, link, other)
  local list = (schemes[link.scheme] or {}).latencies or {}
  for _, entry in ipairs(list) do
    if entry.from == link.from and entry.to == link.to then
      if link.same then return entry.same or longest(list, link) end
      return other and entry.other or entry.cycles
    end
  end
  return nil, ("the mapping does not say how long %s takes from %s to %s"):format(link.scheme, link.from, link.to)
end

-- The instances of a round of which the mapping knows the ports.
local function instances(schemes, links, cuts)
  local known = {}
  for name, count in pairs(cuts) do known[name] = schemes[name] and count or nil end
  return chain.experiment(links, known)
end

--- The true time of a round, and what it is made of.
-- @param schemes of the mapping
-- @param links list
-- @param throughput function(experiment) -> cycles; or nil and a message
-- @param[opt] other true: with other values in the registers
-- @return `{ cycles =, cuts =, together =, e = the instances, failure = result, if it cannot run }`; or nil and why it cannot be measured
function simulated_chains.round(schemes, links, throughput, other)
  local fault = chain.fault(links)
  if fault then return nil, fault end
  local architecture, mixed = isa.architecture(lists.map(links, function(link) return link.scheme end))
  if mixed then return nil, mixed end
  local body, message = loop_body.of_chain(links, policy_of(architecture or architectures.default()), rounds)
  if not body then return nil, message end
  local sum = 0
  for _, link in ipairs(links) do
    local cycles, trouble = latency_of(schemes, link, other)
    if not cycles then return nil, trouble end
    sum = sum + cycles
  end
  local e = instances(schemes, links, body.cuts)
  local bound, why = throughput(e)
  if not bound then return nil, why end
  return { cycles = math.max(sum, bound), cuts = next(body.cuts) and body.cuts, together = body.together, e = e,
    failure = misfits.failure(schemes, e) }
end

-- One reading of a chain; or nil and why it cannot be had.
local function read_chain(self, links, key, other)
  local round, why = simulated_chains.round(self.schemes, links, function(e) return self:cycles(e, other) end, other)
  if not round then return nil, why end
  if round.failure then return round.failure end
  local scale = self.noise.unit == "cpi" and experiment.length(round.e) or round.cycles
  return { cycles = self:disturb(key, round.cycles, scale), status = "ok", n = 1, rejected = 0, spread = 0, cuts = round.cuts,
    together = round.together }
end

-- Chains as questions to the session: a first reading tells whether there is one.
local function chain_jobs(self, list, other)
  return lists.map(list, function(links)
    local job = { key = "chain: " .. chain.key(links) .. (other and " @other inputs" or "") }
    function job.kernels()
      local ok, why = simulated_chains.round(self.schemes, links, function(e) return self:cycles(e, other) end, other)
      if not ok then return nil, why end
      return { { read = function() return read_chain(self, links, job.key, other) end } }
    end
    return job
  end)
end

--- Measures chains (portolan.experiment.chain): cycles of a round, by the `latencies` of the mapping's schemes, or by its ports if these take longer.
-- @param list chains
-- @tparam[opt] table options as of `measure`
-- @tparam[opt] boolean options.other_inputs with other values in the registers
-- @return list of results, with `cuts` as hardware's have them; the status is "unsupported" where the mapping does not say a latency
function methods:measure_chains(list, options)
  local other, results = options and options.other_inputs or false, {}
  self.measured = self.measured + #list
  local jobs = chain_jobs(self, list, other)
  if self.session then return self.session:answer_jobs(jobs, options) end
  for i, job in ipairs(jobs) do
    local kernels, why = job.kernels()
    results[i] = core.base.interrupted() and { status = "interrupted" } or kernels and kernels[1].read()
      or { status = "unsupported", message = why }
    if options and options.progress then options.progress(i, #list) end
  end
  return results
end

return simulated_chains
