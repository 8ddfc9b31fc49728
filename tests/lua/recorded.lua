-- Digests of results: written by tests/lua/recorded_spec.lua.
return {
  ["infer explain, golden_cove"] = { ["m.json"] = "4b024946fe4bdce4" },
  ["infer explain, zen4"] = { ["m.json"] = "1079d480493ee9bc" },
  ["infer explain, skylake"] = { ["m.json"] = "b555ed4af4f1a27b" },
  ["infer explain, gracemont"] = { ["m.json"] = "3daadb156b76e60a" },
  ["infer uops-info"] = { ["m.json"] = "7594744bfb299f5e" },
  ["infer cegis, symmetric"] = { ["m.json"] = "02e161e473f80d6e" },
  ["infer cegis, asymmetric"] = { ["m.json"] = "db1497b331f02a4b" },
  ["infer pmevo"] = { ["out/mapping.json"] = "4938dfeb73a6f264" },
  ["campaign"] = { ["out/journal.jsonl"] = "458da6b7655af342", ["out/discoveries.json"] = "ece0f43f0c752405" },
}
