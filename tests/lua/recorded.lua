-- Digests of results: written by tests/lua/recorded_spec.lua.
return {
  ["infer explain, golden_cove"] = { ["m.json"] = "ddc3ce014d2d3f4a" },
  ["infer explain, zen4"] = { ["m.json"] = "9d04d860390eb115" },
  ["infer explain, skylake"] = { ["m.json"] = "4340c01c455f0edf" },
  ["infer explain, gracemont"] = { ["m.json"] = "9c0c44534091f436" },
  ["infer uops-info"] = { ["m.json"] = "7594744bfb299f5e" },
  ["infer cegis, symmetric"] = { ["m.json"] = "02e161e473f80d6e" },
  ["infer cegis, asymmetric"] = { ["m.json"] = "db1497b331f02a4b" },
  ["infer pmevo"] = { ["out/mapping.json"] = "4938dfeb73a6f264" },
  ["campaign"] = { ["out/journal.jsonl"] = "458da6b7655af342", ["out/discoveries.json"] = "aa71381ea6a3b9b3" },
}
