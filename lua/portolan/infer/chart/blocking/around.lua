--- What the companions of a scheme are known to be (portolan.companions): where the floods of the scheme with its companions agree with two answers,
-- those fall out that lack the companions' uops.
-- @module portolan.infer.chart.blocking.around
local companions = require "portolan.companions"

local around = {}

-- What was found so far, as `companions.apart` wants it.
local function found(survey)
  local all = {}
  for _, name in ipairs(survey.order) do
    local f = survey.facts[name]
    local uops = f.status == "explained" and f.uops or f.status == "eliminated at rename" and {} or nil
    all[name] = { uops = uops, slots = f.slots, companions = f.companions }
  end
  return all
end

-- The uops of all companions; nil if one of them is not known.
local function uops_of(names, own)
  local list = {}
  for _, name in ipairs(names) do
    if not own[name] then return nil end
    table.move(own[name].uops, 1, #own[name].uops, #list + 1, list)
  end
  return list
end

--- Notes what stands around schemes that were left contradicting, as far as it is known (`around` of their facts), and takes their verdicts back.
-- @param survey the survey
-- @treturn {string,...} names of these schemes
function around.learn(survey)
  local own, names = (companions.apart(found(survey))), {}
  for _, name in ipairs(survey.order) do
    local f = survey.facts[name]
    if f.companions and f.status == "contradicting" and survey.blocked[name] and not f.around then
      f.around = uops_of(f.companions, own)
      if f.around then
        f.status, f.note, f.witnesses, f.proofs = nil, nil, {}, nil
        names[#names + 1] = name
      end
    end
  end
  return names
end

return around
