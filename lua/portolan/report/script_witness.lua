--- The script that unfolds the witnesses of many schemes (report/witness_data.lua) when their names are opened.
return [=[
function witnessTables(data) {
  function cell(tag, kind, text) {
    var c = document.createElement(tag);
    if (kind) { c.className = kind; }
    if (tag === "th") { c.scope = "col"; }
    c.textContent = text;
    return c;
  }
  function line(tag, texts) {
    var row = document.createElement("tr");
    texts.forEach(function (entry) {
      var c = cell(tag, entry[0], entry[0] === "experiment" && tag === "td" ? "" : entry[1]);
      if (entry[0] === "experiment" && tag === "td") { c.appendChild(cell("code", "", entry[1])); }
      row.appendChild(c);
    });
    return row;
  }
  function cycles(x) { return x === null ? "—" : x.toFixed(Math.abs(x) < 10 ? 3 : 2); }
  function deviation(measured, expected) {
    if (measured === null || expected === null || expected === 0) { return "—"; }
    var text = (100 * (measured / expected - 1)).toFixed(1);
    if (text === "-0.0") { text = "0.0"; }
    return (text.charAt(0) === "-" ? "−" + text.slice(1) : "+" + text) + "%";
  }
  function experiment(w) {
    var terms = [];
    for (var i = 5; i < w.length; i += 2) { terms.push((w[i] === 1 ? "" : w[i] + "*") + data.names[w[i + 1]]); }
    return terms.join(" + ");
  }
  function tableOf(list) {
    var table = document.createElement("table"), head = document.createElement("thead"), body = document.createElement("tbody");
    table.className = "witnesses";
    head.appendChild(line("th", [["", "experiment"], ["number", "measured"], ["number", "expected"], ["number", "deviation"], ["says", "says"]]));
    list.forEach(function (w) {
      var role = w[0] < 0 ? "" : data.roles[w[0]], says = w[3] < 0 ? "" : data.says[w[3]];
      var row = line("td", [["experiment", experiment(w)], ["number", cycles(w[1])], ["number", cycles(w[2])],
        [w[4] ? "number off" : "number", deviation(w[1], w[2])], ["says", ""]]);
      if (role) { row.lastChild.appendChild(cell("b", "role " + role, role)); }
      row.lastChild.append((role && says ? ": " : "") + says);
      body.appendChild(row);
    });
    table.append(head, body);
    var frame = document.createElement("div");
    frame.className = "scroll";
    frame.appendChild(table);
    return frame;
  }
  // The evidence of a scheme is a row of its own below that of the scheme, for as long as its name is open.
  function fold(row) {
    if (row.evidence) { row.evidence.remove(); }
    row.evidence = null;
  }
  function unfold(row, list) {
    fold(row);
    row.evidence = document.createElement("tr");
    row.evidence.className = "evidence";
    var wide = document.createElement("td");
    wide.colSpan = row.cells.length;
    wide.appendChild(tableOf(list));
    row.evidence.appendChild(wide);
    row.after(row.evidence);
  }
  document.addEventListener("toggle", function (event) {
    var place = event.target.dataset && event.target.dataset.witnesses;
    if (!place || !data.of[place]) { return; }
    if (event.target.open) { unfold(event.target.closest("tr"), data.of[place]); } else { fold(event.target.closest("tr")); }
  }, true);
}
]=]
