--- Stage: who is eliminated at rename, and needs no port?
--
-- What is as fast as the rename width allows, while a chain of dependent instances takes less than a cycle per link, which nothing
-- that is executed can do. The NOP that fills the front end beside floods cannot be chained: that it needs no port is postulated, there
-- and here.
-- @module portolan.infer.explain.rename
local at_width = 1.06      -- slower than the rename width by at most this factor
local below_a_cycle = 0.9  -- per link of a chain

return function(survey)
  survey:stage("eliminated at rename")
  local fast = survey:unsettled(function(_, f) return f.single.cycles < at_width / survey.width end)
  local chains, message = survey.processor:chain_latency(fast)
  if not chains then survey:fail(message) end
  for i, name in ipairs(fast) do
    local f = survey.facts[name]
    local why = chains[i] and chains[i] < below_a_cycle
      and ("and a chain of dependent instances takes %.2f cycles a link: no port executes it"):format(chains[i])
      or name == survey.filler and "and it does nothing: no port executes it (a postulate)"
    if why then
      f.slots, f.issued = f.slots or 1, f.issued or 1
      survey:settle(name, "eliminated at rename", ("%.2f a cycle alone, %s"):format(1 / f.single.cycles, why))
      survey:witness(name, { [name] = 1 }, f.single.cycles, 1 / survey.width, "alone: as fast as the front end", "shows")
    end
  end
end
