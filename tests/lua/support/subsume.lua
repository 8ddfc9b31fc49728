--- Subsumption of abstract blocks (Definition 8.7) by Z3 (engine/smt/subsume_formula.h). Agrees with `A:subsumes`, which searches directly and is
-- faster; this one is the second opinion.
-- @module support.subsume
local core = require "portolan.core"

local subsume = {}

local kinds = { must = 1, ["must not"] = 2 }

local function set(names)
  local s = {}
  for _, name in ipairs(names) do s[name] = true end
  return s
end

local function all_in(names, of)
  for _, name in ipairs(names) do
    if not of[name] then return false end
  end
  return true
end

local function constraints(A)
  local list = {}
  for i, c in ipairs(A:encode().aliasing or {}) do list[i] = { c.a[1], c.a[2], c.b[1], c.b[2], kinds[c.kind] } end
  return { instructions = A:size(), aliasing = list }
end

--- Whether an abstract block subsumes another.
-- @param A abstract block
-- @param B abstract block; the representation of a concrete block stands for it
-- @return boolean; list: the instruction of B for each of A, if it does. Or nil and a message
function subsume.subsumes(A, B)
  if A:size() > B:size() then return false end
  local within, represented = {}, {}
  for k = 1, B:size() do represented[k] = B:schemes(k) end
  for i = 1, A:size() do
    local of = set(A:schemes(i))
    within[i] = {}
    for k = 1, B:size() do within[i][k] = all_in(represented[k], of) end
  end
  return core.smt.subsumes(constraints(A), constraints(B), within)
end

return subsume
