-- Schemes of x86-64 that Portolan itself names (portolan.landmarks).
return {
  -- What fills the front end and nothing else: of simulated processors; and the one that measuring takes, as NOPs of one byte are decoded slower
  -- than they are renamed.
  nop = "nop",
  measured_nop = "nop m32, r32",

  -- Plain loads, by which the ports of loads and the cycles from an address to a register are known.
  loads = { "mov r64, m64", "mov r32, m32", "movaps xmm, m128", "vmovaps xmm, m128", "vmovaps ymm, m256" },

  -- An experiment to show as an example.
  example = "2*add r64, r64 + imul r64, r64",
}
