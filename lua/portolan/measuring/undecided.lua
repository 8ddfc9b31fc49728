--- What came out undecided because the machine was noisy is asked again, some times in any case, and then as long as there is time to
-- wait for quiet.
-- @module portolan.measuring.undecided
local core = require "portolan.core"
local policy = require("portolan.measuring.policy").undecided

local undecided = {}

--- Did the machine leave a question open? What code does by itself, it will do again.
-- @param result of a processor
function undecided.is(result) return result.status == "unstable" and not result.unsteady end

--- Asks until nothing is undecided.
-- @param batch list of questions
-- @param ask function(questions) -> true; or nil and a message. It files the results
-- @param result_of function(question) -> its result
-- @param patience `{ seconds = left to wait, in all }`; what is spent beyond the tries that are made in any case is taken off
-- @param[opt] deadline time (core.base.now) after which nothing is asked again
-- @return true; or nil, message, status
function undecided.settle(batch, ask, result_of, patience, deadline)
  local tries = 0
  while #batch > 0 do
    local began = core.base.now()
    local ok, message, status = ask(batch)
    if not ok then return nil, message, status end
    tries = tries + 1
    local now, open = core.base.now(), {}
    for _, question in ipairs(batch) do
      if undecided.is(result_of(question)) then open[#open + 1] = question end
    end
    if tries > policy.tries then patience.seconds = patience.seconds - (now - began) end
    local over = deadline and now > deadline
    if core.base.interrupted() or over or tries >= policy.tries and patience.seconds <= 0 then return true end
    batch = open
  end
  return true
end

return undecided
