--- The path through a loop that runs again and again.
--
-- It takes no conditional branch, but for those without which it leaves the loop, and follows jumps. It goes around the loops within where there is
-- a way, and else through each of them once, or less where they are left at their beginning.
-- @module portolan.code.loop_path
local flow = require "portolan.code.flow"
local lists = require "portolan.support.lists"

local loop_path = {}

-- Does a step go back to the beginning of a loop that it is in?
local function goes_back(heads, from, to)
  local loop = heads[to]
  return loop ~= nil and loop.body[from] ~= nil
end

-- Returns what leads to the head of a loop again, as a set: each loop within once, without these instructions; nil if the head itself does not.
local function leading_back(graph, loop, heads, without)
  local function is_allowed(i) return loop.body[i] and not without[i] end
  local leading = flow.closure(lists.where(graph[loop.head].before, is_allowed), function(i, see)
    for _, earlier in ipairs(i == loop.head and {} or graph[i].before) do
      if is_allowed(earlier) and not goes_back(heads, earlier, i) then see(earlier) end
    end
  end)
  return leading[loop.head] and leading or nil
end

-- The path from the head until it comes back there. Nil: it would take a branch because the other way is an indirect jump.
local function follow(graph, loop, heads, leading)
  local path, i, anywhere = {}, loop.head, flow.leading_anywhere(graph, loop.lowest)
  repeat
    local node = graph[i]
    path[#path + 1] = i
    if node.branch and not loop.body[i + 1] and node.to ~= loop.head and anywhere[i + 1] then return nil end
    local falls = node.on and (i + 1 == loop.head or leading[i + 1] and not goes_back(heads, i, i + 1))
    i = falls and i + 1 or node.to
  until i == loop.head
  return path
end

-- The same circle, from an instruction on that a jump leads to, so that what comes last goes back: from the head, or else one of no loop within.
local function from_jump(path, within)
  local start = 1
  for k = #path, 1, -1 do
    if path[k] ~= path[(k - 2) % #path + 1] + 1 and not within[path[k]] then start = k end
  end
  return table.move(path, 1, start - 1, #path - start + 2, table.move(path, start, #path, 1, {}))
end

--- Finds the path of a loop.
-- @tparam table graph of `portolan.code.flow`
-- @tparam table loop `{ head =, lowest =, body = set, inner = list of loops }`
-- @tparam table heads loops by their heads
-- @treturn {int,...}|nil numbers of instructions; nil if nothing tells
function loop_path.of(graph, loop, heads)
  local within = {}
  for _, inner in ipairs(loop.inner) do
    for i in pairs(inner.body) do within[i] = true end
  end
  local leading = leading_back(graph, loop, heads, within) or leading_back(graph, loop, heads, {})
  local path = leading and follow(graph, loop, heads, leading)
  return path and from_jump(path, within)
end

return loop_path
