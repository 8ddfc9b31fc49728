--- Code as LLVM's assembler reads it, one instruction a line: Intel syntax for x86-64.
-- @module portolan.predictor.llvm_mca.text
local core = require "portolan.core"
local instance = require "portolan.scheme.instance"
local isa = require "portolan.scheme.isa"
local lists = require "portolan.support.lists"
local spelling = require "portolan.predictor.llvm_mca.spelling"

local text = {}

local most_kept = 8192 -- blocks
local kept, kept_count = {}, 0 -- bytes -> text: two versions of LLVM are mostly asked about the same blocks

--- Machine code.
-- @param bytes string
-- @tparam[opt] string architecture by default the host's
-- @return lines of text; or nil and a message
function text.of_bytes(bytes, architecture)
  local key = (architecture or "") .. bytes
  if kept[key] then return kept[key] end
  local code, message = core.isa.decode(bytes, architecture)
  if not code then return nil, message end
  local lines = {}
  for i, instruction in ipairs(code.instructions) do lines[i] = spelling.of(instruction) end
  if kept_count >= most_kept then kept, kept_count = {}, 0 end
  kept[key], kept_count = table.concat(lines, "\n"), kept_count + 1
  return kept[key]
end

--- One instance of a scheme.
-- @param name of the scheme
-- @return text; or nil and a message
function text.of_scheme(name)
  local one, message = instance.of(name)
  if not one then return nil, message end
  return spelling.of(one)
end

--- A loop body of an experiment, as the hardware processor makes it.
-- @param e experiment
-- @param target about how many instructions
-- @return text, copies of the experiment in it; or nil and a message
function text.of_experiment(e, target)
  local architecture, message = isa.architecture(lists.keys(e))
  if message then return nil, message end
  local kernel
  kernel, message = core.isa.kernel(e, instance.policy(architecture), target)
  if not kernel then return nil, message end
  local lines, trouble = text.of_bytes(kernel.bytes, architecture)
  if not lines then return nil, trouble end
  return lines, kernel.copies
end

--- Tells whether code may change how the code behind it is read, or whether there may be none: it has labels, directives or comments.
-- @param code text
function text.is_delicate(code)
  local lines = "\n" .. code:gsub(";", "\n")
  return lines:find "\n%s*%." ~= nil or lines:find(":", 1, true) ~= nil or lines:find("/*", 1, true) ~= nil
    or lines:find("LLVM-MCA", 1, true) ~= nil or not lines:gsub("#[^\n]*", ""):find "%w"
end

return text
