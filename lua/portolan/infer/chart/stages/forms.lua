--- Stage: forms of instructions that one scheme covers and the core treats apart.
--
-- An address may be computed with a factor, of three parts or from the instruction pointer, an instruction may work on the second byte of a
-- register or move it to itself, and a condition may be one of a logical instruction. Each form is timed beside its like, alone and, where that
-- can be, in a chain. Additions are timed that wait for each other, and as many that do not; floating-point ones in chains with
-- and without products.
-- docs/formats.md has what is written (`forms`).
-- @module portolan.infer.chart.stages.forms
local bodies = require "portolan.infer.chart.bodies"
local constants = require "portolan.infer.chart.constants"
local probes = require "portolan.processor.form_probes"

local names = { "plain", "relative", "scaled", "plain_chain", "scaled_chain", "low", "high", "low_chain", "high_chain", "compared", "logical",
  "summed", "summed_chain", "summed_index_chain", "summed_scaled", "summed_scaled_chain", "summed_scaled_index_chain",
  "itself", "itself_half", "awaited", "not_awaited", "sum_chain", "product_chain", "sums_of_products" }

-- Form -> its like, and the chains of both.
local pairs_of = { relative = { like = "plain" }, scaled = { like = "plain", chain = "scaled_chain", like_chain = "plain_chain" },
  summed = { like = "plain", chain = "summed_chain", like_chain = "plain_chain", index_chain = "summed_index_chain" },
  summed_scaled = { like = "plain", chain = "summed_scaled_chain", like_chain = "plain_chain", index_chain = "summed_scaled_index_chain" },
  high = { like = "low", chain = "high_chain", like_chain = "low_chain" },
  flags = { chain = "logical", like_chain = "compared" } }

local function slower(a, b) return a and b and a > constants.consistent_slower * b end

-- A number of cycles: the whole one, where one is near.
local function settled(x)
  local whole = math.floor(x + 0.5)
  return math.abs(x - whole) < constants.times_differ and whole or x
end

return function(survey)
  if not survey.processor.measure_bodies then return end
  survey:stage("forms")
  local jobs, cycles, found = {}, {}, {}
  for i, name in ipairs(names) do jobs[i] = { key = "probe: form " .. name:gsub("_", " "), kernels = probes[name] } end
  for i, time in ipairs(bodies.cycles(survey, jobs, bodies.middle)) do cycles[names[i]] = time end
  for form, p in pairs(pairs_of) do
    local entry = {}
    if p.like and slower(cycles[form], cycles[p.like]) then entry.cycles = settled(cycles[form]) end
    if p.chain and slower(cycles[p.chain], cycles[p.like_chain]) then entry.later = settled(cycles[p.chain] - cycles[p.like_chain]) end
    local by_index = p.index_chain and cycles[p.index_chain]
    if entry.later and by_index then
      local later = math.max(0, settled(by_index - cycles[p.like_chain]))
      if math.abs(later - entry.later) > constants.times_differ then entry.later_by_index = later end
    end
    if next(entry) then found[form] = entry end
  end
  local chain, itself = cycles.plain_chain, math.max(cycles.itself or math.huge, cycles.itself_half or math.huge)
  if chain and slower(chain, itself) then found.itself = { eliminated = true } end
  if slower(cycles.awaited, cycles.not_awaited) then found.awaited = { cycles = cycles.awaited / probes.additions } end
  local apart = cycles.sum_chain and cycles.product_chain and cycles.sum_chain + cycles.product_chain
  if slower(cycles.sums_of_products, apart) then found.sums = { later = settled(cycles.sums_of_products - apart) } end
  survey.forms = found
end
