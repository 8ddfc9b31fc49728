--- The sections of a page in their order, with those of the user's own among them.
-- @module portolan.report.page_sections
local html = require "portolan.report.html"
local own_section = require "portolan.report.own_section"
local h = html.tag
local page_sections = {}

--- Renders the sections of a report.
-- @tparam table entries list of `{ id, title, module }` in their order
-- @tparam table own what there is of the user's own
-- @tparam string own.kind "chart", "campaign": what their functions are told
-- @tparam table own.data what their functions are given
-- @tparam[opt] table own.list of portolan.report.own_section; each stands behind the section that its `after` names, or at the end
-- @tparam[opt] table own.troubles list to which a message is added for each that fails
-- @param ... what the modules' `render` gets
-- @treturn table list of nodes
-- @treturn table list of links to them
function page_sections.render(entries, own, ...)
  local nodes, links = {}, {}
  local function add(id, title, node)
    if not node then return end
    nodes[#nodes + 1] = node
    links[#links + 1] = h.a { href = "#" .. id, title }
  end
  local function add_own(place)
    for _, one in ipairs(own.list or {}) do
      if one.after == place then add(one.id, one.title, own_section.node(one, own.data, own.kind, own.troubles or {})) end
    end
  end
  local known = {}
  for _, entry in ipairs(entries) do
    known[entry[1]] = true
    add(entry[1], entry[2], entry[3].render(...))
    add_own(entry[1])
  end
  for _, one in ipairs(own.list or {}) do
    if not known[one.after] then add(one.id, one.title, own_section.node(one, own.data, own.kind, own.troubles or {})) end
  end
  return nodes, links
end

--- The identifiers of sections.
-- @tparam table entries as above
-- @treturn table set
function page_sections.ids(entries)
  local set = {}
  for _, entry in ipairs(entries) do set[entry[1]] = true end
  return set
end

return page_sections
