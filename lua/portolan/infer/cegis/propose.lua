--- Experiments that tell two mappings apart, given a set of schemes whose union cardinalities differ (Theorem B).
-- @module portolan.infer.cegis.propose
local experiment = require "portolan.experiment"
local lists = require "portolan.support.lists"
local unknowns = require "portolan.infer.cegis.unknowns"

local propose = {}

-- An integer point of the base polytope: walk through the schemes, give each as many copies as it adds new ports.
local function base_point(mapping, order)
  local terms, ports = {}, 0
  for _, i in ipairs(order) do
    local new = unknowns.count(mapping[i] & ~ports)
    if new > 0 then terms[i] = new end
    ports = ports | mapping[i]
  end
  return terms
end

local function without(list, x) return lists.where(list, function(i) return i ~= x end) end

-- The roomier mapping's base point; each scheme in turn a few times against a flood of the others.
local function candidates(roomy, members)
  local list = { base_point(roomy, members) }
  for _, x in ipairs(members) do
    local others = without(members, x)
    local flood, own = base_point(roomy, others), unknowns.count(roomy[x])
    for fold = 1, 3 do
      for copies = 1, own do
        local e = experiment.scale(flood, fold)
        e[x] = copies
        list[#list + 1] = e
      end
    end
    for _, y in ipairs(others) do -- around saturation: one less of one other scheme
      if (flood[y] or 0) > 1 then
        local e = lists.copy(flood)
        e[y], e[x] = e[y] - 1, own
        list[#list + 1] = e
      end
    end
  end
  return list
end

-- The share of the issuing ports' time that the roomy mapping needs: at 1 every binding must be perfect.
local function tightness(cycles, terms, ports) return unknowns.length(terms) / (cycles * ports) end

--- The best experiment that was not asked before.
-- @param u unknowns
-- @param one a mapping of the solver
-- @param other another one
-- @tparam integer set schemes by which they can be told apart
-- @tparam table options
-- @tparam number options.epsilon cycles per instruction
-- @tparam string options.reading "symmetric" or "asymmetric"
-- @tparam table options.asked set of keys of experiments that need not be asked
-- @return `{ [number] = copies }`, or nil if nothing is left to ask
function propose.experiment(u, one, other, set, options)
  local members = unknowns.members(set)
  local function ports(mapping)
    local all = 0
    for _, i in ipairs(members) do all = all | mapping[i] end
    return unknowns.count(all)
  end
  local roomy, tight = one, other
  if ports(one) < ports(other) then roomy, tight = other, one end
  local symmetric = options.reading == "symmetric"
  local best, best_score
  for _, e in ipairs(candidates(roomy, members)) do
    local fast, slow = u:predict(roomy, e), u:predict(tight, e)
    if slow - fast > 2 * options.epsilon * unknowns.length(e) + 1e-9 and not options.asked[u:key(e)] then
      if symmetric then return e end -- the first one that tells is as good as any
      local score = math.log(slow / fast) * (2 - tightness(fast, e, ports(roomy)))
      if not best or score > best_score + 1e-9 then best, best_score = e, score end
    end
  end
  return best
end

--- Two-scheme experiments around saturation, a good start on real processors.
-- @tparam {[string]=integer} port_counts scheme -> number of its ports
-- @treturn {experiment,...} without repetition, in a fixed order
function propose.pairs(port_counts)
  local list, seen = {}, {}
  local names = lists.keys(port_counts, function(a, b)
    if port_counts[a] ~= port_counts[b] then return port_counts[a] < port_counts[b] end
    return a < b
  end)
  local function add(a, m, b, n)
    local key = a .. "\0" .. m .. "\0" .. b .. "\0" .. n
    if not seen[key] then list[#list + 1] = { [a] = m, [b] = n } end
    seen[key] = true
  end
  for i, a in ipairs(names) do
    for j = i + 1, #names do
      local b = names[j]
      local m, n = port_counts[a], port_counts[b]
      add(a, m, b, n)
      if n > m then add(a, m, b, n - m) end
      add(a, m, b, math.max(1, n - 1))
    end
  end
  return list
end

return propose
