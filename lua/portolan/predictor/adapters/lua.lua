--- A predictor of the user's own, a Lua program: `lua:mine.lua`, or `mine` if `mine.lua` is in a folder `predictors` of PORTOLAN_PATH.
--
-- The file returns `{ predict = function(block, argument) -> cycles per iteration; or nil, why not }`, and may say `name`, `version`, `open`
-- (function(argument) -> true; or nil and a message), which is called once, and `architecture`, of the blocks that it predicts (`"aarch64"`; by
-- default this machine's). A block is `{ bytes = machine code, text = its instructions (of x86-64 in Intel syntax), schemes = the name of each
-- instruction's scheme }`. What stands behind the file's name and a comma is the argument.
-- @module portolan.predictor.adapters.lua
local architectures = require "portolan.support.architectures"
local core = require "portolan.core"
local fingerprint = require "portolan.predictor.machinery.fingerprint"
local own_file = require "portolan.support.own_file"
local protocol = require "portolan.predictor.machinery.protocol"

local own = {}

local Own = { deterministic = true }

--- Facts for provenance.
function Own:describe() return { name = self.name, version = self.version, file = self.path, argument = self.argument,
  architecture = self.architecture } end

-- Returns what the file's function gets of a block; or nil and a message.
local function shown(block, architecture)
  local bytes, message = protocol.bytes(block, architecture)
  if not bytes then return nil, message end
  local code
  code, message = core.isa.decode(bytes, architecture)
  if not code then return nil, message end
  local text, schemes = {}, {}
  for i, instruction in ipairs(code.instructions) do text[i], schemes[i] = instruction.text, instruction.scheme end
  return { bytes = bytes, text = table.concat(text, "; "), schemes = schemes }
end

local function one(self, block)
  local seen, message = shown(block, self.architecture)
  if not seen then return protocol.unsupported(message) end
  local cycles, why, raised = own_file.call(self.path, self.file.predict, seen, self.argument)
  if type(cycles) == "number" then return { cycles = cycles } end
  if raised then return { error = why, crash = true } end
  return { error = own_file.words(why or ("%s: predict returned %s, and no number"):format(self.path, type(cycles))) }
end

--- Answers of `predict`.
function Own:answer(blocks)
  local answers = {}
  for i, block in ipairs(blocks) do
    if core.base.interrupted() then break end
    answers[i] = one(self, block)
  end
  return answers
end

protocol.class(Own)

--- Opens the program of a file.
-- @param path of the file
-- @param[opt] argument string; none if it is empty
-- @return predictor; or nil and a message
function own.open_file(path, argument)
  if argument == "" then argument = nil end
  local loaded, text = own_file.load(path, "a predictor, { predict = function(block) ... end } (docs/extending.md)", function(value)
    return type(value) == "table" and type(value.predict) == "function"
  end)
  if not loaded then return nil, text end
  local architecture, unknown
  if loaded.architecture ~= nil then
    architecture, unknown = architectures.check(tostring(loaded.architecture))
    if not architecture then return nil, own_file.words(("%s: architecture: %s"):format(path, unknown)) end
  end
  if loaded.open then
    local ok, message = own_file.call(path, loaded.open, argument)
    if not ok then return nil, own_file.words(message or path .. ": open returned nothing") end
  end
  local version = own_file.words(loaded.version or fingerprint.of(text))
  local name = own_file.words(loaded.name or "lua:" .. path) .. (argument and "," .. argument or "")
  return setmetatable({ name = name, version = version, path = path, argument = argument, file = loaded,
    architecture = architecture }, Own)
end

--- Opens one by its name.
-- @param rest `FILE[,ARGUMENT]`
-- @return predictor; or nil and a message
function own.open(rest) return own.open_file(rest:match "^([^,]*),?(.*)$") end

return own
