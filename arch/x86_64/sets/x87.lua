-- Schemes of the x87 stack, beside the starter set, whose ports they share. Companions keep the stack as deep as it was (engine/isa/companions.h).
return {
  { name = "x87 loads and stores", apart = "x87",
    filter = 'x87 and memory and among(mnemonic, "fld", "fst", "fstp", "fild", "fist", "fistp", "fisttp")' },
  { name = "x87 stack", apart = "x87",
    filter = 'x87 and (mnemonic:match("^fld") or among(mnemonic, "fst", "fstp", "fxch", "ffree"))' },
  { name = "x87 comparisons", apart = "x87",
    filter = 'x87 and (mnemonic:match("^fu?com") or mnemonic:match("^ficom") or among(mnemonic, "ftst", "fxam"))' },
  { name = "x87 arithmetic", apart = "x87", filter = 'x87' },
  { name = "x87 control", apart = "serializing", alone = "it waits for what is before it", filter = 'among(mnemonic, "fldcw", "fnstcw")' },
  "starter",
}
