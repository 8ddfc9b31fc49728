-- This file says which operands Algorithm 3.1 (dissertation §3.2.1) may choose for benchmarked instructions on AArch64.
--
-- A register stands for all names that alias with it: x3 for w3, v3 for b3, h3, s3, d3 and q3. Number 31 is never chosen: it is the
-- stack pointer or zero, by instruction. What a loop body's registers hold at its start is up to the measuring engine; this file relies on
-- three facts:
--   x28 holds the address of `memory.bytes` accessible bytes, aligned to 4096;
--   x25 holds x28 + 2048, where stores without displacement go (engine/isa/aarch64/aarch64.h: PTL_A64_STORE_BASE);
--   v31 holds zeros, x27 counts the loop, x26 is scratch for what stands around the loop.
return {
  architecture = "aarch64",

  -- read, written, updated: as in arch/x86_64/policy.lua. Lists ({v.16b, v.16b, v.16b}) begin at a multiple of their length, so that
  -- the sets have rows of three and four.
  registers = {
    gpr = {
      read = { "x0", "x1", "x2", "x3" },
      written = { "x4", "x5", "x6", "x7" },
      updated = { "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17", "x19", "x20", "x21", "x22", "x23", "x24" },
      -- x18 is the platform's; base of stores, scratch, loop counter, memory base; frame pointer, link register, stack pointer
      reserved = { "x18", "x25", "x26", "x27", "x28", "x29", "x30", "sp" },
    },
    vector = {
      -- multiplications by an element of 16 bits can name v0 to v15 alone
      read = { "v0", "v1", "v2", "v3" },
      written = { "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11" },
      updated = { "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28",
        "v29", "v30" },
      reserved = { "v31" },
    },
  },

  lend = true,

  vector_index = "v31",

  memory = { base = "x28", bytes = 4096 },

  -- Displacements from the memory base. What is written begins at 2048, and is addressed from x25. Fields of few bits cannot hold all
  -- displacements (ldur: up to 255): then they are taken modulo what the field holds.
  layouts = {
    { name = "line", -- one cache line each, as far as the operands' width allows
      read = { first = 0, bytes = 64, stride = 0 },
      updated = { first = 1024, bytes = 64, stride = 0 },
      written = { first = 2048, bytes = 64, stride = 0 } },
    { name = "contiguous",
      read = { first = 0, bytes = 512, stride = 0 },
      updated = { first = 1024, bytes = 512, stride = 0 },
      written = { first = 2048, bytes = 512, stride = 0 } },
    { name = "stride80", -- a line and a bit further: different lines and different banks
      read = { first = 0, bytes = 960, stride = 80 },
      updated = { first = 1024, bytes = 960, stride = 80 },
      written = { first = 2048, bytes = 960, stride = 80 } },
    { name = "stride64", -- the dissertation's: different lines, the same bank
      read = { first = 0, bytes = 960, stride = 64 },
      updated = { first = 1024, bytes = 960, stride = 64 },
      written = { first = 2048, bytes = 960, stride = 64 } },
  },

  -- Every write of a register is one of the whole register, whose upper part becomes zero; what keeps a part reads it by its scheme.
  merging = {},

  -- Immediates follow from the form's field: 2 of few bits, 2^(W-8) + 42 of many, in the units of the field; conditions are ne, hints nop.
  immediates = {},

  unroll = { 40, 80, 200 },
}
