-- This file says what may stand in place of code without changing what a loop is for (portolan.loop.rewrites). Patterns are those of Lua, of the text
-- of one instruction as it is decoded; `R` in what takes its place is a register that the loop leaves alone, of the width that `width` names.

-- Names of general registers: 64, 32, 16 and 8 bits.
local general = {}
for _, letter in ipairs { "a", "b", "c", "d" } do
  general[#general + 1] = { "r" .. letter .. "x", "e" .. letter .. "x", letter .. "x", letter .. "l" }
end
for _, name in ipairs { "si", "di", "bp" } do general[#general + 1] = { "r" .. name, "e" .. name, name, name .. "l" } end
for k = 8, 15 do general[#general + 1] = { "r" .. k, "r" .. k .. "d", "r" .. k .. "w", "r" .. k .. "b" } end

-- Mnemonics of what is added up, or multiplied, in any order -> `{ kind =, exact =, either = }`: what is of one kind may follow each other in any
-- order, what is of two may not (y * x + c); not `exact`: another order rounds otherwise. The accumulator is the first operand, and of VEX the
-- second, too, or, if `either`, the third.
local sums = {}
local function add(kind, exact, either, names)
  for name in names:gmatch "%S+" do
    sums[name] = { kind = kind, exact = exact, either = either }
    sums["v" .. name] = sums[name] -- there is no vadd, and nothing asks for it
  end
end
add("add", true, true, "add")
add("add", true, false, "sub")
add("mul", true, true, "imul")
for _, name in ipairs { "and", "or", "xor" } do add(name, true, true, name .. " p" .. name) end
for _, element in ipairs { "b", "w", "d", "q" } do
  add("add " .. element, true, true, "padd" .. element)
  add("add " .. element, true, false, "psub" .. element)
end
for _, name in ipairs { "pmulld", "pmullw", "pminub", "pmaxub", "pminsw", "pmaxsw", "pminsd", "pmaxsd", "pminud", "pmaxud" } do
  add(name, true, true, name)
end
for _, element in ipairs { "ss", "sd", "ps", "pd" } do
  add("add " .. element, false, true, "add" .. element)
  add("add " .. element, false, false, ("sub%s fmadd231%s fnmadd231%s"):format(element, element, element))
  add("mul " .. element, false, true, "mul" .. element)
end

return {
  general = general,
  sums = sums,

  -- Loads that may do for an instruction what its memory operand does, by its bits and by what its other operands are.
  loads = {
    general = { dword = { "mov R, %s", width = 32 }, qword = { "mov R, %s", width = 64 } },
    sse = { dword = { "movss R, %s", width = 128 }, qword = { "movsd R, %s", width = 128 } },
    avx = { dword = { "vmovss R, %s", width = 128 }, qword = { "vmovsd R, %s", width = 128 }, xmmword = { "vmovups R, %s", width = 128 },
      ymmword = { "vmovups R, %s", width = 256 } },
  },
  -- Mnemonics whose memory operand is all that they are about.
  moves = { "^v?mov", "^lea$", "^v?broadcast", "^vpbroadcast", "^v?cvt", "^prefetch" },

  -- Other instructions of the same effect, but for flags (`flags`: only where nothing reads them). `needs`: a flag of the processor, by Linux's
  -- name.
  others = {
    { what = "shifts by a register as BMI2 has them", from = "^(s[ha][lr]) (e%w+), cl$", to = { "%1x %2, %2, ecx" }, flags = true, needs = "bmi2" },
    { what = "shifts by a register as BMI2 has them", from = "^(s[ha][lr]) (r%d+d), cl$", to = { "%1x %2, %2, ecx" }, flags = true, needs = "bmi2" },
    { what = "shifts by a register as BMI2 has them", from = "^(s[ha][lr]) (r%w+), cl$", to = { "%1x %2, %2, rcx" }, flags = true, needs = "bmi2" },
    { what = "rotations as BMI2 has them", from = "^ror (%w+), (%w+)$", to = { "rorx %1, %1, %2" }, flags = true, needs = "bmi2" },
    { what = "lea of three parts as two", from = "^lea (r%w+), %[(%w+%+%w+)([+-]%w+)%]$", to = { "lea %1, [%2]", "lea %1, [%1%3]" } },
    { what = "lea of three parts as two", from = "^lea (r%w+), %[(%w+%+%w+%*%d)([+-]%w+)%]$", to = { "lea %1, [%2]", "lea %1, [%1%3]" } },
    { what = "bsf as tzcnt (the same but for a source of 0)", from = "^bsf (%w+), (%w+)$", to = { "tzcnt %1, %2" }, flags = true, needs = "bmi1" },
    { what = "exchanges of registers as moves", from = "^xchg (%w+), (%w+)$", to = { "mov R, %1", "mov %1, %2", "mov %2, R" }, width = 64 },
  },

  -- Vectors of twice the width: what names them -> what names the wider ones. Legacy SSE has none; `single`: nor has what reads or writes one
  -- element, or moves parts.
  wider = {
    { from = { "xmm", "xmmword" }, to = { "ymm", "ymmword" }, bytes = 16, needs = "avx2" },
    { from = { "ymm", "ymmword" }, to = { "zmm", "zmmword" }, bytes = 32, needs = "avx512f",
      renamed = { vpxor = "vpxorq", vpand = "vpandq", vpor = "vporq", vmovdqu = "vmovdqu64", vmovdqa = "vmovdqa64" } },
  },
  single = { "ss$", "sd$", "^vmov[dq]$", "^vpinsr", "^vpextr", "^vinsert", "^vextract", "^vperm2", "^vcvt", "^vmovh", "^vmovl", "^vpmov" },
}
