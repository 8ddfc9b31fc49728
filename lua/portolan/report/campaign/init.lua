--- The report of a campaign: where two predictors disagree, and why one may think so. One HTML file that needs nothing else.
--
--    local campaign = require "portolan.report.campaign"
--    local text, message = campaign.page(result)         -- result: what discoveries.json holds, docs/anica.md
local check = require "portolan.anica.discoveries_file"
local coverage = require "portolan.report.campaign.coverage"
local data = require "portolan.report.campaign.data"
local discoveries = require "portolan.report.campaign.discoveries"
local heat = require "portolan.report.campaign.heat"
local html = require "portolan.report.html"
local more_style = require "portolan.report.campaign.style"
local overview = require "portolan.report.campaign.overview"
local script = require "portolan.report.campaign.script"
local page_sections = require "portolan.report.page_sections"
local settings = require "portolan.report.campaign.settings"
local style = require "portolan.report.style"
local h = html.tag
local campaign = {}

-- The sections in their order; a heat map is there if predictors were compared for one.
local order = {
  { "discoveries", "Discoveries", discoveries }, { "coverage", "Coverage", coverage }, { "heat", "Heat map", heat },
  { "campaign", "Campaign", settings },
}

--- The identifiers of the sections.
campaign.ids = page_sections.ids(order)

--- Writes the report of a campaign.
-- @tparam table tables what discoveries.json holds; all but its format and version may be missing
-- @tparam[opt] string tables.portolan version of the program
-- @tparam[opt] string tables.date
-- @tparam[opt] string tables.command that repeats the campaign
-- @tparam[opt] boolean tables.partial the campaign has not come to its end
-- @tparam[opt] table options
-- @tparam[opt] table options.sections of the user's own (portolan.report.own_section)
-- @tparam[opt] table options.troubles list to which a message is added for each of these that fails
-- @treturn string|nil HTML5 that is also well-formed XML; or nil and a message if the tables are not what they should be
function campaign.page(tables, options)
  local result, message = check.result(tables)
  if not result then return nil, message end
  local own = { kind = "campaign", data = result, list = options and options.sections, troubles = options and options.troubles }
  local nodes, links = page_sections.render(order, own, result)
  return html.page {
    title = ("Portolan: %s and %s"):format(overview.name(result, "a"), overview.name(result, "b")),
    style = style.text .. more_style.text,
    script = script.text,
    body = {
      overview.render(result), "\n", h.nav { ["aria-label"] = "Sections", links }, "\n", h.main(nodes),
      h.footer { h.p { "Compared by Portolan", result.version and " " .. result.version, result.date and ", " .. result.date, "." } },
      "\n", data.render(result), "\n",
    },
  }
end

return campaign
