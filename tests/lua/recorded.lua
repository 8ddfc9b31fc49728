-- Digests of results: written by tests/lua/recorded_spec.lua.
return {
  ["infer explain, golden_cove"] = { ["m.json"] = "3577fc619b581a85" },
  ["infer explain, zen4"] = { ["m.json"] = "e2eda95a0f9f1b0f" },
  ["infer explain, skylake"] = { ["m.json"] = "6c16628c69ff3443" },
  ["infer explain, gracemont"] = { ["m.json"] = "1321cb5ca449d39f" },
  ["infer uops-info"] = { ["m.json"] = "7594744bfb299f5e" },
  ["infer cegis, symmetric"] = { ["m.json"] = "02e161e473f80d6e" },
  ["infer cegis, asymmetric"] = { ["m.json"] = "db1497b331f02a4b" },
  ["infer pmevo"] = { ["out/mapping.json"] = "4938dfeb73a6f264" },
  ["campaign"] = { ["out/journal.jsonl"] = "458da6b7655af342", ["out/discoveries.json"] = "ece0f43f0c752405" },
}
