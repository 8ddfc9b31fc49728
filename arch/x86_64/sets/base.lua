-- What `portolan loop` charts beside the instructions of a loop: between them these have nearly all sets of ports that cores have, so that theirs can
-- be told, and no more of each than that takes.
return {
  { name = "Integer", schemes = {
    "add r64, r64", "add r32, r32", "and r64, r64", "cmp r64, r64", "test r64, r64", "lea r64, m", "mov r64, r64", "inc r64", "dec r64",
    "add r64, imm8", "shl r64, imm8", "bt r64, r64", "cmovz r64, r64", "setz r8", "imul r64, r64", "popcnt r64, r64", "pdep r64, r64, r64",
  } },
  { name = "Branches", apart = "branches", schemes = { "jnz rel8", "jb rel8", "jmp rel8" } },
  { name = "Memory", schemes = { "mov r64, m64", "mov m64, r64", "add r64, m64" } },
  { name = "Vectors", schemes = {
    "vmovups ymm, m256", "vmovups m256, ymm", "vpaddd ymm, ymm, ymm", "vpand ymm, ymm, ymm", "vpcmpeqd ymm, ymm, ymm", "vpslld ymm, ymm, imm8",
    "vpsllvd ymm, ymm, ymm", "vpmuludq ymm, ymm, ymm", "vpshufd ymm, ymm, imm8", "vpshufb ymm, ymm, ymm", "vperm2i128 ymm, ymm, ymm, imm8",
    "vaddpd ymm, ymm, ymm", "vmulpd ymm, ymm, ymm", "vandps ymm, ymm, ymm", "vfmadd231pd ymm, ymm, ymm", "vmovd xmm, r32",
  } },
}
