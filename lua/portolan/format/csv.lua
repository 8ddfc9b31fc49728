--- Mappings and experiments as tables for spreadsheets: comma-separated values (RFC 4180).
--
-- Mappings: `scheme,usage,uops,slots,tp,status`, with the port usage as `portolan.format.usage` writes it (empty: not
-- explained) and the number of uops beside it. The ports of a table are those that it uses; R_max has no place in it.
--
-- Spreadsheets take a text that begins with = + - or @ for a formula, which may do harm. Such texts are written with an apostrophe before
-- them, as one more is where there are some already, and read without it. Numbers stay as they are.
-- @module portolan.format.csv
local byte_order_mark = require "portolan.support.byte_order_mark"
local experiment = require "portolan.experiment"
local limits = require "portolan.support.limits"
local lists = require "portolan.support.lists"
local port_set = require "portolan.mapping.ports"
local usage = require "portolan.format.usage"

local csv = {}

local mapping_columns = { "scheme", "usage", "uops", "slots", "tp", "status" }
local experiment_columns = { "experiment", "cycles", "status", "n", "rejected", "spread", "frequency" }

-- The shortest text that reads back as the same number.
local function number(x)
  if math.type(x) == "integer" then return tostring(x) end
  local short = ("%.15g"):format(x)
  return tonumber(short) == x and short or ("%.17g"):format(x)
end

local function shown(text) return (text:sub(1, 60):gsub("%c", "?")) end

local function field(value)
  if value == nil then return "" end
  local text = type(value) == "number" and number(value) or tostring(value):gsub("^'*[=+%-@]", "'%0")
  if text:find('[",\r\n]') then text = '"' .. text:gsub('"', '""') .. '"' end
  return text
end

local function row(values, count)
  local fields = {}
  for i = 1, count do fields[i] = field(values[i]) end
  return table.concat(fields, ",") .. "\n"
end

-- Reading -------------------------------------------------------------------------------------------------------------

-- The field at `at`, the position behind it; nil and a message.
local function read_field(text, at)
  if text:sub(at, at) ~= '"' then
    local value, behind = text:match('^([^,\r\n]*)()', at)
    if value:find('"', 1, true) then return nil, "a quotation mark within a field that does not begin with one" end
    return value, behind
  end
  local parts, from = {}, at + 1
  while true do
    local quote = text:find('"', from, true)
    if not quote then return nil, "the quotation marks do not close" end
    if quote - at > limits.csv.field_bytes then return nil, ("a field is longer than %d bytes"):format(limits.csv.field_bytes) end
    parts[#parts + 1] = text:sub(from, quote - 1)
    if text:sub(quote + 1, quote + 1) ~= '"' then return table.concat(parts), quote + 1 end
    parts[#parts + 1], from = '"', quote + 2
  end
end

local function newlines(text, from, to)
  local n = 0
  for _ in text:sub(from, to):gmatch("\n") do n = n + 1 end
  return n
end

--- Goes through the rows of a text.
-- @param text string
-- @param[opt] name for messages
-- @return iterator of line number and list of fields; it gives nil, message (`name:line: what`) where the text is not right
function csv.rows(text, name)
  text = byte_order_mark(text)
  local at, line = 1, 1
  local function fault(message) return nil, ("%s:%d: %s"):format(name or "csv", line, message) end
  local function next_row()
    if at > #text then return nil end
    if line > limits.lines then return fault(("more than %d lines"):format(limits.lines)) end
    local fields, first, start = {}, line, at
    while true do
      local value, behind = read_field(text, at)
      if not value then return fault(behind) end
      if #fields == limits.csv.fields then return fault(("more than %d fields in a row"):format(limits.csv.fields)) end
      fields[#fields + 1], at = value:gsub("^'('*[=+%-@])", "%1"), behind
      local mark = text:sub(at, at)
      if mark ~= "," then break end
      at = at + 1
    end
    if at <= #text and not text:find("^\r?\n", at) then return fault("a comma or a line end must follow a field in quotation marks") end
    at = (text:match("^\r?\n()", at) or at)
    line = line + newlines(text, start, at - 1)
    return first, fields
  end
  return next_row
end

-- Returns what is wrong with a first line that lacks a column, in words.
local function column_fault(fields, title)
  local first = table.concat(mapping_columns, ",")
  if #fields == 1 and fields[1]:find("[;\t]") then
    return ("the columns are separated by %s, not by commas; write %s"):format(fields[1]:find(";", 1, true) and "semicolons" or "tabs", first)
  end
  for _, field_title in ipairs(fields) do
    if field_title:lower():match("^%s*(.-)%s*$") == title then
      return ("the column '%s' must be called '%s'"):format(shown(field_title), title)
    end
  end
  return ("there is no column '%s'; the first line must be %s"):format(title, first)
end

-- The positions of the columns by name; nil and a message.
local function columns(fields, where)
  local at = {}
  for i, title in ipairs(fields) do
    if at[title] then return nil, ("%s: the column '%s' is there twice"):format(where, shown(title)) end
    at[title] = i
  end
  for _, title in ipairs { "scheme", "usage" } do
    if not at[title] then return nil, ("%s: %s"):format(where, column_fault(fields, title)) end
  end
  return at
end

local function read_number(text, what, whole)
  if text == nil or text == "" then return nil end
  local x = tonumber(text)
  if whole and x then x = math.tointeger(x) end
  if not limits.is_amount(x) or text:find("^%s*0[xX]") then
    return nil, ("field '%s': '%s' is not a %snumber"):format(what, shown(text), whole and "whole " or "")
  end
  return x
end

-- Returns the status that a table without one means, and a mapping.
local function usual_status(scheme) return scheme.uops and "explained" or "not explained" end

-- One row as scheme name and scheme; nil and a message.
local function read_scheme(fields, at)
  local scheme, name = {}, fields[at.scheme]
  if not name or name == "" then return nil, "field 'scheme' is empty" end
  if #(fields[at.usage] or "") > 0 then
    local uops, message = usage.parse(fields[at.usage])
    if not uops then return nil, "field 'usage': " .. message end
    scheme.uops = uops
  end
  scheme.status = fields[at.status or 0]
  if scheme.status == nil or scheme.status == "" then scheme.status = usual_status(scheme) end
  for title, whole in pairs { slots = true, tp = false } do
    local value, trouble = read_number(fields[at[title] or 0], title, whole)
    if trouble then return nil, trouble end
    scheme[title] = value
  end
  return name, scheme
end

-- The field 'uops' repeats what 'usage' says; a table that contradicts itself was edited in one place only.
local function check_count(fields, at, scheme)
  local count, message = read_number(fields[at.uops or 0], "uops", true)
  if message then return nil, message end
  local sum = port_set.uops(scheme.uops)
  if count and scheme.uops and count ~= sum then
    return nil, ("field 'uops' is %d, but the usage has %d; change one or empty this one"):format(count, sum)
  end
  return true
end

--- Tells whether a text is a table of a mapping, or is meant to be one: other separators or capitals have a message of their own.
function csv.is_mapping(text)
  local first = byte_order_mark(text:sub(1, 400)):match("^[^\r\n]*"):lower()
  return ("," .. first .. ","):find('[,;\t]%s*"?scheme"?%s*[,;\t]') ~= nil
end

--- Reads the text of a table.
-- @return mapping (not yet validated); or nil and `name:line: what (field)`
function csv.mapping(text, name)
  local _, bad = utf8.len(text)
  if bad then return nil, ("%s:%d: this is not UTF-8"):format(name, newlines(text, 1, bad) + 1) end
  local next_row = csv.rows(text, name)
  local line, fields = next_row()
  if not line then return nil, fields or ("%s: the table is empty"):format(name) end
  local at, message = columns(fields, ("%s:%d"):format(name, line))
  if not at then return nil, message end
  local schemes = {}
  while true do
    line, fields = next_row()
    if not line then break end
    if #fields > 1 or fields[1] ~= "" then
      local scheme_name, scheme = read_scheme(fields, at)
      local ok, fault = scheme_name, scheme
      if ok then ok, fault = check_count(fields, at, scheme) end
      if ok and schemes[scheme_name] then ok, fault = nil, ("scheme '%s' is there twice"):format(shown(scheme_name)) end
      if not ok then return nil, ("%s:%d: %s"):format(name, line, fault) end
      schemes[scheme_name] = scheme
    end
  end
  if fields then return nil, fields end
  return { format = "portolan-mapping", version = 1, ports = port_set.used(schemes), schemes = schemes }
end

-- Writing -------------------------------------------------------------------------------------------------------------

--- The table of a mapping, sorted by scheme.
-- @return text
function csv.encode(m)
  local names = lists.keys(m.schemes)
  local lines = { table.concat(mapping_columns, ",") .. "\n" }
  for i, name in ipairs(names) do
    local scheme = m.schemes[name]
    local count = scheme.uops and port_set.uops(scheme.uops)
    local status = scheme.status ~= "" and scheme.status or usual_status(scheme)
    local values = { name, scheme.uops and usage.format(scheme.uops), count, scheme.slots, scheme.tp, status }
    lines[i + 1] = row(values, #mapping_columns)
  end
  return table.concat(lines)
end

--- The table of a list of measured experiments (records of `portolan.experiment.list`).
-- @return text
function csv.experiments(list)
  local lines = { table.concat(experiment_columns, ",") .. "\n" }
  for i, record in ipairs(list) do
    local values = { experiment.format(record.e) }
    for k = 2, #experiment_columns do values[k] = record[experiment_columns[k]] end
    lines[i + 1] = row(values, #experiment_columns)
  end
  return table.concat(lines)
end

return csv
