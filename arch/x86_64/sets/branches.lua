-- Branches to the next instruction, and what moves the stack pointer, next to all schemes on general registers. What is beside a conditional branch
-- writes flags, and a zeroing idiom ahead of it sets the zero and parity flags and clears all others (engine/isa/breaker.h): so eight conditions are
-- never true, and the other eight always are.
return {
  { name = "Branches never taken", apart = "branches",
    filter = 'category == "COND_BR" and among(mnemonic, "jnz", "jnp", "jb", "jnbe", "jo", "js", "jl", "jnle")' },
  { name = "Branches always taken", apart = "branches", filter = 'category == "COND_BR"' },
  { name = "Jumps, calls and returns", apart = "branches", filter = 'among(category, "UNCOND_BR", "CALL", "RET")' },
  { name = "Stack", apart = "stack", filter = '(stack_bytes or mnemonic == "leave") and not branch' },
  "scalar",
}
