-- Instructions that lead a value from one file of registers to another, so that chains close whose own instructions do not (docs/inference.md,
-- "Latencies"). arch/x86_64/connectors.lua explains kinds and fields.
local list = {}

local function add(from, to, scheme, input, output) list[#list + 1] = { from = from, to = to, scheme = scheme, input = input, output = output } end

-- General and vector registers.
add("gpr", "vector", "fmov d, x", "2", "1")
add("vector", "gpr", "fmov x, d", "2", "1")
add("gpr", "vector", "dup v.2d, x", "2", "1")

-- Addresses: what is masked with 0 is 0, and an address of the data once the base is there, too (engine/isa/aarch64/a64_chains.c).
add("gpr", "zero", "and x, x, x", "2", "1")
add("zero", "base", "orr x, x, x", "2", "1")

-- Flags: whoever writes one of them writes all, and whoever reads one of them reads c.
add("gpr", "c", "adds x, x, x", "2", "c")
add("gpr", "c", "ands x, x, x", "2", "c")
add("vector", "c", "fcmp d, d", "1", "c")
add("c", "gpr", "csel x, x, x, cond", "c", "1")
add("c", "gpr", "adc x, x, x", "c", "1")
add("c", "vector", "fcsel d, d, d, cond", "c", "1")

-- Memory, by the bits that are written there.
for bits, scheme in pairs { [8] = "%srb w, [x, imm12]", [16] = "%srh w, [x, imm12]", [32] = "%sr w, [x, imm12]", [64] = "%sr x, [x, imm12]" } do
  add("gpr", "mem" .. bits, scheme:format "st", "1", "2")
  add("mem" .. bits, "gpr", scheme:format "ld", "2", "1")
end
for bits, class in pairs { [32] = "s", [64] = "d", [128] = "q" } do
  add("vector", "mem" .. bits, ("str %s, [x, imm12]"):format(class), "1", "2")
  add("mem" .. bits, "vector", ("ldr %s, [x, imm12]"):format(class), "2", "1")
end
add("vector", "mem256", "stp q, q, [x, imm7]", "1", "3")
add("mem256", "vector", "ldp q, q, [x, imm7]", "3", "1")
table.sort(list, function(a, b)
  if a.from ~= b.from then return a.from < b.from end
  if a.to ~= b.to then return a.to < b.to end
  return a.scheme < b.scheme
end)

-- Delays lead from a kind to itself and take several cycles. Multiplications of 64 bits keep some cores' multipliers as busy as they take.
local delays = {
  { kind = "gpr", scheme = "madd w, w, w, w", input = "2", output = "1" },
  { kind = "vector", scheme = "mul v.4s, v.4s, v.4s", input = "2", output = "1", domain = "int" },
  { kind = "vector", scheme = "fmul v.4s, v.4s, v.4s", input = "2", output = "1", domain = "fp" },
}

-- Only sums of the way into a file and the way out of it can be measured: these are given the middle of what the sums leave open.
local gauges = {
  { scheme = "fmov d, x", input = "2", output = "1", choose = "middle" },
  { scheme = "adds x, x, x", input = "2", output = "c", choose = "middle" },
}
for _, c in ipairs(list) do -- what is stored is in memory at once; loads take the time
  if c.to:find "^mem" then gauges[#gauges + 1] = { scheme = c.scheme, input = c.input, output = c.output, choose = "least" } end
end

-- No core of Arm's is known to rename its flags one by one; c comes first, as all read it.
local flags = { alone = { "c", "n", "z", "v" }, unread = {}, as_one = true }

return { connectors = list, delays = delays, gauges = gauges, flags = flags }
