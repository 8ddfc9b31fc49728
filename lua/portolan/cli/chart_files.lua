--- The files of a chart's directory: `mapping.json`, `chart.json`, `report.html`.
-- @module portolan.cli.chart_files
local check = require "portolan.report.check"
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local mapping = require "portolan.mapping"
local report = require "portolan.report"

local chart_files = {}

--- Writes all of them; a chart without ports has no mapping, and what an earlier one wrote is left.
-- @param directory which is there
-- @param chart of portolan.infer.chart
-- @return true; or nil, message, status
function chart_files.write(directory, chart)
  local ok, message, status = true, nil, nil
  if #chart.mapping.ports > 0 then ok, message, status = mapping.save(chart.mapping, directory .. "/mapping.json") end
  if not ok then return nil, message, status end
  local text, trouble = json.encode(chart)
  if not text then return nil, trouble end
  ok, message, status = file.write(directory .. "/chart.json", text)
  if not ok then return nil, message, status end
  return file.write(directory .. "/report.html", report.chart(check.chart(chart) or chart))
end

--- Reads the chart of a directory.
-- @param directory
-- @param[opt] others who else writes such directories, in words for the message: ", or ..."
-- @return chart with all that the file has; or nil and a message
function chart_files.read(directory, others)
  local source = directory .. "/chart.json"
  local text, message = file.read(source)
  if not text then return nil, message .. "; give a directory that 'portolan chart' wrote, as scripts/quickstart does" .. (others or "") end
  local chart, trouble = json.decode(text, source)
  if chart == nil then return nil, trouble end
  local checked, fault = check.chart(chart)
  if not checked then return nil, ("%s: %s"):format(source, fault) end
  return chart
end

return chart_files
