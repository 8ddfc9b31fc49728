--- The script of a campaign's report: the table of discoveries, and what stands behind each, from the compact JSON of the page.
local script = {}

script.text = '"use strict";\n(function () {\n' .. require "portolan.report.campaign.script_table"
  .. require "portolan.report.campaign.script_samples"
  .. require "portolan.report.campaign.script_abstract" .. require "portolan.report.campaign.script_tree" .. [=[
var data = null, views = null; // read when the first discovery is opened

function blockView(title, index) {
  if (index < 0) { return null; }
  var block = data.blocks[index], box = element("div", "one-block", element("h3", "", title), views.asm(block[1]), views.predictions(block));
  var lines = element("div", "commands");
  [["hex", block[0]]].concat(views.commandsOf(block)).forEach(function (c) {
    lines.appendChild(element("div", "command", element("code", "", c[1]), copyButton("copy", c[1])));
  });
  box.appendChild(lines);
  return box;
}
function heading(text, n) { return element("h3", "", text + " ", element("span", "count", n)); }

function detailOf(place) {
  if (!data) {
    data = JSON.parse(document.getElementById("campaign-data").textContent);
    views = sampleViews(data);
  }
  var d = data.of[place], box = element("div", "behind");
  box.appendChild(element("div", "blocks", blockView("Shortest witness", d.b), d.o === d.b ? null : blockView("Found in", d.o)));
  var tree = null;
  if (d.t.length > 0) {
    var accepted = d.t.filter(function (s) { return s[0] !== 1; }).length;
    tree = treeView(data, d, views);
    box.append(heading("How far it generalizes", d.t.length + " steps, " + accepted + " accepted"), tree.node);
  }
  var tables = element("div", "sample-tables"), steps = {};
  d.c.forEach(function (pair) { steps[pair[0]] = pair[1]; });
  function refuted(index) {
    var b = element("button", "refutes", "refutes step " + steps[index]);
    b.type = "button";
    b.addEventListener("click", function () {
      tree.show(steps[index] - 1, false);
      tree.node.scrollIntoView({ block: "nearest", behavior: "instant" });
    });
    return b;
  }
  if (d.w.length > 0) { tables.appendChild(element("div", "", heading("Witnesses", d.w.length), views.table(d.w, 6, "block", null))); }
  if (d.c.length > 0) {
    tables.appendChild(element("div", "", heading("Where it ends: blocks that are not interesting", d.c.length),
      views.table(d.c.map(function (pair) { return pair[0]; }), 6, "block", refuted)));
  }
  box.appendChild(tables);
  return box;
}
var table = document.getElementById("discovery-table");
if (table) { discoveryTable(table, document.getElementById("discovery-controls"), detailOf); }
})();
]=]

return script
