-- All usable schemes of AVX-512 with 512-bit vectors, and of mask registers. Narrower ones are another set (avx512vl): while 512-bit uops
-- are about, Intel's cores run no vector uop on port 1, so one port mapping for both cannot be.
return {
  { name = "Mask registers", filter = 'extension == "AVX512VEX"' },
  { name = "AVX-512", evex = true, filter = 'encoding == "evex" and isa_set:find("_512$") and not masked' },
  { name = "AVX-512, masked", evex = true, filter = 'encoding == "evex" and isa_set:find("_512$")' },
}
