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
local block = require "portolan.block"
local file = require "portolan.support.file"
local fingerprint = require "portolan.predictor.machinery.fingerprint"
local program = require "portolan.predictor.machinery.program"
local text = require "portolan.predictor.llvm_mca.text"
local tool = require "portolan.predictor.machinery.tool"

local command = {}

local at_once = 1000 -- blocks in one run of a batch
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
  local hex, asm = block.to_hex(bytes), ""
  if self.line:find("{asm}", 1, true) then
    local message
    asm, message = assembler(bytes)
    if not asm then return nil, message end
  end
  local given = self.line:find("{}", 1, true) or self.line:find("{asm}", 1, true)
  return { arguments = { "-c", shell_words(self.line), "sh", hex, asm }, input = not given and hex .. "\n" or nil }
end

local function form(self, bytes)
  if self.asm then return assembler(bytes) end
  return block.to_hex(bytes)
end

local function prepare_batch(self, lines)
  return { path = "/bin/sh", arguments = { "-c", self.line }, input = table.concat(lines, "\n") .. "\n" }
end

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
  local fields = { name = kind .. ":" .. line, version = version_of(line, path), line = line, title = title,
    seconds = options and options.seconds }
  if kind == "command" then
    fields.path, fields.facts, fields.prepare, fields.parse = "/bin/sh", { command = line }, prepare, parse
    return tool.new(fields)
  end
  fields.asm = line:find "{asm}%s*$" ~= nil
  fields.line = line:gsub("%s*{asm}%s*$", "")
  fields.facts = { command = fields.line }
  fields.prepare, fields.parse, fields.form, fields.at_once, fields.wrote = prepare_batch, command.parse, form, at_once, "lines"
  return tool.new(fields)
end

return command
