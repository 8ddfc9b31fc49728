-- This set holds what `portolan loop` charts beside the instructions of a loop: between them these have nearly all sets of ports that cores have, so
-- that theirs can be told, and no more of each than that takes. Vectors are of 128 bits, as some cores split wider ones. Several loads of vectors
-- show that there are ports for these alone: one or two may be held up by anything.
return {
  { name = "Integer", schemes = {
    "add r64, r64", "add r32, r32", "and r64, r64", "cmp r64, r64", "test r64, r64", "lea r64, m", "mov r64, r64", "inc r64", "dec r64",
    "add r64, imm8", "not r64", "shl r64, imm8", "bt r64, r64", "cmovz r64, r64", "setz r8", "imul r64, r64", "popcnt r64, r64", "pdep r64, r64, r64",
  } },
  { name = "Branches", apart = "branches", schemes = { "jnz rel8", "jb rel8", "jmp rel8" } },
  { name = "Memory", schemes = { "mov r64, m64", "mov m64, r64", "add r64, m64" } },
  { name = "Vectors", schemes = {
    "vpaddd xmm, xmm, xmm", "vpand xmm, xmm, xmm", "vpcmpeqd xmm, xmm, xmm", "vpslld xmm, xmm, imm8", "vpsllvd xmm, xmm, xmm",
    "vpmuludq xmm, xmm, xmm", "vpshufd xmm, xmm, imm8", "vpshufb xmm, xmm, xmm", "vperm2i128 ymm, ymm, ymm, imm8", "vaddpd xmm, xmm, xmm",
    "vmulpd xmm, xmm, xmm", "vandps xmm, xmm, xmm", "vfmadd231pd xmm, xmm, xmm", "vmovd xmm, r32",
  } },
  { name = "Memory, vectors", schemes = {
    "vmovups xmm, m128", "vmovaps xmm, m128", "vmovdqu xmm, m128", "vbroadcastss xmm, m32", "vmovddup xmm, m64", "vmovups m128, xmm",
  } },
}
