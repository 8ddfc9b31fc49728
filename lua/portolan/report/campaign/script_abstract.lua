--- The script that writes an abstract block as report/campaign/abstract_block.lua does, and what an expansion took away from it.
return [=[
function unconstrained(text) { return /^(any|any instruction|⊤|)$/.test(text); }
function constraints(list) { return list.filter(function (text) { return !unconstrained(text); }); }
function abstractParts(lines) {
  var parts = { instructions: [], aliasing: [] }, at = "";
  lines.forEach(function (line) {
    var text = line.trim(), heading = /^(Instructions|Aliasing):\s*(.*)$/.exec(text);
    if (heading) { at = heading[1].toLowerCase(); text = heading[2]; }
    var features = at === "instructions" ? /^\d+\.\s*(.*)$/.exec(text) : null;
    if (features) { parts.instructions.push(constraints(features[1].split(/\s*;\s*/))); }
    else if (!unconstrained(text)) { parts.aliasing.push(text.replace(/^[•*-]\s*/, "")); }
  });
  return parts;
}
function featureName(text) {
  var match = /^([A-Za-z][\w -]*?): /.exec(text);
  return match ? match[1] : text;
}

// `before`: lines of the block it was expanded from, or null. What is new is marked, what is gone is struck out.
function abstractView(lines, before) {
  var parts = abstractParts(lines), old = before ? abstractParts(before) : null;
  function feature(text, kind) {
    var name = featureName(text);
    if (name === text) { return element("span", "feature " + kind, text); }
    return element("span", "feature " + kind, element("i", "", name + ":"), text.slice(name.length + 1));
  }
  function instruction(list, i) {
    var item = element("li", ""), earlier = old && old.instructions[i] || null;
    var names = list.map(featureName);
    list.forEach(function (text) {
      item.append(feature(text, earlier && earlier.indexOf(text) < 0 ? "new" : ""), " ");
    });
    (earlier || []).forEach(function (text) {
      if (list.indexOf(text) < 0) { item.append(feature(text, names.indexOf(featureName(text)) < 0 ? "gone" : "gone changed"), " "); }
    });
    if (list.length === 0) { item.prepend(element("span", "anything", "any instruction"), " "); }
    return item;
  }
  function alias(text, kind) { return element("li", kind + (text.indexOf("must not") >= 0 ? " apart" : ""), text); }
  var box = element("div", "abstract"), aliases = element("ul", "aliases");
  var list = element("ol", "parts");
  parts.instructions.forEach(function (features, i) { list.appendChild(instruction(features, i)); });
  if (parts.instructions.length > 0) { box.appendChild(list); }
  parts.aliasing.forEach(function (text) {
    aliases.appendChild(alias(text, old && old.aliasing.indexOf(text) < 0 ? "new" : ""));
  });
  (old ? old.aliasing : []).forEach(function (text) {
    if (parts.aliasing.indexOf(text) < 0) { aliases.appendChild(alias(text, "gone")); }
  });
  if (aliases.childNodes.length > 0) { box.appendChild(aliases); }
  return box;
}
]=]
