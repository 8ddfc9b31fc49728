--- Records (portolan.experiments) as questions to a processor: experiments whose order and operands may matter.
--
-- This machine measures instances in the order, and with the operands, that a record says. All other processors know multisets only: order and
-- variant make no difference to them.
-- @module portolan.processor.sequences
local answer = require "portolan.processor.answer"
local experiment = require "portolan.experiment"
local loop_body = require "portolan.loop_body"

local sequences = {}

-- Loop bodies of a record in the unrollings and layouts that the processor measures; or nil and why there is none.
local function kernels(processor, record)
  local list = {}
  local length = experiment.length(record.e)
  if length > processor.most_instances then
    return nil, ("%d instances; at most %d can be measured as one experiment"):format(length, processor.most_instances)
  end
  for i, layout in ipairs(processor.layouts) do
    for _, target in ipairs(processor.unroll) do
      local body, message = loop_body.of(record, processor.declared, target, layout.name)
      if not body then return nil, message end
      list[#list + 1] = body
    end
    if i == 1 and not processor.accesses_memory(record.e) then break end
  end
  return list
end

-- The question that a record is, for the store. Without order and variant it is that of the experiment.
local function key(record)
  if not record.order and not record.variant then return experiment.key(record.e) end
  local order = record.order and table.concat(record.order, "; ") or experiment.key(record.e)
  return ("%s @order, variant %d"):format(order, record.variant or 0)
end

local function measure_here(processor, records, options)
  local jobs = {}
  for i, record in ipairs(records) do
    jobs[i] = { key = key(record), kernels = function()
      if not record.order and not record.variant then return processor:kernels(record.e) end
      return kernels(processor, record)
    end }
  end
  return answer(processor, jobs, options)
end

--- Why a record is no question to a processor; nil if it is one.
function sequences.refusal(record)
  if record.hex then return "a block of code is measured as it is: give --predictor hw, or another predictor" end
end

--- Asks a processor.
-- @param processor of `portolan.processor.oracle`
-- @param records list
-- @param[opt] options as of its `measure`
-- @return list of results; or nil, message, status
function sequences.measure(processor, records, options)
  if processor.kernels and processor.declared then return measure_here(processor, records, options) end
  local list = {}
  for i, record in ipairs(records) do list[i] = record.e end
  return processor:measure(list, options)
end

return sequences
