--- The witnesses of many schemes, as compact JSON that the report's script unfolds.
--
-- `{ names: [schemes], says: [texts], roles: [texts], of: { place: [[role, cycles, expected, says, off, count, name, count, name, ...], ...] } }`;
-- role, says and name are indices from 0, -1 where there is none; cycles and expected are numbers or null; off is 1 if these do not agree, or 0.
local experiment = require "portolan.experiment"
local format = require "portolan.report.format"
local html = require "portolan.report.html"
local json = require "portolan.support.json"
local witness = require "portolan.report.witness"
local witness_data = {}

-- A list of texts, each once, with a function text -> its index from 0, -1 for none.
local function dictionary()
  local list, index = {}, {}
  return list, function(text)
    if text == nil then return -1 end
    text = html.plain(tostring(text))
    if not index[text] then
      list[#list + 1] = text
      index[text] = #list - 1
    end
    return index[text]
  end
end

local function number(x) return format.finite(x) and tonumber(("%.4g"):format(x)) or json.null end

local function encode(entry, name_index, says_index, role_index)
  local w = type(entry) == "table" and entry or { experiment = entry }
  local e = witness.counts(w.experiment or w.e)
  if not e then return nil end
  local row = { role_index(w.role), number(w.cycles), number(w.expected), says_index(w.says),
    witness.is_off(e, w.cycles, w.expected, w.ports) and 1 or 0 }
  for _, name in ipairs(experiment.schemes(e)) do
    row[#row + 1] = math.tointeger(e[name]) or 1
    row[#row + 1] = name_index(name)
  end
  return row
end

--- Returns what the script reads.
-- @tparam table list catalog
-- @treturn table see above
function witness_data.of(list)
  local names, name_index = dictionary()
  local says, says_index = dictionary()
  local roles, role_index = dictionary()
  local data = { names = names, says = says, roles = roles, of = json.object {} }
  for _, entry in ipairs(list) do
    local rows = {}
    for _, w in ipairs(type(entry.scheme.witnesses) == "table" and entry.scheme.witnesses or {}) do
      rows[#rows + 1] = encode(w, name_index, says_index, role_index)
    end
    if #rows > 0 then data.of[tostring(entry.place)] = rows end
  end
  return data
end

--- The element that holds it.
function witness_data.render(list)
  return html.data("witness-data", witness_data.of(list))
end

return witness_data
