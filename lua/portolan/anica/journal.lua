--- The directory of a campaign: what it is (campaign.json), what happened (journal.jsonl), what came of it (discoveries.json).
--
-- The journal is appended to, an object a line. A wave ends with its "batch" event; what stands behind the last of these is of a wave that
-- was cut short, and is dropped when the campaign goes on: the wave is run again, with the same result.
-- @module portolan.anica.journal
local lists = require "portolan.support.lists"
local uv = require "luv"
local appender = require "portolan.support.appender"
local failure = require "portolan.support.failure"
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local lines = require "portolan.support.lines"
local lock = require "portolan.support.lock"
local discoveries = require "portolan.anica.discoveries_file"

local journal = {}
journal.__index = journal

-- Returns what must be the same for a campaign to go on: all but its limits.
local function identity(header)
  local copy = lists.copy(header)
  copy.limits = nil
  return assert(json.encode(copy))
end

-- Tells whether a campaign may go on in a directory: true, false if there is none yet; or nil and a message.
local function same(path, header)
  if not file.kind(path) then return false end
  local text, message, status = file.read(path)
  if not text then return nil, message, status end
  local before
  before, message = json.decode(text, path)
  if not before then return nil, message end
  if type(before) ~= "table" or before.format ~= "portolan-campaign" then return nil, path .. ": this is no campaign; choose another directory" end
  if identity(before) == identity(assert(json.decode(assert(json.encode(header)), path))) then return true end
  return nil, path .. ": another campaign (other predictors or options); choose another directory, or give the same options"
end

local counted = { "predictor_calls", "blocks_sampled", "interesting", "expansions", "batches", "unlike" }

-- Returns what is wrong with the figures of a wave, in words; nil if nothing is.
local function figures_fault(event)
  local f = event.figures
  if type(f) ~= "table" then return "'figures' must be an object" end
  for _, name in ipairs(counted) do
    if math.type(f[name]) ~= "integer" or f[name] < 0 then return ("'figures.%s' must be a whole number that is not negative"):format(name) end
  end
  if type(f.seconds) ~= "number" or not (f.seconds >= 0 and f.seconds < 1e15) then return "'figures.seconds' must be a time" end
  if math.type(event.dry) ~= "integer" or event.dry < 0 then return "'dry' must be a whole number that is not negative" end
end

-- Returns what is wrong with the events of a journal, which come from a file, in words; nil if nothing is.
local function fault(events)
  local found = {}
  for _, event in ipairs(events) do
    if event.event == "discovery" then found[#found + 1] = event end
    local wrong = event.event == "batch" and figures_fault(event)
    if wrong then return "an event 'batch': " .. wrong end
  end
  local ok, message = discoveries.result { format = "portolan-discoveries", version = 1, discoveries = found }
  return not ok and message or nil
end

-- The complete lines of a journal up to the last one that ends a wave.
local function complete(text, path)
  local each, too_many = lines.of(text:match("^(.*\n)") or "", path) -- the last line may be cut short
  if not each then return nil, too_many end
  local events, pending, size = {}, {}, 0
  for number, line, behind in each do
    local event, message = json.decode(line, ("%s: line %d"):format(path, number))
    if type(event) ~= "table" then return nil, message or ("%s: line %d: no event"):format(path, number) end
    pending[#pending + 1] = event
    if event.event == "batch" then
      table.move(pending, 1, #pending, #events + 1, events)
      pending, size = {}, behind - 1
    end
  end
  return events, size
end

-- The events of complete waves, and the size of what they take; or nil, message, status.
local function resume(path)
  if not file.kind(path) then return {}, 0 end
  local text, message, status = file.read(path)
  if not text then return nil, message, status end
  local events, size = complete(text, path)
  if not events then return nil, size end
  local wrong = fault(events)
  if wrong then return nil, ("%s: %s; move the directory away to begin anew"):format(path, wrong) end
  return events, size
end

-- Opens the files of a directory that is locked.
local function open_files(self, header)
  local directory, events, size = self.directory, {}, 0
  local again, message, status = same(directory .. "/campaign.json", header)
  if again == nil then return nil, message, status end
  if again then
    events, size, status = resume(self.path)
    if not events then return nil, size, status end
    uv.fs_unlink(directory .. "/discoveries.json") -- of the run that was cut short: until the end the journal says more
  end
  local ok
  ok, message, status = file.write(directory .. "/campaign.json", assert(json.encode(header, { pretty = true })))
  if not ok then return nil, message, status end
  self.events = events
  self.file, message, status = appender.open(self.path, size)
  if not self.file then return nil, message, status end
  return true
end

--- Opens the directory of a campaign; makes it if there is none. Until it is closed no other process may.
-- @param directory path
-- @param header what campaign.json holds
-- @return journal, with the `events` of the waves that are complete; or nil, message, status, e.g. if another campaign is there
function journal.open(directory, header)
  local ok, message, status = file.make_directory(directory)
  if not ok then return nil, message, status end
  local held
  held, message, status = lock.folder(directory, "a campaign")
  if not held then return nil, message, status end
  local self = setmetatable({ directory = directory, path = directory .. "/journal.jsonl", lock = held, file = nil, events = nil }, journal)
  ok, message, status = open_files(self, header)
  if ok then return self end
  self:close()
  return nil, message, status
end

--- Appends an event; throws what goes wrong (portolan.support.failure). The end of a wave outlives a power cut.
-- @param event table with `event`
function journal:append(event)
  failure.check(self.file:write(assert(json.encode(event)) .. "\n"))
  if event.event == "batch" then failure.check(self.file:sync()) end
end

--- Writes discoveries.json.
-- @param result table
-- @return true; or nil and a message
function journal:conclude(result)
  return file.write(self.directory .. "/discoveries.json", assert(json.encode(result, { pretty = true })))
end

--- Closes the journal.
function journal:close()
  if self.file then self.file:close() end
  self.lock:release()
  self.file = nil
end

return journal
