--- BHive's measuring harness: `bhive:program=PATH[,copies=N]`, PATH that of its `test`.
--
-- The block is measured with N copies in a row and with twice as many (100 and 200, as BHive does); the throughput is the difference of the least
-- cycles of runs without cache misses and context switches. The harness maps pages that the block accesses, so most memory accesses work.
-- @module portolan.predictor.adapters.bhive
local fingerprint = require "portolan.predictor.machinery.fingerprint"
local program = require "portolan.predictor.machinery.program"
local name_settings = require "portolan.predictor.machinery.name_settings"
local tool = require "portolan.predictor.machinery.tool"

local bhive = {}

local usual = 100 -- copies

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
-- @param plan `{ copies = of the first table }`; the second one is of twice as many
-- @return answer
function bhive.parse(result, plan)
  if result.status ~= 0 then return { error = tool.complaint("the harness", result).error } end
  local first, second = result.out:match "^(.-)\n%-%-\n(.*)$"
  local short, long = least(first or ""), least(second or "")
  if not short or not long then return { error = "no run without cache misses and context switches", transient = true } end
  return { cycles = math.max(0, (long - short) / plan.copies) }
end

local function prepare(self, bytes)
  local script = ('"$0" "$1" %d && echo -- && "$0" "$1" %d'):format(self.copies, 2 * self.copies)
  return { path = "/bin/sh", arguments = { "-c", script, self.path, tool.hex(bytes) }, copies = self.copies }
end

--- Opens the harness.
-- @param text `program=PATH[,copies=N][,seconds=N]`
-- @return predictor; or nil and a message
function bhive.open(text)
  local found, message = name_settings.parse(text, { copies = true })
  if not found then return nil, message end
  local copies = math.tointeger(tonumber(found.copies or usual))
  if not copies or copies < 1 or copies > 1000 then return nil, ("copies=%s: write a whole number from 1 to 1000"):format(found.copies) end
  local path = found.program and program.find(found.program)
  if not path then return nil, "write bhive:program=PATH, with the path of the harness's program test" end
  return tool.new { name = "bhive", version = ("%s; %d and %d copies"):format(fingerprint.file(path), copies, 2 * copies), title = "the harness",
    path = path, copies = copies, seconds = found.seconds, deterministic = false, exclusive = true, measures = true,
    facts = { tested = tool.formats_only }, prepare = prepare, parse = bhive.parse }
end

return bhive
