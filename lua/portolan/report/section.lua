--- The frame that all sections of a report share.
local html = require "portolan.report.html"
local lists = require "portolan.support.lists"
local rose = require "portolan.report.rose"
local statuses = require "portolan.mapping.statuses"
local h = html.tag
local section = {}

--- A titled section.
-- @tparam string id
-- @tparam string title
-- @tparam table children nodes
function section.new(id, title, children)
  return { h.section { id = id, h.h2(title), children }, "\n" }
end

--- The text in the place of a part that the result lacks.
function section.missing(text)
  return h.p { class = "missing", text }
end

--- An explaining paragraph.
function section.note(...)
  return h.p { class = "note", { ... } }
end

--- Facts as a definition list; facts without a value (nil, false or "") are left out.
-- @tparam table facts list of { name, value (text or node) }
-- @treturn table|nil node
function section.facts(facts)
  local items = {}
  for i = 1, #facts do
    local name, value = facts[i][1], facts[i][2]
    if value and value ~= "" then items[#items + 1] = h.div { h.dt(name), h.dd { value } } end
  end
  return #items > 0 and h.dl { class = "facts", items } or nil
end

--- One of the figures at the top of a report.
-- @tparam string name
-- @tparam string value
-- @tparam[opt] string remark
-- @treturn table node
function section.figure(name, value, remark)
  return h.div { class = "figure", h.dt(name), h.dd { h.b(value), remark and h.span(remark) } }
end

--- The head of a table.
-- @tparam table columns list of names, or of `{ name, class }`; what is false is left out
-- @treturn table node
function section.head(columns)
  return h.thead(h.tr(lists.map(lists.where(columns, function(column) return column end), function(column)
    if type(column) ~= "table" then return h.th { scope = "col", column } end
    return h.th { scope = "col", class = column[2], column[1] }
  end)))
end

--- A table, which scrolls where the page is too narrow for it.
-- @tparam string class
-- @tparam table columns as of `section.head`
-- @tparam table rows list of nodes
-- @treturn table node
function section.table(class, columns, rows)
  return h.div { class = "scroll", h.table { class = class, section.head(columns), h.tbody(rows) } }
end

--- The name of a scheme, which leads to its row in the table of schemes.
-- @param name text, or nil
-- @tparam[opt] table entry of the report's catalog (`id`); without it the name leads nowhere
-- @treturn table node
function section.scheme(name, entry)
  local code = h.code(name or "")
  return entry and entry.id and h.a { class = "to-scheme", href = "#" .. entry.id, code } or code
end

--- The head of a page: the ornament, and what the page is about.
-- @tparam string kicker above the title
-- @tparam string|table title text, or a node
-- @tparam table children nodes below it
-- @treturn table node
function section.header(kicker, title, children)
  return h.header { rose.render(560), h.p { class = "wordmark", "Portolan" }, h.p { class = "kicker", kicker }, title, children }
end

--- A status as text with a mark of its kind: filled (explained), open (settled otherwise) or crossed (not known).
function section.status(status)
  local known = statuses.get(status)
  return h.span { class = "status " .. known.kind, known.name }
end

return section
