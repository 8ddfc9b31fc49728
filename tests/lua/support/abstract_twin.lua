-- The slow, obvious twin of abstract blocks: order, concretization test and subsumption on encoded blocks (A:encode), straight from
-- the definitions (Table 8.2, eq. 8.4-8.16, Def. 8.7). Operands are compared by their text.
local core = require "portolan.core"
local distance = require "portolan.support.distance"
local feature = require "portolan.anica.feature"
local isa = require "portolan.scheme.isa"
local universe = require "portolan.anica.universe"

local twin = {}

local function has(list, member)
  for _, m in ipairs(list) do
    if m == member then return true end
  end
  return false
end

local function all_in(list, other)
  for _, m in ipairs(list) do
    if not has(other, m) then return false end
  end
  return true
end

-- Orders of Table 8.2; nil is top.
local orders = {
  singleton = function(a, b) return a == b end,
  edit = function(a, b) return a.base == b.base and a.edits <= b.edits end,
  log = function(a, b) return a.below <= b.below end,
  subset = function(a, b)
    if a == "none" or b == "none" then return a == b end
    return all_in(b, a)
  end,
}

-- Concretizations of Table 8.2: whether the abstract value a represents f(i).
local concretizations = {
  singleton = function(a, f) return f == a end,
  edit = function(a, f) return distance(f, a.base) <= a.edits end,
  log = function(a, f) return f < a.below end,
  subset = function(a, f)
    if a == "none" then return #f == 0 end
    return all_in(a, f)
  end,
}

-- Whether a scheme is represented by an abstract instruction (eq. 8.10).
function twin.represents(domain, instruction, name)
  for _, one in ipairs(domain.features) do
    local a, f = instruction[one.name], feature.value(one, universe.scheme(name))
    if a ~= nil and not (f and concretizations[one.lattice](a, f)) then return false end
  end
  return true
end

function twin.schemes(domain, instruction)
  local names = {}
  for _, name in ipairs(domain:schemes()) do
    if twin.represents(domain, instruction, name) then names[#names + 1] = name end
  end
  return names
end

local function same_pair(x, y)
  local function is(p, q) return p[1] == q[1] and p[2] == q[2] end
  return is(x.a, y.a) and is(x.b, y.b) or is(x.a, y.b) and is(x.b, y.a)
end

-- The constraint on a pair, or nil.
local function constraint(block, pair)
  for _, c in ipairs(block.aliasing) do
    if same_pair(c, pair) then return c.kind end
  end
end

-- Order (eq. 8.4, 8.9, 8.14).
function twin.leq(domain, a, b)
  if #a.instructions ~= #b.instructions then return false end
  for _, c in ipairs(b.aliasing) do
    if constraint(a, c) ~= c.kind then return false end
  end
  for i, theirs in ipairs(b.instructions) do
    for _, one in ipairs(domain.features) do
      local x, y = a.instructions[i][one.name], theirs[one.name]
      if y ~= nil and (x == nil or not orders[one.lattice](x, y)) then return false end
    end
  end
  return true
end

local legacy = { "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi" }
local names = {} -- register -> { file, number }
for k, r in ipairs(legacy) do
  local stem = r:sub(2)
  for _, name in ipairs { r, "e" .. stem, stem } do names[name] = "gpr" .. k end
  for _, name in ipairs(k <= 4 and { stem:sub(1, 1) .. "l", stem:sub(1, 1) .. "h" } or { stem .. "l" }) do names[name] = "gpr" .. k end
end
for k = 8, 15 do
  for _, ending in ipairs { "", "d", "w", "b" } do names["r" .. k .. ending] = "gpr" .. k + 1 end
end
for k = 0, 31 do
  for _, width in ipairs { "x", "y", "z" } do names[width .. "mm" .. k] = "vector" .. k end
end
for k = 0, 7 do names["k" .. k], names["mm" .. k], names["st" .. k] = "mask" .. k, "mmx" .. k, "x87" .. k end

-- What each operand of an instruction is: "gpr1", "memory[rbx+0x60]", or false if it cannot alias.
local function operands(instruction)
  local printed, list = {}, {}
  local rest = instruction.text:gsub("^%l+ %f[%l]", function(w) return has({ "lock ", "rep ", "repe ", "repne " }, w) and "" or w end)
  for text in (rest:match("^%S+%s+(.*)$") or ""):gmatch("[^,]+") do printed[#printed + 1] = text:match("^%s*(.-)%s*$") end
  for k, o in ipairs(isa.scheme(instruction.scheme).operands) do
    local text = o.fixed or o.visibility ~= "hidden" and printed[k] or ""
    list[k] = false
    if o.kind == "memory" then
      list[k] = "memory" .. (o.visibility == "hidden" and "[" .. o.fixed .. "]" or text:match("%[.*%]"))
    elseif o.kind == "register" then
      list[k] = names[text] or false
    end
  end
  return list
end

-- Concretization test (eq. 8.5, 8.15).
function twin.contains(domain, a, block)
  local instructions, elements = core.isa.decode(block).instructions, core.anica.elements(block)
  if #instructions ~= #a.instructions then return false end
  local places = {}
  for i, instruction in ipairs(instructions) do
    if not twin.represents(domain, a.instructions[i], elements[i]) then return false end
    places[i] = operands(instruction)
  end
  for _, c in ipairs(a.aliasing) do
    local x, y = places[c.a[1]][c.a[2]], places[c.b[1]][c.b[2]]
    local match = x and y and x:match("^%a+[^%d%[]*") == y:match("^%a+[^%d%[]*")
    if match and (x == y) ~= (c.kind == "must") then return false end
  end
  return true
end

-- Calls visit with every injective map of 1..n to 1..m until it returns true.
local function some_injection(n, m, visit)
  local map, used = {}, {}
  local function place(i)
    if i > n then return visit(map) end
    for j = 1, m do
      if not used[j] then
        used[j], map[i] = true, j
        if place(i + 1) then return true end
        used[j] = nil
      end
    end
    return false
  end
  return place(1)
end

-- C4: nothing that is mapped to lies between two neighbours.
local function is_rotation(map, n, m)
  local hit = {}
  for i = 1, n do hit[map[i]] = true end
  for i = 1, n do
    local k, last = map[i] % m + 1, map[i % n + 1]
    while k ~= last do
      if hit[k] then return false end
      k = k % m + 1
    end
  end
  return true
end

-- Subsumption (Def. 8.7).
function twin.subsumes(domain, a, b)
  local n, m, fits = #a.instructions, #b.instructions, {}
  for i = 1, n do
    local mine = twin.schemes(domain, a.instructions[i])
    fits[i] = {}
    for j = 1, m do fits[i][j] = all_in(twin.schemes(domain, b.instructions[j]), mine) end
  end
  return some_injection(n, m, function(map)
    for i = 1, n do
      if not fits[i][map[i]] then return false end
    end
    for _, c in ipairs(a.aliasing) do
      if constraint(b, { a = { map[c.a[1]], c.a[2] }, b = { map[c.b[1]], c.b[2] } }) ~= c.kind then return false end
    end
    return is_rotation(map, n, m)
  end)
end

return twin
