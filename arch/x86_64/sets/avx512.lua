-- All usable schemes of AVX-512, but those masked: a mask that is all ones adds an operand, not a port.
return {
  { name = "Mask registers", filter = 'extension == "AVX512VEX"' },
  { name = "AVX-512", evex = true, filter = 'encoding == "evex" and not masked' },
  { name = "AVX-512, masked", evex = true, filter = 'encoding == "evex"' },
}
