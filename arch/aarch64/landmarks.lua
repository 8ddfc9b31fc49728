-- Schemes of A64 that Portolan itself names (portolan.landmarks).
return {
  -- What fills the front end and nothing else: of simulated processors; and the one that measuring takes.
  nop = "hint imm7",
  measured_nop = "hint imm7",

  -- Plain loads, by which the ports of loads and the cycles from an address to a register are known.
  loads = { "ldr x, [x, imm12]", "ldr w, [x, imm12]", "ldr d, [x, imm12]", "ldr q, [x, imm12]" },

  -- An experiment to show as an example.
  example = "2*add x, x, x + madd x, x, x, x",
}
