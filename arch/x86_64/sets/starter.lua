-- The starter set: what `portolan chart` measures unless told otherwise. A hundred schemes that between them reach every kind
-- of port of today's cores. A set is a list of groups, in the order of the report; names as in docs/scheme-names.md.
-- Schemes that this CPU does not have come out as "illegal instruction".
return {
  { name = "Integer", schemes = {
    "add r64, r64", "add r32, r32", "sub r64, r64", "and r64, r64", "or r64, r64", "xor r32, r32", "cmp r64, r64",
    "test r64, r64", "neg r64", "not r64", "lea r64, m", "movsxd r64, r32", "movzx r32, r8", "mov r64, imm64",
  } },
  { name = "Moves, increments", schemes = {
    "mov r64, r64", "inc r64", "add r64, imm8", "vmovaps ymm, ymm", "vmovdqa ymm, ymm",
  } },
  { name = "Shifts, bits, conditions", schemes = {
    "shl r64, imm8", "sar r64, imm8", "ror r64, imm8", "rorx r64, r64, imm8", "shlx r64, r64, r64", "shld r64, r64, imm8",
    "bt r64, r64", "cmovz r64, r64", "setz r8", "bswap r32", "bswap r64", "andn r64, r64, r64", "blsr r64, r64",
    "bextr r64, r64, r64",
  } },
  { name = "Multiply, count, permute", schemes = {
    "imul r64, r64", "imul r64, r64, imm32", "popcnt r64, r64", "lzcnt r64, r64", "tzcnt r64, r64", "pdep r64, r64, r64",
    "crc32 r64, r64", "xchg r64, r64",
  } },
  { name = "Loads", schemes = {
    "mov r64, m64", "mov r32, m32", "movzx r32, m8", "vmovups xmm, m128", "vmovups ymm, m256", "vbroadcastss ymm, m32",
    "vbroadcasti128 ymm, m128",
  } },
  { name = "Stores", schemes = {
    "mov m64, r64", "mov m32, r32", "vmovups m128, xmm", "vmovups m256, ymm",
  } },
  { name = "Operate on memory", schemes = {
    "add r64, m64", "imul r64, m64", "cmp r64, m64", "add m64, r64", "vpaddd ymm, ymm, m256", "vaddpd ymm, ymm, m256",
    "vpshufb ymm, ymm, m256",
  } },
  { name = "Vector integer", schemes = {
    "vpaddd ymm, ymm, ymm", "vpaddd xmm, xmm, xmm", "vpsubb ymm, ymm, ymm", "vpand ymm, ymm, ymm", "vpor xmm, xmm, xmm",
    "vpcmpeqd ymm, ymm, ymm", "vpcmpgtq ymm, ymm, ymm", "vpmaxsd ymm, ymm, ymm", "vpabsd ymm, ymm", "vpavgb ymm, ymm, ymm",
    "vpslld ymm, ymm, imm8", "vpsllvd ymm, ymm, ymm", "vpmuludq ymm, ymm, ymm", "vpmaddwd ymm, ymm, ymm",
    "vpmulld ymm, ymm, ymm", "vpsadbw ymm, ymm, ymm", "vphaddd ymm, ymm, ymm", "vpblendvb ymm, ymm, ymm, ymm",
  } },
  { name = "Vector shuffle", schemes = {
    "vpshufb ymm, ymm, ymm", "vpshufd ymm, ymm, imm8", "vpermd ymm, ymm, ymm", "vpermq ymm, ymm, imm8",
    "vpunpcklbw ymm, ymm, ymm", "vperm2i128 ymm, ymm, ymm, imm8", "vpalignr ymm, ymm, ymm, imm8", "vshufps ymm, ymm, ymm, imm8",
    "vpblendd ymm, ymm, ymm, imm8", "vblendps ymm, ymm, ymm, imm8", "vpackssdw ymm, ymm, ymm",
    "vextracti128 xmm, ymm, imm8", "vinserti128 ymm, ymm, xmm, imm8",
  } },
  { name = "Floating point", schemes = {
    "vaddpd ymm, ymm, ymm", "vaddps ymm, ymm, ymm", "vsubsd xmm, xmm, xmm", "vmulpd ymm, ymm, ymm", "vmulps ymm, ymm, ymm",
    "vfmadd231pd ymm, ymm, ymm", "vminpd ymm, ymm, ymm", "vcmppd ymm, ymm, ymm, imm8", "vandps ymm, ymm, ymm",
    "vroundpd ymm, ymm, imm8", "vcvtdq2ps ymm, ymm", "vhaddpd ymm, ymm, ymm", "vrcpps ymm, ymm", "vdivpd ymm, ymm, ymm",
    "vsqrtps ymm, ymm",
  } },
  { name = "Between register files", schemes = {
    "vmovd xmm, r32", "vmovd r32, xmm", "vmovmskps r32, ymm", "vpmovmskb r32, ymm", "vpextrd r32, xmm, imm8",
    "vpinsrd xmm, xmm, r32, imm8", "vcvtsi2sd xmm, xmm, r64", "vcvttsd2si r64, xmm", "vptest ymm, ymm",
  } },
}
