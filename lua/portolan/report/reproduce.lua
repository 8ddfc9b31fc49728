--- Section "Reproduce": commands and settings of a chart.
local html = require "portolan.report.html"
local format = require "portolan.report.format"
local section = require "portolan.report.section"
local landmarks = require "portolan.scheme.landmarks"
local mapping = require "portolan.mapping"
local h = html.tag
local reproduce = {}

-- A value of the settings as text; tables by sorted keys.
local function plain(value)
  if type(value) ~= "table" then return format.plain(value) end
  local keys, parts = {}, {}
  for key in pairs(value) do keys[#keys + 1] = key end
  table.sort(keys, function(a, b)
    if type(a) == type(b) and type(a) ~= "table" and type(a) ~= "boolean" then return a < b end
    return tostring(a) < tostring(b)
  end)
  for i, key in ipairs(keys) do
    parts[i] = type(key) == "number" and plain(value[key]) or tostring(key) .. " = " .. plain(value[key])
  end
  return table.concat(parts, ", ")
end

local elsewhere = { command = true, unfinished = true } -- on this page

local function settings(provenance)
  local keys, facts = {}, {}
  for key in pairs(provenance) do
    if not elsewhere[key] then keys[#keys + 1] = tostring(key) end
  end
  table.sort(keys)
  for i, key in ipairs(keys) do facts[i] = { (key:gsub("_", " ")), plain(provenance[key]) } end
  return section.facts(facts)
end

local function example(chart)
  local first = chart.evaluation and chart.evaluation.list and chart.evaluation.list[1]
  if first and type(first.experiment) == "string" and not first.experiment:find("['\n]") then
    return first.experiment
  end
  local m = chart.mapping
  return landmarks.of(type(m) == "table" and type(m.schemes) == "table" and mapping.architecture(m) or nil).example
end

--- The section.
function reproduce.render(chart)
  local provenance = type(chart.provenance) == "table" and chart.provenance or {}
  local command = provenance.command
  if not command then
    command = "portolan chart" .. (provenance.seed ~= nil and " --seed " .. format.plain(provenance.seed) or "")
  end
  local lines = {
    tostring(command),
    "portolan predict --mapping mapping.json '" .. example(chart) .. "'",
    "portolan compare mapping.json OTHER-MAPPING.json",
  }
  return section.new("reproduce", "How to reproduce", {
    h.pre(h.code(table.concat(lines, "\n"))),
    settings(provenance) or section.missing "No settings were recorded.",
    section.note("The same seed asks the same experiments. Measured cycles are the machine's; they differ within the noise ",
      "from run to run. Everything on this page is also in chart.json and mapping.json next to it."),
  })
end

return reproduce
