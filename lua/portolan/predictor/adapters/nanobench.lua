--- nanoBench: measures with performance counters (`nanobench`, `nanobench:config=FILE,program=PATH`); needs root.
--
-- The block is given as machine code and unrolled. r14, rdi, rsi, rsp and rbp point into memory; what accesses memory by another register
-- mostly cannot be measured.
-- @module portolan.predictor.adapters.nanobench
local fingerprint = require "portolan.predictor.machinery.fingerprint"
local name_settings = require "portolan.predictor.machinery.name_settings"
local tool = require "portolan.predictor.machinery.tool"
local uv = require "luv"

local nanobench = {}

--- What its program is usually called, and the name of a predictor that uses it.
nanobench.usual = { programs = { "nanoBench.sh" }, name = "nanobench" }

--- Reads nanoBench's output: "CORE_CYCLES: 2.00", or "Core cycles: 2.00" of the fixed counters.
-- @param result of `program.run`
-- @return answer
function nanobench.parse(result)
  if result.status ~= 0 then return { error = tool.complaint("nanoBench", result).error } end
  local cycles = tonumber(("\n" .. result.out):match "\nCORE_CYCLES:%s*([%d.]+)" or ("\n" .. result.out):match "\nCore cycles:%s*([%d.]+)")
  return cycles and { cycles = cycles } or { error = "nanoBench wrote no number of core cycles: " .. tool.last_line(result.out .. result.err) }
end

local function prepare(self, bytes, directory)
  local arguments = { "-code", directory .. "/block", "-fixed_counters" }
  for _, key in ipairs { "config", "unroll_count", "loop_count", "cpu" } do
    if self.found[key] then table.move({ "-" .. key, self.found[key] }, 1, 2, #arguments + 1, arguments) end
  end
  return { arguments = arguments, files = { block = bytes }, cwd = self.path:match "^(.*)/" } -- it calls its parts by relative paths
end

--- Opens nanoBench.
-- @param text `[config=FILE][,program=PATH][,unroll_count=N][,loop_count=N][,cpu=N][,seconds=N]`
-- @return predictor; or nil and a message
function nanobench.open(text)
  local found, message = name_settings.parse(text, { config = true, unroll_count = true, loop_count = true, cpu = true })
  if not found then return nil, message end
  local path
  path, message = name_settings.program(found, nanobench.usual.programs, "get nanoBench")
  if not path then return nil, message end
  if found.config and found.config:sub(1, 1) ~= "/" then found.config = uv.cwd() .. "/" .. found.config end -- it runs elsewhere
  local version = ("%s; unroll %s, loop %s, cpu %s, config %s"):format(fingerprint.file(path), found.unroll_count or "-",
    found.loop_count or "-", found.cpu or "-", found.config and fingerprint.file(found.config, true) or "-")
  return tool.new { name = "nanobench", version = version, title = "nanoBench", path = path, found = found, seconds = found.seconds,
    deterministic = false, exclusive = true, measures = true, facts = { tested = tool.transcripts_only }, prepare = prepare,
    parse = nanobench.parse }
end

return nanobench
