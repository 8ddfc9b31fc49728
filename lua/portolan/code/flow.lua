--- This module tells which instruction of a function may follow which.
-- @module portolan.code.flow
local facts = require "portolan.code.facts"
local lists = require "portolan.support.lists"

local flow = {}

-- Tells where a direct branch goes, as an offset into the code: the distance is the last operand, as `core.isa.decode` prints it, a number of at most
-- 64 bits. Nil for other instructions, and false for branches whose distance is not in the code.
local function target_of(instruction, of, leaving)
  if not facts.matches(instruction.scheme, of.direct) then return nil end
  if leaving[instruction.offset] then return false end
  local distance = math.tointeger(tonumber(instruction.text:match(of.distance.pattern)))
  return distance and instruction.offset + (of.distance.from_end and #instruction.bytes or 0) + distance
end

--- The graph of a function.
-- @param instructions as of `core.isa.decode`
-- @tparam string architecture of them
-- @tparam table leaving offsets of branches that go to what a linker will know, as a set
-- @treturn table of every instruction: `to`, the number of the one that it may jump to; `on`, whether the next one may follow; `branch`, whether
-- both may happen; `before`, the numbers of those that it may follow. And `anywhere`, the numbers of those that go where a register or memory says
function flow.graph(instructions, architecture, leaving)
  local of, at, graph = facts.of(architecture), {}, { anywhere = {} }
  for i, instruction in ipairs(instructions) do at[instruction.offset] = i end
  for i, instruction in ipairs(instructions) do
    local target = target_of(instruction, of, leaving)
    local on = i < #instructions and not facts.matches(instruction.scheme, of.ends)
    graph[i] = { to = target and at[target] or nil, on = on, branch = on and target ~= nil, before = {} }
    if target == nil and facts.matches(instruction.scheme, of.anywhere) then table.insert(graph.anywhere, i) end
  end
  for i, node in ipairs(graph) do
    if node.to then table.insert(graph[node.to].before, i) end
    if node.on then table.insert(graph[i + 1].before, i) end
  end
  return graph
end

--- All that a search comes to.
-- @tparam {int,...} list where it begins
-- @tparam function followers function(number, see): calls `see` with the number of each that follows
-- @treturn table the numbers as a set
-- @treturn int how many they are
function flow.closure(list, followers)
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

--- Finds what an instruction leads to.
-- @tparam table graph of `flow.graph`
-- @tparam int from its number
-- @tparam table among the numbers that count, as a set
-- @treturn table numbers as a set, with its own
-- @treturn int how many they are
function flow.reached(graph, from, among)
  return flow.closure(graph[from] and { from } or {}, function(i, see)
    local node = graph[i]
    if node.to and among[node.to] then see(node.to) end
    if node.on and among[i + 1] then see(i + 1) end
  end)
end

--- Finds what leads to an indirect jump without going back beyond an instruction.
-- @tparam table graph of `flow.graph`
-- @tparam int first the number of that instruction
-- @treturn table numbers as a set
function flow.leading_anywhere(graph, first)
  return (flow.closure(lists.where(graph.anywhere, function(i) return i >= first end), function(i, see)
    for _, earlier in ipairs(graph[i].before) do
      if earlier >= first then see(earlier) end
    end
  end))
end

return flow
