-- All usable schemes of scalar floating point, vectors (Advanced SIMD, "NEON") and cryptography.
local vector = 'uses("b", "h", "s", "d", "q", "v") and '
return {
  { name = "Scalar floating point", filter = vector .. 'category == "FP"' },
  { name = "Vectors", filter = vector .. 'category == "SIMD"' },
  { name = "Cryptography", filter = vector .. 'category == "CRYPTO"' },
  { name = "Loads of vectors", filter = vector .. 'category == "LOAD"' },
  { name = "Stores of vectors", filter = vector .. 'category == "STORE"' },
  { name = "Other vectors", filter = vector .. 'true' },
}
