--- Ithemal, the neural network: `ithemal:program=PATH,model=FILE,data=FILE`.
--
-- PATH is its `predict.py`, or a script that passes its arguments on, into a container say (the files are in TMPDIR). Loading the network takes
-- seconds, so that many blocks go through one process: a file each, between markers, and a number each in the output, in order.
-- Ithemal's data are cycles of 100 iterations: its numbers are divided by that (`per=N`). `markers=ithemal` is for versions with markers of
-- their own instead of IACA's, `option=--files` for those that want an option before the files.
-- @module portolan.predictor.adapters.ithemal
local batch = require "portolan.predictor.machinery.batch"
local fingerprint = require "portolan.predictor.machinery.fingerprint"
local iaca = require "portolan.predictor.adapters.iaca"
local program = require "portolan.predictor.machinery.program"
local protocol = require "portolan.predictor.machinery.protocol"
local name_settings = require "portolan.predictor.machinery.name_settings"
local temporary = require "portolan.support.temporary"
local tool = require "portolan.predictor.machinery.tool"

local ithemal = {}

local at_once = 200 -- files in one run
local seconds = 60 -- of processor time for a run, and a second for every block

local markers = { iaca = { iaca.start:sub(3), iaca.finish:sub(1, -3) }, ithemal = { "\xab\xa6\x58", "\x9e\x87\x0f" } }

local Ithemal = { deterministic = true }

--- Facts for provenance.
function Ithemal:describe()
  return { name = self.name, version = self.version, path = self.path, model = self.model, data = self.data, per = self.per,
    tested = tool.transcripts_only }
end

-- The numbers that are lines of their own.
local function numbers(out, per)
  local list = {}
  for line in out:gmatch "([^\n]*)\n" do
    local cycles = tonumber(line)
    if cycles then list[#list + 1] = { cycles = math.max(0, cycles / per) } end -- a network may say a little less than nothing
  end
  return list
end

-- One run, as an attempt of `portolan.predictor.machinery.batch`.
local function attempt(self, codes, directory)
  local arguments = { "--model", self.model, "--model-data", self.data, self.option }
  for i, bytes in ipairs(codes) do
    local path = ("%s/%d.bin"):format(directory, i)
    temporary.write(path, self.markers[1] .. bytes .. self.markers[2])
    arguments[#arguments + 1] = path
  end
  local result, message = program.run(self.path, arguments, { seconds = (self.seconds or seconds) + #codes })
  if not result then return nil, message end
  local answers = numbers(result.out, self.per)
  local failure = program.failure("Ithemal", result) or result.status ~= 0 and tool.complaint("Ithemal", result)
  if not failure and #answers == #codes then return answers end
  if failure and #answers < #codes then return nil, failure, nil, answers end -- those before the failure
  return nil, failure or { error = ("Ithemal wrote %d numbers for %d blocks"):format(#answers, #codes) } -- which is whose?
end

--- Answers of `predict`.
function Ithemal:answer(blocks)
  return protocol.answers(blocks, protocol.bytes, function(codes)
    return temporary.directory(function(directory)
      return batch.answer(codes, function(list) return attempt(self, list, directory) end, { most = at_once })
    end)
  end)
end

protocol.class(Ithemal)

--- Opens Ithemal.
-- @param text `program=PATH,model=FILE,data=FILE[,per=N][,markers=ithemal][,option=WORD][,seconds=N]`
-- @return predictor; or nil and a message
function ithemal.open(text)
  local found, message = name_settings.parse(text, { model = true, data = true, per = true, markers = true, option = true })
  if not found then return nil, message end
  local path = found.program and program.find(found.program)
  if not (path and found.model and found.data) then
    return nil, "write ithemal:program=PATH,model=FILE,data=FILE, with the paths of Ithemal's predict.py, its model and its data"
  end
  local per, around = tonumber(found.per or 100), markers[found.markers or "iaca"]
  if not per or per <= 0 then return nil, "per=" .. found.per .. ": write a number above 0" end
  if not around then return nil, "markers are iaca or ithemal" end
  local version = ("%s; model %s; data %s; per %g, %s markers, option %s"):format(fingerprint.file(path), fingerprint.file(found.model, true),
    fingerprint.file(found.data, true), per, found.markers or "iaca", found.option or "-")
  return setmetatable({ name = "ithemal:" .. found.data:match "[^/]*$", version = version, path = path, model = found.model,
    data = found.data, per = per, markers = around, option = found.option, seconds = found.seconds }, Ithemal)
end

return ithemal
