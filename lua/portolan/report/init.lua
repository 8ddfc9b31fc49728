--- Reports: results as self-contained HTML with inline SVG.
return {
  accuracy = require("portolan.report.models.page").render,
  chart = require("portolan.report.chart").render,
}
