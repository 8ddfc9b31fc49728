--- Probes of this machine's processor: its issue width, issue slots of schemes, chains of one scheme; methods of portolan.processor.hardware.
-- @module portolan.processor.hardware_probes
local answer = require "portolan.processor.answer"
local chain = require "portolan.experiment.chain"
local core = require "portolan.core"
local filler = require "portolan.processor.filler"
local lists = require "portolan.support.lists"
local loop_body = require "portolan.experiment.loop_body"
local probes = require "portolan.processor.probes"
local readings = require "portolan.measuring.slots"

local methods = {}

local near = 0.2 -- slots, by which paddings may be off a whole number to be enough

--- The rename width W: issue slots per cycle, measured with fillers alone.
-- @return slots per cycle (as measured, a little below a whole number); or nil and a message
function methods:issue_width()
  local chosen = filler.of(self)
  local padding = chosen.name
  local results, message = answer(self, { { key = "probe: " .. padding, kernels = function() return probes.fillers(padding, self.policy) end } })
  if not results then return nil, message end
  if results[1].status ~= "ok" then return nil, "the issue width cannot be measured: " .. results[1].status end
  return 1 / (chosen.per_slot * results[1].cycles)
end

-- Probes of schemes with some of the paddings that there are: list of jobs.
local function padded(self, schemes, width, from, to, indexed, policy)
  local jobs, chosen = {}, filler.of(self)
  local padding, per_slot = chosen.name, chosen.per_slot
  local kind = indexed and "probe of an index: " or "probe: "
  for i, s in ipairs(schemes) do
    local paddings = probes.paddings(s.cycles, math.floor(width + 0.5), per_slot)
    for k = from, math.min(to, #paddings) do
      local count = paddings[k]
      jobs[#jobs + 1] = { key = ("%s%s, %d %s"):format(kind, s.name, count, padding), slots = count / per_slot, of = i,
        kernels = function() return probes.padded(s.name, padding, count, policy, indexed) end }
    end
  end
  return jobs
end

-- Do two paddings show the same whole number, or one what is expected? What begins a rename group shows more slots where a padding does not fill its
-- groups.
local function are_enough(counts, expected)
  local number = #counts == 1 and expected or #counts == 2 and readings.nearest(counts[1].count)
  return number and lists.all(counts, function(c) return readings.is_near(c.count, near) and readings.nearest(c.count) == number end)
end

--- Issue slots per instance, by padding with fillers until the rename width W binds: slots = W * cycles - fillers
-- (docs/measuring.md). Two paddings that show the same whole number are enough, or one that shows what is expected; otherwise all are asked.
-- @param schemes list of `{ name = scheme, cycles = its inverse throughput, expected = (slots, a whole number, or nil) }`
-- @param width W, as measured
-- @tparam[opt] table options
-- @tparam[opt] func options.progress function(done, total[, note])
-- @tparam[opt=0] number options.noise standard deviation of a reading, as a share of it
-- @tparam[opt] boolean options.indexed with an index register in every address
-- @return list of numbers, nil (false) where it could not be measured; or nil and a message
function methods:issue_slots(schemes, width, options)
  local indexed, policy, fault = options and options.indexed or false, self.policy, nil
  if indexed then policy, fault = core.isa.policy(loop_body.reserving(self.declared, probes.index.register)) end
  if not policy then return nil, fault end
  local counts = lists.map(schemes, function() return {} end)
  local function ask(some, places, from, to)
    local jobs = padded(self, some, width, from, to, indexed, policy)
    local results, message = answer(self, jobs, options)
    for k, result in ipairs(results or {}) do
      local job = jobs[k]
      local probe = result.status == "ok" and width * result.cycles
      local breakers = self:breakers(some[job.of].name)
      if probe then table.insert(counts[places[job.of]], { count = probe - job.slots - breakers, probe = probe }) end
    end
    return results, message
  end
  local open = lists.keys(schemes)
  for _, places in ipairs { { 1, 1 }, { 2, 2 }, { 3, math.huge } } do
    local ok, message = ask(lists.map(open, function(i) return schemes[i] end), open, places[1], places[2])
    if not ok then return nil, message end
    open = lists.where(open, function(i) return not are_enough(counts[i], schemes[i].expected) end)
  end
  return lists.map(counts, function(list) return readings.of_paddings(list, options and options.noise) or false end)
end

--- Latency of a chain of a scheme with itself: below one cycle, no port executes it.
-- @param names list of schemes
-- @return list of cycles per instance, false where there is no such chain or it could not be measured; or nil and a message
function methods:chain_latency(names)
  local jobs, place = {}, {}
  for _, name in ipairs(names) do
    local links = chain.of_itself(name)
    if links then
      jobs[#jobs + 1] = { key = "chain: " .. chain.key(links), kernels = function() return self:chain_kernels(links) end }
      place[name] = #jobs
    end
  end
  local results, message = answer(self, jobs)
  if not results then return nil, message end
  return lists.map(names, function(name)
    local result = results[place[name]]
    return result ~= nil and result.status == "ok" and result.cycles
  end)
end

return methods
