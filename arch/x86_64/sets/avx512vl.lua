-- All usable schemes of AVX-512 with vectors of 128 and 256 bits (and scalars); those of 512 bits are another set, avx512.
return {
  { name = "AVX-512VL", evex = true, filter = 'encoding == "evex" and not isa_set:find("_512$") and not masked' },
  { name = "AVX-512VL, masked", evex = true, filter = 'encoding == "evex" and not isa_set:find("_512$")' },
}
