--- MAQAO's Code Quality Analyzer: `cqa:SKYLAKE`.
--
-- CQA analyses loops of binaries: the block is put into a loop (`dec r15; jnz`, which costs a uop or two of the front end), the C compiler makes
-- a shared library of it. The prediction is "Overall L1" of the summary of cycles; of a range (divisions), its lower end.
-- @module portolan.predictor.adapters.cqa
local core = require "portolan.core"
local fingerprint = require "portolan.predictor.machinery.fingerprint"
local program = require "portolan.predictor.machinery.program"
local name_settings = require "portolan.predictor.machinery.name_settings"
local temporary = require "portolan.support.temporary"
local tool = require "portolan.predictor.machinery.tool"

local cqa = {}

--- What its program is usually called, and the name of a predictor that uses it.
cqa.usual = { programs = { "maqao", "maqao.intel64" }, name = "cqa:SKYLAKE" }

local source = [[
	.text
	.globl portolan_block
	.type portolan_block, @function
portolan_block:
1:	.byte %s
	dec %%r15
	jnz 1b
	ret
	.size portolan_block, . - portolan_block
	.section .note.GNU-stack, "", @progbits
]]

-- Programs that make libraries for x86-64.
local compilers = core.isa.host == "x86_64" and { "cc", "gcc", "clang" } or { "x86_64-linux-gnu-gcc" }

--- Reads CQA's report: "Overall L1: 24.00".
-- @param result of `program.run`
-- @return answer
function cqa.parse(result)
  local cycles = tonumber(result.out:match "Overall L1%s*:%s*([%d.]+)")
  if cycles then return { cycles = cycles } end
  if result.status ~= 0 then return tool.complaint("maqao", result) end
  return { error = "CQA wrote no summary of cycles: " .. tool.last_line(result.out .. result.err) }
end

local function prepare(self, bytes, directory)
  local values = bytes:gsub(".", function(c) return ("0x%02x,"):format(c:byte()) end):sub(1, -2)
  local library, assembly = directory .. "/block.so", directory .. "/block.s"
  temporary.write(assembly, source:format(values))
  local result, message = program.run(self.compiler, { "-shared", "-nostdlib", "-o", library, assembly }, { seconds = 10 })
  if not result or result.status ~= 0 then return nil, message or "the C compiler fails: " .. tool.last_line(result.err) end
  local arguments = { "cqa", library, "fct-loops=portolan_block", "conf=all" }
  if self.arch then arguments[#arguments + 1] = "uarch=" .. self.arch end
  return { arguments = arguments, cwd = directory }
end

--- Opens CQA.
-- @param text `[UARCH][,program=PATH][,compiler=PATH][,seconds=N]`, UARCH as of `maqao cqa uarch=`
-- @return predictor; or nil and a message
function cqa.open(text)
  local found, message = name_settings.parse(text, { compiler = true })
  if not found then return nil, message end
  local path, compiler
  path, message = name_settings.program(found, cqa.usual.programs, "get MAQAO")
  if not path then return nil, message end
  compiler, message = name_settings.program({ program = found.compiler }, compilers, "install a C compiler for x86-64")
  if not compiler then return nil, message end
  return tool.new { name = "cqa:" .. (found[1] or "native"), version = fingerprint.file(path), title = "maqao", path = path, arch = found[1],
    compiler = compiler, seconds = found.seconds, prepare = prepare, parse = cqa.parse,
    facts = { assumptions = "the block in a loop of dec and jnz", tested = tool.transcripts_only } }
end

return cqa
