-- This file says what not to measure, and why (dissertation §3.2.2): schemes that the port mapping model says nothing sensible about.
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
local askable_strings = 'category == "STRINGOP" and (#prefixes == 0 or prefixes[1] == ({ movs = "rep", stos = "rep", lods = "rep", '
  .. 'cmps = "repe", scas = "repne" })[mnemonic:sub(1, 4)])' -- those that work on their whole length, whatever memory holds

-- Not loope and loopne: they count in rcx, too.
local jumps_by_flags = 'category == "COND_BR" and #flags_read > 0 and #prefixes == 0 and mnemonic:sub(1, 1) == "j"'

local waiting = 'among(mnemonic, "rdtsc", "rdtscp", "pause", "lfence", "mfence", "sfence", "fnstcw", "fldcw")'

return {
  -- Branches to the next instruction can be measured: apart = "branches". Conditional ones get a zeroing idiom ahead of each (isa/breaker.h);
  -- calls leave their return addresses on the stack, which the end of the loop body takes back (isa/stack.h).
  { reason = "control flow", apart = "branches",
    when = {
      jumps_by_flags,
      'among(category, "UNCOND_BR", "CALL") and relative and #prefixes == 0',
      'mnemonic == "ret" and companions', -- in pairs with calls
    } },

  { reason = "control flow",
    when = {
      'branch and not (among(category, "COND_BR", "UNCOND_BR", "CALL") and relative and #prefixes == 0) and not companions',
      'category == "COND_BR" and not (' .. jumps_by_flags .. ') or category == "RET" and not companions',
      'among(category, "INTERRUPT", "SYSCALL", "SYSRET", "UINTR")',
      'mnemonic:match("^ud%d$")', -- traps
    } },

  -- Ordered accesses, fences, time stamps: they hold up what is beside them, and not by their ports.
  { reason = "serializing", apart = "serializing",
    when = { 'lock or mnemonic == "xchg" and memory', waiting } },

  { reason = "system or memory system",
    when = {
      -- privileged, virtual machines, enclaves, debugging, input and output
      'among(category, "SYSTEM", "VTX", "SGX", "IO", "IOSTRINGOP", "PCONFIG", "PT", "LEGACY", "HRESET", "PADLOCK") and not ' .. waiting,
      'isa_set == "LWP"', -- profiling
      'among(extension, "MCOMMIT", "MONITORX", "MONITOR", "KEYLOCKER", "KEYLOCKER_WIDE")',
      'uses("segment", "control", "debug", "bound")',
      'among(category, "SEGOP", "RDWRFSGS", "SMAP", "PKU", "CET", "MPX", "RDPID", "RDPRU") and not among(mnemonic, "endbr32", "endbr64")',
      -- state of the machine: saved, switched or waited for
      'among(category, "XSAVE", "XSAVEOPT", "WAITPKG", "SERIALIZE", "AMX_TILE")',
      'among(mnemonic, "cpuid", "invpcid", "cld", "std", "cli", "sti", "popf", "popfq")',
      'uses("tile")',
      'mnemonic:match("^v?ldmxcsr$") or mnemonic:match("^v?stmxcsr$") or mnemonic:match("^fx[sr]") or mnemonic:match("^vzero")',
      -- random numbers come from a device that all cores share
      'among(category, "RDRAND", "RDSEED")',
      -- caches, fences, paging, transactions, stores past the caches
      'among(category, "PREFETCH", "PREFETCHWT1", "CLDEMOTE", "CLFLUSHOPT", "CLWB", "CLZERO", "MOVDIR", "ENQCMD", "TSX_LDTRK")',
      'mnemonic == "clflush" or extension == "RTM"',
      'mnemonic:match("^v?movnt") or mnemonic:match("^v?maskmov[dq]")',
    } },

  -- push and pop leave their memory, unless the end of a loop body takes the stack pointer back (isa/stack.h). Blocks of code have no such end.
  { reason = "moves the stack pointer", apart = "stack", when = { '(stack_bytes or mnemonic == "leave") and not branch and not uses("segment")' } },

  -- MMX registers are the x87 stack's: what is beside them in a loop body must not be x87.
  { reason = "MMX", apart = "mmx",
    when = { 'extension ~= "AMD3DNOW" and extension ~= "X87" and (extension == "MMX" or uses("mmx")) and mnemonic ~= "emms" and not uses("x87")' } },

  -- x87: values and all of the machine's state that stays. What is left keeps the stack as it found it (isa/companions.h): apart = "x87".
  { reason = "depends on its input",
    when = {
      'x87 and among(mnemonic, "f2xm1", "fcos", "fpatan", "fprem", "fprem1", "fptan", "fscale", "fsin", "fsincos", "fxtract", "fyl2x", "fyl2xp1")',
      'x87 and among(mnemonic, "fbld", "fbstp")', -- decimal digits
    } },

  { reason = "x87 state",
    when = {
      'x87 and among(mnemonic, "fninit", "fnclex", "fldenv", "fnstenv", "fnsave", "frstor", "fincstp", "fdecstp")',
      'x87 and (mnemonic:match("_nop$") or among(mnemonic, "ffreep", "fstpnce"))', -- of earlier processors, and not documented
    } },

  { reason = "x87", apart = "x87", when = { 'x87 and not among(mnemonic, "fnstcw", "fldcw")' } },

  { reason = "x87 or 3DNow!",
    when = { '(extension == "X87" or extension == "MMX" or extension == "AMD3DNOW" or uses("x87")) and not x87' } },

  -- Next to AVX, which leaves the upper halves of registers dirty, SSE is slow or waits. A set that has no AVX may ask for it: apart = "sse".
  { reason = "SSE next to AVX", apart = "sse",
    when = { 'encoding == "legacy" and (uses("xmm") or extension == "SSE" or extension == "SSE2") and not ' .. waiting } },

  -- Divisions and string instructions are asked with values of named kinds (processor/kind_probes.lua): apart = "kinds".
  { reason = "depends on its input", apart = "kinds",
    when = {
      'mnemonic == "div" or mnemonic == "idiv"',
      askable_strings,
    } },

  { reason = "depends on its input",
    when = {
      'rep and not (' .. askable_strings .. ')',
      -- the first gather or scatter clears its mask, later ones have nothing to do
      'among(category, "AVX2GATHER", "GATHER", "SCATTER")',
      -- bit offsets in a register reach beyond the memory operand; absolute and looked up addresses reach anywhere
      'mnemonic:match("^bt[crs]?$") and memory and not immediate',
      'absolute or mnemonic == "xlat"',
    } },

  -- leave: each waits for the one before. (adc, mul, shl by cl do so, too, but a zeroing idiom ahead of each
  -- instance cuts the dependency: isa/breaker.h. push and pop do not: cores follow how they move the stack pointer, isa/stack.h.)
  { reason = "reads and writes a hard-wired operand",
    when = { 'unbreakable and category ~= "STRINGOP"' } },
}
