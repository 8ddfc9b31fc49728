-- This section shows what takes longest alone, or the discoveries on which the predictors are furthest apart.
return { title = "Extremes", after = "schemes", render = function(data, html, kind)
  local h, list, rows = html.tag, {}, {}
  for name, scheme in pairs(kind == "chart" and data.mapping and data.mapping.schemes or {}) do list[#list + 1] = { name, scheme.tp or 0 } end
  for _, d in ipairs(data.discoveries or {}) do list[#list + 1] = { d.id, d.interestingness or math.huge } end
  table.sort(list, function(a, b) return a[2] > b[2] or a[2] == b[2] and a[1] < b[1] end)
  for i = 1, math.min(10, #list) do rows[i] = h.tr { h.th(list[i][1]), h.td { class = "number", ("%.2f"):format(list[i][2]) } } end
  return #rows > 0 and h.table(h.tbody(rows)) or html.note "There is nothing to compare."
end }
