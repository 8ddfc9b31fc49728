--- The two predictors under test: blocks in, both answers and the verdict on them out. Every block is predicted once.
-- @module portolan.anica.pair
local several = require "portolan.predictor.machinery.several"

local pair = {}
pair.__index = pair

--- Makes a pair.
-- @param a predictor
-- @param b predictor; may be the same: then only crashes differ
-- @param criterion of `portolan.anica.interest` or `portolan.anica.own_interest`
-- @tparam[opt] table options
-- @tparam[opt=2] int options.jobs processes at once
-- @tparam[opt] {table,...} options.others further predictors, whose answers the criterion gets, too
-- @tparam[opt] func options.predict function({ a, b }, blocks, options) -> both lists of answers; by default that of
-- `portolan.predictor.machinery.several`
-- @return pair
function pair.new(a, b, criterion, options)
  options = options or {}
  return setmetatable({
    predictors = { a, b, table.unpack(options.others or {}) }, a = a, b = b, criterion = criterion, jobs = options.jobs or 2,
    predict = options.predict or several.predict, known = {}, calls = 0,
  }, pair)
end

--- Forgets what is known: answers are kept for one wave only.
function pair:forget() self.known = {} end

-- The verdict on block i.
local function verdict(self, lists, i, block)
  local v, further = { a = lists[1][i], b = lists[2][i] }, {}
  for k = 3, #lists do further[k - 2] = lists[k][i] end
  v.interesting, v.difference = self.criterion:judge(v.a, v.b, block, further)
  return v
end

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
    local lists, message = self.predict(self.predictors, new, { jobs = self.jobs })
    if not lists then return nil, message end
    self.calls = self.calls + #lists * #new
    for i, block in ipairs(new) do self.known[block] = verdict(self, lists, i, block) end
  end
  local verdicts = {}
  for i, block in ipairs(blocks) do verdicts[i] = self.known[block] end
  return verdicts
end

return pair
