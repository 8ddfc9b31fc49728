--- Measures kernels for Palmed's inference: each once, within a budget.
-- @module portolan.infer.palmed.kernels
local experiment = require "portolan.experiment"

local kernels = {}
kernels.__index = kernels

--- What is raised when an inference must end early: `reason` is "interrupted", "limit" or a message.
kernels.stop = {}
kernels.stop.__index = kernels.stop

--- Ends the inference.
-- @param reason "interrupted", "limit" or a message
function kernels.give_up(reason) error(setmetatable({ reason = reason }, kernels.stop), 0) end

--- What measures.
-- @param meter of portolan.infer.pmevo.meter
-- @param budget of portolan.infer.budget
-- @return object; `unanswered` is how many experiments had no answer
function kernels.new(meter, budget) return setmetatable({ meter = meter, budget = budget, seen = {}, unanswered = 0 }, kernels) end

--- Measures experiments; those that were measured before cost nothing.
-- @param list experiments
-- @return list of cycles, false for those without
function kernels:measure(list)
  local over, fresh, new = self.budget:over(), 0, {}
  if over == "interrupted" then kernels.give_up(over) end
  for i, e in ipairs(list) do
    local key = experiment.key(e)
    if not self.seen[key] then self.seen[key], fresh, new[i] = true, fresh + 1, true end
  end
  if fresh > 0 and (over or fresh > self.budget:left()) then kernels.give_up "limit" end
  self.budget:spend(fresh)
  local cycles, message = self.meter:measure(list)
  if not cycles then kernels.give_up(message) end
  for i in pairs(new) do self.unanswered = self.unanswered + (cycles[i] and 0 or 1) end
  return cycles
end

--- Solves a program (portolan.program); what cannot be solved ends the inference.
-- @param p program
-- @return answer
function kernels.solve(p)
  local answer, message, status = p:solve()
  if not answer then kernels.give_up(status == "interrupted" and "interrupted" or message) end
  return answer
end

return kernels
