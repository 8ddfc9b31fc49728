--- The script of the scheme table: search, filters, sorting, pages, and links into it. The page holds all rows without it.
return [[
function schemeTable(table, form) {
  var body = table.tBodies[0];
  var rows = Array.from(body.rows);
  var perPage = rows.length <= 150 ? 150 : 100; // a second page of a few rows is none
  var pager = document.getElementById("scheme-pager");
  var count = document.getElementById("scheme-count");
  var shown = rows, page = 0, printing = false;
  rows.forEach(function (row, place) {
    row.place = place;
    row.usage = row.cells[1].querySelector("code") ? row.cells[1].querySelector("code").textContent : "";
    row.words = row.textContent.toLowerCase();
  });

  function field(name) { return document.getElementById("scheme-" + name); }
  function value(name) { return field(name) ? field(name).value : ""; }
  function inSet(row, set) {
    if (set.slice(0, 2) === "x:") { return (row.dataset.extension || row.dataset.set) === set.slice(2); }
    return row.dataset.set === set;
  }
  function filter() {
    var words = value("search").toLowerCase().split(/\s+/).filter(Boolean);
    var status = value("status"), set = value("set"), category = value("category"), port = value("port"), usage = value("usage");
    shown = rows.filter(function (row) {
      return (!status || row.dataset.status === status) && (!category || row.dataset.category === category) &&
        (!set || inSet(row, set)) && (!usage || row.usage === usage) &&
        (!port || row.dataset.ports.split(" ").indexOf(port) >= 0) &&
        words.every(function (word) { return row.words.indexOf(word) >= 0; });
    });
    page = 0;
    show();
  }

  // Only the rows of one page are in the document; when printing, all that are selected.
  function show() {
    var pages = Math.max(1, Math.ceil(shown.length / perPage));
    page = Math.min(page, pages - 1);
    var from = printing ? 0 : page * perPage, to = printing ? shown.length : Math.min(shown.length, from + perPage);
    var part = document.createDocumentFragment();
    for (var i = from; i < to; i += 1) {
      part.appendChild(shown[i]);
      if (shown[i].evidence) { part.appendChild(shown[i].evidence); }
    }
    body.textContent = "";
    body.appendChild(part);
    count.textContent = shown.length + " of " + rows.length;
    pager.hidden = pages === 1;
    if (pages > 1) { showPager(pages, from, to); }
  }
  function button(text, label, target, current) {
    var b = document.createElement("button");
    b.type = "button";
    b.textContent = text;
    b.setAttribute("aria-label", label);
    if (current) { b.setAttribute("aria-current", "page"); }
    b.disabled = target === null;
    b.addEventListener("click", function () { page = target; show(); scrollToTable(); });
    return b;
  }
  function scrollToTable() {
    if (form.getBoundingClientRect().top < 0) { form.scrollIntoView({ behavior: "instant" }); }
  }
  function showPager(pages, from, to) {
    pager.textContent = "";
    pager.append(button("‹", "previous page", page > 0 ? page - 1 : null, false));
    var last = -1;
    for (var i = 0; i < pages; i += 1) {
      if (i === 0 || i === pages - 1 || Math.abs(i - page) <= 2) {
        if (last >= 0 && i > last + 1) { pager.append("…"); }
        pager.append(button(String(i + 1), "page " + (i + 1), i, i === page));
        last = i;
      }
    }
    pager.append(button("›", "next page", page < pages - 1 ? page + 1 : null, false));
    var where = document.createElement("span");
    where.textContent = (from + 1) + "–" + to + " of " + shown.length;
    pager.append(where);
  }

  function key(row, column, numeric) {
    var cell = row.cells[column];
    if (!numeric) { return cell.querySelector("code, .status") ? cell.querySelector("code, .status").textContent : ""; }
    var number = parseFloat(cell.dataset.value || cell.textContent);
    return isNaN(number) ? null : number;
  }
  var inOrder = new Intl.Collator(undefined, { numeric: true }).compare;
  // What is not known comes last in either direction.
  function compare(a, b, numeric, sign) {
    if (!numeric) { return sign * inOrder(a, b); }
    if (a === null || b === null) { return (a === null) - (b === null); }
    return sign * (a - b);
  }
  function sort(head, column) {
    var numeric = head.dataset.sort === "number";
    var sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
    Array.from(head.parentNode.cells).forEach(function (other) { other.removeAttribute("aria-sort"); });
    head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
    rows = rows.map(function (row) { return { row: row, key: key(row, column, numeric) }; })
      .sort(function (a, b) { return compare(a.key, b.key, numeric, sign) || a.row.place - b.row.place; })
      .map(function (entry) { return entry.row; });
    filter();
  }
  Array.from(table.tHead.rows[0].cells).forEach(function (head, column) {
    var b = document.createElement("button");
    b.type = "button";
    b.textContent = head.textContent;
    head.textContent = "";
    head.appendChild(b);
    b.addEventListener("click", function () { sort(head, column); });
  });

  // A link to a row must find it on whatever page it is, even when a filter hides it.
  function reveal(id) {
    var row = rows.find(function (other) { return other.id === id; });
    if (!row) { return false; }
    if (shown.indexOf(row) < 0) { form.reset(); filter(); }
    page = Math.floor(shown.indexOf(row) / perPage);
    show();
    rows.forEach(function (other) { other.classList.toggle("target", other === row); });
    row.scrollIntoView({ block: "center", behavior: "instant" });
    var details = row.querySelector("details");
    if (details) { details.open = true; }
    return true;
  }
  // Links with a filter select their schemes.
  function select(link) {
    form.reset();
    ["usage", "status", "set", "category"].forEach(function (name) {
      if (link.dataset[name] !== undefined && field(name)) { field(name).value = link.dataset[name]; }
    });
    filter();
  }
  document.addEventListener("click", function (event) {
    var link = event.target.closest("a[href^='#']");
    if (!link || table.contains(link)) { return; }
    var id = link.getAttribute("href").slice(1);
    if (id === "schemes" && Object.keys(link.dataset).length > 0) { select(link); return; }
    if (reveal(id)) { event.preventDefault(); history.replaceState(null, "", "#" + id); }
  });
  window.addEventListener("hashchange", function () { reveal(location.hash.slice(1)); });
  window.addEventListener("beforeprint", function () { printing = true; show(); });
  window.addEventListener("afterprint", function () { printing = false; show(); });
  form.addEventListener("submit", function (event) { event.preventDefault(); });
  form.addEventListener("input", filter);
  form.addEventListener("reset", function () { setTimeout(filter); });
  form.hidden = false;
  body.classList.add("paged"); // until now the rows were not laid out
  filter();
  if (location.hash) { reveal(location.hash.slice(1)); }
}
]]
