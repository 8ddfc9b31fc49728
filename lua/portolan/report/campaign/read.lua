--- Reads a campaign from its directory: from discoveries.json, or from the journal of a campaign that has not come to its end.
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local lines = require "portolan.support.lines"
local read = {}

--- Tells whether a directory is a campaign's.
function read.is_campaign(directory)
  return file.kind(directory .. "/campaign.json") ~= nil or file.kind(directory .. "/discoveries.json") ~= nil
end

local function decoded(path)
  local text, message = file.read(path)
  if not text then return nil, message end
  local value, trouble = json.decode(text, path)
  if value == nil then return nil, trouble end
  return value
end

-- The events of a journal. Its last line may be cut short.
local function events(path)
  local text, trouble = "", nil
  if file.kind(path) then text, trouble = file.read(path) end
  if not text then return nil, trouble end
  local list, each, too_many = {}, lines.of(text:match("^(.*\n)") or "", path)
  if not each then return nil, too_many end
  for number, line in each do
    local event, message = json.decode(line, ("%s: line %d"):format(path, number))
    if type(event) ~= "table" then return nil, message or ("%s: line %d: no event"):format(path, number) end
    list[#list + 1] = event
  end
  return list
end

-- Reads what is known of a campaign that runs, or was killed; or nil and a message.
local function unfinished(directory)
  local header, message = decoded(directory .. "/campaign.json")
  if not header then return nil, message end
  if type(header) ~= "table" or header.format ~= "portolan-campaign" then return nil, directory .. "/campaign.json: this is no campaign" end
  local list, trouble = events(directory .. "/journal.jsonl")
  if not list then return nil, trouble end
  local result = { format = "portolan-discoveries", version = 1, campaign = header, discoveries = {}, partial = true }
  local places = {}
  for _, event in ipairs(list) do
    if event.event == "discovery" and type(event.id) == "string" then
      places[event.id] = places[event.id] or #result.discoveries + 1 -- a wave that was cut short is run again
      result.discoveries[places[event.id]] = event
      for _, id in ipairs(type(event.over) == "table" and event.over or {}) do
        local old = result.discoveries[places[id] or 0]
        if old then old.subsumed_by = event.id end
      end
    elseif event.event == "batch" then
      result.figures = event.figures
    end
  end
  return result
end

--- Reads.
-- @tparam string directory
-- @treturn table|nil for `report.campaign.page`; or nil and a message
-- @treturn string the file that it comes from
function read.directory(directory)
  local path = directory .. "/discoveries.json"
  if file.kind(path) then
    local result, message = decoded(path)
    if result == nil then return nil, message end
    return result, path
  end
  local result, message = unfinished(directory)
  if not result then return nil, message end
  return result, directory .. "/journal.jsonl"
end

return read
