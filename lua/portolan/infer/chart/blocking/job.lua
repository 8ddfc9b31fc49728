--- A blocking experiment of one scheme on the ports of one class, as a record: what is to be measured, and what came out.
-- @module portolan.infer.chart.blocking.job
local record = require "portolan.support.record"

local job = {}

--- Field -> what it is, its unit; the file of this folder that writes it, if no other is named.
job.fields = {
  name = "scheme of which one instance stands beside the flood; flood",
  class = "class whose ports are flooded; flood",
  length = "cycles of the flood, a whole number; flood",
  slots = "issue slots of the instance; flood",
  sparse = "true: hardly any NOPs stand in the flood, beside which the instance is decoded slowly; flood",
  mode = "vector mode of the instance, where the processor has such; flood",
  memory = "'loads' or 'stores', if the instance does; flood",
  kind = "mode and memory in words: instances of a kind are flooded by the same instruction; flood",
  e = "experiment that was measured; flood",
  confirmed = "true: several instances cost so many times what one does; flood",
  instances = "of the scheme in that experiment; nil: one; flood",
  cycles = "measured, of the flood with the instance; flood",
  alone = "cycles measured, of the flood without it; flood",
  count = "uops that stay on the class's ports, as measured; nil: not known; flood, stages/stores",
  held = "uops by which the flood alone is slower than the model says; flood",
  sd = "standard deviation of the count, in uops; flood",
  trouble = "{ class of portolan.mapping.statuses, note }: why there is no count; flood",
  uops = "the count as a whole number of uops; flood, attribute, stages/stores",
  refuted = "true: a store holds up the flood by more than its uops on these ports; stages/stores",
  expected = "cycles that the answer makes of it; attribute",
}

--- Makes one: function(initial fields) -> record.
job.new = record.kind("job", job.fields)

return job
