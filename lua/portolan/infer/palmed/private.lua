--- Resources that no basic instruction uses, such as dividers: schemes that take longer alone than the core's resources explain. Schemes whose
-- times add up share one.
-- @module portolan.infer.palmed.private
local quadratic = require "portolan.infer.palmed.quadratic"

local private = {}

-- Tells whether a scheme's time adds up with that of the first user of a resource.
local function shares(run, name, first)
  local i, k = quadratic.ratio(run.alone[name], run.alone[first])
  local cycles = run.kernels:measure({ quadratic.pair(name, i, first, k) })[1]
  return cycles and cycles >= (1 - run.options.epsilon) * (i * run.alone[name] + k * run.alone[first])
end

--- Gives schemes resources of their own. Fills in `private` of the run.
-- @param run state.run
-- @param names of the schemes
function private.share_out(run, names)
  run.private = {}
  for _, name in ipairs(names) do
    local mine
    for _, resource in ipairs(run.private) do
      mine = mine or shares(run, name, resource.schemes[1]) and resource
    end
    if not mine then
      mine = { schemes = {} }
      run.private[#run.private + 1] = mine
    end
    table.insert(mine.schemes, name)
  end
end

return private
