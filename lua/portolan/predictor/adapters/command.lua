--- Any program as a predictor.
--
--    command:PROGRAM ARGUMENTS         run once for each block
--    command-batch:PROGRAM ARGUMENTS   run once for many: a block a line in, an answer a line out, in order
--
-- The words are a command line of the shell. A block is written in hexadecimal, as an argument where the command line has `{}`, else as a
-- line of standard input; `{asm}` stands for assembler text, statements separated by "; " (`command-batch` reads that from standard input
-- if its command line ends with `{asm}`). An answer is a number of cycles per iteration, or words why there is none; if they begin with
-- "unsupported", the program does not know an instruction. A signal, or no end, is a crash of the block.
-- @module portolan.predictor.adapters.command
local batch = require "portolan.predictor.machinery.batch"
local file = require "portolan.support.file"
local fingerprint = require "portolan.predictor.machinery.fingerprint"
local program = require "portolan.predictor.machinery.program"
local protocol = require "portolan.predictor.machinery.protocol"
local text = require "portolan.predictor.llvm_mca.text"
local tool = require "portolan.predictor.machinery.tool"

local command = {}

local at_once = 1000 -- blocks in one run of a batch
local seconds = 30 -- of processor time for a run
local title = "the command"

--- Reads one answer.
-- @param line what the program says of a block
-- @return answer
function command.parse(line)
  local words = line:match "^%s*(.-)%s*$"
  local cycles = tonumber(words)
  if cycles then return { cycles = cycles } end
  if words == "" then return { error = title .. " says nothing" } end
  return { error = tool.last_line(words), unsupported = words:find "^unsupported" ~= nil or nil }
end

local function assembler(bytes)
  local lines, message = text.of_bytes(bytes)
  if not lines then return nil, message end
  return (lines:gsub("\n", "; "))
end

-- The command line with what replaces `{}` as the shell's $1 and `{asm}` as $2.
local function shell_words(line)
  return (line:gsub("{}", '"$1"'):gsub("{asm}", '"$2"'))
end

local function parse(result)
  local line = tool.last_line(result.out)
  if result.status ~= 0 and line == "" then return tool.complaint(title, result) end
  return command.parse(line)
end

local function prepare(self, bytes)
  local hex, asm = tool.hex(bytes), ""
  if self.line:find("{asm}", 1, true) then
    local message
    asm, message = assembler(bytes)
    if not asm then return nil, message end
  end
  local given = self.line:find("{}", 1, true) or self.line:find("{asm}", 1, true)
  return { arguments = { "-c", shell_words(self.line), "sh", hex, asm }, input = not given and hex .. "\n" or nil }
end

local Batch = {}

--- Facts for provenance.
function Batch:describe() return { name = self.name, version = self.version, command = self.line } end

-- One run over some lines, as an attempt of `portolan.predictor.machinery.batch`.
local function attempt(self, lines)
  local result, message = program.run("/bin/sh", { "-c", self.line },
    { input = table.concat(lines, "\n") .. "\n", seconds = (self.seconds or seconds) })
  if not result then return nil, message end
  local answers = {}
  for line in result.out:gmatch "([^\n]*)\n" do answers[#answers + 1] = command.parse(line) end
  local failure = program.failure(title, result)
  if not failure and #answers == #lines then return answers end
  if not failure and result.status ~= 0 then failure = tool.complaint(title, result) end
  if failure and #answers < #lines then return nil, failure, nil, answers end -- those before the failure
  return nil, failure or { error = ("%s wrote %d lines for %d blocks"):format(title, #answers, #lines) } -- which is whose?
end

--- Answers of `predict`.
function Batch:answer(blocks)
  local function line_of(block)
    local bytes, message = protocol.bytes(block)
    if not bytes then return nil, message end
    if self.asm then return assembler(bytes) end
    return tool.hex(bytes)
  end
  return protocol.answers(blocks, line_of, function(lines)
    return batch.answer(lines, function(list) return attempt(self, list) end, { most = at_once })
  end)
end

protocol.class(Batch)

-- The program's version and that of the files that it is told: of `python3 model.py {}` the script matters.
local function version_of(line, path)
  local parts, seen = { fingerprint.file(path) }, false
  for word in line:gmatch "%S+" do
    if seen and file.kind(word) == "file" then parts[#parts + 1] = fingerprint.file(word, true) end
    seen = true
  end
  return table.concat(parts, "; ")
end

--- Opens a command.
-- @param line command line of the shell
-- @param kind "command" or "command-batch"
-- @tparam[opt] table options
-- @tparam[opt=30] number options.seconds of processor time for a run
-- @return predictor; or nil and a message
function command.open(line, kind, options)
  local first = line:match "^%s*(%S+)"
  if not first then return nil, ("which program? write %s:PROGRAM ARGUMENTS"):format(kind) end
  local path = program.find(first)
  if not path then return nil, ("there is no program '%s'"):format(first) end
  local fields = { name = kind .. ":" .. line, version = version_of(line, path), line = line, path = "/bin/sh", title = title,
    seconds = options and options.seconds, deterministic = true }
  if kind == "command" then
    fields.facts, fields.prepare, fields.parse = { command = line }, prepare, parse
    return tool.new(fields)
  end
  fields.asm = line:find "{asm}%s*$" ~= nil
  fields.line = line:gsub("%s*{asm}%s*$", "")
  return setmetatable(fields, Batch)
end

return command
