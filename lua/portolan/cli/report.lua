--- `portolan report`: writes the report of a chart anew, from its chart.json.
-- @module portolan.cli.report
local check = require "portolan.report.check"
local file = require "portolan.file"
local json = require "portolan.json"
local report = require "portolan.report"

local command = { summary = "write the report of a chart anew, from its chart.json" }

function command.configure(parser)
  parser:description("Writes DIR/report.html from DIR/chart.json, which 'portolan chart' wrote. Nothing is measured.")
  parser:argument("dir", "directory of a chart"):argname("DIR"):default("charts/latest"):args("?")
  parser:option("--out", "file to write instead of DIR/report.html"):argname("FILE")
end

function command.run(args, context)
  local source, target = args.dir .. "/chart.json", args.out or args.dir .. "/report.html"
  local text, message = file.read(source)
  if not text then return nil, message .. "; give a directory that 'portolan chart' wrote" end
  local chart, trouble = json.decode(text, source)
  if chart == nil then return nil, trouble end
  local ok, fault = check.chart(chart)
  if not ok then return nil, ("%s: %s"):format(source, fault) end
  ok, message = file.write(target, report.chart(chart))
  if not ok then return nil, message end
  context.out("%s\n", target)
  return 0
end

return command
