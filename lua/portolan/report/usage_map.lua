--- This module shows where the uops of each kind of instruction go: extensions and categories against ports, mean uops per instance.
local catalog = require "portolan.report.catalog"
local format = require "portolan.report.format"
local html = require "portolan.report.html"
local matrix = require "portolan.report.matrix"
local section = require "portolan.report.section"
local scheme_usage = require "portolan.report.scheme_usage"
local h = html.tag
local usage_map = {}

local least_groups = 3 -- with fewer there is nothing to compare

-- Mean uops per instance and port; nothing below a hundredth.
local function mean_shares(entries)
  local sums, means = {}, {}
  for _, entry in ipairs(entries) do
    for port, share in pairs(scheme_usage.shares(entry.scheme)) do sums[port] = (sums[port] or 0) + share end
  end
  for port, sum in pairs(sums) do
    if sum / #entries >= 0.005 then means[port] = sum / #entries end
  end
  return means
end

local function row_of(group, extension)
  local shares, n = mean_shares(group.entries), #group.entries
  return { label = group.key, href = "schemes", data = { set = "x:" .. extension, category = group.key }, shares = shares, count = "× " .. n,
    title = ("%s, %s: %s"):format(extension, group.key, format.plural(n, "scheme")), about = "mean of " .. format.plural(n, "scheme") }
end

--- The panels: one for each extension, a row for each category.
-- @tparam table list catalog
-- @treturn table list of panels as of matrix.panels
-- @treturn number rows
function usage_map.panels(list)
  local panels, rows = {}, 0
  for i, extension in ipairs(catalog.grouped(list, function(entry) return entry.usage and entry.extension or nil end)) do
    panels[i] = { name = extension.key, about = "categories against ports", rows = {} }
    for j, category in ipairs(catalog.grouped(extension.entries, function(entry) return entry.category end)) do
      panels[i].rows[j] = row_of(category, extension.key)
      rows = rows + 1
    end
  end
  return panels, rows
end

--- The drawing under its heading; nil where the instruction set does not have the schemes.
function usage_map.render(list)
  local panels, rows = usage_map.panels(list)
  if rows < least_groups then return nil end
  return {
    h.h3 { id = "usage-map", "By kind of instruction" },
    section.note("Mean uops per instance on each port, over the schemes of an extension and category whose ports are known. ",
      "A row leads to its schemes in the table."),
    h.div { class = "usage-map", (matrix.panels(list.ports, panels)) },
  }
end

return usage_map
