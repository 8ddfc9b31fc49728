--- Stage: is what explains a scheme seen again? What shows uops, and was seen once, is measured once more, and a third time where that differs
-- (portolan.measuring.agreement; dissertation section 6.3.5 runs its last stage three times and believes two). What then differs from the first
-- reading makes a scheme unstable. Claims that a mixture bears out (stages/mixtures) rest on two experiments of different kinds that agree.
-- @module portolan.infer.chart.stages.agreement
local agreement = require "portolan.measuring.agreement"
local constants = require "portolan.infer.chart.constants"
local experiment = require "portolan.experiment"

-- The proofs of all explained schemes that no mixture bears out, each experiment once: list of `{ e =, cycles =, expected =, tolerance =,
-- of = { names } }`.
local function collect(survey)
  local list, place = {}, {}
  for _, name in ipairs(survey.order) do
    local f = survey.facts[name]
    for _, proof in ipairs(f.status == "explained" and not f.borne_out and f.proofs or {}) do
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

return function(survey)
  survey:stage("agreement")
  local doubtful, rounds = agreement.differing(collect(survey), function(proofs)
    local experiments, precision, thresholds = {}, {}, {}
    for i, proof in ipairs(proofs) do
      experiments[i], precision[i] = proof.e, proof.tolerance / proof.cycles / constants.agreement_finer
      thresholds[i] = { proof.cycles - proof.tolerance, proof.cycles + proof.tolerance }
    end
    return survey:measure(experiments, { again = true, precision = precision, thresholds = thresholds })
  end)
  survey.agreement = { runs = rounds, agree = 0, disagree = {} }
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
