-- Does it show that a claim is wrong? Other uops than the true ones may predict the same for every experiment there is: what hides them is no fault.
local algebra = require "portolan.mapping.algebra"
local core = require "portolan.core"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"

local mixtures, floods = 300, 24 -- experiments that are tried: random ones, and schemes that may be flooded with
local tolerance = 0.05 -- by which a prediction may be off
local few = 6 -- claims that are right, below which wrong ones keep each other company
local compared, resolution = 24, 0.004 -- schemes among which the engine looks for an experiment; CPI, of which it finds differences of twice as much

local claims = { explained = true, ["eliminated at rename"] = true }

local function uops_key(scheme)
  return table.concat(lists.map(scheme.uops, function(uop) return uop[2] .. "*" .. table.concat(uop[1], ",") end), "+")
end

-- The experiment by which the engine tells the true mapping from one with the uops that were found of a scheme; none if it knows no such.
local function told_apart(name, renamed, truth, others)
  local scheme = renamed.schemes[name]
  if scheme.status ~= "explained" or not scheme.uops[1] or not truth.schemes[name].uops[1] then return {} end
  local kinds = lists.distinct(lists.where(others, function(other) return other ~= name and truth.schemes[other].uops[1] end),
    function(other) return uops_key(truth.schemes[other]) end)
  local names = table.move(kinds, 1, math.min(#kinds, compared), 2, { name })
  local real, other = assert(algebra.restrict(truth, names)), assert(algebra.restrict(truth, names))
  other.ports = lists.distinct(lists.joined(truth.ports, renamed.ports))
  other.schemes[name].uops = scheme.uops
  local result = core.model.compare(assert(mapping.compile(other)), assert(mapping.compile(real)), { epsilon = resolution })
  return { result and result.experiment }
end

-- Mixtures of a scheme and others.
local function random_ones(name, others, rng)
  local list = {}
  for i = 1, mixtures do
    local e = { [name] = 1 + rng:below(4) }
    for _ = 1, rng:below(5) do
      local other = others[1 + rng:below(#others)]
      if other ~= name then e[other] = 1 + rng:below(4) end
    end
    list[i] = e
  end
  return list
end

-- Each of some others many times, and the scheme a few times.
local function flooded(name, others, rng)
  local list, chosen = {}, table.move(others, 1, #others, 1, {})
  rng:shuffle(chosen)
  for i = 1, math.min(floods, #chosen) do
    for _, count in ipairs(chosen[i] ~= name and { 1, 2, 5 } or {}) do list[#list + 1] = { [chosen[i]] = 12, [name] = count } end
  end
  return list
end

-- Has every instance the uops of the scheme? What is eliminated now and then is mispredicted whatever is claimed of others.
local function is_whole(scheme) return scheme.status == "explained" or #scheme.uops == 0 end

local function is_off(prediction, cycles) return math.abs(prediction / cycles - 1) > tolerance end

--- Tries experiments on each wrong claim.
-- @param found mapping
-- @param truth mapping that was simulated
-- @param processor the simulated one
-- @param verdicts name -> "right", "wrong" or "unclaimed" (cores.judge)
-- @param rng random stream
-- @return name of each claim of which some experiment shows that it is wrong, where the true uops are right -> `{ e =, cycles =, found =, truth = }`,
-- the one that shows it best
return function(found, truth, processor, verdicts, rng)
  if not found.ports[1] then return {} end
  local model, real, shown = assert(mapping.compile(found)), assert(mapping.compile(truth)), {}
  local names = lists.where(lists.keys(verdicts), function(name) return claims[found.schemes[name].status] end)
  local right = lists.where(names, function(name) return verdicts[name] == "right" and is_whole(truth.schemes[name]) end)
  local others, renamed = #right >= few and right or names, assert(algebra.match(found, truth))
  for _, name in ipairs(lists.where(names, function(n) return verdicts[n] == "wrong" end)) do
    local tried = lists.joined(told_apart(name, renamed, truth, others), lists.joined({ { [name] = 1 } }, flooded(name, others, rng)))
    for _, e in ipairs(lists.joined(tried, random_ones(name, others, rng))) do
      local cycles, mine, truly = processor:cycles(e), model:throughput(e), real:throughput(e)
      if cycles > 0 and is_off(mine, cycles) and not is_off(truly, cycles) then
        local error = math.abs(mine / cycles - 1)
        if not shown[name] or error > shown[name].error then
          shown[name] = { e = e, cycles = cycles, found = mine, truth = truly, error = error }
        end
      end
    end
  end
  return shown
end
