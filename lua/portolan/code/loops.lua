--- The innermost loops of a function, and the path through each that runs again and again.
--
-- A loop is a direct branch back, and what leads from its target to it again. Its path takes no conditional branch, but for those without which it
-- leaves the loop, and follows jumps: of compilers' code that is what runs mostly. It need not be in one piece.
-- @module portolan.code.loops
local facts = require "portolan.code.facts"
local lists = require "portolan.support.lists"

local loops = {}

local most_steps = 10000000 -- of following branches in a function: about two seconds

-- Where a direct branch goes, as an offset into the code: the distance is the last operand, as `core.isa.decode` prints it, a number of at most
-- 64 bits. Nil for other instructions, and false for branches whose distance is not in the code.
local function target_of(instruction, of, leaving)
  if not facts.matches(instruction.scheme, of.direct) then return nil end
  if leaving[instruction.offset] then return false end
  local distance = math.tointeger(tonumber(instruction.text:match(of.distance.pattern)))
  return distance and instruction.offset + (of.distance.from_end and #instruction.bytes or 0) + distance
end

-- Of every instruction: `to`, the number of the one that it may jump to; `on`, whether the next one may follow; `branch`, whether both may happen;
-- `anywhere`, whether a register or memory says where it goes.
local function graph_of(instructions, of, leaving)
  local at, graph = {}, {}
  for i, instruction in ipairs(instructions) do at[instruction.offset] = i end
  for i, instruction in ipairs(instructions) do
    local target, on = target_of(instruction, of, leaving), not facts.matches(instruction.scheme, of.ends)
    graph[i] = { to = target and at[target] or nil, on = on, branch = on and target ~= nil,
      anywhere = target == nil and facts.matches(instruction.scheme, of.anywhere) }
  end
  return graph
end

-- Of every instruction: the numbers of those that it may follow.
local function before_of(graph)
  local before = {}
  for i = 1, #graph do before[i] = {} end
  for i, node in ipairs(graph) do
    if node.to then table.insert(before[node.to], i) end
    if node.on and graph[i + 1] then table.insert(before[i + 1], i) end
  end
  return before
end

-- The numbers of all that a search comes to, from the head on, as a set; how many they are.
local function closure(list, followers)
  local seen, stack, count = {}, {}, 0
  local function see(i)
    if seen[i] then return end
    seen[i], count = true, count + 1
    stack[#stack + 1] = i
  end
  for _, i in ipairs(list) do see(i) end
  while #stack > 0 do followers(table.remove(stack), see) end
  return seen, count
end

-- Whether a path from an instruction leads to an indirect jump, without going back beyond a head; how many steps it took to know.
local function leads_anywhere(graph, from, head)
  local found = false
  local _, steps = closure({ from }, function(i, see)
    local node = graph[i]
    found = found or node.anywhere
    if node.to and node.to >= head then see(node.to) end
    if node.on and graph[i + 1] then see(i + 1) end
  end)
  return found, steps
end

-- The loop of a head and the branches back to it: `{ first =, body = set }`, `{ unclear = true }` if an indirect jump may close it, or nil; and
-- how many steps that took.
local function loop_of(graph, before, head, backs)
  local leading, steps = closure(backs, function(i, see)
    for _, earlier in ipairs(i == head and {} or before[i]) do
      if earlier >= head then see(earlier) end
    end
  end)
  if not leading[head] then
    local unclear, more = leads_anywhere(graph, head, head)
    return unclear and { unclear = true } or nil, steps + more
  end
  local body, more = closure({ head }, function(i, see)
    local node = graph[i]
    if leading[node.to] then see(node.to) end
    if node.on and leading[i + 1] then see(i + 1) end
  end)
  return { first = head, body = body }, steps + more
end

-- All loops in the order of their heads; nil: there are too many. The heads of those that an indirect jump may close.
local function all_loops(graph)
  local backs, list, unclear, steps, before = {}, {}, {}, 0, before_of(graph)
  for i, node in ipairs(graph) do
    if node.to and node.to <= i then
      lists.into(backs, node.to, i)
    end
  end
  for head = 1, #graph do
    if backs[head] then
      local loop, more = loop_of(graph, before, head, backs[head])
      steps = steps + more
      if steps > most_steps then return nil end
      if loop and loop.unclear then unclear[#unclear + 1] = head elseif loop then list[#list + 1] = loop end
    end
  end
  return list, unclear
end

-- Does another loop begin in the body of this one?
local function is_innermost(loop, heads)
  for head in pairs(heads) do
    if head ~= loop.first and loop.body[head] then return false end
  end
  return true
end

-- The path: to the last branch back that is on it. Every instruction of the body leads back, but a path that takes no branch may end in a circle
-- beside the head, which is another loop's; then there is none. Nil: it would take a branch because the other way is an indirect jump.
local function path_of(graph, loop)
  local path, closed, seen, i = {}, 0, {}, loop.first
  while i and loop.body[i] and not seen[i] do
    local node = graph[i]
    seen[i] = true
    path[#path + 1] = i
    if node.to == loop.first then closed = #path end
    if node.branch and not loop.body[i + 1] and node.to ~= loop.first and leads_anywhere(graph, i + 1, loop.first) then return nil end
    i = node.on and loop.body[i + 1] and i + 1 or node.to
  end
  return table.move(path, 1, closed, 1, {})
end

-- Branches on a path that are not taken, but for its last instruction.
local function branches(graph, path)
  local n = 0
  for k = 1, #path - 1 do n = n + (graph[path[k]].branch and path[k + 1] == path[k] + 1 and 1 or 0) end
  return n
end

--- Finds innermost loops.
-- @param instructions as of `core.isa.decode`
-- @tparam string architecture of them
-- @tparam[opt] table leaving offsets of branches that go to what a linker will know, as a set
-- @treturn table|nil list of `{ first =, last = numbers of instructions, path = list of numbers, branches = how many branches on it are not taken
-- besides the one back }`, in order
-- @treturn table|string numbers of instructions where a loop may begin that an indirect jump closes; or that there are too many branches
function loops.innermost(instructions, architecture, leaving)
  local graph = graph_of(instructions, facts.of(architecture), leaving or {})
  local list, unclear = all_loops(graph)
  if not list then return nil, "it has too many branches to look for loops" end
  local heads, found = {}, {}
  for _, loop in ipairs(list) do heads[loop.first] = true end
  for _, loop in ipairs(list) do
    local path = {}
    if is_innermost(loop, heads) then path = path_of(graph, loop) end
    if not path then
      unclear[#unclear + 1] = loop.first
    elseif #path > 0 then
      found[#found + 1] = { first = loop.first, last = path[#path], path = path, branches = branches(graph, path) }
    end
  end
  return found, unclear
end

return loops
