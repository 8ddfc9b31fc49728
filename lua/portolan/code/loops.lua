--- The loops of a function, and what they are nested in.
--
-- A loop is a largest set of instructions each of which leads to all others. It has a head, where it is entered; the loops within it are those of
-- what is left of it without its head. It need not be in one piece.
-- @module portolan.code.loops
local flow = require "portolan.code.flow"
local lists = require "portolan.support.lists"
local loop_path = require "portolan.code.loop_path"

local loops = {}

local most_steps = 10000000 -- of following branches in a function: about two seconds

-- The instructions that lead to each other, of some, of which `lowest` is the lowest: a set; nil if it does not lead to itself.
local function cycles_of(search, lowest, among)
  local graph = search.graph
  local leading, steps = flow.closure(lists.where(search.backs[lowest], function(i) return among[i] end), function(i, see)
    for _, earlier in ipairs(i == lowest and {} or graph[i].before) do
      if earlier >= lowest and among[earlier] then see(earlier) end
    end
  end)
  search.steps = search.steps + steps
  if not leading[lowest] then return nil end
  local body, more = flow.reached(graph, lowest, leading)
  search.steps = search.steps + more
  return body
end

-- Finds where a loop is entered: its first instruction that the function begins with, or that something else leads to, which is no padding. Without
-- one, its lowest.
local function head_of(search, body, lowest)
  local function enters(earlier) return not body[earlier] and search.reached[earlier] end
  for i = lowest, #search.graph do
    if body[i] and (i == 1 or lists.any(search.graph[i].before, enters)) then return i end
  end
  return lowest
end

local find

local function add(search, body, lowest, targets, outer)
  local loop = { head = head_of(search, body, lowest), lowest = lowest, body = body, outer = outer, inner = {} }
  table.insert(outer.inner, loop)
  search.list[#search.list + 1], search.heads[loop.head] = loop, loop
  local within = lists.copy(body)
  within[loop.head] = nil
  for i in pairs(body) do search.home[i] = loop end
  find(search, within, lists.where(targets, function(i) return within[i] end), loop)
end

-- Finds the loops among some instructions, outer ones first. Each has its lowest instruction among the targets of branches back, which are in order.
function find(search, among, targets, outer)
  for _, target in ipairs(targets) do
    if search.steps > most_steps then return end
    local body = search.home[target] == outer and cycles_of(search, target, among)
    if body then add(search, body, target, targets, outer) end
  end
end

local function search_of(graph)
  local backs, all = {}, {}
  for i, node in ipairs(graph) do
    all[i] = true
    if node.to and node.to <= i then lists.into(backs, node.to, i) end
  end
  local whole = { inner = {} } -- the function, as what the outermost loops are in
  local search = { graph = graph, backs = backs, reached = flow.reached(graph, 1, all), steps = 0, list = {}, heads = {}, home = {} }
  for i in ipairs(graph) do search.home[i] = whole end
  local targets = lists.keys(backs)
  find(search, all, targets, whole)
  return search, targets
end

-- Targets of branches back that an indirect jump may lead to: of loops that are not known.
local function unknown_heads(search, targets)
  return lists.where(targets, function(target)
    local body = search.home[target].body or {}
    local function is_outside(i) return not body[i] end
    return not search.heads[target] and lists.any(search.backs[target], is_outside) and flow.leading_anywhere(search.graph, target)[target]
  end)
end

-- Branches on a path that are not taken, but for its last instruction.
local function branches(graph, path)
  local n = 0
  for k = 1, #path - 1 do n = n + (graph[path[k]].branch and path[k + 1] == path[k] + 1 and 1 or 0) end
  return n
end

--- Finds loops.
-- @param instructions as of `core.isa.decode`
-- @tparam string architecture of them
-- @tparam[opt] table leaving offsets of branches that go to what a linker will know, as a set
-- @treturn table|nil list of `{ head =, path = numbers of instructions (portolan.code.loop_path), branches = how many branches on it are not taken
-- besides the one back, body = set, outer = what it is in (without a body: the function), inner = list of loops, of these around = those that the
-- path has nothing of, through = the others }`, outer ones first
-- @treturn table|string numbers of instructions where a loop may begin that an indirect jump closes; or that there are too many branches
function loops.find(instructions, architecture, leaving)
  local graph = flow.graph(instructions, architecture, leaving or {})
  local search, targets = search_of(graph)
  if search.steps > most_steps then return nil, "it has too many branches to look for loops" end
  local found, unclear = {}, unknown_heads(search, targets)
  for _, loop in ipairs(search.list) do
    loop.path = loop_path.of(graph, loop, search.heads)
    if loop.path then
      found[#found + 1], loop.branches, loop.around, loop.through = loop, branches(graph, loop.path), {}, {}
      for _, inner in ipairs(loop.inner) do
        table.insert(lists.any(loop.path, function(i) return inner.body[i] end) and loop.through or loop.around, inner)
      end
    else
      unclear[#unclear + 1] = loop.head
    end
  end
  return found, unclear
end

return loops
