--- Reports: results as self-contained HTML with inline SVG.
return {
  accuracy = require("portolan.report.models.page").render,
  campaign = require "portolan.report.campaign",
  chart = require("portolan.report.chart").render,
}
