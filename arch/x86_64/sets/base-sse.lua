-- The same as `base` for loops of legacy SSE, which must not be measured beside AVX. What updates a register stands for no others, as it waits for
-- what is beside it: the vectors here begin with instructions that only write.
return {
  { name = "Integer", schemes = {
    "add r64, r64", "add r32, r32", "and r64, r64", "cmp r64, r64", "test r64, r64", "lea r64, m", "mov r64, r64", "inc r64", "dec r64",
    "add r64, imm8", "not r64", "shl r64, imm8", "bt r64, r64", "cmovz r64, r64", "setz r8", "imul r64, r64", "popcnt r64, r64",
  } },
  { name = "Branches", apart = "branches", schemes = { "jnz rel8", "jb rel8", "jmp rel8" } },
  { name = "Memory", schemes = { "mov r64, m64", "mov m64, r64", "add r64, m64" } },
  { name = "Vectors", apart = "sse", schemes = {
    "movups xmm, m128", "movaps xmm, m128", "movdqu xmm, m128", "movsd xmm, m64", "movups m128, xmm",
    "pabsd xmm, xmm", "pshufd xmm, xmm, imm8", "movshdup xmm, xmm", "pmovzxbw xmm, xmm",
    "cvtdq2ps xmm, xmm", "roundpd xmm, xmm, imm8", "rcpps xmm, xmm", "phminposuw xmm, xmm", "paddd xmm, xmm", "pand xmm, xmm",
    "pcmpeqd xmm, xmm", "pslld xmm, imm8", "pmuludq xmm, xmm", "pshufb xmm, xmm", "addpd xmm, xmm", "mulpd xmm, xmm", "andps xmm, xmm",
    "movd xmm, r32",
  } },
}
