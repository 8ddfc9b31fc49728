-- The ports of a core that nobody has met: drawn at random, and the uops of schemes on them, by what Portolan knows of a scheme (operands, category,
-- mnemonic). Structures are those of published cores, in any combination.
local core = require "portolan.core"
local lists = require "portolan.support.lists"
local memory_uops = require "portolan.mapping.memory_uops"

local chimera_ports = {}

-- Kinds of uops: of which ports they have how many.
local kinds = {
  alu = { "alu", "all" }, shift = { "alu", "some" }, multiply = { "alu", "few" }, count = { "alu", "few" }, deposit = { "alu", "few" },
  lea = { "alu", "some" }, flags = { "alu", "some" }, bits = { "alu", "some" }, swap = { "alu", "some" },
  add = { "vec", "most" }, logic = { "vec", "most" }, compare = { "vec", "few" }, vmultiply = { "vec", "few" }, vshift = { "vec", "few" },
  shuffle = { "vec", "few" }, lanes = { "vec", "few" }, blend = { "vec", "most" }, fadd = { "vec", "few" }, fmul = { "vec", "few" },
  fma = { "vec", "few" }, fcompare = { "vec", "few" }, convert = { "vec", "few" }, divide = { "vec", "one" }, to = { "vec", "one" },
  from = { "both", "one" }, load = { "load", "all" }, vload = { "vload", "all" }, address = { "address", "all" }, data = { "data", "all" },
  vdata = { "vdata", "all" },
}

-- Families of schemes: the kinds of their uops, the usual ones first.
local families = {
  alu = { { "alu" } }, increment = { { "alu" } }, constant = { { "alu" } }, move = { { "alu" } }, extend = { { "alu" }, { "alu" }, { "bits" } },
  lea = { { "lea" } }, shift = { { "shift" } }, rotate = { { "shift" }, { "shift" }, { "swap" } }, flags = { { "flags" }, { "flags" }, { "alu" } },
  double = { { "multiply" }, { "shift" }, { "shift", "alu" }, { "alu", "alu", "alu", "alu", "shift", "shift" } },
  test = { { "flags" }, { "shift" }, { "alu" } }, swap = { { "swap" }, { "swap", "shift" } }, bits = { { "bits" }, { "bits" }, { "bits", "alu" } },
  extract = { { "shift", "bits" }, { "bits" }, { "shift" } }, multiply = { { "multiply" } }, count = { { "count" } },
  deposit = { { "deposit" }, { "multiply" } }, exchange = { { "alu", "alu", "alu" }, { "alu", "alu" } },
  add = { { "add" } }, wide_compare = { { "compare" }, { "add" } }, logic = { { "logic" } }, vmove = { { "logic" } }, vmultiply = { { "vmultiply" } },
  long_multiply = { { "vmultiply", "vmultiply" }, { "vmultiply" } }, horizontal = { { "shuffle", "shuffle", "add" }, { "shuffle", "add" } },
  fhorizontal = { { "shuffle", "shuffle", "fadd" }, { "shuffle", "fadd" } },
  vshift = { { "vshift" } },
  each_shift = { { "vshift" }, { "vshift", "vshift", "shuffle" } }, shuffle = { { "shuffle" } }, lanes = { { "lanes" }, { "lanes", "lanes" } },
  blend = { { "blend" } },
  choose = { { "blend" }, { "blend", "blend" }, { "blend", "blend", "blend" } }, fadd = { { "fadd" } }, fmul = { { "fmul" } },
  fma = { { "fmul" }, { "fma" } }, fcompare = { { "fadd" }, { "fcompare" } }, convert = { { "convert" }, { "fadd" } },
  round = { { "convert" }, { "convert", "convert" } }, reciprocal = { { "fmul" }, { "divide" } }, divide = { { "divide" } },
  to = { { "to" } }, to_shuffled = { { "to", "shuffle" }, { "to" } }, from = { { "from" } }, from_shuffled = { { "from", "shuffle" }, { "from" } },
  from_convert = { { "from", "convert" }, { "from" } }, to_convert = { { "convert", "to" }, { "to" } }, tests = { { "to", "shuffle" }, { "to" } },
}

-- The first rule that applies: category (a pattern), mnemonic (a pattern), family.
local scalar_rules = {
  { "CMOV", "", "flags" }, { "SETCC", "", "flags" }, { "BITBYTE", "", "test" }, { "SHIFT", "d$", "double" }, { "SHIFT", "", "shift" },
  { "ROTATE", "", "rotate" }, { "BMI2", "^ro", "rotate" }, { "BMI2", "^s[ah]", "shift" }, { "", "^i?mul", "multiply" }, { "", "cnt$", "count" },
  { "", "^crc", "count" }, { "", "^p[de][ex][pt]$", "deposit" }, { "BMI1", "^bextr", "extract" }, { "BMI1", "", "bits" }, { "MISC", "^lea", "lea" },
  { "DATAXFER", "^xchg", "exchange" }, { "DATAXFER", "^bswap", "swap" }, { "DATAXFER", "^mov.", "extend" }, { "", "^[id][ne]c$", "increment" },
  { "", "", "alu" },
}
local vector_rules = {
  { "LOGICAL", "", "logic" }, { "DATAXFER", "", "vmove" }, { "", "^vpmulld", "long_multiply" }, { "", "^vpmul", "vmultiply" },
  { "", "^vpmadd", "vmultiply" }, { "", "^vpsad", "vmultiply" }, { "", "^vph", "horizontal" }, { "", "^vh", "fhorizontal" },
  { "", "^vps[lr][la]v", "each_shift" },
  { "", "^vps[lr][la]", "vshift" }, { "", "^vp?blendv", "choose" }, { "", "^vp?blend", "blend" }, { "", "^vp?shuf", "shuffle" },
  { "", "^vp?unpck", "shuffle" }, { "", "^vpa[cl][ki][sgu]", "shuffle" }, { "", "^vp?perm", "lanes" },
  { "", "^vinsert", "lanes" }, { "", "^vextract", "lanes" }, { "", "^vdiv", "divide" }, { "", "^vsqrt", "divide" }, { "", "^vrcp", "reciprocal" },
  { "", "^vround", "round" }, { "CONVERT", "", "convert" }, { "", "^vf", "fma" }, { "", "^vmul", "fmul" }, { "", "^v[as][du][db]", "fadd" },
  { "", "^vm[ia][nx]", "fcompare" }, { "", "^vcmp", "fcompare" }, { "", "^vpcmpgtq", "wide_compare" }, { "", "", "add" },
}

-- What the operands of a scheme are.
local function operands_of(scheme)
  local o = { bits = 0, immediate = 0, registers = 0, reads = 0 }
  for _, operand in ipairs(scheme.operands) do
    local class, vector = operand.class or "", operand.class == "xmm" or operand.class == "ymm"
    if operand.kind == "memory" then o.memory = operand end
    if operand.kind == "immediate" then o.immediate = operand.width end
    if vector then o.bits = math.max(o.bits, class == "ymm" and 256 or 128) end
    if operand.kind == "register" and class ~= "flags" then
      o.registers = o.registers + 1
      o.updates = o.updates or vector and operand.access == "rw"
      if class:find "^gpr" and operand.access:find "r" then o.reads = o.reads + 1 end
      o.general = o.general or class:find "^gpr" and operand.access
      o.writes_vector = o.writes_vector or vector and operand.access:find "w" ~= nil
    end
  end
  return o
end

local function by_rules(scheme, rules)
  for _, rule in ipairs(rules) do
    if scheme.category:find(rule[1]) and scheme.mnemonic:find(rule[2]) then return rule[3] end
  end
end

-- What goes between general registers and vectors.
local function between(scheme, o)
  if not o.general then return not o.writes_vector and not o.memory and "tests" or nil end
  local way = o.general:find "w" and "to" or "from"
  if scheme.category == "CONVERT" then return way .. "_convert" end
  return way .. (o.immediate > 0 and "_shuffled" or "")
end

--- The family of a scheme, and its operands.
function chimera_ports.family(name)
  local scheme = core.isa.scheme(name)
  local o = operands_of(scheme)
  if o.bits > 0 then return between(scheme, o) or by_rules(scheme, vector_rules), o end
  local moves = scheme.category == "DATAXFER" and not o.memory and scheme.mnemonic == "mov"
  if moves then return o.registers > 1 and "move" or "constant", o end
  if o.immediate == 8 and scheme.category == "BINARY" then return "increment", o end
  return by_rules(scheme, scalar_rules), o
end

local strange = 0.02 -- share of schemes that have ports unlike all others of their family

local function between_numbers(rng, least, most) return least + rng:below(most - least + 1) end

local function chance(rng, share) return rng:unit() < share end

local function sizes(n)
  return {
    all = { n, n }, most = { math.max(1, n - 1), n }, some = { math.min(n, 1 + n // 3), n }, few = { 1, math.min(n, 2 + n // 4) }, one = { 1, 1 },
  }
end

local function random_part(rng, ports, size)
  local list = table.move(ports, 1, #ports, 1, {})
  rng:shuffle(list)
  list = table.move(list, 1, size, 1, {})
  table.sort(list)
  return list
end

-- The ports of a kind of uops; often those of another kind, as cores have few kinds of units.
local function draw_kind(c, kind)
  local group, how = table.unpack(kinds[kind])
  local ports = c.groups[group]
  local range = sizes(#ports)[how]
  local fitting = lists.where(c.drawn[group] or {}, function(list) return #list >= range[1] and #list <= range[2] end)
  if fitting[1] and chance(c.rng, 0.5) then return fitting[1 + c.rng:below(#fitting)] end
  local part = random_part(c.rng, ports, between_numbers(c.rng, range[1], range[2]))
  lists.into(c.drawn, group, part)
  return part
end

local function ports_of(c, kind)
  c.kinds[kind] = c.kinds[kind] or draw_kind(c, kind)
  return c.kinds[kind]
end

local function named(letter, n)
  local list = {}
  for i = 1, n do list[i] = letter .. i end
  return list
end

--- Draws the ports of a core.
-- @param rng random stream
-- @return core; `words` say what it is
function chimera_ports.draw(rng)
  local alu = named("i", between_numbers(rng, 2, 6))
  local shared, pipes = chance(rng, 0.4), between_numbers(rng, 2, 4)
  local vec = shared and random_part(rng, alu, math.min(#alu, pipes)) or named("v", pipes)
  local load = named("l", chance(rng, 0.08) and 1 or between_numbers(rng, 2, 4))
  local by_loads, vdata = chance(rng, 0.5), rng:unit()
  local g = { alu = alu, vec = vec, both = shared and alu or lists.joined(alu, vec), load = load, data = named("d", between_numbers(rng, 1, 2)) }
  g.vload = chance(rng, 0.3) and random_part(rng, load, between_numbers(rng, 1, #load)) or load
  g.address = not by_loads and named("a", between_numbers(rng, 1, 2)) or chance(rng, 0.5) and load
    or random_part(rng, load, between_numbers(rng, 1, #load))
  g.vdata = vdata < 0.6 and g.data or vdata < 0.8 and random_part(rng, vec, math.min(#vec, between_numbers(rng, 1, 2)))
    or named("e", between_numbers(rng, 1, 2))
  local c = { rng = rng, groups = g, drawn = {}, kinds = {}, chosen = {}, strange = {},
    rmax = math.min(between_numbers(rng, 3, 10), between_numbers(rng, 4, 10)),
    split = chance(rng, 0.15), fused = not chance(rng, 0.15), loads_apart = chance(rng, 0.1) }
  for _, kind in ipairs(lists.keys(kinds)) do ports_of(c, kind) end
  c.words = { ("%d slots, %d alu, %d %svec, %d load, %s, %d data"):format(c.rmax, #alu, #vec, shared and "shared " or "", #load,
    by_loads and "addresses by loads" or #g.address .. " address", #g.data) }
  for word, has in pairs { ["256 bits split"] = c.split, ["no micro-fusion"] = not c.fused } do c.words[#c.words + 1] = has and word or nil end
  table.sort(c.words)
  return c
end

-- Which of the ways to do it a core has: the same for all schemes of the family.
local function way_of(c, family)
  local ways = families[family]
  c.chosen[family] = c.chosen[family] or (chance(c.rng, 0.6) and ways[1] or ways[1 + c.rng:below(#ways)])
  return c.chosen[family]
end

--- A scheme on a core.
-- @param c core
-- @param name scheme
-- @return `{ uops =, slots =, status = "explained" }`, family, operands
function chimera_ports.scheme(c, name)
  local family, o = chimera_ports.family(name)
  local uops, memory, vector = {}, o.memory, o.bits > 0
  local moves, n = memory and (memory_uops.only_loads(name) or memory.access == "w"), 0
  local halves = c.split and o.bits == 256 and 2 or 1
  local function add(kind, count)
    uops[#uops + 1] = { ports_of(c, kind), count }
    n = n + count
  end
  for _, kind in ipairs(moves and {} or way_of(c, family)) do add(kind, halves) end
  if not memory and not uops[2] and chance(c.rng, strange) then
    local group = c.groups[kinds[way_of(c, family)[1]][1]]
    uops[1][1] = random_part(c.rng, group, between_numbers(c.rng, 1, #group))
    c.strange[#c.strange + 1] = name
  end
  if memory and memory.access:find "r" then add(vector and "vload" or "load", memory.width == 256 and halves or 1) end
  if moves and memory.width < 32 and c.loads_apart then add("alu", 1) end
  if memory and memory.access:find "w" then
    add("address", memory.width == 256 and halves or 1)
    add(vector and "vdata" or "data", memory.width == 256 and halves or 1)
  end
  local shared = c.fused and memory_uops.beyond_slots(name, c.split and 128 or nil) or 0
  return { uops = uops, slots = math.max(1, n - shared), status = "explained" }, family, o
end

return chimera_ports
