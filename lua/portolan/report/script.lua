--- The little script of a report: search, filters and sorting of the scheme table. The page says all it has to say
-- without it.
local script = {}

script.text = [[
"use strict";
(function () {
  var table = document.getElementById("scheme-table");
  var form = document.getElementById("scheme-controls");
  function openAll() {
    document.querySelectorAll("details").forEach(function (d) { d.open = true; });
  }
  window.addEventListener("beforeprint", openAll);
  if (!table || !form) { return; }
  var body = table.tBodies[0];
  var rows = Array.from(body.rows);
  var search = document.getElementById("scheme-search");
  var port = document.getElementById("scheme-port");
  var status = document.getElementById("scheme-status");
  var count = document.getElementById("scheme-count");
  rows.forEach(function (row) { row.words = row.textContent.toLowerCase(); });

  function matches(row, words) {
    if (status.value && row.dataset.status !== status.value) { return false; }
    if (port.value && row.dataset.ports.split(" ").indexOf(port.value) < 0) { return false; }
    return words.every(function (word) { return row.words.indexOf(word) >= 0; });
  }
  function filter() {
    var words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    var shown = 0;
    rows.forEach(function (row) {
      row.hidden = !matches(row, words);
      if (!row.hidden) { shown += 1; }
    });
    count.textContent = shown + " of " + rows.length;
  }

  function key(row, column, numeric) {
    var cell = row.cells[column];
    if (!numeric) { return cell.querySelector("code, .status") ? cell.querySelector("code, .status").textContent : ""; }
    var value = parseFloat(cell.dataset.value || cell.textContent);
    return isNaN(value) ? null : value;
  }
  // What is not known comes last in either direction.
  function compare(a, b, numeric, sign) {
    if (!numeric) { return sign * a.localeCompare(b, undefined, { numeric: true }); }
    if (a === null || b === null) { return (a === null) - (b === null); }
    return sign * (a - b);
  }
  function sort(head, column) {
    var numeric = head.dataset.sort === "number";
    var sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
    Array.from(head.parentNode.cells).forEach(function (other) { other.removeAttribute("aria-sort"); });
    head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
    rows.map(function (row, place) { return { row: row, key: key(row, column, numeric), place: place }; })
      .sort(function (a, b) { return compare(a.key, b.key, numeric, sign) || a.place - b.place; })
      .forEach(function (entry) { body.appendChild(entry.row); });
  }
  Array.from(table.tHead.rows[0].cells).forEach(function (head, column) {
    var button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.textContent = "";
    head.appendChild(button);
    button.addEventListener("click", function () { sort(head, column); });
  });

  // A link from the picture must find its row even when a filter hides it.
  window.addEventListener("hashchange", function () {
    var target = document.getElementById(location.hash.slice(1));
    if (target && target.hidden) { form.reset(); filter(); target.scrollIntoView(); }
  });
  form.addEventListener("submit", function (event) { event.preventDefault(); });
  form.addEventListener("input", filter);
  form.hidden = false;
  filter();
})();
]]

return script
