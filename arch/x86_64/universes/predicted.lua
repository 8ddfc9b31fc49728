-- This universe holds what throughput predictors are asked about where nothing runs: string operations, lock and rep, division,
-- fxsave and SSE belong to it. Schemes that a predictor does not support are left out later, by asking it.
--
-- `leaves_out` is a list of rules as in arch/x86_64/exclusions.lua; the first that applies gives the reason. With `immediates`, a scheme is
-- there once for each kind of immediate that it can have: 0, 1, small, wide.
return {
  immediates = true,
  leaves_out = {
    { reason = "control flow",
      when = {
        'branch',
        'among(category, "CALL", "RET", "COND_BR", "UNCOND_BR", "INTERRUPT", "SYSCALL", "SYSRET", "UINTR", "CET")',
        'mnemonic:match("^ud%d$")',
      } },
    { reason = "privileged, or of the system",
      when = {
        'category == "SYSTEM" and not mnemonic:match("^rdtsc")',
        'among(category, "VTX", "SGX", "IO", "IOSTRINGOP", "PCONFIG", "PT", "LEGACY", "HRESET", "SMAP", "PADLOCK", "AMX_TILE")',
        'among(extension, "XSAVES", "KEYLOCKER", "KEYLOCKER_WIDE", "MCOMMIT")',
        'among(mnemonic, "cli", "sti", "invpcid", "monitor", "mwait")',
      } },
    { reason = "x87, MMX, 3DNow!: their registers alias in ways that the aliasing of abstract blocks has no words for",
      when = {
        'extension == "X87" or extension == "MMX" or uses("x87", "mmx")',
        'among(extension, "AMD3DNOW", "AMD3DNOW_PREFETCH") or mnemonic == "fwait"',
      } },
    { reason = "AVX-512",
      when = { 'encoding == "evex" or extension == "AVX512VEX"' } },
    { reason = "an operand that is never drawn: segment, control, debug and tile registers, absolute addresses, hidden pointers",
      when = {
        'uses("segment", "control", "debug", "bound", "tile") or absolute',
        'among(mnemonic, "movdir64b", "enqcmd", "enqcmds", "clzero", "umonitor", "monitorx")',
      } },
  },
}
