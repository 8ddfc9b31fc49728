--- Many blocks asked piece by piece, so that somebody can look at the clock in between: a piece takes about a second, however slow the predictors.
-- @module portolan.predictor.machinery.pieces
local core = require "portolan.core"

local pieces = {}
pieces.__index = pieces

local wanted = 1 -- seconds that a piece should take
local first, growth = 8, 4 -- blocks of the first piece; how many times as many the next one may have

--- Starts; what is learned about the pace serves all questions to the same predictors.
-- @return pieces
function pieces.new() return setmetatable({ size = first }, pieces) end

-- The next piece, from how long one took.
local function learn(self, count, seconds)
  local fitting = math.floor(count * wanted / math.max(seconds, 1e-6))
  if seconds > wanted or count == self.size then self.size = math.max(1, math.min(growth * self.size, fitting)) end
end

--- Asks.
-- @param count number of blocks
-- @param ask function(first, last), which asks about these; or returns false and a message
-- @tparam[opt] func stop function(number that are done) -> reason to end, or nil; looked at after each piece but the last. Without it there is one
-- piece
-- @return number of blocks that were asked about; if these are not all, the reason or the message
function pieces:each(count, ask, stop)
  local done = 0
  while done < count do
    local reason = stop and done > 0 and stop(done)
    if reason then return done, reason end
    local last, began = stop and math.min(count, done + self.size) or count, core.base.now()
    local fine, message = ask(done + 1, last)
    if fine == false then return done, message end
    learn(self, last - done, core.base.now() - began)
    done = last
  end
  return done
end

--- Asks several predictors.
-- @param predict as `portolan.predictor.machinery.several.predict`
-- @param predictors list
-- @param blocks list
-- @param options of `predict`
-- @tparam[opt] func stop as of `each`
-- @return list of the answers of each predictor; number of blocks that have some; if these are not all, the reason or the message
function pieces:predict(predict, predictors, blocks, options, stop)
  local lists = {}
  for k in ipairs(predictors) do lists[k] = {} end
  local done, reason = self:each(#blocks, function(from, to)
    local answers, message = predict(predictors, table.move(blocks, from, to, 1, {}), options)
    if not answers then return false, message end
    for k, list in ipairs(answers) do table.move(list, 1, to - from + 1, from, lists[k]) end
  end, stop)
  return lists, done, reason
end

return pieces
