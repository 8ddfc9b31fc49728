-- Simulated cores that disturb their answers, and what counts as a right answer: for noise_spec.lua and tests/bench/noise.lua.
local cegis = require "portolan.infer.cegis"
local core = require "portolan.core"
local mappings = require "portolan.mapping"
local random_mapping = require "support.random_mapping"
local simulated = require "portolan.processor.simulated"

local protocol = {}

-- Port sets of single uops as a Golden Cove has them, R_max 6 on 12 ports; all but lea, which makes them sixteen.
local golden_cove = { imul = "1", vpermd = "5", vmovmskps = "0", jmp = "6", shl = "06", vaddpd = "15", vmulpd = "01", vandpd_zmm = "05",
  blsr = "15B", vpaddd = "015", lea = "156B", add = "0156B", load = "23A", load_zmm = "23", store_data = "49", store_address = "78" }

local function shuffled(list, rng)
  list = table.move(list, 1, #list, 1, {})
  rng:shuffle(list)
  return list
end

--- The core, its ports in a random order (greedy binders prefer the first); and its schemes in a random order.
function protocol.golden_cove(seed)
  local rng, ports = core.base.rng(seed), {}
  for port in ("0123456789AB"):gmatch(".") do ports[#ports + 1] = port end
  local truth = { format = "portolan-mapping", version = 1, processor = { name = "golden cove" }, ports = shuffled(ports, rng), rmax = 6,
    schemes = {} }
  for name, on in pairs(golden_cove) do
    local list = {}
    for port in on:gmatch(".") do list[#list + 1] = port end
    truth.schemes[name] = { uops = { { list, 1 } }, status = "explained" }
  end
  return truth, shuffled(mappings.schemes(truth), rng)
end

--- A random core.
function protocol.random(seed, ports, schemes)
  local truth = random_mapping.two_level { seed = seed, ports = ports, schemes = schemes }
  return truth, shuffled(mappings.schemes(truth), core.base.rng(seed))
end

function protocol.counts(truth)
  local counts = {}
  for name, scheme in pairs(truth.schemes) do counts[name] = #scheme.uops[1][1] end
  return counts
end

local function shared(mapping, a, b)
  local on, n = {}, 0
  for _, port in ipairs(mapping.schemes[a].uops[1][1]) do on[port] = true end
  for _, port in ipairs(mapping.schemes[b].uops[1][1]) do n = n + (on[port] and 1 or 0) end
  return n
end

-- Port counts and overlaps that are neither as in the truth nor stated as open, in words.
function protocol.wrong(truth, outcome)
  local open, wrong, names = {}, {}, mappings.schemes(truth)
  for _, point in ipairs(outcome.open) do
    local b = point.b or point.a
    open[point.a .. "|" .. b], open[b .. "|" .. point.a] = true, true
  end
  for i, a in ipairs(names) do
    for j = 1, i do
      local b = names[j]
      local is, found = shared(truth, a, b), shared(outcome.mapping, a, b)
      if is ~= found and not open[a .. "|" .. b] then wrong[#wrong + 1] = ("%s|%s %d for %d"):format(a, b, found, is) end
    end
  end
  return wrong
end

--- "equal" up to port names; "open": not to be told from the truth, and it differs in what is stated as open; "wrong"; or how it ended.
function protocol.verdict(truth, outcome)
  if outcome.status ~= "unique" then return outcome.status end
  local relation = assert(core.model.compare(core.model.mapping(truth), core.model.mapping(outcome.mapping), { epsilon = outcome.epsilon }))
  if relation.equal then return "equal" end
  local wrong = protocol.wrong(truth, outcome)
  if #wrong > 0 then return "wrong", table.concat(wrong, "; ") end
  if relation.distinguishable then return "wrong", "an experiment tells it from the truth" end
  return "open"
end

--- Infers; `options` of cegis.infer, `noise`, `binder` and `seed` of the simulated processor.
function protocol.run(truth, names, processor, options)
  processor.mapping = truth
  return assert(cegis.infer(assert(simulated.new(processor)), names, options))
end

return protocol
