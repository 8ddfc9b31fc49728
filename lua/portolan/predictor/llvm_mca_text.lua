--- Code as LLVM's assembler reads it: Intel syntax, one instruction a line.
-- @module portolan.predictor.llvm_mca_text
local core = require "portolan.core"
local isa = require "portolan.isa"
local paths = require "portolan.paths"

local text = {}

-- LLVM would take the encoding that it finds shorter.
local prefixes = { vex = "{vex} ", evex = "{evex} " }

--- A decoded instruction.
-- @param instruction `{ scheme =, text = }`, of `core.isa`
-- @return its text for LLVM, which has other opinions of a gather's size and of the names of x87 registers
function text.of_instruction(instruction)
  local scheme = isa.scheme(instruction.scheme)
  local words = instruction.text:gsub("%w+ ptr (%[[^%]]*[xyz]mm)", "%1"):gsub("%f[%w]st(%d)", "st(%1)")
  return (scheme and prefixes[scheme.encoding] or "") .. words
end

--- Machine code.
-- @param bytes string
-- @return lines of text; number of instructions; or nil and a message
function text.of_bytes(bytes)
  local code, message = core.isa.decode(bytes)
  if not code then return nil, message end
  local lines = {}
  for i, instruction in ipairs(code.instructions) do lines[i] = text.of_instruction(instruction) end
  return table.concat(lines, "\n"), #lines
end

local policy

-- The register policy of the hardware processor: operands that make no instruction wait for another (Algorithm 3.1).
local function default_policy()
  policy = policy or assert(core.isa.policy(dofile(paths.arch "x86_64/policy.lua")))
  return policy
end

--- One instance of a scheme: not the first one, which may use rax, for which there are encodings of its own.
-- @param name of the scheme
-- @return text; or nil and a message
function text.of_scheme(name)
  local code, message = core.isa.instantiate({ name, name, name }, default_policy())
  if not code then return nil, message end
  return text.of_instruction(code.instructions[3])
end

--- A loop body of an experiment, as the hardware processor makes it.
-- @param e experiment
-- @param target about how many instructions
-- @return text, copies of the experiment in it; or nil and a message
function text.of_experiment(e, target)
  local kernel, message = core.isa.kernel(e, default_policy(), target)
  if not kernel then return nil, message end
  local lines, trouble = text.of_bytes(kernel.bytes)
  if not lines then return nil, trouble end
  return lines, kernel.copies
end

--- Whether code may change how the code behind it is read: it has labels, directives or long comments.
-- @param code text
function text.is_delicate(code)
  local lines = "\n" .. code:gsub(";", "\n")
  return lines:find("\n%s*%.") ~= nil or lines:find(":", 1, true) ~= nil or lines:find("/*", 1, true) ~= nil
    or lines:find("LLVM-MCA", 1, true) ~= nil
end

return text
