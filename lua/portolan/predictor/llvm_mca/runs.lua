--- Runs of llvm-mca over many code regions at once.
-- @module portolan.predictor.llvm_mca.runs
local cjson = require "cjson"
local core = require "portolan.core"
local llvm_program = require "portolan.predictor.machinery.llvm_program"
local program = require "portolan.predictor.machinery.program"

local runs = {}

local unmodelled = "LLVM's model of this processor lacks it"

-- These lines stand ahead of a region. There are as many for each architecture.
local syntax = { x86_64 = ".intel_syntax noprefix", aarch64 = "" }

--- The input of a run: each region between marks with its number.
-- @param regions list of texts
-- @param architecture whose assembler reads them
-- @return text, number of lines
function runs.source(regions, architecture)
  local parts = {}
  for i, code in ipairs(regions) do
    parts[i] = ("# LLVM-MCA-BEGIN %d\n%s\n%s\n# LLVM-MCA-END %d\n"):format(i, syntax[architecture], code, i)
  end
  local whole = table.concat(parts)
  return whole, select(2, whole:gsub("\n", ""))
end

--- The number of the region that each line of the input belongs to.
-- @param regions list of texts
function runs.regions_of_lines(regions)
  local region_of = {}
  for i, code in ipairs(regions) do
    local lines = 4 + select(2, code:gsub("\n", ""))
    for _ = 1, lines do region_of[#region_of + 1] = i end
  end
  return region_of
end

--- Returns what llvm-mca complains of, by line: `<stdin>:7:1: error: invalid operand for instruction`.
-- @param err text of its standard error
-- @param region_of number of the region of each line
-- @return number of the region -> answer
function runs.faults(err, region_of)
  local faults = {}
  for line, message in err:gmatch("<stdin>:(%d+):%d+: error: ([^\n]*)") do
    local region = region_of[tonumber(line)]
    if region and not faults[region] then
      faults[region] = { error = "llvm-mca cannot read it: " .. message, unsupported = true }
    end
  end
  return faults
end

--- Returns what is wrong with a run, but for what it says of single lines.
-- @param result of `program.run`
-- @return answer for the only region of the run
function runs.complaint(result)
  local ending = program.failure("llvm-mca", result)
  if ending and (ending.interrupted or ending.late) then return ending end
  local message = result.err:match("error: ([^\n]*)")
  if message and message:find("found an unsupported instruction", 1, true) then return { error = unmodelled, unsupported = true } end
  if message then return { error = "llvm-mca: " .. message:gsub("%.$", "") } end
  return ending or { error = ("llvm-mca failed (exit status %d)"):format(result.status), crash = true }
end

--- Reads what llvm-mca wrote.
-- @param out its standard output
-- @param count number of regions
-- @param[opt] missing what is said of regions that it left out; by default that is a failure
-- @return list of regions, as JSON has them (`{ error = missing }`); `TargetInfo`; or nil and a message
function runs.parse(out, count, missing)
  local ok, whole = pcall(cjson.decode, out)
  if not ok or type(whole) ~= "table" or type(whole.CodeRegions) ~= "table" or type(whole.TargetInfo) ~= "table" then
    return nil, "llvm-mca wrote no JSON that can be read"
  end
  local regions = {}
  for _, region in ipairs(whole.CodeRegions) do regions[tonumber(region.Name) or 0] = region end
  for i = 1, count do
    regions[i] = regions[i] or missing and { error = missing }
    if not regions[i] then return nil, "llvm-mca said nothing of it" end
  end
  return regions, whole.TargetInfo
end

--- Seconds for so many lines, several times what they take: some instructions keep llvm-mca busy for ever.
-- @tparam table options
-- @tparam[opt=1] number options.seconds beside a second for every 1000 lines
-- @param lines of the input
function runs.limit(options, lines) return math.max(1, (options.seconds or 1) + lines // 1000) end

--- The argument that says the architecture.
-- @param tool `{ architecture = }`
function runs.triple(tool) return "-mtriple=" .. llvm_program.triples[tool.architecture] end

-- The arguments of llvm-mca. From LLVM 19 on it can leave out instructions that its model lacks.
local function command_line(tool, arguments, skip)
  local words = table.move(arguments, 1, #arguments, 4, { runs.triple(tool), "-mcpu=" .. tool.cpu, "-json" })
  for _, flag in ipairs(tool.flags or {}) do
    if not flag:find("^%-iterations=") then words[#words + 1] = flag end
  end
  if skip then words[#words + 1] = "-skip-unsupported-instructions=lack-sched" end
  return words
end

--- Runs llvm-mca once.
-- @param tool `{ path =, cpu =, architecture =, major = number of the version, flags = list of further ones }`
-- @param regions list of texts
-- @param arguments further options for it
-- @tparam[opt] table options
-- @tparam[opt=1] number options.seconds its time, beside a second for every 1000 lines
-- @tparam[opt] boolean options.single each region is one instruction
-- @return list of regions as JSON has them, TargetInfo; or nil, message, faults (number of a region -> message)
function runs.run(tool, regions, arguments, options)
  options = options or {}
  local input, lines = runs.source(regions, tool.architecture)
  local skip = options.single and tool.major >= 19
  local result, message = program.run(tool.path, command_line(tool, arguments, skip),
    { input = input, seconds = runs.limit(options, lines) })
  if not result then return nil, message end
  if result.err:find("is not a recognized processor", 1, true) then
    return nil, ("llvm-mca does not know the processor '%s'; llvm-mca -mcpu=help lists them"):format(tool.cpu)
  end
  if core.base.interrupted() then return nil, "interrupted" end
  local faults = not result.late and runs.faults(result.err, runs.regions_of_lines(regions)) or {}
  if next(faults) or result.status ~= 0 or result.signal ~= 0 then return nil, runs.complaint(result), faults end
  return runs.parse(result.out, #regions, skip and unmodelled) -- up to LLVM 16 it ends well even if it dropped lines: hence the faults first
end

return runs
