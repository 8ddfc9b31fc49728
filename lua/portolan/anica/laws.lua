--- The laws that a feature's lattice must obey for the abstract domain to be valid (dissertation Def. 8.2), tried out on values.
--
-- Lattices are looked at through portolan.anica.view. Small ones are checked as a whole, large ones on random elements and pairs. That a
-- lattice compiled from Lua orders its elements by reachability is right because of these laws: successors are above (laws 1, 3),
-- and whatever is above is a successor or above one (law 5).
-- @module portolan.anica.laws
local core = require "portolan.core"
local lua_file = require "portolan.support.lua_file"

local laws = {}

--- Elements that are looked at, at most.
laws.most_elements = 3000

--- Pairs and triples that are looked at, at most.
laws.most_pairs = 40000
laws.most_seconds = 600 -- of all laws of one lattice

-- A violation is thrown, and caught by laws.check.
local function violated(law, format, ...) error({ law = law, example = format:format(...) }, 0) end

-- Makes the object that a check works on.
local function walk_of(view, rng)
  local w = { view = view, rng = rng, elements = {}, positions = {} }
  function w.add(element)
    local key = view.key(element)
    if w.positions[key] then return false end
    w.elements[#w.elements + 1] = element
    w.positions[key] = #w.elements
    return true
  end
  function w.any() return w.elements[1 + rng:below(#w.elements)] end
  -- Some steps up from an element.
  function w.climb(element)
    for _ = 1, rng:below(6) do
      local above = view.successors(element)
      if #above == 0 then return element end
      element = above[1 + rng:below(#above)].element
    end
    return element
  end
  return w
end

-- Follows one chain to the top; law 2.
local function chain(w, element)
  local seen, path = {}, {}
  while element ~= w.view.top do
    local key = w.view.key(element)
    path[#path + 1] = w.view.text(element)
    if seen[key] then violated("no infinite ascending chains", "expansions lead round: %s", table.concat(path, " -> ", seen[key])) end
    seen[key] = #path
    w.add(element)
    if #path > laws.most_elements then
      violated("no infinite ascending chains", "%d steps up from %s and not at top", #path, path[1])
    end
    local above = w.view.successors(element)
    element = above[1 + w.rng:below(#above)].element
  end
end

-- Represents all values (law 8), then collects what is above: all of it, or random chains.
local function collect(w)
  local view = w.view
  w.add(view.top)
  for v = 1, view.values do
    local element = view.represent(v)
    if not view.has(element, v) then
      violated("what is represented is contained", "%s does not contain '%s', which it represents", view.text(element), view.value_text(v))
    end
    if #w.elements < laws.most_elements then chain(w, element) end
  end
  local done = 0
  while done < #w.elements do
    done = done + 1
    for _, above in ipairs(view.successors(w.elements[done])) do
      if #w.elements >= laws.most_elements then return false end
      w.add(above.element)
    end
  end
  return true
end

-- Laws 3 and 7 on an element and its successors.
local function check_steps(w, a)
  local view = w.view
  for _, above in ipairs(view.successors(a)) do
    local b = above.element
    if view.key(a) == view.key(b) then violated("expansions are strictly ascending", "%s expands to itself", view.text(a)) end
    if not view.leq(a, b) then
      violated("expansions are strictly ascending", "%s expands to %s, which is not above it", view.text(a), view.text(b))
    end
  end
end

-- Law 7. Large lattices: some of the values.
local function contained(w, a, b)
  local all = w.view.values * #w.elements <= 200000
  for k = 1, all and w.view.values or 30 do
    local v = all and k or 1 + w.rng:below(w.view.values)
    if w.view.has(a, v) and not w.view.has(b, v) then
      violated("concretization is monotone", "%s is below %s, but only the former contains '%s'", w.view.text(a), w.view.text(b),
        w.view.value_text(v))
    end
  end
end

-- Law 5: on the way to whatever is above there is a successor.
local function reachable(w, a, b)
  for _, above in ipairs(w.view.successors(a)) do
    if w.view.leq(above.element, b) then return end
  end
  violated("expansions are complete", "%s is below %s, but no expansion leads there", w.view.text(a), w.view.text(b))
end

-- Law 6: the same step from two elements.
local function same_step(w, a, b)
  local targets = {}
  for _, above in ipairs(w.view.successors(b)) do targets[above.step] = above.element end
  for _, above in ipairs(w.view.successors(a)) do
    local other = targets[above.step]
    if other ~= nil and not w.view.leq(above.element, other) then
      violated("expansions are monotone", "%s is below %s, but not after the same expansion", w.view.text(a), w.view.text(b))
    end
  end
end

local function check_join(w, a, b)
  if not w.view.join or a == w.view.top or b == w.view.top then return end
  local c = w.view.join(a, b)
  if c == nil then c = w.view.top end
  local function wrong(why)
    violated("join is the least upper bound", "join of %s and %s is %s, %s", w.view.text(a), w.view.text(b), w.view.text(c), why)
  end
  if not (w.view.leq(a, c) and w.view.leq(b, c)) then wrong "which is not above both" end
  local other = w.climb(a)
  if w.view.leq(b, other) and not w.view.leq(c, other) then wrong(("but %s is above both, too"):format(w.view.text(other))) end
end

-- Laws 1, 5, 6, 7 on two elements.
local function check_pair(w, a, b, heavy)
  local view = w.view
  check_join(w, a, b)
  if not view.leq(a, b) then return end
  if view.key(a) == view.key(b) then return end
  if view.leq(b, a) then violated("the order is antisymmetric", "%s and %s are each below the other", view.text(a), view.text(b)) end
  reachable(w, a, b)
  same_step(w, a, b)
  if heavy then contained(w, a, b) end
end

local function check_triple(w, a)
  local b = w.climb(a)
  local c = w.rng:below(2) == 0 and w.climb(b) or w.any()
  local leq, text = w.view.leq, w.view.text
  if leq(a, b) and leq(b, c) and not leq(a, c) then
    violated("the order is transitive", "%s is below %s and that below %s, but not the first below the last", text(a), text(b), text(c))
  end
end

local function check_order(w)
  local elements, n = w.elements, #w.elements
  for _, a in ipairs(elements) do
    if not w.view.leq(a, a) then violated("the order is reflexive", "%s is not below itself", w.view.text(a)) end
    check_steps(w, a)
    for _, above in ipairs(w.view.successors(a)) do contained(w, a, above.element) end
  end
  if n * n <= laws.most_pairs then
    for _, a in ipairs(elements) do
      for _, b in ipairs(elements) do check_pair(w, a, b, true) end
    end
  else
    for k = 1, laws.most_pairs // 4 do
      local a = w.any()
      check_pair(w, a, k % 2 == 0 and w.climb(a) or w.any(), k % 50 == 0)
    end
  end
  for _ = 1, laws.most_pairs // 4 do check_triple(w, w.any()) end
end

--- Tries the laws on a lattice.
-- @param view of it (portolan.anica.view)
-- @param seed of the random choices
-- @return `{ values =, nodes =, all = whether that is all of them, law = the violated one or nil, example = }`; errors of the file's
--   functions are thrown
function laws.check(view, seed)
  local w = walk_of(view, core.base.rng(seed))
  local result = { values = view.values, lattice = view.lattice }
  local ok, trouble = lua_file.call(laws.most_seconds, function()
    local held, fault = pcall(function()
      result.all = collect(w)
      check_order(w)
    end)
    if held then return end
    if type(fault) ~= "table" or not fault.law then error(fault, 0) end
    result.law, result.example = fault.law, fault.example
  end)
  result.nodes = #w.elements
  if not ok then error(trouble, 0) end
  return result
end

return laws
