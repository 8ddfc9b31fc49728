-- What not to measure, and why (dissertation §3.2.2): schemes that the port mapping model says nothing sensible about.
--
-- A list of rules, tried in this order; the first that applies gives the reason. A rule applies if one of its filters
-- does; filters are Lua expressions as in `portolan isa list --filter EXPR`, which shows what they catch. Write your
-- own file and pass it with `--exclusions FILE`, e.g. one that keeps only what you are interested in:
--
--    return { { reason = "not AVX2", when = { 'extension ~= "AVX2"' } } }
--
-- A rule with `apart` does not hold for groups of a set (arch/x86_64/sets) that say so: { name = "SSE", filter = ..., apart = "sse" }.
--
-- Not here: schemes that this CPU lacks (cpuid decides), and operands that must be one of ah, bh, ch, dh (no scheme
-- insists on these).
return {
  -- Conditional branches to the next instruction can be measured, with a zeroing idiom ahead of each (isa/breaker.h): apart = "branches".
  { reason = "control flow", apart = "branches",
    when = { 'category == "COND_BR" and #flags_read > 0 and #prefixes == 0' } },

  { reason = "control flow",
    when = {
      'branch and not (category == "COND_BR" and #flags_read > 0 and #prefixes == 0)',
      'category == "COND_BR" and #flags_read == 0 or among(category, "CALL", "RET", "UNCOND_BR", "INTERRUPT", "SYSCALL", "SYSRET", "UINTR")',
      'mnemonic:match("^ud%d$")', -- traps
    } },

  { reason = "system or memory system",
    when = {
      -- privileged, virtual machines, enclaves, debugging, input and output
      'among(category, "SYSTEM", "VTX", "SGX", "IO", "IOSTRINGOP", "PCONFIG", "PT", "LEGACY", "HRESET", "PADLOCK")',
      'isa_set == "LWP"', -- profiling
      'among(extension, "MCOMMIT", "MONITORX", "MONITOR", "KEYLOCKER", "KEYLOCKER_WIDE")',
      'uses("segment", "control", "debug", "bound")',
      'among(category, "SEGOP", "RDWRFSGS", "SMAP", "PKU", "CET", "MPX", "RDPID", "RDPRU")',
      -- state of the machine: saved, switched or waited for
      'among(category, "XSAVE", "XSAVEOPT", "WAITPKG", "SERIALIZE", "AMX_TILE")',
      'among(mnemonic, "cpuid", "pause", "invpcid", "cld", "std", "cli", "sti", "popf", "popfq")',
      'uses("tile")',
      'mnemonic:match("^v?ldmxcsr$") or mnemonic:match("^v?stmxcsr$") or mnemonic:match("^fx") or mnemonic:match("^vzero")',
      -- random numbers come from a device that all cores share
      'among(category, "RDRAND", "RDSEED")',
      -- caches, fences, paging, transactions, stores past the caches, ordered accesses
      'among(category, "PREFETCH", "PREFETCHWT1", "CLDEMOTE", "CLFLUSHOPT", "CLWB", "CLZERO", "MOVDIR", "ENQCMD", "TSX_LDTRK")',
      'among(mnemonic, "clflush", "lfence", "mfence", "sfence") or extension == "RTM"',
      'mnemonic:match("^v?movnt") or mnemonic:match("^v?maskmov[dq]")',
      'lock or mnemonic == "xchg" and memory',
    } },

  { reason = "x87 or MMX",
    when = { 'extension == "X87" or extension == "MMX" or extension == "AMD3DNOW" or uses("x87", "mmx")' } },

  -- Next to AVX, which leaves the upper halves of registers dirty, SSE is slow or waits. A set that has no AVX may ask for it: apart = "sse".
  { reason = "SSE next to AVX", apart = "sse",
    when = { 'encoding == "legacy" and (uses("xmm") or extension == "SSE" or extension == "SSE2")' } },

  { reason = "depends on its input",
    when = {
      'mnemonic == "div" or mnemonic == "idiv"',
      'rep',
      -- the first gather or scatter clears its mask, later ones have nothing to do
      'among(category, "AVX2GATHER", "GATHER", "SCATTER")',
      -- bit offsets in a register reach beyond the memory operand; absolute and looked up addresses reach anywhere
      'mnemonic:match("^bt[crs]?$") and memory and not immediate',
      'absolute or mnemonic == "xlat"',
    } },

  -- push, leave, string operations: each waits for the one before. (adc, mul, shl by cl do so, too, but a zeroing idiom ahead of each
  -- instance cuts the dependency: isa/breaker.h.)
  { reason = "reads and writes a hard-wired operand",
    when = {
      'unbreakable',
      'category == "STRINGOP"',
    } },
}
