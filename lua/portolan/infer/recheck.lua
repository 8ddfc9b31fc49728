--- Measures the witnesses of schemes again: do they still say what a mapping claims?
--
-- A scheme's claims are its witnesses, and what it takes alone. Readings are compared with what is expected, not with what was
-- recorded, within `portolan.experiment.witness`'s tolerance; a witness that contradicts is confirmed if it contradicts again. What disagrees, or
-- came out unstable, is measured anew before it is believed.
-- @module portolan.infer.recheck
local argument = require "portolan.argument"
local experiment = require "portolan.experiment"
local lists = require "portolan.support.lists"
local recheck_latencies = require "portolan.infer.recheck_latencies"
local witness = require "portolan.experiment.witness"

local recheck = {}

-- A witness that contradicts is off what is expected, and has to be so again; or it fits by itself, and contradicts with others.
local function contradiction(r, cycles)
  if not r.expected and not r.cycles then return "could not be measured", "nothing is recorded to compare with" end
  if not r.expected then
    local again = witness.compare(cycles, r.cycles, r.length, r.kind, r.slow)
    return again == "agrees" and "confirmed" or "not confirmed", again ~= "agrees" and again .. " than recorded" or nil
  end
  local before = r.cycles and witness.compare(r.cycles, r.expected, r.length, r.kind, r.slow)
  local now = witness.compare(cycles, r.expected, r.length, r.kind, r.slow)
  if now == before or not before and now ~= "agrees" then return "confirmed" end
  return "not confirmed", now == "agrees" and "now it takes what is expected" or now .. " than expected"
end

--- The verdict on one claim.
-- @param r reading of `portolan.argument`
-- @param result of a processor
-- @return "confirmed", "not confirmed" or "could not be measured"; why, if not confirmed
function recheck.judge(r, result)
  if result.status ~= "ok" then return "could not be measured", result.message or result.status end
  if r.role == "contradicts" then return contradiction(r, result.cycles) end
  local expected = r.expected or r.cycles
  if not expected then return "could not be measured", "nothing is recorded to compare with" end
  local slow = r.kind == "balanced" and math.max(r.slow or 0, r.cycles or 0) or r.slow
  local agrees = witness.compare(result.cycles, expected, r.length, r.kind, slow)
  if agrees ~= "agrees" then return "not confirmed", agrees .. " than expected" end
  if r.doubt then return "not confirmed", r.doubt end
  return "confirmed"
end

-- The verdict on a scheme: as good as the worst of its claims, and of its latencies' chains.
local function overall(claims, chains)
  local verdict = #claims + #chains > 0 and "confirmed" or "could not be measured"
  for _, list in ipairs { claims, chains } do
    for _, claim in ipairs(list) do
      if claim.verdict == "not confirmed" then return claim.verdict end
      if claim.verdict ~= "confirmed" then verdict = claim.verdict end
    end
  end
  return verdict
end

-- Measures experiments, each once; what `again` holds anew. Results by key, added to `results`.
local function measure(processor, list, results, again, progress)
  if #list == 0 then return true end
  local answers, message = processor:measure(list, { again = again, progress = progress })
  if not answers then return nil, message end
  for i, e in ipairs(list) do results[experiment.key(e)] = answers[i] end
  return true
end

local function judge_all(schemes, results)
  local doubtful, seen = {}, {}
  for _, scheme in ipairs(schemes) do
    for _, claim in ipairs(scheme.claims) do
      local key = experiment.key(claim.experiment)
      local result = results[key]
      claim.now = result.status == "ok" and result.cycles or nil
      claim.verdict, claim.why = recheck.judge(claim, result)
      local disagrees = claim.verdict == "not confirmed" or result.status == "unstable"
      if disagrees and not seen[key] then doubtful[#doubtful + 1] = claim.experiment end
      seen[key] = seen[key] or disagrees
    end
    scheme.verdict = overall(scheme.claims, scheme.chains or {})
  end
  return doubtful
end

--- Measures the claims of schemes again.
-- @param processor that answers experiments
-- @param m mapping table
-- @param compiled the same by ports and issue slots alone (portolan.mapping.compile_ports)
-- @param names schemes of it
-- @tparam[opt] table options
-- @tparam[opt=false] boolean options.again measure even what the processor's store has
-- @tparam[opt] func options.progress function(done, total, note)
-- @return `{ schemes = { { scheme =, status =, verdict =, claims = { readings with now =, verdict =, why = }, chains = (those of its
-- latencies, portolan.infer.recheck_latencies) } }, experiments = (how many different ones), repeated = (of these measured anew), chains = (how many
-- different ones) }`; or nil and a message
function recheck.run(processor, m, compiled, names, options)
  options = options or {}
  local schemes, list, results = {}, {}, {}
  for i, name in ipairs(names) do
    schemes[i] = { scheme = name, status = m.schemes[name].status, claims = argument.readings(m, compiled, name) }
    for _, claim in ipairs(schemes[i].claims) do list[#list + 1] = claim.experiment end
  end
  list = lists.distinct(list, experiment.key)
  local ok, message = measure(processor, list, results, options.again, options.progress)
  if not ok then return nil, message end
  local doubtful = judge_all(schemes, results)
  ok, message = measure(processor, doubtful, results, true, options.progress)
  if not ok then return nil, message end
  local chains, trouble = recheck_latencies.run(processor, m, schemes, options)
  if not chains then return nil, trouble end
  judge_all(schemes, results)
  return { schemes = schemes, experiments = #list, repeated = #doubtful, chains = chains }
end

return recheck
