-- For tests: the made-up result of a campaign (discoveries.json), as large as one likes: real machine code, trees of accepted and rejected
-- steps, crashes, subsumed discoveries. Deterministic.
local core = require "portolan.core"

local synthetic_campaign = {}

local registers = { "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15" }
local schemes = {
  { "add", "01", "BINARY" }, { "or", "09", "LOGICAL" }, { "adc", "11", "BINARY" }, { "sbb", "19", "BINARY" }, { "and", "21", "LOGICAL" },
  { "sub", "29", "BINARY" }, { "xor", "31", "LOGICAL" }, { "cmp", "39", "BINARY" }, { "test", "85", "LOGICAL" }, { "xchg", "87", "DATAXFER" },
  { "mov", "89", "DATAXFER" }, { "imul", "0faf", "BINARY", true }, { "bsf", "0fbc", "BITBYTE", true }, { "bsr", "0fbd", "BITBYTE", true },
  { "cmovz", "0f44", "CMOV", true },
}

-- One instruction: hexadecimal code, text. REX.W, opcode, ModRM: register with register, or with [rbx + displacement].
local function instruction(rng, scheme, memory)
  local r, m = rng:below(16), rng:below(16)
  if memory then
    local displacement = 64 * (1 + rng:below(100))
    local hex = ("%02x%s%02x%s"):format(0x48 + (r // 8) * 4, scheme[2], 0x83 + (r % 8) * 8, (("<I4"):pack(displacement):gsub(".", function(c)
      return ("%02x"):format(c:byte())
    end)))
    local address = ("qword ptr [rbx + 0x%x]"):format(displacement)
    if scheme[4] then return hex, ("%s %s, %s"):format(scheme[1], registers[r + 1], address) end
    return hex, ("%s %s, %s"):format(scheme[1], address, registers[r + 1])
  end
  local hex = ("%02x%s%02x"):format(0x48 + (r // 8) * 4 + m // 8, scheme[2], 0xc0 + (r % 8) * 8 + m % 8)
  local first, second = registers[m + 1], registers[r + 1]
  if scheme[4] then first, second = second, first end
  return hex, ("%s %s, %s"):format(scheme[1], first, second)
end

local function cycles(rng, most) return { cycles = (1 + rng:below(4 * most)) / 4 } end

-- A sample of `a`: its instructions, and answers that differ if it is to be interesting.
local function sample(rng, a, interesting, crash)
  local hexes, texts = {}, {}
  for i, part in ipairs(a.parts) do
    local scheme = part[1] and part.scheme or schemes[1 + rng:below(#schemes)]
    hexes[i], texts[i] = instruction(rng, scheme, part.memory)
  end
  local s = { hex = table.concat(hexes), text = table.concat(texts, "; "), a = cycles(rng, 8) }
  s.b = { cycles = s.a.cycles * (interesting and 2 + rng:below(5) or 1) }
  if crash and interesting then s.b = { error = "llvm-mca: assertion failed: 'Resource < N' in \"ResourceManager\"", crash = true } end
  return s
end

local function samples(rng, n, a, interesting, crash)
  local list = {}
  for i = 1, n do list[i] = sample(rng, a, interesting, crash) end
  return list
end

-- What is known of an instruction; what has been expanded is false.
local function part_of(rng)
  local scheme, memory = schemes[1 + rng:below(#schemes)], rng:below(2) == 1
  return { scheme = scheme, memory = memory, ("mnemonic: %s"):format(scheme[1]), ("category: %s"):format(scheme[3]),
    "extension: BASE", "isa-set: " .. (scheme[4] and "I386" or "I86"), "memory: " .. (memory and "read+written" or "none"),
    memory and "operand types: {m64, r64}" or "operand types: {r64, r64}", "requires less than 8 uops" }
end

local function text_of(a)
  local lines = { "Instructions:" }
  for i, part in ipairs(a.parts) do
    local words = {}
    for k = 1, 7 do words[#words + 1] = part[k] or nil end
    lines[#lines + 1] = (" %d. %s"):format(i, #words > 0 and table.concat(words, "; ") or "any")
  end
  if #a.aliasing > 0 then
    lines[#lines + 1] = "Aliasing:"
    for _, line in ipairs(a.aliasing) do lines[#lines + 1] = " " .. line end
  end
  return lines
end

local function block_of(rng, length)
  local a = { parts = {}, aliasing = {} }
  for i = 1, length do a.parts[i] = part_of(rng) end
  for i = 1, length do
    for j = i, length do
      a.aliasing[#a.aliasing + 1] = ("operand 1 of instruction %d must%s alias with operand %d of instruction %d"):format(i,
        rng:below(3) == 0 and " not" or "", i == j and 2 or 1, j)
    end
  end
  return a
end

local function copy(a)
  local b = { parts = {}, aliasing = table.move(a.aliasing, 1, #a.aliasing, 1, {}) }
  for i, part in ipairs(a.parts) do
    b.parts[i] = table.move(part, 1, 7, 1, {})
    b.parts[i].scheme, b.parts[i].memory = part.scheme, part.memory
  end
  return b
end

-- One expansion of a random component that is not at top yet: block, what was done.
local function expanded(rng, a)
  local b, choices = copy(a), {}
  for i, part in ipairs(b.parts) do
    for k = 1, 7 do choices[#choices + 1] = part[k] and { i, k } or nil end
  end
  if #b.aliasing > 0 and rng:below(4) == 0 or #choices == 0 then
    return b, "aliasing: " .. (table.remove(b.aliasing, 1 + rng:below(math.max(1, #b.aliasing))) or "nothing") .. " -> unconstrained"
  end
  local i, k = table.unpack(choices[1 + rng:below(#choices)])
  local old = b.parts[i][k]
  b.parts[i][k] = k == 1 and not old:find "edit" and old .. " + 1 edit" or false
  return b, ("instruction %d: %s -> %s"):format(i, old, b.parts[i][k] and "within 1 edit" or "unconstrained")
end

-- The steps of a generalization; the block it ends with.
local function tree(rng, a, length, crash)
  local list = { { expansions = {}, keys = {}, accepted = true, text = text_of(a), samples = 100, from = 0, reason = "representation",
    witnesses = samples(rng, 5, a, true, crash), counter = {} } }
  local at = 1
  while #list < length do
    local accepted, b, texts = rng:below(3) == 0, a, {}
    for i = 1, rng:below(5) == 0 and 3 or 1 do b, texts[i] = expanded(rng, b) end
    list[#list + 1] = { expansions = texts, keys = texts, accepted = accepted, text = text_of(b), samples = accepted and 20 or 5, from = at,
      witnesses = samples(rng, accepted and 5 or 4, b, true, crash), counter = samples(rng, accepted and 0 or 5, b, false) }
    if accepted then a, at = b, #list end
  end
  return list, a
end

local function discovery(rng, n, options)
  local crash = n % 17 == 3
  local a = block_of(rng, 1 + rng:below(3))
  local original, block = sample(rng, block_of(rng, 5), true, crash), sample(rng, a, true, crash)
  local steps, result = tree(rng, a, options.steps, crash)
  return { id = "d" .. n, text = text_of(result), block = block, original = original,
    interestingness = not crash and 0.5 + rng:below(140) / 100 or nil, infinite = crash or nil, generality = 1 + rng:below(2900),
    covers = rng:below(400), witnesses = samples(rng, 20, result, true, crash),
    order = 1 + rng:below(5), tree = steps, rank = { interestingness = n, generality = n, covers = n },
    subsumed_by = n > 20 and n % 9 == 0 and "d" .. n - 2 or nil }
end

local function coverage(count)
  local top, ids = {}, {}
  for _, k in ipairs { 1, 2, 3, 5, 10, 20 } do
    if k <= count then
      for i = #ids + 1, k do ids[i] = "d" .. i end
      local covered = math.floor(2300 * (1 - 0.8 ^ k) * 0.9)
      top[#top + 1] = { k = k, covered = covered, discoveries = table.move(ids, 1, k, 1, {}), proven = k < 20 }
    end
  end
  return { blocks = 10000, interesting = 2300, covered = 2231, top = top }
end

local function heat(rng, names)
  local share = {}
  for i = 1, #names do
    share[i] = {}
    for j = 1, #names do share[i][j] = i == j and 0 or j < i and share[j][i] or rng:below(620) / 1000 end
  end
  return { predictors = names, blocks = 10000, share = share }
end

--- A result.
-- @param[opt] options `discoveries` (12), `steps` of each generalization (30), `seed` (1)
-- @return table as discoveries.json holds it
function synthetic_campaign.of(options)
  options = { discoveries = options and options.discoveries or 12, steps = options and options.steps or 30, seed = options and options.seed or 1 }
  local rng, list = core.base.rng(options.seed), {}
  for n = 1, options.discoveries do list[n] = discovery(rng:split(n), n, options) end
  return {
    format = "portolan-discoveries", version = 1, discoveries = list, coverage = coverage(#list), reason = "discoveries",
    heat = heat(rng:split(0), { "llvm-mca-14:znver1", "llvm-mca-16:znver1", "hw", "mapping:charts/latest/mapping.json", "osaca:ZEN1" }),
    figures = { seconds = 5025, predictor_calls = 1284332, blocks_sampled = 4200, interesting = 966, expansions = 31245, batches = 42, unlike = 12 },
    campaign = {
      format = "portolan-campaign", version = 1, seed = options.seed, a = { name = "llvm-mca-14:znver1", version = "Debian LLVM version 14.0.6" },
      b = { name = "llvm-mca-16:znver1", version = "Debian LLVM version 16.0.6" },
      domain = { file = "arch/x86_64/domains/default.lua", features = { "mnemonic", "category", "extension", "memory" } },
      interest = { kind = "relative", threshold = 0.5 }, samples = 100, length = 5, orders = 5, schemes = 2940,
      excluded = { { reason = "not supported by llvm-mca-14:znver1", count = 112 } }, limits = { discoveries = 150, dry = 10 },
    },
  }
end

return synthetic_campaign
