--- Measures the chains behind latencies again: do they take as long as they did?
-- @module portolan.infer.recheck_latencies
local chain = require "portolan.experiment.chain"
local lists = require "portolan.support.lists"

local recheck_latencies = {}

-- A chain's time may differ by so much and say the same: a whole cycle in a latency is more than that, unless the chain is long.
local share, cycles = 0.02, 0.3

local function agrees(recorded, now) return math.abs(now - recorded) <= math.max(cycles, share * recorded) end

-- The chains of schemes as claims, and each chain once.
local function collect(m, schemes)
  local list, place = {}, {}
  for _, scheme in ipairs(schemes) do
    scheme.chains = {}
    for _, entry in ipairs(m.schemes[scheme.scheme].latencies or {}) do
      for _, w in ipairs(entry.witnesses or {}) do
        local links = assert(chain.parse(w.chain))
        local key = chain.key(links)
        if not place[key] then list[#list + 1], place[key] = links, #list + 1 end
        table.insert(scheme.chains, { chain = w.chain, recorded = w.cycles, at = place[key] })
      end
    end
  end
  return list
end

-- A chain's time now; of one that takes now more, now less, the time nearest to what was recorded.
local function time_of(result, recorded)
  if result.status == "ok" then return result.cycles end
  if result.unsteady and result.range then return math.max(result.range.low, math.min(result.range.high, recorded)) end
end

local function judge(claim, result)
  claim.now = time_of(result, claim.recorded)
  if not claim.now then claim.verdict, claim.why = "could not be measured", result.message or result.status
  elseif agrees(claim.recorded, claim.now) then claim.verdict, claim.why = "confirmed", nil
  else claim.verdict, claim.why = "not confirmed", claim.now < claim.recorded and "faster than recorded" or "slower than recorded" end
end

-- Judges all claims; the chains that do not agree.
local function judge_all(schemes, list, results)
  local doubtful, seen = {}, {}
  for _, scheme in ipairs(schemes) do
    for _, claim in ipairs(scheme.chains) do
      judge(claim, results[claim.at])
      if claim.verdict ~= "confirmed" and not seen[claim.at] then doubtful[#doubtful + 1], seen[claim.at] = claim.at, true end
    end
  end
  local chains = lists.map(doubtful, function(at) return list[at] end)
  return chains, doubtful
end

--- Measures the chains of schemes, and again those that do not agree.
-- @param processor any; one that measures no chains is not asked
-- @param m mapping table
-- @param schemes list of `{ scheme = name }`, which get `chains`: `{ chain =, recorded =, now =, verdict =, why = }`, cycles a round
-- @tparam[opt] table options
-- @tparam[opt=false] boolean options.again measure even what the processor's store has
-- @tparam[opt] func options.progress function(done, total, note)
-- @return number of chains; or nil and a message
function recheck_latencies.run(processor, m, schemes, options)
  if not processor.measure_chains then return 0 end
  local list = collect(m, schemes)
  if #list == 0 then return 0 end
  local results, message = processor:measure_chains(list, { again = options.again, progress = options.progress })
  if not results then return nil, message end
  local chains, places = judge_all(schemes, list, results)
  if #chains > 0 then
    local again, trouble = processor:measure_chains(chains, { again = true, progress = options.progress })
    if not again then return nil, trouble end
    for i, at in ipairs(places) do results[at] = again[i] end
    judge_all(schemes, list, results)
  end
  return #list
end

return recheck_latencies
