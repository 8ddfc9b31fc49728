--- Lists what a chart measured, as a record that can be charted again (`portolan infer chart --record`, docs/formats.md).
-- @module portolan.infer.chart.measured_record
local experiment = require "portolan.experiment"

local measured_record = {}

-- Fields of a result that a record keeps.
local kept = { "cycles", "status", "n", "rejected", "spread", "share", "slow", "unsteady", "range" }

-- Adds what a survey knows of a scheme alone, beside its cycles, to the scheme's record.
local function facts_of(record, f)
  local padded = f.padded
  record.slots, record.padded, record.latency = f.slots, padded, f.chain or nil
  record.uops = f.total and f.total.least == f.total.most and f.total.least or nil
end

--- The experiments that a survey measured, each with what was believed of it last, in the order of their texts.
-- @param survey with `evidence`
-- @return list of records
function measured_record.of(survey)
  local list = {}
  for i, key in ipairs(survey.evidence:keys()) do
    local usual, other = survey.evidence:last(key), survey.evidence:last(key, true)
    local e, with_other = usual.e, other and other.result
    local record = { e = e, other_inputs = with_other and with_other.status == "ok" and with_other.cycles or nil }
    for _, field in ipairs(kept) do record[field] = usual.result[field] end
    local name = next(e)
    if experiment.length(e) == 1 and survey.facts[name] then facts_of(record, survey.facts[name]) end
    if i == 1 then -- a record has no place of its own for what is about all of it
      record.set, record.counted = survey.groups, survey.counting and survey.counting.source
    end
    list[i] = record
  end
  return list
end

return measured_record
