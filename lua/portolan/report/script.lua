--- The script of a chart's report: the scheme table, and witnesses of many schemes. Everything else is on the page without it.
local script = {}

script.text = '"use strict";\n(function () {\n' .. require "portolan.report.script_table" .. require "portolan.report.script_witness" .. [[
  var table = document.getElementById("scheme-table");
  var form = document.getElementById("scheme-controls");
  var data = document.getElementById("witness-data");
  if (table && form) { schemeTable(table, form); }
  if (data) { witnessTables(JSON.parse(data.textContent)); }
  // Of many schemes, what is folded stays so on paper.
  window.addEventListener("beforeprint", function () {
    if (!data) { document.querySelectorAll("details").forEach(function (d) { d.open = true; }); }
  });
})();
]]

return script
