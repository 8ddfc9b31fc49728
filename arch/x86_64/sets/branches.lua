-- Conditional branches that are never taken, next to all schemes on general registers. They lead to the next instruction and always go the same
-- way (engine/isa/breaker.h). Those of the opposite condition would always be taken: the front end holds these up, not their ports.
return {
  { name = "Branches never taken", apart = "branches",
    filter = 'category == "COND_BR" and among(mnemonic, "jnz", "jnp", "jb", "jnbe", "jo", "js", "jl", "jnle")' },
  "scalar",
}
