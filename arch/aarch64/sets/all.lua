-- All usable schemes of A64.
return { "scalar", "simd" }
