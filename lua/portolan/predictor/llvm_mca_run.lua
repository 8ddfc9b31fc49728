--- Runs of llvm-mca over many code regions at once.
-- @module portolan.predictor.llvm_mca_run
local cjson = require "cjson"
local core = require "portolan.core"
local program = require "portolan.predictor.program"

local runs = {}

local unmodelled = "LLVM's model of this processor lacks it"

-- The input, and the number of the region that each of its lines belongs to.
local function source(regions)
  local lines, region_of = {}, {}
  for i, code in ipairs(regions) do
    lines[#lines + 1] = ("# LLVM-MCA-BEGIN %d\n.intel_syntax noprefix\n"):format(i)
    local at = #region_of + 2
    region_of[at - 1], region_of[at] = i, i
    for line in (code .. "\n"):gmatch("([^\n]*)\n") do
      lines[#lines + 1] = line .. "\n"
      region_of[#region_of + 1] = i
    end
    lines[#lines + 1] = ("# LLVM-MCA-END %d\n"):format(i)
    region_of[#region_of + 1] = i
  end
  return table.concat(lines), region_of
end

--- What llvm-mca complains of, by line: `<stdin>:7:1: error: invalid operand for instruction`.
-- @param err text of its standard error
-- @param region_of number of the region of each line
-- @return number of the region -> message
function runs.faults(err, region_of)
  local faults = {}
  for line, message in err:gmatch("<stdin>:(%d+):%d+: error: ([^\n]*)") do
    local region = region_of[tonumber(line)]
    if region and not faults[region] then faults[region] = "llvm-mca cannot read it: " .. message end
  end
  return faults
end

-- The first complaint that is about no line.
local function complaint(result)
  if result.late then return "llvm-mca did not end within its time" end
  local message = result.err:match("error: ([^\n]*)")
  if message and message:find("found an unsupported instruction", 1, true) then return unmodelled end
  if message then return "llvm-mca: " .. message:gsub("%.$", "") end
  if result.signal ~= 0 then return ("llvm-mca crashed (signal %d)"):format(result.signal) end
  return ("llvm-mca failed (exit status %d)"):format(result.status)
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

-- Seconds for so many lines, several times what they take: some instructions keep llvm-mca busy for ever.
local function limit(options, lines) return (options.seconds or 1) + lines / 1000 end

-- The arguments of llvm-mca. From LLVM 19 on it can leave out instructions that its model lacks.
local function command_line(tool, arguments, skip)
  local words = table.move(arguments, 1, #arguments, 3, { "-mcpu=" .. tool.cpu, "-json" })
  if skip then words[#words + 1] = "-skip-unsupported-instructions=lack-sched" end
  return words
end

--- Runs llvm-mca once.
-- @param tool `{ path =, cpu =, major = number of the version }`
-- @param regions list of texts
-- @param arguments further options for it
-- @param[opt] options `seconds`: its time, and a second for every 1000 lines; 1; `single`: each region is one instruction
-- @return list of regions as JSON has them, TargetInfo; or nil, message, faults (number of a region -> message)
function runs.run(tool, regions, arguments, options)
  options = options or {}
  local input, region_of = source(regions)
  local skip = options.single and tool.major >= 19
  local result, message = program.run(tool.path, command_line(tool, arguments, skip),
    { input = input, seconds = limit(options, #region_of) })
  if not result then return nil, message end
  if result.err:find("is not a recognized processor", 1, true) then
    return nil, ("llvm-mca does not know the processor '%s'; llvm-mca -mcpu=help lists them"):format(tool.cpu)
  end
  if core.base.interrupted() then return nil, "interrupted" end
  local faults = not result.late and runs.faults(result.err, region_of) or {}
  if next(faults) or result.status ~= 0 or result.signal ~= 0 then return nil, complaint(result), faults end
  return runs.parse(result.out, #regions, skip and unmodelled) -- up to LLVM 16 it ends well even if it dropped lines: hence the faults first
end

return runs
