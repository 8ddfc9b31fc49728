-- The universe of the published campaigns, as far as section 8.2.2 of the dissertation describes it: no SIMD and floating-point extensions but
-- AVX and AVX2, no control flow, nothing privileged. It had 2,940 schemes. It also left out what uops.info has no measurements of; here the
-- predictors decide. fxsave and fxrstor are in, as Figure 8.5 (d) has them.
return {
  immediates = true,
  leaves_out = {
    { reason = "a SIMD or floating-point extension other than AVX and AVX2",
      when = {
        'uses("x87", "mmx", "zmm", "mask") or among(extension, "X87", "MMX", "AMD3DNOW", "AMD3DNOW_PREFETCH")',
        'uses("xmm", "ymm") and not among(extension, "AVX", "AVX2", "AVX2GATHER")',
        'extension:match("^S?SSE") and not mnemonic:match("^fx")',
        'mnemonic == "fwait" or category == "AMX_TILE"',
      } },
    "predicted",
  },
}
