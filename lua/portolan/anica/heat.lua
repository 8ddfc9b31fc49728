--- Computes how much predictors disagree, pair by pair (Fig. 8.1): the share of blocks whose predictions differ by more than the threshold.
-- @module portolan.anica.heat
local json = require "portolan.support.json"
local pieces = require "portolan.predictor.machinery.pieces"
local several = require "portolan.predictor.machinery.several"

local heat = {}

--- The shares for answers that are there already.
-- @param names of the predictors
-- @param answers per predictor a list of answers, one per block
-- @param criterion of `portolan.anica.interest`
-- @return `{ predictors = names, blocks = n, share = rows }`: share[i][j] of the blocks on which i and j have a verdict; null if there are none
function heat.of_answers(names, answers, criterion)
  local share, blocks = {}, #(answers[1] or {})
  for i = 1, #names do
    share[i] = {}
    for j = 1, #names do
      local decided, apart = 0, 0
      for k = 1, blocks do
        local interesting = criterion:judge(answers[i][k], answers[j][k])
        decided, apart = decided + (interesting ~= nil and 1 or 0), apart + (interesting and 1 or 0)
      end
      share[i][j] = decided > 0 and apart / decided or json.null
    end
  end
  return { predictors = names, blocks = blocks, share = share }
end

--- Predicts blocks by all predictors and compares them.
-- @param predictors list of at least two
-- @param blocks list of machine code
-- @param criterion of `portolan.anica.interest`
-- @tparam[opt] table options
-- @tparam[opt=2] int options.jobs processes at once
-- @tparam[opt] func options.predict as of `portolan.anica.pair`
-- @tparam[opt] func options.stop function() -> reason to end early, or nil: then the blocks count that were predicted by all
-- @return as of `of_answers`; or nil and a message, or the reason if there are none
function heat.of(predictors, blocks, criterion, options)
  options = options or {}
  local names = {}
  for i, p in ipairs(predictors) do names[i] = p.name end
  local answers, done, why = pieces.new():predict(options.predict or several.predict, predictors, blocks, { jobs = options.jobs or 2 }, options.stop)
  if done < #blocks and (done == 0 or not options.stop or not options.stop()) then return nil, why end
  return heat.of_answers(names, answers, criterion)
end

return heat
