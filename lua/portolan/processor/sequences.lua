--- Records (portolan.experiment.list) as questions to a processor: experiments whose order and operands may matter.
--
-- This machine measures instances in the order, and with the operands, that a record says. All other processors know multisets only: order and
-- variant make no difference to them.
-- @module portolan.processor.sequences
local answer = require "portolan.processor.answer"
local experiment = require "portolan.experiment"
local lists = require "portolan.support.lists"

local sequences = {}

-- The question that a record is, for the store. Without order and variant it is that of the experiment.
local function key(record)
  if not record.order and not record.variant then return experiment.key(record.e) end
  local order = record.order and table.concat(record.order, "; ") or experiment.key(record.e)
  return ("%s @order, variant %d"):format(order, record.variant or 0)
end

local function measure_here(processor, records, options)
  local jobs = lists.map(records, function(record)
    return { key = key(record), kernels = function() return processor:kernels(record.e, record) end }
  end)
  return answer(processor, jobs, options)
end

--- Returns why a record is no question to a processor; nil if it is one.
function sequences.refusal(record)
  if record.hex then return "a block of code is measured as it is: give --predictor hw, or another predictor" end
end

--- Asks a processor.
-- @param processor of `portolan.processor.oracle`
-- @param records list
-- @param[opt] options as of its `measure`
-- @return list of results; or nil, message, status
function sequences.measure(processor, records, options)
  -- This machine's processor itself: one of the user's that stands in front of it, and has its fields, answers by a `measure` of its own.
  if rawget(processor, "declared") then return measure_here(processor, records, options) end
  local list = lists.map(records, function(record) return record.e end)
  return processor:measure(list, options)
end

return sequences
