-- Digests of results: written by tests/lua/recorded_spec.lua.
return {
  ["infer explain, golden_cove"] = { ["m.json"] = "a11f9ff5fe93e3e4" },
  ["infer explain, zen4"] = { ["m.json"] = "1aa94e026af8f2c6" },
  ["infer explain, skylake"] = { ["m.json"] = "6cca4b366d0f74b3" },
  ["infer explain, gracemont"] = { ["m.json"] = "82f01790428a1e08" },
  ["infer uops-info"] = { ["m.json"] = "7594744bfb299f5e" },
  ["infer cegis, symmetric"] = { ["m.json"] = "6cafee0f16a6d51b" },
  ["infer cegis, asymmetric"] = { ["m.json"] = "d713bac9b620d305" },
  ["infer pmevo"] = { ["out/mapping.json"] = "4938dfeb73a6f264" },
  ["campaign"] = { ["out/journal.jsonl"] = "3357e39ea34fc0da", ["out/discoveries.json"] = "f99d719c37d29789" },
}
