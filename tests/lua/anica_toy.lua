-- A small abstract domain whose concretizations can be listed, for tests: twelve schemes a..l with three features (one of each shape of
-- Table 8.2), each with one register operand 0..2. A block is text, "a0c2". Toy predictors have planted inconsistencies.
local toy = {}

local letters, registers = 12, 3

local function features(v)
  local tags = (v % 2 == 1 and "x" or "") .. (v % 3 == 1 and "y" or "")
  return { group = v // 4, size = v % 4, tags = tags == "" and "none" or tags }
end

local of_letter = {}
for v = 0, letters - 1 do of_letter[string.char(97 + v)] = features(v) end

local function represents(a, letter)
  local f = of_letter[letter]
  if a.group and a.group ~= f.group then return false end
  if a.size and f.size > a.size then return false end
  if a.tags == "none" then return f.tags == "none" end
  for tag in (a.tags or ""):gmatch "." do
    if not f.tags:find(tag, 1, true) then return false end
  end
  return true
end

local function split(block)
  local parts = {}
  for part in block:gmatch "%l%d" do parts[#parts + 1] = part end
  return parts
end

local Abstract = {}
Abstract.__index = Abstract

local function abstract(domain, instructions, aliasing)
  return setmetatable({ domain = domain, instructions = instructions, aliasing = aliasing }, Abstract)
end

local function pair_key(i, j) return ("%d~%d"):format(math.min(i, j), math.max(i, j)) end

function Abstract:size() return #self.instructions end

function Abstract:schemes(i)
  self.known = self.known or {}
  if self.known[i] then return self.known[i] end
  local list = {}
  for _, letter in ipairs(self.domain.letters) do
    if represents(self.instructions[i], letter) then list[#list + 1] = letter end
  end
  self.known[i] = list
  return list
end

function Abstract:generality()
  local least = math.huge
  for i = 1, #self.instructions do least = math.min(least, #self:schemes(i)) end
  return least
end

local function aliasing_holds(self, parts)
  for key, kind in pairs(self.aliasing) do
    local i, j = key:match "(%d+)~(%d+)"
    local same = parts[tonumber(i)]:sub(2) == parts[tonumber(j)]:sub(2)
    if same ~= (kind == "must") then return false end
  end
  return true
end

function Abstract:contains(block)
  local parts = split(block)
  if #parts ~= #self.instructions then return false end
  for i, part in ipairs(parts) do
    if not represents(self.instructions[i], part:sub(1, 1)) then return false end
  end
  return aliasing_holds(self, parts)
end

-- Every block that is represented.
function Abstract:all()
  local list = {}
  local function grow(prefix, i)
    if i > #self.instructions then
      if aliasing_holds(self, split(prefix)) then list[#list + 1] = prefix end
      return
    end
    for _, letter in ipairs(self:schemes(i)) do
      for r = 0, registers - 1 do grow(prefix .. letter .. r, i + 1) end
    end
  end
  grow("", 1)
  return list
end

function Abstract:sample(rng, n)
  local list, failed, schemes = {}, 0, {}
  for i = 1, #self.instructions do schemes[i] = self:schemes(i) end
  for _ = 1, n do
    local block
    for _ = 1, 200 do
      local parts = {}
      for i, names in ipairs(schemes) do parts[i] = names[1 + rng:below(#names)] .. rng:below(registers) end
      if aliasing_holds(self, parts) then
        block = table.concat(parts)
        break
      end
      failed = failed + 1
    end
    list[#list + 1] = block
  end
  if #list == 0 then return nil, "no block could be drawn" end
  return list, failed
end

local function expansions_of(a, i, add)
  if a.group then add(("%d.group"):format(i), i, function(b) b.group = nil end) end
  if a.size then
    local next_size = a.size + 1
    add(("%d.size.%d"):format(i, next_size), i, function(b) b.size = next_size < 3 and next_size or nil end)
  end
  if a.tags == "none" then
    add(("%d.tags.none"):format(i), i, function(b) b.tags = nil end)
  elseif a.tags then
    for tag in a.tags:gmatch "." do
      add(("%d.tags.%s"):format(i, tag), i, function(b)
        b.tags = b.tags:gsub(tag, "")
        if b.tags == "" then b.tags = nil end
      end)
    end
  end
end

function Abstract:expansions()
  local list = {}
  for i, a in ipairs(self.instructions) do
    expansions_of(a, i, function(key, instruction, apply)
      list[#list + 1] = { key = key, instruction = instruction, text = key, apply = apply }
    end)
  end
  local keys = {}
  for key in pairs(self.aliasing) do keys[#keys + 1] = key end
  table.sort(keys)
  for _, key in ipairs(keys) do list[#list + 1] = { key = key, feature = "aliasing", text = key } end
  return list
end

function Abstract:expand(list)
  if list.key then list = { list } end
  local applicable, instructions, aliasing = {}, {}, {}
  for i, a in ipairs(self.instructions) do instructions[i] = { group = a.group, size = a.size, tags = a.tags } end
  for key, kind in pairs(self.aliasing) do aliasing[key] = kind end
  for _, e in ipairs(self:expansions()) do applicable[e.key] = true end
  for _, e in ipairs(list) do
    if applicable[e.key] then
      if e.apply then e.apply(instructions[e.instruction]) else aliasing[e.key] = nil end
    end
  end
  return abstract(self.domain, instructions, aliasing)
end

function Abstract:encode()
  local t = { instructions = {}, aliasing = {} }
  for i, a in ipairs(self.instructions) do
    t.instructions[i] = setmetatable({ group = a.group, size = a.size, tags = a.tags }, { __jsontype = "object" })
  end
  local keys = {}
  for key in pairs(self.aliasing) do keys[#keys + 1] = key end
  table.sort(keys)
  for k, key in ipairs(keys) do
    local i, j = key:match "(%d+)~(%d+)"
    t.aliasing[k] = { a = { tonumber(i), 1 }, b = { tonumber(j), 1 }, kind = self.aliasing[key] == "must" and "must" or "must not" }
  end
  return t
end

function Abstract:text()
  local lines = {}
  for i, a in ipairs(self.instructions) do
    lines[i] = ("%d. group %s, size %s, tags %s"):format(i, a.group or "any", a.size or "any", a.tags or "any")
  end
  for _, c in ipairs(self:encode().aliasing) do lines[#lines + 1] = ("%d and %d %s alias"):format(c.a[1], c.b[1], c.kind) end
  return lines
end

function Abstract:leq(other)
  if #self.instructions ~= #other.instructions then return false end
  for i, a in ipairs(self.instructions) do
    local b = other.instructions[i]
    if b.group and a.group ~= b.group or b.size and (a.size or 3) > b.size then return false end
    if b.tags and (not a.tags or (a.tags == "none") ~= (b.tags == "none")) then return false end
    for tag in (b.tags ~= "none" and b.tags or ""):gmatch "." do
      if not a.tags:find(tag, 1, true) then return false end
    end
  end
  for key, kind in pairs(other.aliasing) do
    if self.aliasing[key] ~= kind then return false end
  end
  return true
end

function Abstract:equal(other) return self:leq(other) and other:leq(self) end

local function within(a, b)
  local set = {}
  for _, x in ipairs(b) do set[x] = true end
  for _, x in ipairs(a) do
    if not set[x] then return false end
  end
  return true
end

-- Definition 8.7 by trying every mapping.
function Abstract:subsumes(other)
  local n, m = #self.instructions, #other.instructions
  if n > m then return false end
  local map, used = {}, {}
  local function aliasing()
    for key, kind in pairs(self.aliasing) do
      local i, j = key:match "(%d+)~(%d+)"
      if other.aliasing[pair_key(map[tonumber(i)], map[tonumber(j)])] ~= kind then return false end
    end
    return true
  end
  local function rotation()
    local turns = 0
    for i = 1, n do turns = turns + (map[i % n + 1] <= map[i] and 1 or 0) end
    return turns <= 1
  end
  local function place(i)
    if i > n then return rotation() and aliasing() end
    for k = 1, m do
      if not used[k] and within(other:schemes(k), self:schemes(i)) then
        used[k], map[i] = true, k
        if place(i + 1) then return true end
        used[k] = nil
      end
    end
    return false
  end
  return place(1)
end

local Domain = { features = { "group", "size", "tags" }, split = split, text = function(block) return block end }
Domain.__index = Domain

function Domain:schemes() return table.move(self.letters, 1, #self.letters, 1, {}) end

function Domain.restrict(_, names) return setmetatable({ letters = names }, Domain) end

function Domain:represent(block)
  local parts, instructions, aliasing = split(block), {}, {}
  for i, part in ipairs(parts) do
    local f = of_letter[part:sub(1, 1)]
    if not f then return nil, "unknown scheme" end
    instructions[i] = { group = f.group, size = f.size < 3 and f.size or nil, tags = f.tags }
    for j = 1, i - 1 do aliasing[pair_key(j, i)] = parts[j]:sub(2) == part:sub(2) and "must" or "mustnot" end
  end
  return abstract(self, instructions, aliasing)
end

function Domain:top(n)
  local instructions = {}
  for i = 1, n do instructions[i] = {} end
  return abstract(self, instructions, {})
end

function Domain:decode(t)
  local instructions, aliasing = {}, {}
  for i, a in ipairs(t.instructions) do instructions[i] = { group = a.group, size = a.size, tags = a.tags } end
  for _, c in ipairs(t.aliasing) do aliasing[pair_key(c.a[1], c.b[1])] = c.kind == "must" and "must" or "mustnot" end
  return abstract(self, instructions, aliasing)
end

function Domain:subsumes(A, block) return A:subsumes(self:represent(block)) end

-- The domain.
function toy.domain()
  local list = {}
  for v = 0, letters - 1 do list[#list + 1] = string.char(97 + v) end
  return setmetatable({ letters = list }, Domain)
end

-- An abstract block: toy.abstract(domain, { { group = 1 }, {} }, { ["1~2"] = "must" })
function toy.abstract(domain, instructions, aliasing)
  for key, kind in pairs(aliasing or {}) do aliasing[key] = kind == "must not" and "mustnot" or kind end
  return abstract(domain, instructions, aliasing or {})
end

-- A function of blocks that keeps what it said.
function toy.memo(f)
  local known = {}
  return function(block)
    if known[block] == nil then known[block] = f(block) end
    return known[block]
  end
end

-- A predictor: cycles(block) -> number or an answer.
function toy.predictor(name, cycles)
  return { name = name, version = "1", deterministic = true, calls = 0,
    predict = function(self, blocks)
      local answers = {}
      for i, block in ipairs(blocks) do
        local c = cycles(block)
        answers[i] = type(c) == "table" and c or { cycles = c }
      end
      self.calls = self.calls + #blocks
      return answers
    end }
end

-- As portolan.predictor.machinery.several.
function toy.predict(predictors, blocks)
  local lists = {}
  for i, p in ipairs(predictors) do lists[i] = p:predict(blocks) end
  return lists
end

-- Two predictors that agree but where one of the planted abstract blocks subsumes the block: there the second says `factor` times as much.
function toy.planted(domain, planted, factor)
  local function honest(block) return #block / 2 end
  local function wrong(block)
    for _, p in ipairs(planted) do
      if domain:subsumes(p, block) then return honest(block) * (factor or 10) end
    end
    return honest(block)
  end
  return toy.predictor("honest", honest), toy.predictor("wrong", toy.memo(wrong))
end

-- An ideal check (Theorem 8.5) for generalize: is every represented block interesting?
function toy.ideal(interesting)
  local nothing = require("portolan.anica.evidence").nothing
  local check = { samples = 1, checks = 0 }
  function check:check(A)
    self.checks = self.checks + 1
    for _, block in ipairs(A:all()) do
      if not interesting(block) then return false, nothing() end
    end
    return true, nothing()
  end
  function check.refutation() return nil end
  return check
end

return toy
