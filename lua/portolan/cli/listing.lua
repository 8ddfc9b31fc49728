--- Prints the code of experiments as it is measured.
-- @module portolan.cli.listing
local block = require "portolan.block"
local experiment = require "portolan.experiment"
local isa = require "portolan.scheme.isa"
local lists = require "portolan.support.lists"
local loop_body = require "portolan.experiment.loop_body"
local printable = require "portolan.support.printable"

local listing = {}

--- An experiment as text, with its order and its operands where these matter.
-- @param record of an experiments file
function listing.name(record)
  local text = record.order and table.concat(record.order, "; ") or experiment.format(record.e)
  return printable.line(record.variant and ("%s (operands %d)"):format(text, record.variant) or text)
end

--- Prints code: bytes in hexadecimal and text (Intel syntax for x86-64).
-- @param context of the subcommand
-- @param body `{ bytes =, architecture = nil for the host's }`
function listing.code(context, body)
  for _, line in ipairs(loop_body.listing(body)) do context.out("%s\n", line) end
end

--- Prints the code of a record: its block, or the loop body of this unrolling and layout.
-- @param context of the subcommand
-- @param record of an experiments file
-- @param declared register policy (portolan.experiment.loop_body)
-- @param unroll number of instructions, about
-- @param[opt] layout name of one of the policy's
function listing.show(context, record, declared, unroll, layout)
  if record.hex then
    return listing.code(context, { bytes = assert(block.from_hex(record.hex)), architecture = isa.architecture(lists.keys(record.e)) })
  end
  local body, message = loop_body.of(record, declared, unroll, layout)
  if not body then return context.out("  no code: %s\n", printable.line(message)) end
  context.out("  %s\n", loop_body.title(body))
  listing.code(context, body)
end

return listing
