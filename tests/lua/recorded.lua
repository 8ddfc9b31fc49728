-- Digests of results: written by tests/lua/recorded_spec.lua.
return {
  ["infer explain, golden_cove"] = { ["m.json"] = "36d8a5f67f0b9e2c" },
  ["infer explain, zen4"] = { ["m.json"] = "9db6c7c4cba7f071" },
  ["infer explain, skylake"] = { ["m.json"] = "589a9b7ede36f03e" },
  ["infer explain, gracemont"] = { ["m.json"] = "a1539cdffb0317bc" },
  ["infer uops-info"] = { ["m.json"] = "7594744bfb299f5e" },
  ["infer cegis, symmetric"] = { ["m.json"] = "6cafee0f16a6d51b" },
  ["infer cegis, asymmetric"] = { ["m.json"] = "d713bac9b620d305" },
  ["infer pmevo"] = { ["out/mapping.json"] = "4938dfeb73a6f264" },
  ["campaign"] = { ["out/journal.jsonl"] = "3357e39ea34fc0da", ["out/discoveries.json"] = "f99d719c37d29789" },
}
