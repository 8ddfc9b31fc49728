--- Stage: where does a reference mapping disagree, and which of the two does the processor bear out?
-- @module portolan.infer.chart.stages.disagreements
local algebra = require "portolan.mapping.algebra"
local reference = require "portolan.infer.reference"

--- Names the ports as the reference does, as far as they match, and decides by measuring where the mappings differ.
-- @param survey the survey
-- @param m the mapping found
-- @param with `{ name =, mapping = }`, the reference
-- @return disagreements for the report (docs/report.md); or nil and why there are none
return function(survey, m, with)
  survey:stage("disagreements with the reference")
  local differences, message = reference.differences(m, with.mapping)
  if not differences then return nil, message end
  local measuring = {}
  function measuring.measure(_, list) return survey:measure(list) end
  local counts = assert(reference.decide(measuring, differences))
  for _, entry in ipairs(differences.list) do entry.e = nil end
  local _, renaming = algebra.match(m, with.mapping)
  return { reference = with.name, renaming = differences.renaming, names = renaming, common = differences.common, same = differences.same,
    counts = counts, list = differences.list }
end
