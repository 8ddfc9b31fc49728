--- Reports: results as self-contained HTML with inline SVG.
return {
  chart = require("portolan.report.chart").render,
}
