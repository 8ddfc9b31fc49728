-- All usable VEX schemes of AVX, AES and half-precision conversion.
local avx = 'among(extension, "AVX", "AVXAES", "F16C") and '
return {
  { name = "AVX moves", filter = avx .. 'among(category, "DATAXFER", "BROADCAST")' },
  { name = "AVX conversions", filter = avx .. 'category == "CONVERT"' },
  { name = "AVX logic", filter = avx .. 'among(category, "LOGICAL", "LOGICAL_FP")' },
  { name = "AVX floating point", filter = avx .. 'mnemonic:match("[ps][sd]$")' },
  { name = "AVX, other", filter = avx .. 'true' },
}
