--- The script of the table of discoveries: search, filters, sorting, links into it, and unfolding a row. The page holds all rows without it.
return [=[
function discoveryTable(table, form, detailOf) {
  var body = table.tBodies[0];
  var rows = Array.from(body.rows);
  var heads = Array.from(table.tHead.rows[0].cells);
  var count = document.getElementById("discovery-count");
  var columns = {};
  heads.forEach(function (head, column) { if (head.dataset.key) { columns[head.dataset.key] = column; } });

  function field(name) { return document.getElementById("discovery-" + name); }
  function checked(name) { return field(name) !== null && field(name).checked; }
  rows.forEach(function (row) { row.words = row.textContent.toLowerCase(); });

  function fold(row) {
    if (!row.detail) { return; }
    row.detail.remove();
    row.detail = null;
    row.classList.remove("open");
    row.opener.setAttribute("aria-expanded", "false");
  }
  function unfold(row) {
    if (row.detail) { return; }
    row.detail = document.createElement("tr");
    row.detail.className = "detail";
    var wide = document.createElement("td");
    wide.colSpan = row.cells.length;
    wide.appendChild(detailOf(row.dataset.place));
    row.detail.appendChild(wide);
    row.after(row.detail);
    row.classList.add("open");
    row.opener.setAttribute("aria-expanded", "true");
  }
  function toggle(row) { if (row.detail) { fold(row); } else { unfold(row); } }
  rows.forEach(function (row) {
    var id = row.querySelector(".id");
    row.opener = document.createElement("button");
    row.opener.type = "button";
    row.opener.className = "opener";
    row.opener.setAttribute("aria-expanded", "false");
    id.replaceWith(row.opener);
    row.opener.appendChild(id);
    row.addEventListener("click", function (event) {
      if (event.target.closest("a, summary, button:not(.opener)") || String(window.getSelection())) { return; }
      toggle(row);
    });
  });

  function filter() {
    var words = field("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    var crash = checked("crash"), subsumed = checked("subsumed"), part = document.createDocumentFragment(), shown = 0;
    rows.forEach(function (row) {
      if (crash && !row.dataset.crash || !subsumed && row.dataset.subsumed) { return; }
      if (!words.every(function (word) { return row.words.indexOf(word) >= 0; })) { return; }
      shown += 1;
      part.appendChild(row);
      if (row.detail) { part.appendChild(row.detail); }
    });
    body.textContent = "";
    body.appendChild(part);
    count.textContent = shown + " of " + rows.length;
  }

  // Of equal value, in the order of the file; what is not known comes last in either direction.
  function sort(key, sign) {
    function value(row) {
      var text = row.cells[columns[key]].dataset.value;
      return text === undefined ? null : parseFloat(text);
    }
    heads.forEach(function (head) { head.removeAttribute("aria-sort"); });
    heads[columns[key]].setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
    field("sort").value = key;
    rows = rows.map(function (row) { return { row: row, value: value(row), place: Number(row.dataset.place) }; })
      .sort(function (a, b) {
        if (a.value === b.value) { return a.place - b.place; }
        if (a.value === null || b.value === null) { return a.value === null ? 1 : -1; }
        return a.value < b.value ? -sign : sign;
      })
      .map(function (entry) { return entry.row; });
    filter();
  }
  function natural(key) { return key === "place" ? 1 : -1; }
  heads.forEach(function (head) {
    var key = head.dataset.key;
    if (!key) { return; }
    var b = document.createElement("button");
    b.type = "button";
    b.textContent = head.textContent;
    head.textContent = "";
    head.appendChild(b);
    b.addEventListener("click", function () {
      var now = head.getAttribute("aria-sort");
      sort(key, now === "ascending" ? -1 : now === "descending" ? 1 : natural(key));
    });
  });

  // A link to a discovery finds it even when a filter hides it.
  function reveal(id) {
    var row = rows.find(function (other) { return other.id === id; });
    if (!row) { return false; }
    if (!row.isConnected) {
      field("search").value = "";
      if (checked("crash") && !row.dataset.crash) { field("crash").checked = false; }
      if (row.dataset.subsumed) { field("subsumed").checked = true; }
      filter();
    }
    unfold(row);
    row.scrollIntoView({ block: "start", behavior: "instant" });
    return true;
  }
  document.addEventListener("click", function (event) {
    var link = event.target.closest("a[href^='#discovery-']");
    if (link && reveal(link.getAttribute("href").slice(1))) {
      event.preventDefault();
      history.replaceState(null, "", link.getAttribute("href"));
    }
  });
  window.addEventListener("hashchange", function () { reveal(location.hash.slice(1)); });
  form.addEventListener("submit", function (event) { event.preventDefault(); });
  form.addEventListener("input", function (event) {
    if (event.target === field("sort")) { sort(field("sort").value, natural(field("sort").value)); } else { filter(); }
  });
  form.hidden = false;
  sort(table.dataset.sorted, natural(table.dataset.sorted));
  if (location.hash) { reveal(location.hash.slice(1)); }
}
]=]
