--- Probes of this machine's processor: its issue width, issue slots of schemes, chains of one scheme; methods of portolan.processor.hardware.
-- @module portolan.processor.hardware_probes
local answer = require "portolan.processor.answer"
local core = require "portolan.core"
local filler = require "portolan.processor.filler"
local lists = require "portolan.support.lists"
local loop_body = require "portolan.loop_body"
local probes = require "portolan.processor.probes"
local readings = require "portolan.measuring.slots"

local methods = {}

--- The rename width W: issue slots per cycle, measured with fillers alone.
-- @return slots per cycle (as measured, a little below a whole number); or nil and a message
function methods:issue_width()
  local padding = filler.of(self).name
  local results, message = answer(self, { { key = "probe: " .. padding, kernels = function() return probes.fillers(padding, self.policy) end } })
  if not results then return nil, message end
  if results[1].status ~= "ok" then return nil, "the issue width cannot be measured: " .. results[1].status end
  return 1 / results[1].cycles
end

--- Issue slots per instance, by padding with fillers until the rename width W binds: slots = W * cycles - fillers
-- (docs/measuring.md).
-- @param schemes list of `{ name = scheme, cycles = its inverse throughput }`
-- @param width W, as measured
-- @tparam[opt] table options
-- @tparam[opt] func options.progress function(done, total[, note])
-- @tparam[opt=0] number options.noise standard deviation of a reading, as a share of it
-- @tparam[opt] boolean options.indexed with an index register in every address
-- @return list of numbers, nil (false) where it could not be measured; or nil and a message
function methods:issue_slots(schemes, width, options)
  local jobs, indexed = {}, options and options.indexed or false
  local policy, fault = self.policy, nil
  if indexed then policy, fault = core.isa.policy(loop_body.reserving(self.declared, probes.index.register)) end
  if not policy then return nil, fault end
  local padding = filler.of(self).name
  local kind = indexed and "probe of an index: " or "probe: "
  for i, s in ipairs(schemes) do
    for _, count in ipairs(probes.paddings(s.cycles, math.floor(width + 0.5))) do
      jobs[#jobs + 1] = { key = ("%s%s, %d %s"):format(kind, s.name, count, padding), fillers = count, of = i,
        kernels = function() return probes.padded(s.name, padding, count, policy, indexed) end }
    end
  end
  local results, message = answer(self, jobs, options)
  if not results then return nil, message end
  local counts = {}
  for i in ipairs(schemes) do counts[i] = {} end
  for k, result in ipairs(results) do
    local job = jobs[k]
    local probe = result.status == "ok" and width * result.cycles
    if probe then table.insert(counts[job.of], { count = probe - job.fillers - self:breakers(schemes[job.of].name), probe = probe }) end
  end
  return lists.map(counts, function(list) return readings.of_paddings(list, options and options.noise) or false end)
end

--- Latency of a chain of dependent instances: below one cycle, no port executes them.
-- @param names list of schemes
-- @return list of cycles per instance, false where there is no such chain or it could not be measured; or nil and a message
function methods:chain_latency(names)
  local jobs = {}
  for i, name in ipairs(names) do
    jobs[i] = { key = "probe: chain of " .. name, kernels = function() return probes.chain(name) end }
  end
  local results, message = answer(self, jobs)
  if not results then return nil, message end
  local latencies = {}
  for i, result in ipairs(results) do latencies[i] = result.status == "ok" and result.cycles end
  return latencies
end

return methods
