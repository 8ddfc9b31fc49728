--- The mapping that Palmed's inference ends with.
-- @module portolan.infer.palmed.outcome
local conjunctive = require "portolan.mapping.conjunctive"
local experiment = require "portolan.experiment"

local outcome = {}

--- A conjunctive mapping (docs/formats.md) of the schemes that are mapped so far. Resources of the core are R1, R2, ...; those that only other
-- schemes use are U1, U2, ...
-- @param run state.run with `core`, `loads` and `private`
-- @return table
function outcome.mapping(run)
  local resources, schemes = {}, {}
  for r = 1, #run.core.resources do resources[r] = "R" .. r end
  for name, loads in pairs(run.loads) do
    schemes[name] = {}
    for r = 1, #run.core.resources do schemes[name][resources[r]] = loads[r] > 0 and loads[r] or nil end
  end
  for u, resource in ipairs(run.private or {}) do
    resources[#resources + 1] = "U" .. u
    for _, name in ipairs(resource.schemes) do schemes[name]["U" .. u] = run.alone[name] end
  end
  return { format = conjunctive.format, version = conjunctive.version, resources = resources, schemes = schemes }
end

--- Predicts with the core's resources and the loads that are known.
-- @param run state.run
-- @return function(experiment) -> cycles, or nil
function outcome.predictor(run)
  return function(e)
    local busy = {}
    for _, name in ipairs(experiment.schemes(e)) do
      local loads = run.loads[name]
      if not loads then return nil end
      for r = 1, #loads do busy[r] = (busy[r] or 0) + e[name] * loads[r] end
    end
    return math.max(0, table.unpack(busy))
  end
end

return outcome
