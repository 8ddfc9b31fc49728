-- Digests of results: written by tests/lua/recorded_spec.lua.
return {
  ["infer explain, golden_cove"] = { ["m.json"] = "af2c216d02e489fb" },
  ["infer explain, zen4"] = { ["m.json"] = "8597a7f3bc3f3c08" },
  ["infer explain, skylake"] = { ["m.json"] = "fee422c18c7fed86" },
  ["infer explain, gracemont"] = { ["m.json"] = "49fbd88d8b5e85bf" },
  ["infer uops-info"] = { ["m.json"] = "7594744bfb299f5e" },
  ["infer cegis, symmetric"] = { ["m.json"] = "02e161e473f80d6e" },
  ["infer cegis, asymmetric"] = { ["m.json"] = "db1497b331f02a4b" },
  ["infer pmevo"] = { ["out/mapping.json"] = "4938dfeb73a6f264" },
  ["campaign"] = { ["out/journal.jsonl"] = "458da6b7655af342", ["out/discoveries.json"] = "ece0f43f0c752405" },
}
