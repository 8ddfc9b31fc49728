-- Simulated cores that differ in what charting has to cope with: name -> function(quirky, set) -> mapping; `set`: of schemes, for Arm's; nil: all.
return {
  glc = function(quirky) return require "cores.golden_cove"(quirky) end,
  zen4 = function(quirky) return require "cores.zen4"(quirky) end,
  skylake = function(quirky) return require "cores.skylake"(quirky) end,
  a72 = function(_, set) return require "cores.aarch64"("cortex-a72", set) end,
  n1 = function(_, set) return require "cores.aarch64"("neoverse-n1", set) end,
  v2 = function(_, set) return require "cores.aarch64"("neoverse-v2", set) end,
  gracemont = function(quirky) return require "cores.gracemont"(quirky) end,
}
