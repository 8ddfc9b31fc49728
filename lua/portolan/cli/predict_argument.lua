--- What an argument of `portolan predict` asks about: an experiment, or assembler text.
-- @module portolan.cli.predict_argument
local block = require "portolan.block"
local core = require "portolan.core"
local experiment = require "portolan.experiment"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"

local predict_argument = {}

--- Schemes of the model that a user may have meant: the same mnemonic.
-- @param m model
-- @param name of a scheme that it lacks
-- @return "; it has ...", or "" if there are none
function predict_argument.suggestion(m, name)
  local mnemonic, found = name:match("^%S+") or name, {}
  for known in pairs(m.schemes) do
    if known:match("^%S+") == mnemonic then found[#found + 1] = "'" .. known .. "'" end
  end
  if #found == 0 then return "" end
  table.sort(found)
  local more = #found > 3 and (" and %d more"):format(#found - 3) or ""
  return "; it has " .. table.concat(found, ", ", 1, math.min(3, #found)) .. more
end

-- The first scheme of an experiment that neither the mapping nor the instruction set has, or nil.
local function strange(m, e)
  return lists.first(experiment.schemes(e), function(name) return not m.schemes[name] and not core.isa.scheme(name) end)
end

--- The schemes of decoded code.
-- @param instructions as of `core.isa.decode`
-- @return experiment
function predict_argument.of_instructions(instructions)
  local names = {}
  for i, instruction in ipairs(instructions) do names[i] = instruction.scheme end
  return experiment.of_list(names)
end

local function from_assembler(text, m)
  local code, message = core.isa.assemble(text, m.mapping and mapping.architecture(m.mapping))
  if not code then return nil, message end
  if #code.instructions == 0 then return nil, "there is no instruction" end
  return predict_argument.of_instructions(code.instructions), code
end

--- Reads machine code in hexadecimal.
-- @param m model
-- @param hex text
-- @treturn table|nil experiment
-- @treturn table|string the code as of `core.isa.decode`, with its `bytes`; or what is wrong
function predict_argument.of_hex(m, hex)
  local bytes, message = block.from_hex(hex)
  local code
  if bytes then code, message = core.isa.decode(bytes, m.mapping and mapping.architecture(m.mapping)) end
  if code and #code.instructions == 0 then code, message = nil, "there is no instruction" end
  if not code then return nil, "--hex: " .. message end
  code.bytes = bytes
  return predict_argument.of_instructions(code.instructions), code
end

local function quote(text)
  text = text:gsub("%s+", " ")
  return "'" .. (#text > 60 and text:sub(1, 57) .. "..." or text) .. "'"
end

--- Reads an argument. Schemes that the mapping lacks, but the instruction set has, are let through.
-- @param m model
-- @param text of the argument
-- @treturn table|nil experiment
-- @treturn table|boolean|string the code as of `core.isa.assemble`, false if it is none; or what is wrong
function predict_argument.read(m, text)
  local e, why = experiment.parse(text)
  local unknown = e and strange(m, e)
  if e and not unknown then return e, false end
  local found, trouble = from_assembler(text, m)
  if found then return found, trouble end
  if not e and not text:find("*", 1, true) then return nil, ("%s: %s"):format(quote(text), trouble or why) end
  if not e then return nil, why end
  return nil, ("%s: the mapping has no scheme '%s'%s; nor is it assembler text: %s")
    :format(quote(text), unknown, predict_argument.suggestion(m, unknown), trouble)
end

return predict_argument
