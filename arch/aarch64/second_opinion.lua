-- This file says why other decoders read some encodings differently: for each reason, mnemonics as Portolan names them (after the manual's
-- instruction, not its aliases) and as they do.
-- Used by `portolan isa count --arch aarch64 --check`; what no entry explains is reported as unexplained.
--   pairs  Capstone, from which the forms are derived: it prints aliases where forms are derived from the encoding (docs/scheme-names.md)
--   llvm   mnemonics of schemes whose text by llvm-mc does not assemble to the word that it came from
-- In all other cases llvm-mc, a decoder of its own tables, prints text that Portolan assembles to the very word.
return {
  { reason = "an alias that is always printed for this encoding",
    pairs = {
      sbfm = { "sbfx", "sbfiz", "asr", "sxtb", "sxth", "sxtw" }, ubfm = { "ubfx", "ubfiz", "lsl", "lsr", "uxtb", "uxth" },
      bfm = { "bfxil", "bfi" }, ["not"] = "mvn", umov = "mov", dup = "mov", ins = "mov",
      lslv = "lsl", lsrv = "lsr", asrv = "asr", rorv = "ror",
    } },
  { reason = "hints have names by their number", pairs = { hint = { "nop", "yield", "wfe", "wfi", "sev", "sevl" } } },
  { reason = "the condition is part of the name",
    pairs = { ["b.cond"] = { "b.eq", "b.ne", "b.hs", "b.lo", "b.mi", "b.pl", "b.vs", "b.vc", "b.hi", "b.ls", "b.ge", "b.lt", "b.gt", "b.le" } } },
  { reason = "fields of the processor state have names, and most numbers are none", pairs = { msr = "" } },
  { reason = "system registers, fields of the processor state and operations have names, which Portolan keeps as numbers", pairs = {},
    llvm = { "mrs", "msr", "sys", "sysl", "dmb", "dsb" } },
}
