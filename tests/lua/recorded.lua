-- Digests of results: written by tests/lua/recorded_spec.lua.
return {
  ["infer explain, golden_cove"] = { ["m.json"] = "49ce3deaf9049213" },
  ["infer explain, zen4"] = { ["m.json"] = "9db6c7c4cba7f071" },
  ["infer explain, skylake"] = { ["m.json"] = "00b5acead8658e29" },
  ["infer explain, gracemont"] = { ["m.json"] = "aa3010ffc9461dc4" },
  ["infer uops-info"] = { ["m.json"] = "7594744bfb299f5e" },
  ["infer cegis, symmetric"] = { ["m.json"] = "6cafee0f16a6d51b" },
  ["infer cegis, asymmetric"] = { ["m.json"] = "d713bac9b620d305" },
  ["infer pmevo"] = { ["out/mapping.json"] = "4938dfeb73a6f264" },
  ["campaign"] = { ["out/journal.jsonl"] = "3357e39ea34fc0da", ["out/discoveries.json"] = "f99d719c37d29789" },
}
