--- Is this a chart, as `chart.json` holds it? Looks at what sections take for granted; contents may be missing, but not of another kind.
local json = require "portolan.json"
local mapping = require "portolan.mapping"
local check = {}

local function is_object(value) return type(value) == "table" and not (json.is_list(value) and #value > 0) end

local function each_object(list)
  for i, value in ipairs(list) do
    if not is_object(value) then return i end
  end
end

local objects = { "machine", "noise", "mapping", "evaluation", "inference", "provenance", "disagreements", "counting", "agreement",
  "ending" }
-- Lists of objects, by their path.
local lists = { { "port_sets" }, { "groups" }, { "misfits" }, { "evaluation", "list" }, { "evaluation", "others" }, { "noise", "timeline" },
  { "disagreements", "list" }, { "provenance", "unfinished" } }
local any_lists = { { "inference", "open" }, { "inference", "observations" }, { "agreement", "disagree" } }

local function at(chart, path)
  local value = chart
  for _, field in ipairs(path) do value = value ~= nil and value[field] or nil end
  return value, table.concat(path, ".")
end

local function lists_fault(chart)
  for _, path in ipairs(lists) do
    local value, name = at(chart, path)
    if value ~= nil and not json.is_list(value) then return ("'%s' must be a list"):format(name) end
    local bad = value and each_object(value)
    if bad then return ("%s[%d] must be an object"):format(name, bad) end
  end
  for _, path in ipairs(any_lists) do
    local value, name = at(chart, path)
    if value ~= nil and not json.is_list(value) then return ("'%s' must be a list"):format(name) end
  end
end

local function groups_fault(groups)
  for i, group in ipairs(groups or {}) do
    if group.schemes ~= nil and not json.is_list(group.schemes) then return ("groups[%d].schemes must be a list"):format(i) end
    for k, name in ipairs(group.schemes or {}) do
      if type(name) ~= "string" then return ("groups[%d].schemes[%d] must be a name"):format(i, k) end
    end
  end
end

-- A run that ended early has a mapping without ports, which is none by itself.
local function mapping_fault(m)
  if m == nil then return nil end
  if json.is_list(m.ports) and #m.ports > 0 then
    local ok, message = mapping.validate(m)
    return not ok and "mapping: " .. message or nil
  end
  if m.schemes ~= nil and not is_object(m.schemes) then return "'mapping.schemes' must be an object" end
  for name, scheme in pairs(m.schemes or {}) do
    if not is_object(scheme) then return ("mapping.schemes.\"%s\" must be an object"):format(tostring(name)) end
  end
end

--- Checks a chart.
-- @param chart anything
-- @treturn boolean|nil true; or nil and a message
function check.chart(chart)
  if type(chart) ~= "table" or json.is_list(chart) then return nil, "not a chart: an object of its parts is expected" end
  if chart.format == mapping.format then return nil, "a mapping, not a chart: give the directory that 'portolan chart' wrote" end
  for _, field in ipairs(objects) do
    if chart[field] ~= nil and not is_object(chart[field]) then return nil, ("'%s' must be an object"):format(field) end
  end
  local fault = lists_fault(chart) or groups_fault(chart.groups) or mapping_fault(chart.mapping)
  if fault then return nil, fault end
  return true
end

return check
