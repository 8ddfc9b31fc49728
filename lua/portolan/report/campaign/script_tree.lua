--- The script that shows a generalization step by step: a list whose margin draws the tree (Figure 8.3), and the step that is chosen beside it.
-- Steps are as report/campaign/data.lua writes them.
return [=[
function treeView(data, d, views) {
  var height = 26, lane = 17, margin = 15, steps = d.t, root = d.r ? 0 : 1; // rows before the first step
  var kinds = ["spine", "rejected", "given-up"], current = 0;
  var last = 0, lanes = 0;
  steps.forEach(function (s, i) {
    if (s[0] === 0) { last = i + 1; }
    lanes = Math.max(lanes, s[1]);
  });
  function words(indices) { return indices.map(function (i) { return data.lines[i].replace(/ -> /g, " → "); }); }
  function reason(s) { return s[8] < 0 ? "" : data.lines[s[8]]; }
  function label(s, i) {
    var list = words(s[5]);
    if (reason(s) === "confirmation") { return s[0] === 1 ? "not confirmed by more samples" : "confirmed by more samples"; }
    if (list.length === 0) { return i === 0 ? "the block’s representation" : reason(s) || "the same block again"; }
    return list.length === 1 ? list[0] : list.length + " at once: " + tally(list);
  }
  // Expansions by their features: "3 aliasing, 2 memory".
  function tally(list) {
    var counts = {}, names = data.features.slice().sort(function (x, y) { return y.length - x.length; });
    list.forEach(function (text) {
      var about = text.replace(/^instruction \d+: /, "");
      var name = /^aliasing\b/.test(about) ? "aliasing" : names.find(function (n) { return about.indexOf(n) === 0; }) || "others";
      counts[name] = (counts[name] || 0) + 1;
    });
    return Object.keys(counts).sort(function (x, y) { return counts[y] - counts[x]; })
      .map(function (name) { return counts[name] + " " + name; }).join(", ");
  }
  function brief(text) { return text.replace(/operand (\d+) of instruction (\d+)/g, "operand $1 of $2"); }
  function verdict(s, i) {
    return i + 1 === last ? "accepted: the discovery" : ["accepted", "rejected", "accepted, given up later"][s[0]];
  }

  function shape(name, attributes) {
    var e = document.createElementNS("http:" + "//www.w3.org/2000/svg", name);
    Object.keys(attributes).forEach(function (key) { e.setAttribute(key, attributes[key]); });
    return e;
  }
  function xOf(l) { return margin + l * lane; }
  function yOf(row) { return row * height + height / 2; }
  // From the step that a step starts from down its lane, then over. The spine lies on other lines, marks lie on all.
  function drawing(rows) {
    var svg = shape("svg", { "class": "branches", width: xOf(lanes) + margin, height: rows * height, "aria-hidden": "true" });
    var marks = [], edges = [[], [], []]; // by kind
    function mark(kind, x, y) {
      if (kind !== "rejected") { marks.push(shape("circle", { "class": "outer " + kind, cx: x, cy: y, r: 7.5 })); }
      marks.push(shape("circle", { "class": "mark " + kind, cx: x, cy: y, r: 4.5 }));
    }
    if (root) { mark("spine", xOf(0), yOf(0)); }
    steps.forEach(function (s, i) {
      var row = i + root, x = xOf(s[1]), y = yOf(row), kind = kinds[s[0]], from = s[2];
      if (from > 0 || root) {
        var fromRow = from > 0 ? from - 1 + root : 0, fromX = from > 0 ? xOf(steps[from - 1][1]) : xOf(0), fromY = yOf(fromRow);
        var path = fromX === x ? "M" + x + " " + fromY + "V" + y
          : "M" + fromX + " " + fromY + "V" + (y - 10) + "Q" + fromX + " " + y + " " + (fromX + 8) + " " + y + "H" + x;
        edges[s[0]].push(shape("path", { "class": "edge " + kind, d: path }));
      }
      mark(kind, x, y);
    });
    edges[1].concat(edges[2], edges[0], marks).forEach(function (e) { svg.appendChild(e); });
    return svg;
  }

  var list = element("div", "step-list"), buttons = [], panel = element("div", "step-panel");
  function choose(i) {
    if (i < 0 || i >= steps.length) { return; }
    buttons.forEach(function (b, k) {
      b.classList.toggle("chosen", k === i);
      b.tabIndex = k === i ? 0 : -1;
    });
    current = i;
    panel.replaceChildren(stepView(i));
  }
  function show(i, focus) {
    choose(i);
    var b = buttons[current], frame = list.parentNode;
    if (frame && (b.offsetTop < frame.scrollTop || b.offsetTop + height > frame.scrollTop + frame.clientHeight)) {
      frame.scrollTop = b.offsetTop - frame.clientHeight / 2;
    }
    if (focus) { b.focus({ preventScroll: true }); }
  }
  function walk(text, title, to) {
    var b = element("button", "walk", text);
    b.type = "button";
    b.setAttribute("aria-label", title);
    b.disabled = to < 0 || to >= steps.length;
    b.addEventListener("click", function () { show(to, false); });
    return b;
  }
  function stepView(i) {
    var s = steps[i], before = s[2] > 0 ? steps[s[2] - 1] : null, box = element("div", "");
    box.appendChild(element("p", "step-head", element("b", "", "Step " + (i + 1) + " of " + steps.length), " ",
      element("span", "verdict-mark " + kinds[s[0]], verdict(s, i)), walk("↑", "previous step", i - 1), walk("↓", "next step", i + 1)));
    var tried = words(s[5]);
    if (tried.length > 0) {
      var items = element("ul", "tried");
      tried.forEach(function (text) { items.appendChild(element("li", "", text)); });
      box.append(element("p", "about-step", "Tried from the block" + (s[2] > 0 ? " of step " + s[2] : "’s representation") + ":"), items);
    } else {
      box.appendChild(element("p", "about-step", label(s, i)));
    }
    box.appendChild(abstractView(s[4].map(function (k) { return data.lines[k]; }),
      before ? before[4].map(function (k) { return data.lines[k]; }) : null));
    var decided = s[3] >= 0 ? "Decided by " + s[3] + (s[3] === 1 ? " sample" : " samples") : "";
    if (s[3] === 0 && s[7].length > 0) { decided = "Decided by a sample of an earlier step"; }
    if (decided) { box.appendChild(element("p", "about-step", decided + (s[9] >= 0 ? ": " + data.lines[s[9]] : "") + ".")); }
    if (s[7].length > 0) { box.appendChild(views.table(s[7], 5, "not interesting", null)); }
    if (s[6].length > 0) { box.appendChild(views.table(s[6], s[7].length > 0 ? 2 : 5, "interesting", null)); }
    return box;
  }

  if (root) {
    var first = element("div", "step", "the block’s representation");
    first.style.paddingLeft = xOf(0) + margin + "px";
    list.appendChild(first);
  }
  steps.forEach(function (s, i) {
    var b = element("button", "step " + kinds[s[0]], element("span", "step-label", brief(label(s, i))),
      element("span", "step-samples", s[3] > 0 ? s[3] : ""));
    b.type = "button";
    b.title = "Step " + (i + 1) + ", " + verdict(s, i) + ": " + label(s, i);
    b.style.paddingLeft = xOf(s[1]) + margin + "px";
    b.addEventListener("click", function () { choose(i); });
    buttons.push(b);
    list.appendChild(b);
  });
  list.addEventListener("keydown", function (event) {
    var by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (by !== 0) { event.preventDefault(); show(Math.max(0, Math.min(steps.length - 1, current + by)), true); }
  });
  list.prepend(drawing(steps.length + root));
  choose(0);
  return { node: element("div", "walkthrough", element("div", "step-frame", list), panel), show: show };
}
]=]
