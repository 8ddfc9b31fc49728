-- A rule of the front end, hidden in a simulated core: some schemes take more issue slots than they have uops.
local experiment = require "portolan.experiment"
local lists = require "portolan.support.lists"
local mapping = require("portolan").mapping

local dispatch = {}

-- Does it work on vectors of 128 bits?
local function is_wide(name) return name:find "v%.16b" or name:find "v%.8h" or name:find "v%.4s" or name:find "v%.2d" end

local function uops_of(scheme)
  local n = 0
  for _, uop in ipairs(scheme.uops or {}) do n = n + uop[2] end
  return n
end

--- Gives a mapping the rule: what works on 128-bit vectors in a single uop takes two slots; all others one for each uop.
-- @param m mapping, changed
-- @return mapping; the set of names that the rule is about
function dispatch.hide(m)
  local ruled = {}
  for name, scheme in pairs(m.schemes) do
    local one = scheme.status == "explained" and #scheme.uops == 1 and scheme.uops[1][2] == 1
    scheme.slots = math.max(1, uops_of(scheme))
    if one and is_wide(name) and not name:find("[", 1, true) then scheme.slots, ruled[name] = 2, true end
  end
  return m, ruled
end

--- Cortex-A72 with the rule. Needs llvm-19.
function dispatch.a72() return dispatch.hide(require "cores.aarch64" "cortex-a72") end

--- Schemes to chart: `count` at random, or all (0).
function dispatch.names(m, count, seed)
  local names = lists.where(mapping.schemes(m, true), function(name) return m.schemes[name].status ~= "microcoded" end)
  if count > 0 and count < #names then
    require("portolan.core").base.rng(seed):shuffle(names)
    names = table.move(names, 1, count, 1, {})
    table.sort(names)
  end
  return names
end

-- Only the ports of a mapping: a slot for each uop.
local function without_slots(m)
  local copy = lists.copy(m)
  copy.schemes = {}
  for name, scheme in pairs(m.schemes) do
    copy.schemes[name] = lists.copy(scheme)
    copy.schemes[name].slots = math.max(1, uops_of(scheme))
  end
  return copy
end

--- Mean absolute relative errors of what was found, on fresh random experiments.
-- @param truth mapping
-- @param found mapping with slots
-- @param rng random stream
-- @param count of experiments
-- @param length instances of each
-- @return `{ with = (its slots), without = (a slot for each uop) }`, as fractions
function dispatch.errors(truth, found, rng, count, length)
  local names = lists.where(mapping.schemes(found, true), function(name) return found.schemes[name].status == "explained" end)
  local real, with, without = assert(mapping.compile(truth)), assert(mapping.compile(found)), assert(mapping.compile(without_slots(found)))
  local sums = { with = 0, without = 0 }
  for _ = 1, count do
    local e = {}
    for _ = 1, length do
      local name = names[rng:below(#names) + 1]
      e[name] = (e[name] or 0) + 1
    end
    local cycles = assert(real:throughput(e), experiment.key(e))
    sums.with = sums.with + math.abs(with:throughput(e) / cycles - 1) / count
    sums.without = sums.without + math.abs(without:throughput(e) / cycles - 1) / count
  end
  return sums
end

return dispatch
