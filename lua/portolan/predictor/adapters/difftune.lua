--- DiffTune's llvm-mca, which takes its parameters from a file: `difftune:haswell,program=PATH,parameters=FILE`.
--
-- PATH is that llvm-mca (`llvm-mca-parametric`), or a script that passes arguments and standard input on to it, into a container say.
-- @module portolan.predictor.adapters.difftune
local file = require "portolan.support.file"
local fingerprint = require "portolan.predictor.machinery.fingerprint"
local program = require "portolan.predictor.machinery.program"
local protocol = require "portolan.predictor.machinery.protocol"
local name_settings = require "portolan.predictor.machinery.name_settings"
local summary = require "portolan.predictor.llvm_mca.summary"
local spelling = require "portolan.predictor.llvm_mca.spelling"
local text = require "portolan.predictor.llvm_mca.text"
local tool = require "portolan.predictor.machinery.tool"

local difftune = {}

local Difftune = { deterministic = true, method = spelling.method }

--- Facts for provenance.
function Difftune:describe()
  return { name = self.name, version = self.version, path = self.path, cpu = self.cpu, parameters = self.parameters,
    cycles = "total cycles by iterations", tested = tool.transcripts_only }
end

local function text_of(block)
  local bytes, message = protocol.bytes(block)
  if not bytes then return nil, message end
  return text.of_bytes(bytes)
end

--- Answers of `predict`.
function Difftune:answer(blocks)
  return protocol.answers(blocks, text_of, function(texts) return summary.predict(self, texts) end)
end

protocol.class(Difftune)

--- Opens DiffTune's llvm-mca.
-- @param words `CPU,program=PATH,parameters=FILE[,seconds=N]`
-- @return predictor; or nil and a message
function difftune.open(words)
  local found, message = name_settings.parse(words, { parameters = true })
  if not found then return nil, message end
  if not (found[1] and found.program and found.parameters) then
    return nil, "write difftune:CPU,program=PATH,parameters=FILE, with the paths of DiffTune's llvm-mca and of its parameters"
  end
  local path = program.find(found.program)
  if not path then return nil, "there is no program " .. found.program end
  local parameters, trouble = file.read(found.parameters)
  if not parameters then return nil, trouble end
  local cpu = found[1]
  return setmetatable({ name = "difftune:" .. cpu, version = fingerprint.file(path) .. ", parameters " .. fingerprint.of(parameters),
    path = path, cpu = cpu, architecture = "x86_64", parameters = found.parameters, seconds = found.seconds,
    flags = { "-parameters", found.parameters, "-march=x86-64" } }, Difftune)
end

return difftune
