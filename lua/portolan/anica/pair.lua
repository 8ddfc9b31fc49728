--- The two predictors under test: blocks in, both answers and the verdict on them out. Every block is predicted once.
-- @module portolan.anica.pair
local several = require "portolan.predictor.machinery.several"

local pair = {}
pair.__index = pair

--- Makes a pair.
-- @param a predictor
-- @param b predictor; may be the same: then only crashes differ
-- @param criterion of `portolan.anica.interest`
-- @tparam[opt] table options
-- @tparam[opt=2] int options.jobs processes at once
-- @tparam[opt] func options.predict function({ a, b }, blocks, options) -> both lists of answers; by default that of
-- `portolan.predictor.machinery.several`
-- @return pair
function pair.new(a, b, criterion, options)
  options = options or {}
  return setmetatable({
    a = a, b = b, criterion = criterion, jobs = options.jobs or 2, predict = options.predict or several.predict, known = {}, calls = 0,
  }, pair)
end

--- Forgets what is known: answers are kept for one wave only.
function pair:forget() self.known = {} end

--- Both answers for each block.
-- @param blocks list of machine code
-- @return list of `{ a = answer, b = answer, interesting = boolean or nil, difference = number or nil }`; or nil and a message
function pair:ask(blocks)
  local new, seen = {}, {}
  for _, block in ipairs(blocks) do
    if not self.known[block] and not seen[block] then
      seen[block] = true
      new[#new + 1] = block
    end
  end
  if #new > 0 then
    local both, message = self.predict({ self.a, self.b }, new, { jobs = self.jobs })
    if not both then return nil, message end
    self.calls = self.calls + 2 * #new
    for i, block in ipairs(new) do
      local verdict = { a = both[1][i], b = both[2][i] }
      verdict.interesting, verdict.difference = self.criterion:judge(verdict.a, verdict.b)
      self.known[block] = verdict
    end
  end
  local verdicts = {}
  for i, block in ipairs(blocks) do verdicts[i] = self.known[block] end
  return verdicts
end

return pair
