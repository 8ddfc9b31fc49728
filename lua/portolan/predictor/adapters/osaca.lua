--- OSACA, the Open Source Architecture Code Analyzer: `osaca:SKX`, `osaca:A72`.
--
-- The block is given as text, AT&T's of x86-64, one file each. The prediction is the larger of the busiest port's pressure (OSACA's balanced
-- one) and the longest loop-carried dependency: what the last row of its combined report says. The critical path does not bound a loop.
-- @module portolan.predictor.adapters.osaca
local gnu_text = require "portolan.predictor.machinery.gnu_text"
local program = require "portolan.predictor.machinery.program"
local name_settings = require "portolan.predictor.machinery.name_settings"
local tool = require "portolan.predictor.machinery.tool"

local osaca = {}

--- What its program is usually called, and the name of a predictor that uses it.
osaca.usual = { programs = { "osaca" }, name = "osaca:SKX" }

-- OSACA's names of processors of AArch64, as of 0.7.1; all others are x86-64's. Models of one's own go by the name of one of OSACA's.
local a64 = { A64FX = true, A72 = true, M1 = true, N1 = true, TSV110 = true, TX2 = true, V2 = true }

-- The row of totals: numbers, the last non-empty line before the report of dependencies.
local function totals(out)
  local report = out:match "Combined Analysis Report(.-)Loop%-Carried Dependencies Analysis Report"
  if not report or not report:find "|%s*CP%s*|%s*LCD%s*|" then return nil end
  local list = {}
  for word in report:match("([^\n]*%S)%s*$"):gmatch "%S+" do
    if not tonumber(word) then return nil end
    list[#list + 1] = tonumber(word)
  end
  return #list >= 2 and list or nil
end

--- Reads OSACA's report.
-- @param result of `program.run`
-- @return answer
function osaca.parse(result)
  local missing = result.out:match "[Tt]he performance data for (%d+) instructions? is missing"
  if missing then return { error = ("OSACA has no data for %s instructions"):format(missing), unsupported = true } end
  if result.status ~= 0 then return tool.complaint("osaca", result) end
  if (result.out .. result.err):find "LCD analysis timed out" then return { error = "OSACA gave up on the dependencies", transient = true } end
  local list = totals(result.out)
  if not list then return { error = "OSACA wrote no row of totals" } end
  local cycles = list[#list] -- LCD; before it CP
  for i = 1, #list - 2 do cycles = math.max(cycles, list[i]) end
  return { cycles = cycles }
end

local function prepare(self, bytes, directory)
  local lines, message = gnu_text.lines(bytes, self.architecture)
  if not lines then return nil, message end
  for i, line in ipairs(lines) do lines[i] = line:gsub("^(j%l+) 0x%x+$", "%1 " .. gnu_text.label) end -- OSACA has branches to labels alone
  return { arguments = { "--arch", self.arch, directory .. "/block.s" }, files = { ["block.s"] = "\t" .. table.concat(lines, "\n\t") .. "\n" } }
end

--- Opens OSACA.
-- @param text `ARCH[,program=PATH][,seconds=N]`, ARCH as of `osaca --arch`
-- @return predictor; or nil and a message
function osaca.open(text)
  local found, path = name_settings.of_processor(text, "osaca:SKX, as of osaca --arch", osaca.usual.programs, "install OSACA")
  if not found then return nil, path end
  local result = program.run(path, { "--version" }, { seconds = 10 })
  local version = result and result.status == 0 and tool.last_line(result.out) or "unknown version"
  return tool.new { name = "osaca:" .. found[1], version = version, title = "osaca", path = path, arch = found[1], seconds = found.seconds,
    architecture = a64[found[1]:upper()] and "aarch64" or "x86_64",
    facts = { assumptions = "max of port pressure and loop-carried dependencies", tested = "with OSACA 0.7.1 (tests/lua/real_tools_spec.lua)" },
    prepare = prepare, parse = osaca.parse }
end

return osaca
