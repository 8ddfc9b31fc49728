--- `portolan report`: writes the report of a chart or a campaign anew, from the files of its directory.
-- @module portolan.cli.report
local campaign_files = require "portolan.report.campaign.read"
local check = require "portolan.report.check"
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local report = require "portolan.report"

local command = { summary = "write the report of a chart or a campaign anew" }

function command.configure(parser)
  parser:description("Writes DIR/report.html from DIR/chart.json, which 'portolan chart' wrote, or from what 'portolan campaign' wrote there, "
    .. "even if it has not come to its end. Nothing is measured.")
  parser:argument("dir", "directory of a chart or a campaign; charts/latest if not given"):argname("DIR"):args("?")
  parser:option("--out", "file to write instead of DIR/report.html"):argname("FILE")
end

local function chart_page(directory)
  local source = directory .. "/chart.json"
  local text, message = file.read(source)
  if not text then return nil, message .. "; give a directory that 'portolan chart' wrote, as scripts/quickstart does, or 'portolan campaign'" end
  local chart, trouble = json.decode(text, source)
  if chart == nil then return nil, trouble end
  local checked, fault = check.chart(chart)
  if not checked then return nil, ("%s: %s"):format(source, fault) end
  return report.chart(checked)
end

local function campaign_page(directory)
  local result, source = campaign_files.directory(directory)
  if result == nil then return nil, source end
  local page, message = report.campaign.page(result)
  return page, message and ("%s: %s"):format(source, message)
end

function command.run(args, context)
  local dir = args.dir or "charts/latest" -- argparse has no default for an argument that may be missing
  local target = args.out or dir .. "/report.html"
  local page, message = (campaign_files.is_campaign(dir) and campaign_page or chart_page)(dir)
  if not page then return nil, message end
  local ok, trouble, status = file.write(target, page)
  if not ok then return nil, trouble, status end
  context.out("%s\n", target)
  return 0
end

return command
