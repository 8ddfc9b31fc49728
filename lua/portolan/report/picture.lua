--- Section "Mapping": the schemes x ports picture of a chart; for many schemes, a row for each port usage instead of each scheme.
local catalog = require "portolan.report.catalog"
local format = require "portolan.report.format"
local lists = require "portolan.support.lists"
local matrix = require "portolan.report.matrix"
local section = require "portolan.report.section"
local scheme_usage = require "portolan.report.scheme_usage"
local usage_map = require "portolan.report.usage_map"
local picture = {}

local examples = 6 -- schemes that a tooltip names

local function has_assumed(list) return lists.any(list, function(entry) return next(scheme_usage.assumed(entry.scheme)) end) end

local function some(entries)
  local names = {}
  for i = 1, math.min(examples, #entries) do names[i] = tostring(entries[i].name) end
  local more = #entries - #names
  return table.concat(names, "; ") .. (more > 0 and ("; %d more"):format(more) or "")
end

local function uop_count(scheme) return lists.sum(scheme.uops, function(uop) return uop[2] or 1 end) end

local function row_of_usage(group)
  local first, assumed = group.entries[1], {}
  for _, entry in ipairs(group.entries) do
    for port in pairs(scheme_usage.assumed(entry.scheme)) do assumed[port] = true end
  end
  return { label = group.key, href = "schemes", data = { usage = group.key }, shares = scheme_usage.shares(first.scheme), assumed = assumed,
    title = ("%s: %s"):format(group.key, some(group.entries)), count = "× " .. #group.entries }
end

local titles = { "One uop", "Two uops", "Three uops", "Four uops and more" }

-- A panel for each number of uops, and one for what has no ports.
local function panels_of(list)
  local by_uops, panels, blank = {}, {}, {}
  for _, group in ipairs(catalog.grouped(list, function(entry) return entry.usage ~= "none" and entry.usage or nil end)) do
    local n = math.min(#titles, math.max(1, math.ceil(uop_count(group.entries[1].scheme))))
    lists.into(by_uops, n, row_of_usage(group))
  end
  for n, title in ipairs(titles) do
    if by_uops[n] then panels[#panels + 1] = { name = title, rows = by_uops[n], about = "port usages against ports" } end
  end
  local function portless(entry) return (not entry.usage or entry.usage == "none") and entry.status or nil end
  for i, group in ipairs(catalog.grouped(list, portless)) do
    blank[i] = { label = group.key, href = "schemes", data = { status = group.key }, blank = "no ports",
      title = group.key .. ": " .. some(group.entries), count = "× " .. #group.entries }
  end
  if #blank > 0 then panels[#panels + 1] = { name = "Without ports", rows = blank, about = "statuses" } end
  return panels
end

local function of_schemes(chart, list)
  local function link(name) return list.by_name[name] and list.by_name[name].id end
  return {
    section.note("Each row is an instruction scheme, each column a port. A cell says how many uops of one instance the ",
      "port gets when every uop is spread evenly over the ports it may run on. Port names are labels: throughput cannot ",
      "tell one name from another, so the chart is exact up to renaming ports."),
    matrix.legend(has_assumed(list)),
    (matrix.render(chart.mapping, chart.groups, { link = link })),
  }
end

local function of_usages(list)
  local node, rows = matrix.panels(list.ports, panels_of(list))
  return {
    section.note(("Each row is one way to use the ports, with the number of schemes that do, each column a port: %s in %s. ")
      :format(format.plural(#list, "scheme"), format.plural(rows, "row")), "A cell says how many uops of one instance the port gets when ",
      "every uop is spread evenly over the ports it may run on. A row leads to its schemes in the table. Port names are labels: ",
      "throughput cannot tell one name from another, so the chart is exact up to renaming ports."),
    matrix.legend(has_assumed(list)), node,
  }
end

--- The section.
-- @tparam table chart
-- @tparam table list its catalog
function picture.render(chart, list)
  local mapping, id = chart.mapping, "mapping"
  if not mapping or not mapping.ports or #mapping.ports == 0 or not next(mapping.schemes or {}) then
    return section.new(id, "Which ports each scheme uses", section.missing "No mapping was inferred, so there is nothing to draw.")
  end
  return section.new(id, list.large and "Which ports are used how" or "Which ports each scheme uses", {
    list.large and of_usages(list) or of_schemes(chart, list), usage_map.render(list),
  })
end

return picture
