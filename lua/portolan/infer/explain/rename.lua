--- Stage: who is eliminated at rename, and needs no port?
--
-- What is as fast as the rename width allows, while a chain of dependent instances takes less than a cycle per link, which nothing
-- that is executed can do.
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
    if chains[i] and chains[i] < below_a_cycle then
      f.slots, f.issued = f.slots or 1, f.issued or 1
      survey:settle(name, "eliminated at rename",
        ("%.2f a cycle alone, and a chain of dependent instances takes %.2f cycles a link: no port executes it"):format(
          1 / f.single.cycles, chains[i]))
      survey:witness(name, { [name] = 1 }, f.single.cycles, 1 / survey.width, "alone: as fast as the front end", "shows")
    end
  end
end
