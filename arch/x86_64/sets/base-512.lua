-- The same as `base` for loops of vectors of 64 bytes. While these are about some cores have fewer vector pipes, and fewer ports for all loads, so
-- that no set of ports says what they take beside narrower ones: all vectors and all loads here are of 64 bytes.
return {
  { name = "Integer", schemes = {
    "add r64, r64", "add r32, r32", "and r64, r64", "cmp r64, r64", "test r64, r64", "lea r64, m", "mov r64, r64", "inc r64", "dec r64",
    "add r64, imm8", "not r64", "shl r64, imm8", "bt r64, r64", "cmovz r64, r64", "setz r8", "imul r64, r64", "popcnt r64, r64", "pdep r64, r64, r64",
  } },
  { name = "Branches", apart = "branches", schemes = { "jnz rel8", "jb rel8", "jmp rel8" } },
  { name = "Vectors", schemes = {
    "vpaddd zmm, zmm, zmm", "vpandd zmm, zmm, zmm", "vpternlogd zmm, zmm, zmm, imm8", "vpcmpd k, zmm, zmm, imm8", "vpslld zmm, zmm, imm8",
    "vpsllvd zmm, zmm, zmm", "vpmuludq zmm, zmm, zmm", "vpshufd zmm, zmm, imm8", "vpshufb zmm, zmm, zmm", "vpermd zmm, zmm, zmm",
    "vaddpd zmm, zmm, zmm", "vmulpd zmm, zmm, zmm", "vandps zmm, zmm, zmm", "vfmadd231pd zmm, zmm, zmm", "vpbroadcastq zmm, r64",
  } },
  { name = "Memory, vectors", schemes = {
    "vmovups zmm, m512", "vmovaps zmm, m512", "vmovdqu64 zmm, m512", "vmovdqa32 zmm, m512", "vmovups m512, zmm", "vmovaps m512, zmm",
  } },
}
