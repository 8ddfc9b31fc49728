-- These schemes hold up whatever is beside them: ordered accesses to memory (lock, xchg with memory), fences, time stamps. Their times alone are
-- asked, no ports. Beside the starter set, so that the mapping can be merged with others (`portolan merge`).
return {
  { name = "Locked", apart = "serializing", alone = "no access to memory passes it", filter = 'lock or mnemonic == "xchg" and memory' },
  { name = "Fences and time stamps", apart = "serializing", alone = "it waits for what is before it",
    filter = 'among(mnemonic, "rdtsc", "rdtscp", "pause", "lfence", "mfence", "sfence", "fnstcw")' },
  "starter",
}
