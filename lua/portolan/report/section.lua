--- The frame that all sections of a report share.
local html = require "portolan.report.html"
local statuses = require "portolan.statuses"
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

--- A status as text with a mark of its kind: filled (explained), open (settled otherwise) or crossed (not known).
function section.status(status)
  local known = statuses.get(status)
  return h.span { class = "status " .. known.kind, known.name }
end

return section
