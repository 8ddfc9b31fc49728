-- Instructions that lead a value from one file of registers to another, so that chains close whose own instructions do not: latencies are measured
-- round a cycle, and what is written in one file must be read from it again (docs/inference.md, "Latencies").
--
-- Kinds of values:
--   gpr, gpr16, gpr8    general registers as instructions of 32 and 64, of 16, of 8 bits write them
--   zero, base          general registers that hold 0, and an address of the data: what an index and a base may be
--   vector, sse         vector registers, as VEX and EVEX, and as legacy instructions write them: the two are not mixed
--   mask, mmx           mask and MMX registers
--   st0, st             the top of the x87 stack, and any other of its registers
--   cf pf af zf sf of   flags, one by one
--   mem8 ... mem512     memory, by the bits that are written there
--
-- `flags`: `alone` are those that some instruction reads alone into a register, `unread` all others. Which of them cores rename together is found
-- out, unless `as_one` says it of all.
--
-- Every connector is measured like any other scheme, and dropped where the processor lacks it. Places are those of portolan.place.

local conditions = { cf = "b", zf = "z", sf = "s", of = "o", pf = "p" } -- flag -> condition that reads it alone

local list = {}

local function add(from, to, scheme, input, output) list[#list + 1] = { from = from, to = to, scheme = scheme, input = input, output = output } end

-- Narrow registers: reading one in full would wait for a merge.
add("gpr8", "gpr", "movzx r32, r8", "2", "1")
add("gpr16", "gpr", "movzx r32, r16", "2", "1")
add("gpr8", "gpr", "movsx r64, r8", "2", "1")
add("gpr16", "gpr", "movsx r64, r16", "2", "1")

-- Addresses: what is masked is 0, and an address of the data once the base is added.
add("gpr", "zero", "and r64, r64", "1", "1")
add("zero", "base", "lea r64, m", "2.index", "1")

-- Flags. Conditional moves read one flag and write a whole register; what is tested writes all flags.
for _, flag in ipairs { "cf", "zf", "sf", "of", "pf" } do
  add("gpr", flag, "test r64, r64", "1", flag)
  add("gpr", flag, "cmp r64, r64", "1", flag)
  add(flag, "gpr", ("cmov%s r64, r64"):format(conditions[flag]), flag, "1")
  add(flag, "gpr8", ("set%s r8"):format(conditions[flag]), flag, "1")
end
add("cf", "gpr", "adc r64, r64", "cf", "1")

-- Vector registers.
for _, encoding in ipairs { { kind = "vector", v = "v" }, { kind = "sse", v = "" } } do
  local kind, v = encoding.kind, encoding.v
  add("gpr", kind, v .. "movq xmm, r64", "2", "1")
  add("gpr", kind, v .. "movd xmm, r32", "2", "1")
  add(kind, "gpr", v .. "movq r64, xmm", "2", "1")
  add(kind, "gpr", v .. "movd r32, xmm", "2", "1")
  add(kind, "gpr", v .. "movmskpd r32, xmm", "2", "1")
  add(kind, "mem64", v .. "movq m64, xmm", "2", "1")
  add("mem64", kind, v .. "movq xmm, m64", "2", "1")
  add(kind, "mem128", v .. "movups m128, xmm", "2", "1")
  add("mem128", kind, v .. "movups xmm, m128", "2", "1")
  add(kind, "mem32", v .. "movd m32, xmm", "2", "1")
  add("mem32", kind, v .. "movd xmm, m32", "2", "1")
end
add("vector", "mem256", "vmovups m256, ymm", "2", "1")
add("mem256", "vector", "vmovups ymm, m256", "2", "1")
add("vector", "mem512", "vmovups m512, zmm", "2", "1")
add("mem512", "vector", "vmovups zmm, m512", "2", "1")

-- Memory from and to general registers.
for _, bits in ipairs { 8, 16, 32, 64 } do
  local kind = "mem" .. bits
  add("gpr", kind, ("mov m%d, r%d"):format(bits, bits), "2", "1")
  if bits < 32 then add(kind, "gpr", ("movzx r32, m%d"):format(bits), "2", "1")
  else add(kind, "gpr", ("mov r%d, m%d"):format(bits, bits), "2", "1") end
end

-- Mask and MMX registers.
add("gpr", "mask", "kmovq k, r64", "2", "1")
add("mask", "gpr", "kmovq r64, k", "2", "1")
add("gpr", "mask", "kmovw k, r32", "2", "1")
add("mask", "gpr", "kmovw r32, k", "2", "1")
add("gpr", "mmx", "movq mm, r64", "2", "1")
add("mmx", "gpr", "movq r64, mm", "2", "1")
add("gpr", "mmx", "movd mm, r32", "2", "1")
add("mmx", "gpr", "movd r32, mm", "2", "1")

-- The x87 stack. From memory of 16 to 64 bits integers are loaded: whatever is stored there, they are numbers that take no longer than others.
add("st0", "st", "fxch st", "2", "1")
add("st", "st0", "fxch st", "1", "2")
add("st0", "st", "fst st", "2", "1")
add("st", "st0", "fld st", "1", "2")
add("st0", "mem64", "fst m64", "2", "1")
add("mem64", "st0", "fild m64", "1", "2")
add("st0", "mem32", "fst m32", "2", "1")
add("mem32", "st0", "fild m32", "1", "2")
add("st0", "mem16", "fist m16", "2", "1")
add("mem16", "st0", "fild m16", "1", "2")
add("st0", "mem80", "fstp m80", "2", "1")
add("mem80", "st0", "fld m80", "1", "2")

-- Delays lead from a kind to itself and take several cycles, which makes a chain longer than its instructions keep ports busy. Those of vector
-- registers work in a domain: what comes from the other one may be late.
local delays = {
  { kind = "gpr", scheme = "imul r64, r64, imm8", input = "2", output = "1" },
  { kind = "vector", scheme = "vpmuludq xmm, xmm, xmm", input = "2", output = "1", domain = "int" },
  { kind = "vector", scheme = "vmulpd xmm, xmm, xmm", input = "2", output = "1", domain = "fp" },
  { kind = "sse", scheme = "pmuludq xmm, xmm", input = "1", output = "1", domain = "int" },
  { kind = "sse", scheme = "mulpd xmm, xmm", input = "1", output = "1", domain = "fp" },
  { kind = "mask", scheme = "kshiftlq k, k, imm8", input = "2", output = "1" },
  { kind = "mask", scheme = "kshiftlw k, k, imm8", input = "2", output = "1" },
  { kind = "mmx", scheme = "pmuludq mm, mm", input = "1", output = "1" },
  { kind = "st0", scheme = "fmul st0, st", input = "1", output = "1" },
  { kind = "st", scheme = "fmul st, st0", input = "1", output = "1" },
}

-- Only sums of the way into a file and the way out of it can be measured. So that every latency is a number, these connectors are given the
-- middle ("middle", rounded down) or the least ("least") of what the sums leave open; all others follow.
local gauges = {
  { scheme = "test r64, r64", input = "1", output = "cf", choose = "middle" },
  { scheme = "test r64, r64", input = "1", output = "zf", choose = "middle" },
  { scheme = "test r64, r64", input = "1", output = "sf", choose = "middle" },
  { scheme = "test r64, r64", input = "1", output = "of", choose = "middle" },
  { scheme = "test r64, r64", input = "1", output = "pf", choose = "middle" },
  { scheme = "vmovq xmm, r64", input = "2", output = "1", choose = "middle" },
  { scheme = "movq xmm, r64", input = "2", output = "1", choose = "middle" },
  { scheme = "kmovq k, r64", input = "2", output = "1", choose = "middle" },
  { scheme = "kmovw k, r32", input = "2", output = "1", choose = "middle" },
  { scheme = "movq mm, r64", input = "2", output = "1", choose = "middle" },
  { scheme = "fst st", input = "2", output = "1", choose = "middle" },
}
for _, c in ipairs(list) do -- what is stored is in memory at once; loads take the time
  if c.to:find "^mem" then gauges[#gauges + 1] = { scheme = c.scheme, input = c.input, output = c.output, choose = "least" } end
end

local flags = { alone = { "cf", "pf", "zf", "sf", "of" }, unread = { "af", "df" } }

return { connectors = list, delays = delays, gauges = gauges, flags = flags }
