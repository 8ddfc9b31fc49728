-- All usable schemes of legacy SSE, up to SSE4, AES, SHA and GFNI; and scalar ones, whose ports they share. Apart from AVX: where the upper
-- halves of vector registers are in use, legacy SSE is slow, or waits for them.
local sse = 'encoding == "legacy" and (uses("xmm") or extension == "SSE" or extension == "SSE2") and '
return {
  { name = "SSE moves", apart = "sse", filter = sse .. 'category == "DATAXFER"' },
  { name = "SSE conversions", apart = "sse", filter = sse .. 'category == "CONVERT"' },
  { name = "SSE logic", apart = "sse", filter = sse .. 'among(category, "LOGICAL", "LOGICAL_FP")' },
  { name = "SSE floating point", apart = "sse", filter = sse .. 'mnemonic:match("[ps][sd]$")' },
  { name = "SSE, other", apart = "sse", filter = sse .. 'true' },
  "scalar",
}
