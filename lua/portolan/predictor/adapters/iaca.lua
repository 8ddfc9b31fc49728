--- IACA, the Intel Architecture Code Analyzer (version 3.0): `iaca:SKL`.
--
-- The block is given between IACA's markers in an object file. IACA takes it for a loop body whose memory accesses do not depend on each
-- other. What it does not account for, it marks with an X: such blocks are unsupported.
-- @module portolan.predictor.adapters.iaca
local elf = require "portolan.predictor.machinery.elf"
local fingerprint = require "portolan.predictor.machinery.fingerprint"
local name_settings = require "portolan.predictor.machinery.name_settings"
local tool = require "portolan.predictor.machinery.tool"

local iaca = {}

--- What its program is usually called, and the name of a predictor that uses it.
iaca.usual = { programs = { "iaca" }, name = "iaca:SKL" }

--- The bytes before a block: ud2; mov ebx, 111; fs addr32 nop.
iaca.start = "\x0f\x0b\xbb\x6f\0\0\0\x64\x67\x90"

--- The bytes behind a block: mov ebx, 222; fs addr32 nop; ud2.
iaca.finish = "\xbb\xde\0\0\0\x64\x67\x90\x0f\x0b"

--- Reads IACA's report: "Block Throughput: 8.00 Cycles".
-- @param result of `program.run`
-- @return answer
function iaca.parse(result)
  local instruction = ("\n" .. result.out):match "\n|%s*X%s*|[^\n]*|%s*([^|\n]-)%s*\n"
  if instruction then return { error = "IACA does not support " .. instruction, unsupported = true } end
  local cycles = tonumber(result.out:match "Block Throughput:%s*([%d.]+) Cycles")
  if cycles then return { cycles = cycles } end
  if result.status ~= 0 then return tool.complaint("iaca", result) end
  return { error = "IACA wrote no block throughput: " .. tool.last_line(result.out .. result.err) }
end

local function prepare(self, bytes, directory)
  local object = elf.object(iaca.start .. bytes .. iaca.finish, "block")
  return { arguments = { "-arch", self.arch, directory .. "/block.o" }, files = { ["block.o"] = object } }
end

--- Opens IACA.
-- @param text `ARCH[,program=PATH][,seconds=N]`, ARCH as of `iaca -arch`
-- @return predictor; or nil and a message
function iaca.open(text)
  local found, path = name_settings.of_processor(text, "iaca:SKL, as of iaca -arch", iaca.usual.programs, "IACA is no longer distributed")
  if not found then return nil, path end
  return tool.new { name = "iaca:" .. found[1], version = fingerprint.file(path), title = "iaca", path = path, arch = found[1],
    seconds = found.seconds, facts = { assumptions = "memory accesses do not alias", tested = tool.transcripts_only },
    prepare = prepare, parse = iaca.parse }
end

return iaca
