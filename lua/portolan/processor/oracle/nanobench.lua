--- The oracle `nanobench`: nanoBench measures, `nanobench:config=FILE,program=PATH`.
--
-- Bodies run in nanoBench's own loop (its counter is r15, its memory r14, as in Portolan's register policy).
-- @module portolan.processor.oracle.nanobench
return require("portolan.predictor.measuring_tool").kind {
  name = "nanobench",
  adapter = require "portolan.predictor.adapters.nanobench",
  settings = { "config", "unroll_count", "loop_count", "cpu" },
  defaults = { unroll_count = "1", loop_count = "1000" },
}
