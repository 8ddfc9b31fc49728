-- This file says which operands Algorithm 3.1 (dissertation §3.2.1) may choose for benchmarked instructions on x86-64.
--
-- A register stands for all names that alias with it: rcx for ecx, cx and cl (never ch), xmm1 for ymm1 and zmm1.
-- What a loop body's registers hold at its start is up to the measuring engine; this file relies on three facts:
--   r14 holds the address of `memory.bytes` accessible bytes, aligned to 4096;
--   the vector_index register holds zeros, so that every element of a gather lies at its base address;
--   mask registers hold ones, so that masked instructions do all their work.
return {
  architecture = "x86_64",

  -- read:    named by read-only operands. Nothing in the loop writes them, so nothing ever waits for them.
  -- written: named by written-only operands. Renaming gives every write a register of its own; four of them,
  --          because some cores make "written-only" results wait for the old value after all (see merging).
  -- updated: named by read-and-written operands. Each register is one dependency chain: the more, the better
  --          (latency * throughput chains are needed; 2 FMAs a cycle of latency 4 need 8).
  -- A register that a scheme fixes (cl of a shift, rdx of mulx) joins the set of its use by itself, and no set
  -- if it is updated or its uses disagree.
  registers = {
    gpr = {
      read = { "rcx", "r12", "r13" },
      written = { "rbx", "rsi", "rdi", "rbp" },
      updated = { "rax", "rdx", "r8", "r9", "r10", "r11" },
      reserved = { "rsp", "r14", "r15" }, -- stack, memory base, loop counter
    },
    vector = {
      -- xmm0 is the implicit third source of blendvps and its kin; four in a row and aligned, for the few
      -- instructions that read a block of registers
      read = { "xmm0", "xmm1", "xmm2", "xmm3" },
      written = { "xmm4", "xmm5", "xmm6", "xmm7" },
      updated = { "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14" },
      reserved = { "xmm15" }, -- the index of gathers
    },
    mask = { -- k0 is in no set: as a write mask it means "none"
      read = { "k1" },
      written = { "k2", "k3", "k4", "k5" },
      updated = { "k6", "k7" },
    },
    mmx = {
      read = { "mm0", "mm1" },
      written = { "mm2", "mm3" },
      updated = { "mm4", "mm5", "mm6", "mm7" },
    },
    x87 = {
      read = { "st1" },
      written = { "st2" },
      updated = { "st3", "st4", "st5", "st6" },
      reserved = { "st0", "st7" }, -- the top, and the place that is empty (engine/isa/x86_64/x87.h)
    },
  },

  -- A sequence that needs no written-only register, say, gets those as more chains for its updated ones, and
  -- the other way round: "O_R, O_W just sufficient, the remaining majority for O_RW", per loop body.
  lend = true,

  vector_index = "xmm15",

  memory = { base = "r14", bytes = 4096 },

  -- Displacements from the memory base for the three sets of memory operands. `stride` 0 packs them; a stride
  -- is rounded up to a multiple of the widest operand (at least 8 bytes), so that all are aligned and none
  -- overlaps another. Several layouts, because each can hide a port (measured on Golden Cove): loads run 3 a
  -- cycle from different banks but 2 a cycle at a stride of 64 or from one address; stores run 2 a cycle
  -- within one line but 1 a cycle at a stride of 64. Measure all, take the fastest, record which.
  -- Together they stay within 4096 bytes: no load has the low 12 address bits of a store in flight.
  layouts = {
    { name = "line", -- one cache line each, as far as the operands' width allows
      read = { first = 0, bytes = 64, stride = 0 },
      updated = { first = 64, bytes = 64, stride = 0 },
      written = { first = 128, bytes = 64, stride = 0 } },
    { name = "contiguous",
      read = { first = 0, bytes = 512, stride = 0 },
      written = { first = 1280, bytes = 512, stride = 0 },
      updated = { first = 2560, bytes = 512, stride = 0 } },
    { name = "stride72", -- a line and a bit further: different lines and different banks
      read = { first = 0, bytes = 1280, stride = 72 },
      written = { first = 1280, bytes = 1280, stride = 72 },
      updated = { first = 2560, bytes = 1280, stride = 72 } },
    { name = "stride64", -- the dissertation's: different lines, the same bank
      read = { first = 0, bytes = 1280, stride = 64 },
      written = { first = 1280, bytes = 1280, stride = 64 },
      updated = { first = 2560, bytes = 1280, stride = 64 } },
  },

  -- Written-only by the manual, but the register's old value is waited for; such operands count as updated.
  -- (8 and 16 bit registers always do: they are merged into the full register.)
  merging = {
    -- false dependency on the destination on Intel cores: popcnt r64, r64 ran at 1.5 cycles instead of 1.0
    -- with two destination registers in turn
    "popcnt", "lzcnt", "tzcnt",
    -- the destination is left as it was if the source is zero
    "bsf", "bsr",
    -- SSE scalar results are merged into the upper elements of the destination
    "cvtsi2sd", "cvtsi2ss", "cvtsd2ss", "cvtss2sd", "sqrtsd", "sqrtss", "rcpss", "rsqrtss", "roundsd", "roundss",
    "cvtpi2ps",
  },

  -- Immediates are 43 for 8 bits, 298 for 16 and 32, 2^56 + 42 for 64: no special value, and not encodable in fewer bits. With
  -- 2^24 + 42 for 32 bits, instructions that access memory would take two places in the cache of decoded instructions (on Skylake
  -- mixes with `or m64, imm32`, `mov m32, imm32` or `imul r32, m32, imm32` take 2.0 cycles then instead of 1.5).
  -- Exceptions, by mnemonic, where 43 is special after all:
  immediates = {
    -- 43 is beyond the element: the result is zero or the sign, whatever the input
    psllw = 3, psrlw = 3, psraw = 3, pslld = 11, psrld = 11, psrad = 11, pslldq = 5, psrldq = 5,
    vpsllw = 3, vpsrlw = 3, vpsraw = 3, vpslld = 11, vpsrld = 11, vpsrad = 11, vpslldq = 5, vpsrldq = 5,
    palignr = 5, vpalignr = 5,
    -- 43 has the bit that asks for zeros instead of a lane
    vperm2f128 = 33, vperm2i128 = 33,
    -- predicates: 43 would be "false" or is reserved; 1 is "less than"
    cmpps = 1, cmppd = 1, cmpss = 1, cmpsd = 1, vcmpps = 1, vcmppd = 1, vcmpss = 1, vcmpsd = 1, vcmpph = 1, vcmpsh = 1,
    vpcmpb = 1, vpcmpw = 1, vpcmpd = 1, vpcmpq = 1, vpcmpub = 1, vpcmpuw = 1, vpcmpud = 1, vpcmpuq = 1,
    kshiftlb = 3, kshiftrb = 3, kshiftlw = 3, kshiftrw = 3, kshiftld = 11, kshiftrd = 11,
  },

  -- Instructions in the loop body, about: enough that the loop's own two do not count, few enough to stay in
  -- the cache of decoded instructions. The fastest is the result.
  unroll = { 40, 80, 200 },
}
