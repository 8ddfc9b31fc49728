-- This set holds what the loops of scripts/examples/code consist of, and what tells the ports of it:
-- `portolan chart --set scripts/examples/sets/loops.lua` makes a mapping that predicts all of them. scripts/examples/code/raptor-cove.json comes from
-- such a chart.
return {
  "starter",
  { name = "Integer, in loops", schemes = {
    "add r64, imm32", "shr r32, imm8", "shr r64, imm8", "sub r64, imm8", "test r32, r32", "xor r32, r32", "xor r32, m32", "xor r64, r64",
    "mul r64", "div r64", "crc32 r64, m64", "popcnt r64, m64", "lea r32, m",
  } },
  { name = "Comparisons, branches", schemes = { "cmp m8, imm8", "cmp r64, imm8" } },
  "branches",
  { name = "Vectors, in loops", schemes = {
    "vfmadd213sd xmm, xmm, m64", "vfmadd231ps ymm, ymm, m256", "vfmadd231ps ymm, ymm, ymm", "vmovdqu ymm, m256", "vpaddb ymm, ymm, ymm",
    "vpaddq ymm, ymm, ymm", "vpcmpeqb ymm, ymm, m256", "vpmovmskb r32, ymm", "vpsrlw ymm, ymm, imm8", "vmovaps ymm, m256", "movaps xmm, m128",
  } },
}
