local core = require "portolan.core"
local cegis = require "portolan.infer.cegis"
local unknowns = require "portolan.infer.unknowns"

-- A processor that is its mapping: masks per scheme name, noise in CPI, an optional front end.
local function oracle(masks, options)
  options = options or {}
  local names = {}
  for name in pairs(masks) do names[#names + 1] = name end
  table.sort(names)
  local u = assert(unknowns.new(names, { rmax = options.rmax }))
  local list = {}
  for i, name in ipairs(names) do list[i] = masks[name] end
  local rng = core.base.rng(options.seed or 1)
  local processor = { name = "toy", asked = {} }
  function processor.measure(_, experiments)
    local results = {}
    for k, e in ipairs(experiments) do
      local terms = u:terms(e)
      local cycles = u:predict(list, terms) + unknowns.length(terms) * (2 * rng:unit() - 1) * (options.noise or 0)
      processor.asked[#processor.asked + 1] = e
      results[k] = { status = "ok", cycles = cycles }
    end
    return results
  end
  return processor, names, list
end

local function random_masks(rng, ports, schemes, most)
  local masks = {}
  for i = 1, schemes do
    local order, mask = {}, 0
    for k = 1, ports do order[k] = k - 1 end
    rng:shuffle(order)
    for k = 1, 1 + rng:below(most) do mask = mask | 1 << order[k] end
    masks[("s%02d"):format(i)] = mask
  end
  return masks
end

local function masks_of(outcome, names)
  local list = {}
  for i, name in ipairs(names) do
    list[i] = 0
    for _, port in ipairs(outcome.mapping.schemes[name].uops[1][1]) do list[i] = list[i] | 1 << tonumber(port) end
  end
  return list
end

-- Largest difference in CPI over all sets of schemes (Theorem B: what any experiment can show).
local function difference(a, b, rmax)
  local worst = 0
  for set = 1, (1 << #a) - 1 do
    local ca, cb = core.smt.union(a, set), core.smt.union(b, set)
    worst = math.max(worst, math.abs(math.max(1 / ca, 1 / (rmax or 99)) - math.max(1 / cb, 1 / (rmax or 99))))
  end
  return worst
end

describe("cegis", function()
  it("finds random mappings", function()
    for seed = 1, 6 do
      local masks = random_masks(core.base.rng(seed), 6, 8, 4)
      local processor, names, truth = oracle(masks)
      local outcome = assert(cegis.infer(processor, names, { seed = seed }))
      assert.equal("unique", outcome.status)
      assert.is_true(difference(truth, masks_of(outcome, names)) <= 2 * outcome.epsilon + 1e-9)
    end
  end)
end)
