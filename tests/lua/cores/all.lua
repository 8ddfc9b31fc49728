-- Simulated cores that differ in what charting has to cope with: name -> function(quirky) -> mapping.
return {
  glc = function(quirky) return require "cores.golden_cove"(quirky) end,
  zen4 = function(quirky) return require "cores.zen4"(quirky) end,
  skylake = function(quirky) return require "cores.skylake"(quirky) end,
  a72 = function() return require "cores.aarch64" "cortex-a72" end,
  n1 = function() return require "cores.aarch64" "neoverse-n1" end,
  v2 = function() return require "cores.aarch64" "neoverse-v2" end,
  gracemont = function(quirky) return require "cores.gracemont"(quirky) end,
}
