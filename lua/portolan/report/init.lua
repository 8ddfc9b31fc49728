--- Reports: results as self-contained HTML with inline SVG.
local campaign = require "portolan.report.campaign"
local chart = require "portolan.report.chart"

-- A section of the user's own may stand behind these, in whichever report.
local ids = {}
for _, set in ipairs { campaign.ids, chart.ids } do
  for id in pairs(set) do ids[id] = true end
end

return {
  accuracy = require("portolan.report.models.page").render,
  campaign = campaign,
  chart = chart.render,
  ids = ids,
}
