--- Measures kernels for Palmed's inference: each once, within a budget.
-- @module portolan.infer.palmed.kernels
local experiment = require "portolan.experiment"
local stop = require "portolan.infer.stop"

local kernels = {}
kernels.__index = kernels

--- Makes the object that measures.
-- @param meter of portolan.infer.pmevo.meter
-- @param budget of portolan.infer.budget
-- @return object; `unanswered` is how many experiments had no answer
function kernels.new(meter, budget) return setmetatable({ meter = meter, budget = budget, seen = {}, unanswered = 0 }, kernels) end

--- Measures experiments; those that were measured before cost nothing. Ends the inference (portolan.infer.stop) with "interrupted", "limit" or a
-- message where that cannot go on.
-- @param list experiments
-- @return list of cycles, false for those without
function kernels:measure(list)
  local over, fresh, new = self.budget:over(), 0, {}
  if over == "interrupted" then stop.raise(over) end
  for i, e in ipairs(list) do
    local key = experiment.key(e)
    if not self.seen[key] then self.seen[key], fresh, new[i] = true, fresh + 1, true end
  end
  if fresh > 0 and (over or fresh > self.budget:left()) then stop.raise "limit" end
  self.budget:spend(fresh)
  local cycles = stop.need(self.meter:measure(list))
  for i in pairs(new) do self.unanswered = self.unanswered + (cycles[i] and 0 or 1) end
  return cycles
end

--- Solves a program (portolan.support.linear_program); what cannot be solved ends the inference.
-- @param p program
-- @return answer
function kernels.solve(p)
  local answer, message, status = p:solve()
  return (stop.need(answer, status == "interrupted" and "interrupted" or message))
end

return kernels
