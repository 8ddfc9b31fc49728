-- The starter set of A64: what `portolan chart --arch aarch64` takes unless told otherwise. A hundred schemes that between them reach every kind
-- of port of today's cores. A set is a list of groups, in the order of the report; names as in docs/scheme-names.md.
-- Schemes that a CPU does not have come out as "illegal instruction".
return {
  { name = "Integer", schemes = {
    "add x, x, x", "add w, w, w", "sub x, x, x", "and x, x, x", "orr x, x, x", "eor w, w, w", "subs x, x, x", "ands x, x, x", "orn x, x, x",
    "add xsp, xsp, imm12", "add x, x, x, lsl imm6", "add x, x, x, asr imm6", "add xsp, xsp, w, sxtw", "eor xsp, x, bitmask", "movz x, imm16",
    "movk x, imm16, lsl imm2", "adr x, imm21",
  } },
  { name = "Shifts, bits, conditions", schemes = {
    "ubfm x, x, imm6, imm6", "sbfm w, w, imm5, imm5", "bfm x, x, imm6, imm6", "extr x, x, x, imm6", "lslv x, x, x", "asrv w, w, w", "rorv x, x, x",
    "clz x, x", "cls w, w", "rbit x, x", "rev x, x", "rev16 w, w", "csel x, x, x, cond", "csinc w, w, w, cond", "ccmp x, x, imm4, cond",
    "adc x, x, x", "adcs x, x, x",
  } },
  { name = "Multiply, divide, checksum", schemes = {
    "madd x, x, x, x", "madd w, w, w, w", "msub x, x, x, x", "smaddl x, w, w, x", "umulh x, x, x", "sdiv x, x, x", "udiv w, w, w", "crc32x w, w, x",
  } },
  { name = "Loads", schemes = {
    "ldr x, [x, imm12]", "ldr w, [x, imm12]", "ldrb w, [x, imm12]", "ldrsw x, [x, imm12]", "ldur x, [x, imm9]", "ldr x, [x, x, lsl imm]",
    "ldr s, [x, imm12]", "ldr d, [x, imm12]", "ldr q, [x, imm12]", "ldr q, [x, x]", "ldp x, x, [x, imm7]", "ldp q, q, [x, imm7]",
    "ld1 {v.4s}, [x]", "ld1 {v.4s, v.4s}, [x]", "ld1r {v.4s}, [x]", "ld2 {v.4s, v.4s}, [x]",
  } },
  { name = "Stores", schemes = {
    "str x, [x, imm12]", "str w, [x, imm12]", "strb w, [x, imm12]", "str d, [x, imm12]", "str q, [x, imm12]", "stp x, x, [x, imm7]",
    "stp q, q, [x, imm7]", "st1 {v.4s}, [x]",
  } },
  { name = "Vector integer", schemes = {
    "add v.4s, v.4s, v.4s", "add v.2s, v.2s, v.2s", "sub v.16b, v.16b, v.16b", "and v.16b, v.16b, v.16b", "orr v.8b, v.8b, v.8b",
    "eor v.16b, v.16b, v.16b", "cmeq v.4s, v.4s, v.4s", "cmgt v.2d, v.2d, v.2d", "smax v.4s, v.4s, v.4s", "abs v.4s, v.4s",
    "shl v.4s, v.4s, imm5", "sshl v.4s, v.4s, v.4s", "ushr v.2d, v.2d, imm6", "mul v.4s, v.4s, v.4s", "mla v.4s, v.4s, v.4s",
    "smull v.4s, v.4h, v.4h", "umlal v.4s, v.4h, v.4h", "saddl v.4s, v.4h, v.4h", "sabd v.8h, v.8h, v.8h", "uaddlp v.8h, v.16b",
    "addp v.4s, v.4s, v.4s", "addv s, v.4s", "cnt v.16b, v.16b", "bsl v.16b, v.16b, v.16b", "sqadd v.4s, v.4s, v.4s",
    "sqrdmulh v.4s, v.4s, v.4s", "movi v.4s, imm8",
  } },
  { name = "Vector shuffle", schemes = {
    "tbl v.16b, {v.16b}, v.16b", "tbl v.16b, {v.16b, v.16b}, v.16b", "zip1 v.16b, v.16b, v.16b", "uzp2 v.4s, v.4s, v.4s", "trn1 v.2d, v.2d, v.2d",
    "ext v.16b, v.16b, v.16b, imm4", "rev64 v.16b, v.16b", "dup v.4s, v.s[imm]", "ins v.s[imm], v.s[imm]", "xtn v.4h, v.4s", "sshll v.4s, v.4h, imm4",
  } },
  { name = "Floating point", schemes = {
    "fadd d, d, d", "fadd v.2d, v.2d, v.2d", "fadd v.4s, v.4s, v.4s", "fmul s, s, s", "fmul v.4s, v.4s, v.4s", "fmadd d, d, d, d",
    "fmla v.4s, v.4s, v.4s", "fmla v.2d, v.2d, v.d[imm]", "fmax v.4s, v.4s, v.4s", "fcmgt v.4s, v.4s, v.4s", "fabs v.4s, v.4s", "fneg d, d",
    "frintm v.4s, v.4s", "fcvtzs v.4s, v.4s", "fcvt d, s", "faddp v.4s, v.4s, v.4s", "frecpe v.4s, v.4s", "fdiv d, d, d",
    "fdiv v.4s, v.4s, v.4s", "fsqrt s, s", "fcmp d, d", "fcsel d, d, d, cond", "fmov d, fp8",
  } },
  { name = "Between register files", schemes = {
    "fmov d, x", "fmov x, d", "umov w, v.s[imm]", "ins v.d[imm], x", "dup v.4s, w", "scvtf d, x", "fcvtzs x, d",
  } },
}
