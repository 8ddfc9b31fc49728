-- Digests of results: written by tests/lua/recorded_spec.lua.
return {
  ["infer explain, golden_cove"] = { ["m.json"] = "67440642e9dc6f72" },
  ["infer explain, zen4"] = { ["m.json"] = "3eee0abd531c2246" },
  ["infer explain, skylake"] = { ["m.json"] = "698ac7c1bfaa34fb" },
  ["infer explain, gracemont"] = { ["m.json"] = "7f722030ca7bdb39" },
  ["infer uops-info"] = { ["m.json"] = "7594744bfb299f5e" },
  ["infer cegis, symmetric"] = { ["m.json"] = "02e161e473f80d6e" },
  ["infer cegis, asymmetric"] = { ["m.json"] = "db1497b331f02a4b" },
  ["infer pmevo"] = { ["out/mapping.json"] = "4938dfeb73a6f264" },
  ["campaign"] = { ["out/journal.jsonl"] = "458da6b7655af342", ["out/discoveries.json"] = "aa71381ea6a3b9b3" },
}
