--- The oracle `exegesis`: llvm-exegesis measures, `exegesis`, `exegesis:program=llvm-exegesis-19`.
--
-- Its memory begins at rdi, and its loop counts by r8: they change places with r14 and r15, which they are in Portolan's register policy.
-- @module portolan.processor.oracle.exegesis
return require("portolan.predictor.measuring_tool").kind {
  name = "exegesis",
  adapter = require "portolan.predictor.adapters.exegesis",
  settings = { "mcpu" },
  registers = { r14 = "rdi", rdi = "r14", r15 = "r8", r8 = "r15" },
}
