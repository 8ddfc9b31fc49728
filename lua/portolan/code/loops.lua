--- The innermost loops of a function: what is between a branch back and its target, if the target leads to the branch again, and no
-- other loop is in between.
-- @module portolan.code.loops
local loops = {}

local most_steps = 10000000 -- of following branches in a function: about a second

-- Where a direct branch goes, as an offset into the code; nil for other instructions. Targets count from the instruction's end, and the
-- distance is the last operand, as `core.isa.decode` prints it: a number of 64 bits.
local function target_of(instruction)
  if not (instruction.scheme:match "^j%l+ rel" or instruction.scheme:match "^loop%l* rel") then return nil end
  local distance = math.tointeger(tonumber(instruction.text:match "(0x%x+)$"))
  return distance and instruction.offset + #instruction.bytes + distance
end

local function ends_a_path(instruction)
  return instruction.scheme:match "^jmp" ~= nil or instruction.scheme:match "^ret" ~= nil or instruction.scheme:match "^ud%d" ~= nil
end

-- Of every instruction: whether it is a `branch`; `to`, the number of the one that it may jump to; `on`, whether the next one may follow.
local function graph_of(instructions)
  local at, graph = {}, {}
  for i, instruction in ipairs(instructions) do at[instruction.offset] = i end
  for i, instruction in ipairs(instructions) do
    local target = target_of(instruction)
    graph[i] = { to = at[target], on = not ends_a_path(instruction), branch = target ~= nil }
  end
  return graph
end

-- Whether a path leads from the first to the last of these instructions within them, and how many steps it took to know.
local function connected(graph, first, last)
  local seen, stack, steps = { [first] = true }, { first }, 0
  while #stack > 0 do
    local i = table.remove(stack)
    steps = steps + 1
    if i == last then return true, steps end
    for _, follower in ipairs { graph[i].to or 0, graph[i].on and i + 1 or 0 } do
      if follower >= first and follower <= last and not seen[follower] then
        seen[follower] = true
        stack[#stack + 1] = follower
      end
    end
  end
  return false, steps
end

-- Loops in the order of where they begin, `{ first =, last = }`; of those that begin at one place, the longest. Nil: there are too many.
local function all_loops(graph)
  local ends, list, steps = {}, {}, 0
  for i = #graph, 1, -1 do
    local first = graph[i].to
    if first and first <= i and not ends[first] and steps <= most_steps then
      local found, more = connected(graph, first, i)
      steps, ends[first] = steps + more, found and i or nil
    end
  end
  for first, last in pairs(ends) do list[#list + 1] = { first = first, last = last } end
  table.sort(list, function(a, b) return a.first < b.first end)
  return steps <= most_steps and list or nil
end

-- Branches within a loop, but for its last instruction.
local function branches(graph, loop)
  local n = 0
  for i = loop.first, loop.last - 1 do n = n + (graph[i].branch and 1 or 0) end
  return n
end

--- Finds innermost loops.
-- @param instructions as of `core.isa.decode`
-- @treturn table|nil list of `{ first =, last = numbers of instructions, branches = how many there are besides the one back }`, in order
-- @treturn[opt] string that there are too many branches
function loops.innermost(instructions)
  local graph = graph_of(instructions)
  local list, found, ends = all_loops(graph), {}, math.huge
  if not list then return nil, "it has too many branches to look for loops" end
  for i = #list, 1, -1 do
    local loop = list[i]
    if ends > loop.last then -- all that begin later end later, so none is inside
      loop.branches = branches(graph, loop)
      table.insert(found, 1, loop)
    end
    ends = math.min(ends, loop.last)
  end
  return found
end

return loops
