--- This module declares what an inference of resources knows: every field with who writes it.
-- @module portolan.infer.palmed.state
local record = require "portolan.support.record"

local state = {}

--- One inference.
state.run = record.kind("run of Palmed's inference", {
  options = "options of palmed.infer, with what was left out filled in",
  kernels = "portolan.infer.palmed.kernels: what measures, and remembers",
  rng = "random choices",
  progress = "function(stage, done, total, note)",
  names = "schemes that can be measured alone, sorted; written by quadratic",
  alone = "scheme -> cycles of one instance; written by quadratic",
  failed = "scheme -> class (portolan.mapping.statuses) of those that are not mapped; written by quadratic, complete and init",
  class_of = "scheme -> its representative; written by quadratic",
  representatives = "list: the first scheme of each class, in the order of names; written by quadratic",
  basics = "list of basic instructions, in the order in which they were chosen; written by basic and init",
  core = "state.core of the basic instructions; written by init",
  loads = "scheme -> list of loads by resource; written by complete",
  private = "list of { schemes = names }: resources that only schemes beside the core use; written by private",
})

--- The resources of the basic instructions.
state.core = record.kind("core of Palmed's mapping", {
  basics = "list of names",
  index = "name -> place in the list",
  alone = "list: cycles of one instance",
  epsilon = "relative difference up to which times are equal",
  kernels = "list of { counts = by basic instruction, cycles =, open = (no resource explains it yet), bounds = (its bound is in programs) }",
  known = "key of a kernel -> the kernel, or true if it could not be measured",
  resources = "list of lists of loads by basic instruction, in cycles",
  vain = "set of kernels that no resource can explain, as others take too little time for that",
  saturating = "list by resource of { counts =, fill = of the fullest other resource, a share }; written by saturate",
})

return state
