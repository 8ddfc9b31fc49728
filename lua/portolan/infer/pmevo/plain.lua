--- PMEvo's evolution as published: Algorithm 5.1.
-- @module portolan.infer.pmevo.plain
local core = require "portolan.core"

local plain = { name = "plain" }

-- Returns what a checkpoint holds: the population and all that its future depends on.
local function state_of(population, generation)
  local texts = {}
  for rank = 1, #population do texts[rank] = population:at(rank) end
  return { generation = generation, mappings = texts, scale = { population:scale() } }
end

--- Evolves a mapping.
-- @param problem core.evo.problem
-- @param o `population` (1000), `seed`, `threads`, `generations` (most), `deadline` (core.base.now), `checkpoint`
-- (portolan.infer.pmevo.checkpoint), `progress` = function{ error =, volume =, steps =, fraction = of the generations }
-- @return `{ text =, error =, volume =, status = "converged"|"limit"|"time"|"interrupted", steps = generations }`; or nil and a message
function plain.evolve(problem, o)
  local population, message = problem:population { size = o.population or 1000, seed = o.seed, threads = o.threads } -- line 1
  if not population then return nil, message end
  local generation, saved = 0, o.checkpoint:read()
  if saved then
    population:restore(saved.mappings, saved.generation, saved.scale)
    generation = saved.generation
  end
  local status
  while true do -- line 2
    status = core.base.interrupted() and "interrupted" or o.deadline and core.base.now() >= o.deadline and "time"
      or o.generations and generation >= o.generations and "limit" or population:converged() and "converged"
    if status then break end
    population:step() -- lines 3 to 5
    generation = generation + 1
    local _, d_avg, volume = population:at(1)
    o.progress { error = d_avg, volume = volume, steps = generation, limit = o.generations }
    local ok, trouble = o.checkpoint:write(function() return state_of(population, generation) end)
    if not ok then return nil, trouble end
  end
  local ok, trouble = o.checkpoint:write(function() return state_of(population, generation) end, true)
  if not ok then return nil, trouble end
  population:polish() -- line 6
  local text, d_avg, volume = population:at(1) -- line 7
  return { text = text, error = d_avg, volume = volume, status = status, steps = generation }
end

return plain
