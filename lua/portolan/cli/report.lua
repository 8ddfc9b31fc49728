--- `portolan report`: writes the report of a chart or a campaign anew, from the files of its directory.
-- @module portolan.cli.report
local campaign_files = require "portolan.report.campaign.read"
local chart_files = require "portolan.cli.chart_files"
local check = require "portolan.report.check"
local file = require "portolan.support.file"
local must = require("portolan.support.failure").check
local own_section = require "portolan.report.own_section"
local report = require "portolan.report"
local terminal = require "portolan.support.terminal"

local command = { summary = "write the report of a chart or a campaign anew" }

function command.configure(parser)
  parser:description("Writes DIR/report.html from DIR/chart.json, which 'portolan chart' wrote, or from what 'portolan campaign' wrote there, "
    .. "even if it has not come to its end. Nothing is measured.")
  parser:argument("dir", "directory of a chart or a campaign; charts/latest if not given"):argname("DIR"):args("?")
  parser:option("--out", "file to write instead of DIR/report.html"):argname("FILE")
  parser:option("--section", "a section of your own: a Lua file, or the name of one in a folder sections (docs/extending.md); may be repeated")
    :argname("FILE|NAME"):count("*")
  parser:flag("--list", "only list the sections that go by a name")
end

-- The sections that are asked for; or nil and a message.
local function own_sections(names)
  local list, seen = {}, {}
  for i, name in ipairs(names) do
    local one, message = own_section.load(name, report.ids)
    if not one then return nil, "--section: " .. message end
    if seen[one.id] then return nil, ("--section %s: there is a section of this name already; give it another name ="):format(name) end
    list[i], seen[one.id] = one, true
  end
  return list
end

local function chart_page(directory, options)
  local chart = must(chart_files.read(directory, ", or 'portolan campaign'"))
  return report.chart(assert(check.chart(chart)), options)
end

local function campaign_page(directory, options)
  local result, source = campaign_files.directory(directory)
  if result == nil then return nil, source end
  local page, message = report.campaign.page(result, options)
  return page, message and ("%s: %s"):format(source, message)
end

function command.run(args, context)
  if args.list then
    for _, name in ipairs(own_section.names()) do context.out("%s\n", name) end
    return 0
  end
  local own = must(own_sections(args.section))
  local dir = args.dir or "charts/latest" -- argparse has no default for an argument that may be missing
  local target = args.out or dir .. "/report.html"
  local options = { sections = own, troubles = {} }
  local page = must((campaign_files.is_campaign(dir) and campaign_page or chart_page)(dir, options))
  must(file.write(target, page))
  context.out("%s\n", target)
  for _, text in ipairs(options.troubles) do terminal.say("portolan report: " .. text) end
  return #options.troubles > 0 and 1 or 0
end

return command
