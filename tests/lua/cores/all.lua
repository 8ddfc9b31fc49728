-- Simulated cores that differ in what charting has to cope with: name -> function(quirky) -> mapping.
return {
  glc = function(quirky) return require "cores.golden_cove"(quirky) end,
  zen4 = function(quirky) return require "cores.zen4"(quirky) end,
  skylake = function(quirky) return require "cores.skylake"(quirky) end,
  gracemont = function(quirky) return require "cores.gracemont"(quirky) end,
}
