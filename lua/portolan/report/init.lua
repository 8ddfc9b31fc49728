--- Reports: results as self-contained HTML with inline SVG.
-- @module portolan.report
return {
  chart = require("portolan.report.chart").render,
}
