--- The script that writes blocks and their predictions: small pieces that the others use.
return [=[
function element(tag, kind) {
  var e = document.createElement(tag);
  if (kind) { e.className = kind; }
  for (var i = 2; i < arguments.length; i += 1) {
    if (arguments[i] !== null && arguments[i] !== undefined) { e.append(arguments[i]); }
  }
  return e;
}
function shortNumber(x) { return String(Math.round(x * 100) / 100); }

function copyButton(label, text) {
  var b = element("button", "copy", label);
  b.type = "button";
  b.title = text;
  function done() {
    b.classList.add("done");
    setTimeout(function () { b.classList.remove("done"); }, 1200);
  }
  function byHand() { // where pages may not write to the clipboard
    var field = element("textarea", "", text);
    document.body.appendChild(field);
    field.select();
    if (document.execCommand("copy")) { done(); }
    field.remove();
  }
  b.addEventListener("click", function () {
    if (navigator.clipboard) { navigator.clipboard.writeText(text).then(done, byHand); } else { byHand(); }
  });
  return b;
}

// What is known of the samples: data as report/campaign/data.lua writes it.
function sampleViews(data) {
  function commandsOf(block) {
    if (!/^[0-9A-Fa-f]+$/.test(block[0])) { return []; }
    return data.commands.map(function (c) { return [c[0], c[1] + block[0]]; });
  }
  function asm(text) {
    var code = element("code", "asm");
    text.split(/\s*;\s*/).filter(Boolean).forEach(function (line) { code.appendChild(element("span", "line", line)); });
    return code;
  }
  function crashed(answer) { return Array.isArray(answer) && answer[1] === 2; }
  function answer(a) {
    if (a === null) { return element("span", "cycles", "—"); }
    if (!Array.isArray(a)) { return element("span", "cycles", shortNumber(a)); }
    var e = element("span", a[1] === 2 ? "crash" : "cycles", ["no answer", "not supported", "crashes"][a[1]]);
    e.title = a[0];
    return e;
  }
  function difference(block) {
    var a = block[2], b = block[3];
    if (crashed(a) || crashed(b)) {
      if (crashed(a) && crashed(b)) { return "0"; }
      return (crashed(a) ? b : a) !== null && (crashed(a) ? b : a)[1] === 1 ? "—" : "∞";
    }
    if (typeof a !== "number" || typeof b !== "number") { return "—"; }
    var apart = Math.abs(a - b);
    if (data.absolute) { return shortNumber(apart); }
    return (apart === 0 ? 0 : 200 * apart / (a + b)).toFixed(0) + "%";
  }
  function chip(side) { return element("span", "chip " + side, side.toUpperCase()); }
  function predictions(block) {
    var most = Math.max(0, typeof block[2] === "number" ? block[2] : 0, typeof block[3] === "number" ? block[3] : 0);
    var box = element("div", "predictions");
    ["a", "b"].forEach(function (side, i) {
      var a = block[2 + i], gauge = element("span", "gauge");
      if (typeof a === "number" && most > 0) {
        gauge.appendChild(element("span", "bar " + side));
        gauge.firstChild.style.width = 100 * a / most + "%";
      }
      var line = element("div", "prediction", chip(side), gauge, answer(a));
      line.title = data.names[i];
      box.appendChild(line);
      if (Array.isArray(a) && a[0]) { box.appendChild(element("p", "error", a[0])); }
    });
    return box;
  }

  // A table of samples, the first of them until asked for more; `remark` gives a node for the last column.
  function table(list, shown, title, remark) {
    var head = element("tr", "");
    [["", title], ["number", "A"], ["number", "B"], ["number", data.absolute ? "cycles apart" : "difference"], ["copies", "copy"]]
      .forEach(function (h) {
        var cell = element("th", h[0], h[1]);
        cell.scope = "col";
        head.appendChild(cell);
      });
    var body = element("tbody", ""), frame = element("div", "scroll", element("table", "samples", element("thead", "", head), body));
    function add(from, to) {
      list.slice(from, to).forEach(function (entry) {
        var block = data.blocks[entry], copies = element("td", "copies", copyButton("hex", block[0]));
        commandsOf(block).forEach(function (c) { copies.appendChild(copyButton(c[0], c[1])); });
        body.appendChild(element("tr", "", element("td", "", asm(block[1]), remark ? remark(entry) : null),
          element("td", "number", answer(block[2])), element("td", "number", answer(block[3])), element("td", "number", difference(block)), copies));
      });
    }
    add(0, shown);
    if (list.length <= shown) { return frame; }
    var more = element("button", "more", "all " + list.length);
    more.type = "button";
    more.addEventListener("click", function () { add(shown, list.length); more.remove(); });
    return element("div", "", frame, more);
  }
  return { asm: asm, predictions: predictions, table: table, commandsOf: commandsOf };
}
]=]
