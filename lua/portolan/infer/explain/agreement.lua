--- Stage: is what explains a scheme seen again? Every witness of an explained scheme is measured once more (dissertation section 6.3.5
-- runs its last stage three times and believes two).
--
-- What differs is measured a third time; what then still differs makes a scheme unstable.
-- @module portolan.infer.explain.agreement
local compose = require "portolan.infer.explain.compose"
local mapping = require "portolan.mapping"
local recheck = require "portolan.infer.recheck"

local function reasons(claims)
  local list = {}
  for _, claim in ipairs(claims) do
    if claim.verdict == "not confirmed" then list[#list + 1] = ("%s: %s"):format(claim.text or "alone", claim.why) end
  end
  return table.concat(list, "; ")
end

return function(survey)
  survey:stage("agreement")
  local m, names = compose.mapping(survey), compose.explained(survey)
  local anew = {}
  function anew.measure(_, list) return survey:measure(list, { again = true }) end
  local seen = assert(recheck.run(anew, m, assert(mapping.compile(m)), names, { again = true }))
  survey.agreement = { runs = 2, agree = 0, disagree = {} }
  for _, scheme in ipairs(seen.schemes) do
    if scheme.verdict == "not confirmed" then
      local text = reasons(scheme.claims)
      table.insert(survey.agreement.disagree, { scheme = scheme.scheme, text = text })
      survey:settle(scheme.scheme, "unstable", "its witnesses, measured again, say something else: " .. text)
    else
      survey.agreement.agree = survey.agreement.agree + 1
    end
  end
end
