-- Digests of results: written by tests/lua/recorded_spec.lua.
return {
  ["infer explain, golden_cove"] = { ["m.json"] = "33eeaa95b7eab541" },
  ["infer explain, zen4"] = { ["m.json"] = "23f9dc1f362bc64c" },
  ["infer explain, skylake"] = { ["m.json"] = "8631b7ae35ab53d4" },
  ["infer explain, gracemont"] = { ["m.json"] = "cfe71b9cbc3cc725" },
  ["infer uops-info"] = { ["m.json"] = "7594744bfb299f5e" },
  ["infer cegis, symmetric"] = { ["m.json"] = "6cafee0f16a6d51b" },
  ["infer cegis, asymmetric"] = { ["m.json"] = "d713bac9b620d305" },
  ["infer pmevo"] = { ["out/mapping.json"] = "4938dfeb73a6f264" },
  ["campaign"] = { ["out/journal.jsonl"] = "3357e39ea34fc0da", ["out/discoveries.json"] = "f99d719c37d29789" },
}
