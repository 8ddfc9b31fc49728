-- All usable schemes but AVX-512.
return { "scalar", "avx", "avx2" }
