-- All usable VEX schemes from AVX2 on, AMD's older ones included.
local vex = 'among(encoding, "vex", "xop") and not among(extension, "AVX", "AVXAES", "F16C", "AVX512VEX", "TBM") and uses("xmm", "ymm") and '
return {
  { name = "AVX2", filter = vex .. 'extension == "AVX2"' },
  { name = "Fused multiply-add", filter = vex .. 'extension == "FMA"' },
  { name = "VEX extensions", filter = vex .. 'not among(extension, "XOP", "FMA4")' },
  { name = "AMD's XOP and FMA4", filter = vex .. 'true' },
}
