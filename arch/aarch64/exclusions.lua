-- This file says what not to measure on AArch64, and why (dissertation §3.2.2). arch/x86_64/exclusions.lua says how such a file is read.
return {
  -- Branches to the next instruction can be measured: apart = "branches". Ahead of conditional ones stands a comparison of constants
  -- (isa/breaker.h), behind which ne is never true.
  { reason = "control flow", apart = "branches", when = { 'among(mnemonic, "b", "b.cond")' } },

  -- To registers; by registers, whose values differ from loop to loop; calls, whose returns never come.
  { reason = "control flow", when = { "branch" } },

  { reason = "exception", when = { 'category == "EXCEPTION"' } },

  -- Ordered accesses and barriers: they hold up what is beside them, and not by their ports.
  { reason = "serializing", apart = "serializing",
    when = { 'mnemonic:match("^ldar[bh]?$") or mnemonic:match("^stlr[bh]?$")', 'among(mnemonic, "dmb", "dsb", "isb")' } },

  -- Monitors are the machine's, and a store that fails takes another time than one that succeeds.
  { reason = "exclusive access", when = { 'mnemonic:match("^lda?x[rp]") or mnemonic:match("^stl?x[rp]") or mnemonic == "clrex"' } },

  -- System registers, caches, translation: privileged, or the machine's own state. (hint is asked as nop.)
  { reason = "system or memory system",
    when = { 'category == "SYSTEM" and mnemonic ~= "hint"', 'category == "PREFETCH"' } },

  { reason = "reads its own code", when = { 'name:find("[pc,", 1, true)' } },

  -- Bases of their own, which amounts of either sign, or the end of a loop body, take back (engine/isa/moving.h): apart = "moving bases". Blocks of
  -- code have no such bases.
  { reason = "moves its base register", apart = "moving bases", when = { 'name:find("%[x[^%]]*%][!,]")' } },

  -- Flags that are read and written. A comparison of constants ahead of each instance cuts the dependency (engine/isa/companions.h): apart = "flags".
  -- It takes a port, which zeroing idioms of x86-64 do not, and is taken off at the end.
  { reason = "each instance waits for the one before", apart = "flags", when = { "updates_fixed and not branch" } },
}
