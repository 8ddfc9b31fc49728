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

--- Reads uiCA's report: "Throughput (in cycles per iteration): 2.00". What it has no data for, it marks with an X, and counts as nothing.
-- @param result of `program.run`
-- @return answer
function uica.parse(result)
  if result.status ~= 0 then return tool.complaint("uiCA", result) end
  if result.out:find("X - Instruction not supported", 1, true) then return { error = "uiCA has no data for an instruction", unsupported = true } end
  local cycles = tonumber(result.out:match "Throughput %(in cycles per iteration%):%s*(%S+)")
  return cycles and { cycles = cycles } or { error = "uiCA wrote no number of cycles: " .. tool.last_line(result.out) }
end

local function prepare(self, bytes, directory)
  return { arguments = { "-raw", directory .. "/block", "-arch", self.arch }, files = { block = bytes } }
end

--- Opens uiCA.
-- @param text `ARCH[,program=PATH][,seconds=N]`, ARCH as of `uiCA.py -arch`
-- @return predictor; or nil and a message
function uica.open(text)
  local found, path = name_settings.of_processor(text, "uica:SKL, as of uiCA.py -arch", uica.usual.programs, "get uiCA")
  if not found then return nil, path end
  return tool.new { name = "uica:" .. found[1], version = fingerprint.file(path), title = "uiCA", path = path, arch = found[1],
    seconds = found.seconds, prepare = prepare, parse = uica.parse,
    facts = { tested = "with uiCA of January 2024, on data of a few instructions only (tests/lua/real_tools_spec.lua)" } }
end

return uica
