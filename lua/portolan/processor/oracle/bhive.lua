--- The oracle `bhive`: BHive's harness measures, `bhive:program=PATH`.
--
-- The harness has no loop: what it runs are copies in a row, and the front end decodes each of them anew where they exceed its cache. So bodies are
-- short, and there are fewer copies than in BHive's own measurements.
-- @module portolan.processor.oracle.bhive
return require("portolan.predictor.measuring_tool").kind {
  name = "bhive",
  adapter = require "portolan.predictor.adapters.bhive",
  settings = { "copies" },
  defaults = { copies = "20" },
  unroll = { 12, 20 },
}
