-- Gracemont, an E-core: 5 issue slots a cycle, four adders, two load and two store units, three vector pipes of 128 bits; whatever works on 256
-- bits is two uops, in two slots. LLVM has no model of it: a table over mnemonics, by what is publicly known, where nothing is known by
-- analogy.
local core = require "portolan.core"
local quirks = require "cores.quirks"
local scheme_set = require "portolan.scheme.set"

local alu, shift, multiply = { "0", "1", "2", "3" }, { "0", "1" }, { "1" }
local load, address, data, vector_data = { "10", "11" }, { "12", "13" }, { "8", "9" }, { "28", "29" }
local pipes, floats, first, shuffle = { "20", "21", "22" }, { "20", "21" }, { "20" }, { "21", "22" }

-- The first rule whose pattern the mnemonic matches: uops of the operation on registers.
local scalar_rules = {
  { "^imul$", multiply }, { "^popcnt$", multiply }, { "^[lt]zcnt$", multiply }, { "^crc32$", multiply }, { "^p[de][ex][pt]$", multiply },
  { "^bs[fr]$", multiply }, { "^sh[lr]d$", shift, shift }, { "^sh[lr]x?$", shift }, { "^sarx?$", shift }, { "^ro[lr]x?$", shift },
  { "^bswap$", shift }, { "^bt[crs]?$", shift }, { "^bextr$", shift, alu }, { "^bzhi$", shift }, { "^cmov", shift }, { "^xchg$", alu, alu, alu },
  { "^add$", alu }, { "^sub$", alu }, { "^and$", alu }, { "^or$", alu }, { "^xor$", alu }, { "^cmp$", alu }, { "^test$", alu }, { "^not$", alu },
  { "^neg$", alu }, { "^inc$", alu }, { "^dec$", alu }, { "^lea$", alu }, { "^mov$", alu }, { "^mov[sz]xd?$", alu }, { "^andn$", alu },
  { "^bls", alu }, { "^set", alu }, { "^c[dqw][qoe]?e?$", alu },
}
local vector_rules = {
  { "^vph[as]", shuffle, shuffle, pipes }, { "^vhs?[ua][bd]", shuffle, shuffle, floats }, { "^vpmulld$", first, first }, { "^vpmul", first },
  { "^vpmadd", first }, { "^vpsadbw$", first }, { "^vaes", first }, { "^vpclmul", first }, { "^vpmovmskb$", first }, { "^vmovmsk", first },
  { "^vpblendvb$", pipes, pipes }, { "^vblendv", pipes, pipes }, { "^vpblend", pipes }, { "^vblend", pipes },
  { "^vpbroadcast", shuffle }, { "^vbroadcast", shuffle }, { "^vp[au][cn][kp]", shuffle }, { "^vpshuf", shuffle }, { "^vshuf", shuffle },
  { "^vunpck", shuffle }, { "^vpalignr$", shuffle }, { "^vpermil", shuffle }, { "^vinsertps$", shuffle }, { "^vpmov[sz]x", shuffle },
  { "^vmov[sd]*dup$", shuffle }, { "^vps[lr][la][wdq]", shuffle }, { "^vp[ai][dn][ds]", pipes }, { "^vpsub", pipes }, { "^vpadd", pipes },
  { "^vpand", pipes }, { "^vpor$", pipes }, { "^vpxor$", pipes }, { "^vpcmpgtq$", first }, { "^vpcmp[eg][qt][bwdq]$", pipes },
  { "^vpm[ai][xn][su]", pipes }, { "^vpabs", pipes }, { "^vpavg", pipes }, { "^vpsign", pipes }, { "^vand", pipes }, { "^vx?or", pipes },
  { "^vadd", floats }, { "^vsub", floats }, { "^vmul", floats }, { "^vfm", floats }, { "^vfnm", floats }, { "^vcmp", floats },
  { "^vm[ai][xn]", floats },
  { "^vround", first }, { "^vcvtdq2ps$", first }, { "^vcvtt?ps2dq$", first }, { "^vrcp", first }, { "^vrsqrt", first }, { "^vu?comis", first },
  { "^vmov[aud]", pipes }, { "^vmov[dq]$", first },
}

local function operation(scheme, on_vectors)
  for _, rule in ipairs(on_vectors and vector_rules or scalar_rules) do
    if scheme.mnemonic:find(rule[1]) then
      local uops = {}
      for i = 2, #rule do uops[#uops + 1] = { rule[i], 1 } end
      return uops
    end
  end
end

-- The memory operand, and the bits of the widest vector.
local function operands_of(scheme)
  local memory, bits, gpr = nil, 0, false
  for _, operand in ipairs(scheme.operands) do
    if operand.kind == "memory" then memory = operand end
    bits = math.max(bits, operand.class == "ymm" and 256 or operand.class == "xmm" and 128 or 0)
    gpr = gpr or operand.kind == "register" and operand.visibility == "explicit" and operand.class:find "^gpr" ~= nil
  end
  return memory, bits, gpr
end

local moving = { DATAXFER = true, BROADCAST = true }

-- What is a load or a store and nothing else?
local function only_moves(scheme, memory)
  return memory and (moving[scheme.category] or scheme.mnemonic == "vlddqu") and scheme.mnemonic ~= "movbe"
end

local function scheme_of(name)
  local scheme = core.isa.scheme(name)
  local memory, bits, gpr = operands_of(scheme)
  local uops = only_moves(scheme, memory) and {} or operation(scheme, bits > 0)
  if not uops or (scheme.breakers or 0) > 0 or bits > 0 and gpr and not scheme.mnemonic:find "^v[pm]+o?v" then return nil end
  local slots, accesses = math.max(1, #uops), memory and scheme.mnemonic ~= "lea"
  local function add(ports) uops[#uops + 1] = { ports, 1 } end
  if accesses and memory.access:find "r" then add(load) end
  if accesses and memory.access:find "w" then
    add(address)
    add(bits > 0 and vector_data or data)
    slots = only_moves(scheme, memory) and slots or slots + 1
  end
  local halves = bits == 256 and 2 or 1
  local narrow = memory and not only_moves(scheme, memory) and math.max(1, memory.width // 128)
  for _, uop in ipairs(uops) do uop[2] = uop[1] == load and narrow or halves end
  return { uops = uops, slots = halves * slots, status = "explained" }
end

local function is_amds(group) return group.name:find "AMD" ~= nil end

--- @param quirky true: rename eliminates what no chain can be made of, decoders stall
return function(quirky)
  local m = { format = "portolan-mapping", version = 1, rmax = 5, schemes = {},
    same = { ["28,29"] = "8,9" }, -- two addresses a cycle limit stores of either kind before their data do
    ports = { "0", "1", "10", "11", "12", "13", "2", "20", "21", "22", "28", "29", "3", "8", "9" } }
  for _, group in ipairs(assert(scheme_set.load "all")) do
    for _, name in ipairs(group.schemes) do m.schemes[name] = not is_amds(group) and scheme_of(name) or nil end
  end
  for _, name in ipairs { "mov r64, r64", "mov r32, r32" } do
    m.schemes[name] = { uops = {}, slots = 1, status = "eliminated at rename" }
  end
  if quirky then
    m.schemes["lea r64, m"] = { uops = {}, slots = 1, status = "eliminated at rename", misfit = { unchainable = true } }
    quirks.length_changing_prefixes(m)
  end
  return m
end
