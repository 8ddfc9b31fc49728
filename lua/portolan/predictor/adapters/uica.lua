--- uiCA, the uops.info Code Analyzer: `uica:SKL`.
--
-- The block is given as a raw file of machine code. A block that does not end in a branch is unrolled by uiCA, without a loop.
-- @module portolan.predictor.adapters.uica
local fingerprint = require "portolan.predictor.machinery.fingerprint"
local name_settings = require "portolan.predictor.machinery.name_settings"
local tool = require "portolan.predictor.machinery.tool"

local uica = {}

--- What its program is usually called, and the name of a predictor that uses it.
uica.usual = { programs = { "uiCA.py", "uica" }, name = "uica:SKL" }

--- Reads uiCA's output: a line with a number (-TPonly), or "Throughput (in cycles per iteration): 2.00".
-- @param result of `program.run`
-- @return answer
function uica.parse(result)
  if result.status ~= 0 then return tool.complaint("uiCA", result) end
  local words = result.out:match "Throughput %(in cycles per iteration%):%s*(%S+)" or tool.last_line(result.out)
  local cycles = tonumber(words)
  return cycles and { cycles = cycles } or { error = "uiCA wrote no number of cycles: " .. words }
end

local function prepare(self, bytes, directory)
  return { arguments = { "-raw", directory .. "/block", "-arch", self.arch, "-TPonly" }, files = { block = bytes } }
end

--- Opens uiCA.
-- @param text `ARCH[,program=PATH][,seconds=N]`, ARCH as of `uiCA.py -arch`
-- @return predictor; or nil and a message
function uica.open(text)
  local found, message = name_settings.parse(text, {})
  if not found then return nil, message end
  if not found[1] then return nil, "for which processor? write uica:SKL, as of uiCA.py -arch" end
  local path
  path, message = name_settings.program(found, uica.usual.programs, "get uiCA")
  if not path then return nil, message end
  return tool.new { name = "uica:" .. found[1], version = fingerprint.file(path), title = "uiCA", path = path, arch = found[1],
    seconds = found.seconds, facts = { tested = tool.transcripts_only }, prepare = prepare, parse = uica.parse }
end

return uica
