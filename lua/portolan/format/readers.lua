--- This module reads documents in other tools' formats, by the kind of document (portolan.support.foreign).
--
-- Each function returns the document; or nil and a message if it is in one of these formats, but faulty; nil alone if it is in none of them.
-- @module portolan.format.readers
local byte_order_mark = require "portolan.support.byte_order_mark"
local csv = require "portolan.format.csv"
local file = require "portolan.support.file"
local input = require "portolan.support.input"
local json = require "portolan.support.json"
local osaca = require "portolan.format.osaca"
local palmed = require "portolan.format.palmed"
local pmevo = require "portolan.format.pmevo"
local python_words = require "portolan.format.python_words"
local uops_info = require "portolan.format.uops_info"

local readers = {}

--- A mapping in text that is no JSON: uops.info's instructions.xml, tables (CSV), OSACA's machine models (YAML).
-- @param text string
-- @param name of the text, for messages
-- @param[opt] architecture which one of uops.info's microarchitectures
function readers.mapping(text, name, architecture)
  if uops_info.is_xml(text) then return uops_info.parse(text, name, architecture) end
  if csv.is_mapping(text) then return csv.mapping(text, name) end
  if not text:find("^%s*{") and osaca.is_model(text) then return osaca.mapping(text, name) end
end

--- A mapping in a file that is too large for reading it whole: uops.info's instructions.xml.
-- @param path of the file
-- @param[opt] architecture as above
function readers.mapping_file(path, architecture)
  if uops_info.is_xml(byte_order_mark(input.beginning(path, 256) or "")) then return uops_info.load(path, architecture) end
end

--- A mapping in a decoded JSON value: PMEvo's and pmtestbench's.
-- @param value any
-- @param name of the text, for messages
function readers.mapping_value(value, name)
  if not pmevo.is_mapping(value) then return nil end
  local m, message = pmevo.mapping(value)
  return m, message and name .. ": " .. message
end

local function read_json(path)
  local text, message = file.read(path)
  if not text then return nil, message end
  return json.decode(text, path)
end

--- A conjunctive mapping: Palmed's, and pmtestbench's description of one.
-- @param text string
-- @param path of the file that it is from
function readers.conjunctive(text, path)
  if not (text:find('"instr_to_class"', 1, true) or text:find('"processor_kind"', 1, true)) then return nil end
  local value, message = json.decode(text, path)
  if message then return nil, message end
  if palmed.is_processor(value) then return palmed.processor(value, path, read_json) end
  if not palmed.is_mapping(value) then return nil end
  value, message = palmed.mapping(value)
  return value, message and ("%s: %s"):format(path, message)
end

--- Tells whether a decoded JSON value seems to be such a conjunctive mapping.
function readers.is_conjunctive(value) return palmed.is_mapping(value) or palmed.is_processor(value) end

-- Reads JSON that may have Python's words, as pmtestbench's published experiments do; value, and a note if it has; or nil and a message.
local function decode_theirs(text, name)
  local value, message = json.decode_plain(text, name) -- tens of megabytes, without a count in them
  if not message then return value end
  local mended, count = python_words(text)
  if count == 0 then return nil, message end
  value, message = json.decode_plain(mended, name)
  if message then return nil, message end
  return value, ("%s: not quite JSON: Python's True, False or None in %s, read as JSON's"):format(name,
    count == 1 and "1 place" or count .. " places")
end

--- Experiments: PMEvo's and pmtestbench's `ExperimentList`. A note comes second where the text is not quite what it should be.
-- @param text string
-- @param name of the text, for messages
function readers.experiments(text, name)
  if not text:find('"ExperimentList"', 1, true) then return nil end
  local value, message = decode_theirs(text, name)
  if value == nil and json.decode_plain(text:match("%S[^\n]*"), name) then return nil end -- one document a line
  if value == nil then return nil, message end
  if not pmevo.is_experiments(value) then return nil end
  local list, trouble = pmevo.experiments(value)
  if not list then return nil, name .. ": " .. trouble end
  return list, message
end

return readers
