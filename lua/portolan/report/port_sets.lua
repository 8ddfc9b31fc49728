--- Section "Port sets": every set of ports that some uop uses, and the experiments that show and bound it.
local html = require "portolan.report.html"
local format = require "portolan.report.format"
local lists = require "portolan.support.lists"
local matrix = require "portolan.report.matrix"
local section = require "portolan.report.section"
local scheme_usage = require "portolan.report.scheme_usage"
local witness = require "portolan.report.witness"
local h = html.tag
local port_sets = {}

local function members(set)
  if not set.members or #set.members == 0 then return nil end
  local items = lists.map(set.members, function(name) return h.li(h.code(name)) end)
  return h.details { h.summary("used by " .. format.plural(#items, "scheme")), h.ul { class = "members", items } }
end

local function entry(set, ports)
  return h.div {
    class = "port-set",
    h.div {
      class = "set-head",
      h.h3 { scheme_usage.set(set.ports, ports) },
      matrix.strip(ports, set.ports, scheme_usage.assumed(set)),
      h.p { "shown by ", set.representative and h.code(set.representative) or format.absent },
    },
    h.div {
      class = "set-evidence scroll",
      witness.table(set.witnesses) or h.p { class = "missing", set.assumed
        and "No experiment can witness it: with as many ports as the front end has slots, the front end is always as slow."
        or "No witness recorded." },
      members(set),
    },
  }
end

--- The section.
function port_sets.render(chart)
  local id, title = "port-sets", "Port sets and their witnesses"
  local ports = chart.mapping and chart.mapping.ports or {}
  if not chart.port_sets or #chart.port_sets == 0 then
    return section.new(id, title, section.missing "No port set was inferred.")
  end
  local entries = lists.map(chart.port_sets, function(set) return entry(set, ports) end)
  return section.new(id, title, {
    section.note("Each experiment sets the representative against that of another set, and would have taken at least 2% more or ",
      "less if the two shared one port more or fewer: that bounds the set from both sides. Pairs that the front end hides are ",
      "left out. Cycles are per experiment; the expected value is the mapping's."),
    entries,
  })
end

return port_sets
