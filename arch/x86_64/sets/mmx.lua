-- Schemes on MMX registers, beside those of SSE and general registers.
return {
  { name = "MMX", apart = "mmx", filter = 'uses("mmx") and encoding == "legacy"' },
  "sse",
}
