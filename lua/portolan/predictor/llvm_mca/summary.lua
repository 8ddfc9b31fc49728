--- Predictions of llvm-mca as it is run by hand: the cycles that its summary counts, by the iterations that it simulated (100, unless a flag
-- says otherwise). That includes filling and emptying the pipeline once.
--
-- Text instead of JSON, since it is written block by block: what came before a crash or a time limit is not lost; and without the other
-- views, which cost up to a fifth more.
-- @module portolan.predictor.llvm_mca.summary
local batch = require "portolan.predictor.machinery.batch"
local program = require "portolan.predictor.machinery.program"
local runs = require "portolan.predictor.llvm_mca.runs"

local summary = {}

local at_once = 500 -- blocks in one run: starting llvm-mca costs 2% then
local usual = 100 -- iterations
local stall = 0.5 -- seconds of processor time for a few blocks, which take milliseconds, until the next summary comes
local window = 24 -- blocks whose summaries, of 200 bytes, LLVM's buffer of 4 KiB may hold back

--- Reads summaries.
-- @param out standard output of llvm-mca, maybe cut off
-- @return number of the region -> `{ cycles = per iteration }`
function summary.parse(out)
  local answers = {}
  for region, iterations, cycles in out:gmatch "Code Region %- (%d+)\n\nIterations:%s+(%d+)\nInstructions:%s+%d+\nTotal Cycles:%s+(%d+)\n" do
    answers[tonumber(region)] = { cycles = tonumber(cycles) / tonumber(iterations) }
  end
  return answers
end

-- The first region without an answer.
local function first_open(count, answers, faults)
  for i = 1, count do
    if not answers[i] and not faults[i] then return i end
  end
end

-- One run: as an attempt of `portolan.predictor.machinery.batch`.
local function attempt(tool, texts)
  local arguments = { runs.triple(tool), "-mcpu=" .. tool.cpu, "-instruction-info=0", "-resource-pressure=0", table.unpack(tool.flags) }
  local input, lines = runs.source(texts, tool.architecture)
  local scale = math.max(1, (tool.iterations or usual) / usual)
  local result, message = program.run(tool.path, arguments,
    { input = input, seconds = scale * runs.limit(tool, lines), stall = scale * stall })
  if not result then return nil, message end
  local answers = summary.parse(result.out)
  local faults = result.err ~= "" and runs.faults(result.err, runs.regions_of_lines(texts)) or {}
  for i in pairs(faults) do answers[i] = nil end -- up to LLVM 16 it goes on without the line
  if result.status == 0 and result.signal == 0 then
    local open = first_open(#texts, answers, faults)
    if not open and not next(faults) then return answers end
    return nil, "llvm-mca sees no instruction in it", faults, answers
  end
  local complaint = runs.complaint(result)
  local open = complaint.unsupported and first_open(#texts, answers, faults)
  if open then faults[open] = complaint end -- it ends at the first one
  return nil, complaint, faults, answers
end

--- Answers to texts.
-- @param tool `{ path =, cpu =, architecture =, flags = list, iterations = if the flags set them, seconds = optional }`
-- @param texts list
-- @param alone function(text): whether it needs a run of its own
-- @return list of answers
function summary.predict(tool, texts, alone)
  return batch.answer(texts, function(list) return attempt(tool, list) end, { most = at_once, window = window, alone = alone })
end

return summary
