--- Answers to experiments as they come in: an experiments file that grows, and that is gone on from.
--
-- The answers of one source stand in one file, in the order of the experiments. Who asks for the same experiments again gets those that are missing.
-- A line that was cut short by the end of the process is dropped.
-- @module portolan.experiment.recording
local appender = require "portolan.support.appender"
local core = require "portolan.core"
local experiment = require "portolan.experiment"
local experiments = require "portolan.experiment.list"
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local lists = require "portolan.support.lists"
local lock = require "portolan.support.lock"

local recording = {}
recording.__index = recording

local at_once = 64 -- experiments that are asked for, and written, together

--- Returns what is asked for as a key: equal questions have equal keys.
-- @param record of an experiments file
-- @treturn string
function recording.key(record)
  local order = record.order and table.concat(record.order, "\n") or ""
  return table.concat({ record.hex or "", record.variant or 0, order, experiment.key(record.e) }, "\0")
end

local key = recording.key

-- The lines of a file without the last one if that was cut short. What has no line end and is no beginning of a record is left as it is, so that a
-- file of something else is not shortened.
local function whole_lines(text, path)
  local lines, tail = text:match "^(.*\n)(.*)$"
  if not lines then lines, tail = "", text end
  local cut = ('{"'):sub(1, #tail) == tail:sub(1, 2) and json.decode(tail, path) == nil
  return cut and lines or text
end

-- Returns how often each question was answered in a file, and its text as far as it is whole; or nil and a message.
local function read(path, source)
  if not file.kind(path) then return {}, "" end
  local text, message = file.read(path)
  if not text then return nil, message end
  text = whole_lines(text, path)
  local records
  records, message = experiments.parse(text, path)
  if not records then return nil, message end
  local answered = {}
  for i, record in ipairs(records) do
    if record.source ~= source then
      return nil, ("%s: record %d is an answer of %s, not of %s; choose another file"):format(path, i, record.source or "somebody else", source)
    end
    answered[key(record)] = (answered[key(record)] or 0) + 1
  end
  return answered, text
end

-- Opens the file behind its whole lines.
local function open_behind(path, text)
  local opened, message, status = appender.open(path, #text)
  if not opened then return nil, message, status end
  if text ~= "" and text:sub(-1) ~= "\n" then
    local ok, trouble, kind = opened:write "\n"
    if not ok then
      opened:close()
      return nil, trouble, kind
    end
  end
  return opened
end

--- Opens a file; until it is closed no other process may.
-- @param path of an experiments file; made if there is none
-- @param source what answers, for the field `source`
-- @param title of what is going to write, such as "portolan measure"
-- @return recording; or nil, message, status
function recording.open(path, source, title)
  local held, message, status = lock.beside(path, title)
  if not held then return nil, message, status end
  local answered, text = read(path, source)
  local self = setmetatable({ path = path, source = source, lock = held, answered = answered, file = nil, written = 0 }, recording)
  if answered then self.file, message, status = open_behind(path, text) else message = text end
  if self.file then return self end
  self:close()
  return nil, message, status
end

--- Those of some records that are not answered yet, in their order.
function recording:missing(records)
  local list, left = {}, lists.copy(self.answered)
  for _, record in ipairs(records) do
    local k = key(record)
    if (left[k] or 0) > 0 then left[k] = left[k] - 1 else list[#list + 1] = record end
  end
  return list
end

-- A record with its answer.
local function joined(record, result, source)
  local both = lists.copy(record)
  both.cycles, both.status = nil, nil
  for name, value in pairs(result) do both[name] = value end
  both.source = source
  return both
end

-- Appends the answers to some records; whole lines or none.
local function append(self, records, results)
  local lines, answers = {}, {}
  for i, record in ipairs(records) do
    local result = results[i]
    if result.status ~= "interrupted" then
      local one = joined(record, result, self.source)
      local ok, message = experiments.check(one)
      if not ok then one = joined(record, { status = "no number", message = message }, self.source) end
      lines[#lines + 1], answers[#answers + 1] = assert(json.encode(one)) .. "\n", one
    end
  end
  local ok, message, status = self.file:write(table.concat(lines))
  if not ok then return nil, message, status end
  for _, one in ipairs(answers) do self.answered[key(one)] = (self.answered[key(one)] or 0) + 1 end
  self.written = self.written + #answers
  return answers
end

--- Asks for what is missing, and appends the answers as they come.
-- @param records list
-- @param ask function(records) -> list of results `{ status =, cycles = , ... }`; or nil, message, status
-- @param[opt] each function(answered records, number of those done, number of all), after each batch
-- @return true, false if Ctrl-C ended it; or nil, message, status
function recording:run(records, ask, each)
  local open = self:missing(records)
  for first = 1, #open, at_once do
    if core.base.interrupted() then return false end
    local batch = table.move(open, first, math.min(#open, first + at_once - 1), 1, {})
    local results, message, status = ask(batch)
    if not results then return nil, message, status end
    local answers
    answers, message, status = append(self, batch, results)
    if not answers then return nil, message, status end
    if each then each(answers, #records - #open + first - 1 + #answers, #records) end
  end
  return not core.base.interrupted()
end

--- Closes the file.
function recording:close()
  if self.file then self.file:close() end
  self.lock:release()
  self.file = nil
end

return recording
