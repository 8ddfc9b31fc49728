--- The steps of a generalization as the tree that they are (Figure 8.3): the accepted steps that led to the result are its spine, rejected ones
-- hang off it, and what was accepted but given up later is a branch of its own.
local tree = {}

local function same(x, y)
  if not x or not y or #x ~= #y then return false end
  for i, line in ipairs(x) do
    if line ~= y[i] then return false end
  end
  return true
end

-- The step that ended with the discovery: the last accepted one with its text, or simply the last accepted one.
local function result_of(steps, text)
  local last = 0
  for i = #steps, 1, -1 do
    if steps[i].accepted then
      if same(steps[i].text, text) then return i end
      if last == 0 then last = i end
    end
  end
  return last
end

--- Tells whether the first step is the representation itself, not an expansion of it.
function tree.has_root(steps)
  local first = steps[1]
  return first ~= nil and (first.from or 0) == 0 and #(first.expansions or {}) == 0
end

--- Tells what each step is, and how far it is from the spine.
-- @tparam table steps list of { accepted =, from =, text = }
-- @tparam {string,...}|nil text of the discovery
-- @treturn {string,...} per step "spine", "rejected" or "given up"
-- @treturn {number,...} per step the lane it is drawn in: 0 for the spine
function tree.kinds(steps, text)
  local on_spine, at = {}, result_of(steps, text)
  while at > 0 do
    on_spine[at] = true
    at = steps[at].from or 0
  end
  local kinds, lanes = {}, {}
  for i, step in ipairs(steps) do
    local from = step.from or 0
    local lane = from == 0 and 0 or lanes[from]
    if on_spine[i] then
      kinds[i], lanes[i] = "spine", 0
    elseif step.accepted then
      kinds[i], lanes[i] = "given up", (from == 0 or on_spine[from]) and 1 or lane
    else
      kinds[i], lanes[i] = "rejected", lane + 1
    end
  end
  return kinds, lanes
end

return tree
