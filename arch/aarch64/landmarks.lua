-- Schemes of A64 that Portolan itself names (portolan.landmarks).
return {
  -- What fills the front end and nothing else: of simulated processors; and the one that measuring takes.
  nop = "hint imm7",
  measured_nop = "hint imm7",

  -- Plain loads, by which the ports of loads and the cycles from an address to a register are known.
  loads = { "ldr x, [x, imm12]", "ldr w, [x, imm12]", "ldr d, [x, imm12]", "ldr q, [x, imm12]" },

  -- Categories of schemes that only move what they load or store.
  moves = { LOAD = true, STORE = true },

  -- Loads that fill a register and do nothing else: by category, but for these mnemonics; and by mnemonic.
  filling = { categories = { LOAD = true }, by = {}, not_by = {} },

  -- Micro-fusion: no instruction loads and works on what it loads, and Arm's optimization guides have the uops of a store dispatched one by one.
  micro_fusion = false,

  -- An experiment to show as an example.
  example = "2*add x, x, x + madd x, x, x, x",
}
