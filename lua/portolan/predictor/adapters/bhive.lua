--- BHive's measuring harness: `bhive:program=PATH`, PATH that of its `test`.
--
-- The block is measured with two numbers of copies; the throughput is the difference of the least cycles of runs without cache misses and
-- context switches. The harness maps pages that the block accesses, so most memory accesses work.
-- @module portolan.predictor.adapters.bhive
local fingerprint = require "portolan.predictor.machinery.fingerprint"
local program = require "portolan.predictor.machinery.program"
local name_settings = require "portolan.predictor.machinery.name_settings"
local tool = require "portolan.predictor.machinery.tool"

local bhive = {}

local few, many = 100, 200 -- copies

-- The least cycles of clean runs: rows of cycles, L1 read misses, write misses, instruction cache misses, context switches; -1 is not known.
local function least(table_text)
  local best
  for row in table_text:gmatch "[^\n]+" do
    local values = {}
    for word in row:gmatch "%S+" do values[#values + 1] = tonumber(word) end
    local clean = #values == 5 and values[2] <= 0 and values[3] <= 0 and values[4] <= 0 and values[5] == 0
    if clean then best = math.min(best or values[1], values[1]) end
  end
  return best
end

--- Reads both tables, which a line of two dashes separates.
-- @param result of `program.run`
-- @return answer
function bhive.parse(result)
  if result.status ~= 0 then return { error = tool.complaint("the harness", result).error } end
  local first, second = result.out:match "^(.-)\n%-%-\n(.*)$"
  local short, long = least(first or ""), least(second or "")
  if not short or not long then return { error = "no run without cache misses and context switches", transient = true } end
  return { cycles = math.max(0, (long - short) / (many - few)) }
end

local function prepare(self, bytes)
  local script = ('"$0" "$1" %d && echo -- && "$0" "$1" %d'):format(few, many)
  return { path = "/bin/sh", arguments = { "-c", script, self.path, tool.hex(bytes) } }
end

--- Opens the harness.
-- @param text `program=PATH[,seconds=N]`
-- @return predictor; or nil and a message
function bhive.open(text)
  local found, message = name_settings.parse(text, {})
  if not found then return nil, message end
  local path = found.program and program.find(found.program)
  if not path then return nil, "write bhive:program=PATH, with the path of the harness's program test" end
  return tool.new { name = "bhive", version = ("%s; %d and %d copies"):format(fingerprint.file(path), few, many), title = "the harness",
    path = path, seconds = found.seconds, deterministic = false, exclusive = true, measures = true,
    facts = { tested = tool.transcripts_only }, prepare = prepare, parse = bhive.parse }
end

return bhive
