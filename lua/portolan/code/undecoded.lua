--- Instructions that Portolan's list of schemes lacks: one of them does not refuse the code around it, where instructions are words of one size.
--
-- The GNU disassembler, which comes with the assembler, says what they are, if it is installed. The name of their scheme is its text without the
-- numbers of registers, in the manner of OSACA's forms that are no schemes of Portolan's (`portolan.format.osaca`), whose names may have wildcards.
-- @module portolan.code.undecoded
local core = require "portolan.core"
local facts = require "portolan.code.facts"
local lists = require "portolan.support.lists"
local program = require "portolan.predictor.machinery.program"
local temporary = require "portolan.support.temporary"

local undecoded = {}

local texts = {} -- of words that were asked for

local function plain(word) return (".inst 0x%08x"):format((("<I4"):unpack(word))) end

-- Asks for the texts of words.
local function ask(words, architecture)
  local tool = facts.of(architecture).disassembler
  local path = program.find(core.isa.host == architecture and tool.here or tool.elsewhere)
  local result = path and temporary.directory(function(directory)
    temporary.write(directory .. "/words", table.concat(words))
    return program.run(path, table.move({ directory .. "/words" }, 1, 1, #tool.arguments + 1, { table.unpack(tool.arguments) }), { seconds = 60 })
  end)
  for at, text in (result and result.out or ""):gmatch "\n%s*(%x+):%s+%x+%s+([^\n]+)" do
    local known = not text:find "^%.inst" and text:gsub("%s*//.*", ""):gsub("%s+", " ")
    texts[words[tonumber(at, 16) // #words[1] + 1] or ""] = known or nil
  end
  for _, word in ipairs(words) do texts[word] = texts[word] or plain(word) end
end

local function registers(text)
  return (text:gsub("%f[%w]([xw])zr%f[%W]", "%10"):gsub("%f[%w]sp%f[%W]", "x0"):gsub("%f[%w]([bhsdqvzpxw])%d+%f[^%w]", "%1"):gsub("/[mz]%f[%W]", ""))
end

-- An address; one of many elements, with a vector of indices, tells so.
local function address(text) return text:find "[^%w]z%d" and "m[base+index]" or "m" end

-- "fmla z0.d, p7/m, z31.d, z1.d" as "fmla z.d, p, z.d, z.d". The index of an element, "z1.d[1]", is no address; the disassembler leaves out the
-- pattern `all`.
local function kind_of(text)
  if text:find "^%." then return text end
  local operands = text:gsub("[{}]", ""):gsub("%s+,", ","):gsub("(%w)%b[]", "%1"):gsub("%b[]!?", address)
  return (registers(operands):gsub("#[%w.+-]+", "imm"):gsub("%s+$", ""):gsub("^(ptrues? [^,]+).*", "%1, label"))
end

--- Decodes code, as `core.isa.decode` does, and where instructions are words, those that it does not know.
-- @param bytes machine code
-- @param architecture of it
-- @return `{ bytes =, instructions = }`, of which the unknown have `undecoded = true` and a `scheme` that is none; or nil and a message
function undecoded.decode(bytes, architecture)
  local all, message = core.isa.decode(bytes, architecture)
  local size = facts.of(architecture).word
  if all or not size or #bytes % size ~= 0 then return all, message end
  local instructions, open = {}, {}
  for at = 1, #bytes, size do
    local word = bytes:sub(at, at + size - 1)
    local one = core.isa.decode(word, architecture)
    local instruction = one and one.instructions[1] or { bytes = word, undecoded = true }
    if not one and not texts[word] then open[#open + 1] = word end
    instruction.offset = at - 1
    instructions[#instructions + 1] = instruction
  end
  if #open > 0 then ask(open, architecture) end
  for _, instruction in ipairs(instructions) do
    if instruction.undecoded then
      instruction.text = texts[instruction.bytes]
      instruction.scheme = kind_of(instruction.text)
    end
  end
  return { bytes = bytes, instructions = instructions }
end

local function words_of(name)
  local mnemonic, rest = name:match "^(%S+)%s*(.*)$"
  local list = { mnemonic }
  for word in rest:gmatch "[^,%s][^,]*" do list[#list + 1] = word end
  return list
end

-- The letter and the shape of a register, either of them a wildcard in a mapping's names; nil for what is none.
local function register(word)
  if word ~= "m" then return word:match "^([%a*])%f[.\0]%.?([%w*]*)$" end
end

-- Is an operand of a mapping's name, which may have wildcards, one for this operand? A wildcard for a whole register does not spare the shape.
local function fits(theirs, ours)
  if theirs == ours or theirs == "m" and ours:find "^m%[" then return true end
  local letter, shape = register(ours)
  local any, form = register(theirs)
  return letter and any and (any == "*" or any == letter) and (form == "*" or form == shape)
end

local function stands_for(theirs, ours)
  if #theirs ~= #ours then return false end
  for i, word in ipairs(theirs) do
    if not fits(word, ours[i]) then return false end
  end
  return true
end

--- The schemes of a mapping that instructions which are not decoded go by; those that it has none for keep their names.
-- @param instructions of `decode`, which are changed
-- @param schemes of the mapping
-- @return whether there are any
function undecoded.resolve(instructions, schemes)
  local any = false
  for _, instruction in ipairs(instructions) do
    any = any or instruction.undecoded or false
    if instruction.undecoded and not schemes[instruction.scheme] then
      local ours = words_of(instruction.scheme)
      local found = lists.where(lists.keys(schemes), function(name)
        return name:sub(1, #ours[1] + 1) == ours[1] .. " " and stands_for(words_of(name), ours)
      end)
      table.sort(found)
      instruction.scheme = found[1] or instruction.scheme
    end
  end
  return any
end

return undecoded
