--- Random port mappings and experiments: ground truths to try inference on.
-- @module portolan.processor.random_mapping
local core = require "portolan.core"
local mapping = require "portolan.mapping"

local random_mapping = {}

local function port_names(n)
  local names = {}
  for k = 1, n do names[k] = tostring(k - 1) end
  return names
end

local function scheme_names(n)
  local names, digits = {}, #tostring(n - 1)
  for i = 1, n do names[i] = ("s%0" .. digits .. "d"):format(i - 1) end
  return names
end

-- A random set of least to most ports, in the order of names.
local function port_set(rng, names, least, most)
  most = math.min(most, #names)
  local order = {}
  for k = 1, #names do order[k] = k end
  rng:shuffle(order)
  local chosen = {}
  for j = 1, least + rng:below(most - least + 1) do chosen[j] = order[j] end
  table.sort(chosen)
  for j, k in ipairs(chosen) do chosen[j] = names[k] end
  return chosen
end

local function base(options)
  local names = port_names(options.ports)
  return {
    format = mapping.format, version = mapping.version, ports = names, rmax = options.rmax, schemes = {},
    processor = { name = "random" }, provenance = { kind = "random", seed = options.seed },
  }, names, core.base.rng(options.seed or 0)
end

--- A random two-level mapping: each scheme is one uop on `least` to `most` ports, evenly distributed.
-- @param options `ports`, `schemes` (numbers), `least` (1), `most` (4), `rmax` (none), `seed` (0)
-- @return mapping with schemes s0, s1, ...
function random_mapping.two_level(options)
  local m, names, rng = base(options)
  for _, name in ipairs(scheme_names(options.schemes)) do
    m.schemes[name] = { uops = { { port_set(rng, names, options.least or 1, options.most or 4), 1 } }, status = "explained" }
  end
  return m
end

-- Two lists of ports are equal.
local function same(a, b) return table.concat(a, "\0") == table.concat(b, "\0") end

local function add_uop(uops, ports)
  for _, uop in ipairs(uops) do
    if same(uop[1], ports) then
      uop[2] = uop[2] + 1
      return
    end
  end
  uops[#uops + 1] = { ports, 1 }
end

--- A random three-level mapping: each scheme is 1 to `uops` uops.
-- @param options as for two_level, and `uops` (3); `slots` = true: as many issue slots as uops
-- @return mapping
function random_mapping.three_level(options)
  local m, names, rng = base(options)
  for _, name in ipairs(scheme_names(options.schemes)) do
    local uops, count = {}, 1 + rng:below(options.uops or 3)
    for _ = 1, count do add_uop(uops, port_set(rng, names, options.least or 1, options.most or 4)) end
    m.schemes[name] = { uops = uops, status = "explained", slots = options.slots and count or nil }
  end
  return m
end

--- Random experiments over the schemes of a mapping.
-- @param names list of scheme names
-- @param count how many
-- @param options `length` (5: instances per experiment), `seed` (0)
-- @return list of experiments
function random_mapping.experiments(names, count, options)
  options = options or {}
  local rng, list = core.base.rng(options.seed or 0), {}
  for i = 1, count do
    local e = {}
    for _ = 1, options.length or 5 do
      local name = names[1 + rng:below(#names)]
      e[name] = (e[name] or 0) + 1
    end
    list[i] = e
  end
  return list
end

return random_mapping
