--- Many searches at once, each a coroutine that now and then needs blocks predicted. What they all ask for goes into one big batch:
-- predictors are cheapest by the hundred.
--
-- A round collects the questions of all searches, in the order of their start, has them answered, and lets each search go on to its next
-- question, in the same order. Nothing depends on how long an answer takes, so the same searches get the same answers in the same order.
-- @module portolan.anica.rounds
local lists = require "portolan.support.lists"

local rounds = {}
rounds.__index = rounds

--- No searches yet.
-- @param answer function(blocks) -> list of answers, one per block; or nil and a message, which ends the round
-- @return rounds
function rounds.new(answer) return setmetatable({ answer = answer, searches = {} }, rounds) end

--- For use within a search: has blocks predicted.
-- @param blocks list
-- @return list of answers
function rounds.ask(blocks)
  if #blocks == 0 then return {} end
  return coroutine.yield(blocks)
end

-- Lets a search go on to its next question or its end.
local function advance(self, search, answers)
  local ok, question = coroutine.resume(search.thread, answers)
  if not ok then error(debug.traceback(search.thread, tostring(question)), 0) end
  if coroutine.status(search.thread) == "dead" then
    search.over = true
    if search.finish then search.finish(question) end
  else
    search.question = question
    self.searches[#self.searches + 1] = search
  end
end

--- Starts a search: it runs to its first question.
-- @param f function without arguments
-- @param[opt] finish function(what f returned), called when it ends; may start others
-- @return search, for `rounds.cancel`
function rounds:start(f, finish)
  local search = { thread = coroutine.create(f), finish = finish }
  advance(self, search)
  return search
end

--- Ends a search; its `finish` is not called.
function rounds.cancel(search) search.over = true end

--- Number of searches that have not ended.
function rounds:alive()
  return lists.count(self.searches, function(search) return not search.over end)
end

--- One round.
-- @return true; or nil and the message of `answer`: the searches are where they were
function rounds:step()
  local blocks, asking = {}, {}
  for _, search in ipairs(self.searches) do
    if not search.over then
      asking[#asking + 1] = search
      search.first = #blocks + 1
      table.move(search.question, 1, #search.question, #blocks + 1, blocks)
    end
  end
  local answers, message = self.answer(blocks)
  if not answers then return nil, message end
  self.searches = {}
  for _, search in ipairs(asking) do
    local last = search.first + #search.question - 1
    if not search.over then advance(self, search, table.move(answers, search.first, last, 1, {})) end
  end
  return true
end

--- Rounds until every search has ended.
-- @return true; or nil and the message of `answer`
function rounds:run()
  while self:alive() > 0 do
    local ok, message = self:step()
    if not ok then return nil, message end
  end
  return true
end

return rounds
