-- Digests of results: written by tests/lua/recorded_spec.lua.
return {
  ["infer explain, golden_cove"] = { ["m.json"] = "10a2bd70b8ec0dc8" },
  ["infer explain, zen4"] = { ["m.json"] = "1afa2b6ce9bdc72a" },
  ["infer explain, skylake"] = { ["m.json"] = "1fc0862d00403228" },
  ["infer explain, gracemont"] = { ["m.json"] = "e1a10c258ccbacba" },
  ["infer uops-info"] = { ["m.json"] = "7594744bfb299f5e" },
  ["infer cegis, symmetric"] = { ["m.json"] = "6cafee0f16a6d51b" },
  ["infer cegis, asymmetric"] = { ["m.json"] = "d713bac9b620d305" },
  ["infer pmevo"] = { ["out/mapping.json"] = "4938dfeb73a6f264" },
  ["campaign"] = { ["out/journal.jsonl"] = "3357e39ea34fc0da", ["out/discoveries.json"] = "f99d719c37d29789" },
}
