-- Digests of results: written by tests/lua/recorded_spec.lua.
return {
  ["infer explain, golden_cove"] = { ["m.json"] = "94f5b888cc7cd169" },
  ["infer explain, zen4"] = { ["m.json"] = "80c2e8cdf1fc524a" },
  ["infer explain, skylake"] = { ["m.json"] = "d2f9e31ebbb54ff5" },
  ["infer explain, gracemont"] = { ["m.json"] = "3abf10dd4c032184" },
  ["infer uops-info"] = { ["m.json"] = "7594744bfb299f5e" },
  ["infer cegis, symmetric"] = { ["m.json"] = "02e161e473f80d6e" },
  ["infer cegis, asymmetric"] = { ["m.json"] = "db1497b331f02a4b" },
  ["infer pmevo"] = { ["out/mapping.json"] = "4938dfeb73a6f264" },
  ["campaign"] = { ["out/journal.jsonl"] = "458da6b7655af342", ["out/discoveries.json"] = "ece0f43f0c752405" },
}
