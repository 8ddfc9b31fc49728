--- Inferences of ports that an earlier chart made from the same measurements: the solver needs seconds for what one loop after the other asks.
--
-- An outcome is one of its observations: where all of these are measured as they were then, it still holds. They are asked for all the same, so that
-- the survey has them as evidence, and a store answers.
-- @module portolan.infer.chart.kept_inference
local cegis = require "portolan.infer.cegis"
local core = require "portolan.core"
local hash = require "portolan.support.hash"
local json = require "portolan.support.json"
local lists = require "portolan.support.lists"

local kept_inference = {}

-- Ends that more time would not change, if all was measured.
local lasting = { unique = true, undecided = true, contradiction = true }

local rounding = 1e-9 -- a share: numbers that were written and read back

-- Returns the key of an inference: it stands for what is asked, and of what schemes, beside what is measured. How much readings vary is not in it: it
-- is found out anew each time, and never the same.
local function key_of(names, options)
  local asked = { names = names, version = core.version }
  for _, field in ipairs { "rmax", "domains", "port_counts", "improper", "most_ports", "epsilon", "reading", "seed", "certain", "carriers" } do
    asked[field] = options[field]
  end
  return "inference " .. hash.hex(assert(json.encode(asked)))
end

-- Does the processor answer as it did?
local function is_as_before(processor, outcome)
  local list = lists.map(outcome.observations, function(o) return o.experiment end)
  for i, result in ipairs(processor:measure(list, {})) do
    local before = outcome.observations[i].cycles
    if not result.cycles or math.abs(result.cycles - before) > rounding * before then return false end
  end
  return true
end

--- Infers ports, as `portolan.infer.cegis` does, or takes what was found before.
-- @param kept where outcomes are: `get(key)` -> outcome or nil, `put(key, outcome)`; nil: nowhere
-- @param processor as of `cegis.infer`
-- @param names as of `cegis.infer`
-- @param options as of `cegis.infer`
-- @return as of `cegis.infer`
function kept_inference.infer(kept, processor, names, options)
  if not kept then return cegis.infer(processor, names, options) end
  local key = key_of(names, options)
  local before = kept.get(key)
  if before and is_as_before(processor, before) then return before end
  local outcome, message = cegis.infer(processor, names, options)
  if outcome and lasting[outcome.status] and #outcome.failed == 0 then kept.put(key, outcome) end
  return outcome, message
end

return kept_inference
