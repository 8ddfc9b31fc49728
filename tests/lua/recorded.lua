-- Digests of results: written by tests/lua/recorded_spec.lua.
return {
  ["infer explain, golden_cove"] = { ["m.json"] = "94d8baa8fb7afd1c" },
  ["infer explain, zen4"] = { ["m.json"] = "3da19b3a5c09018f" },
  ["infer explain, skylake"] = { ["m.json"] = "5cff2fc1f1600fad" },
  ["infer explain, gracemont"] = { ["m.json"] = "66167a2ca6a1190e" },
  ["infer uops-info"] = { ["m.json"] = "7594744bfb299f5e" },
  ["infer cegis, symmetric"] = { ["m.json"] = "02e161e473f80d6e" },
  ["infer cegis, asymmetric"] = { ["m.json"] = "db1497b331f02a4b" },
  ["infer pmevo"] = { ["out/mapping.json"] = "4938dfeb73a6f264" },
  ["campaign"] = { ["out/journal.jsonl"] = "458da6b7655af342", ["out/discoveries.json"] = "ece0f43f0c752405" },
}
