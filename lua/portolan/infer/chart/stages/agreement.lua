--- Stage: is what explains a scheme seen again? Every experiment that a claim rests on is measured once more (dissertation section 6.3.5 runs
-- its last stage three times and believes two).
--
-- What differs is measured a third time; what then differs from the first reading makes a scheme unstable. Code may have two rates by itself, as
-- the same uops are bound to ports now in one way, now in another: where the fast one is what the claim says, a somewhat slower one agrees. Not
-- so with floods, where a few percent are a uop: their proofs say nothing of what is expected.
-- @module portolan.infer.chart.stages.agreement
local constants = require "portolan.infer.chart.constants"
local experiment = require "portolan.experiment"
local policy = require("portolan.measuring.policy").agreement

-- The proofs of all explained schemes, each experiment once: list of `{ e =, cycles =, expected =, tolerance =, of = { names } }`.
local function collect(survey)
  local list, place = {}, {}
  for _, name in ipairs(survey.order) do
    local f = survey.facts[name]
    for _, proof in ipairs(f.status == "explained" and f.proofs or {}) do
      local key = experiment.key(proof.e)
      if not place[key] then
        list[#list + 1] = { e = proof.e, cycles = proof.cycles, expected = proof.expected, tolerance = proof.tolerance, of = {} }
        place[key] = list[#list]
      end
      place[key].tolerance = math.min(place[key].tolerance, proof.tolerance)
      table.insert(place[key].of, name)
    end
  end
  return list
end

local function agrees(proof, cycles)
  local fast, slow = math.min(proof.cycles, cycles), math.max(proof.cycles, cycles)
  if slow - fast <= proof.tolerance then return true end
  return proof.expected and math.abs(fast - proof.expected) <= proof.tolerance and slow <= (1 + policy.two_rates) * fast
end

-- Measures again; returns those that differ, or could not be measured.
local function differing(survey, list)
  local experiments, precision, left = {}, {}, {}
  for i, proof in ipairs(list) do experiments[i], precision[i] = proof.e, proof.tolerance / proof.cycles / constants.agreement_finer end
  for i, result in ipairs(survey:measure(experiments, { again = true, precision = precision })) do
    local proof = list[i]
    proof.again = result.cycles
    if result.status ~= "ok" or not agrees(proof, result.cycles) then left[#left + 1] = proof end
  end
  return left
end

return function(survey)
  survey:stage("agreement")
  local doubtful = collect(survey)
  for _ = 1, policy.rounds do doubtful = differing(survey, doubtful) end
  survey.agreement = { runs = policy.rounds, agree = 0, disagree = {} }
  for _, proof in ipairs(doubtful) do
    local text = ("%s took %.3f cycles, and %s when measured again"):format(experiment.format(proof.e), proof.cycles,
      proof.again and ("%.3f"):format(proof.again) or "nothing certain")
    for _, name in ipairs(proof.of) do
      if survey.facts[name].status == "explained" then
        table.insert(survey.agreement.disagree, { scheme = name, text = text })
        survey:settle(name, "unstable", text)
      end
    end
  end
  for _, name in ipairs(survey.order) do
    if survey.facts[name].status == "explained" then survey.agreement.agree = survey.agreement.agree + 1 end
  end
end
