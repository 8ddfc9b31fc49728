--- Sections of reports of the user's own, Lua programs: `portolan report --section mine.lua`, or `mine` if `mine.lua` is in a folder `sections`.
--
-- Such a file returns `{ title =, render = function(data, html, kind) -> node, or nil to be left out; name =, after = }`. `data` is a copy of what
-- chart.json or discoveries.json holds, `kind` is "chart" or "campaign"; `html.tag` makes elements, `html.note(text)` and `html.facts(list)` what
-- other sections use. The page stays one that runs nothing and refers to nothing outside of it.
-- @module portolan.report.own_section
local html = require "portolan.report.html"
local lists = require "portolan.support.lists"
local lua_library = require "portolan.support.lua_library"
local own_file = require "portolan.support.own_file"
local printable = require "portolan.support.printable"
local section = require "portolan.report.section"

local own_section = {}

local shape = "a section, { title =, render = function(data, html, kind) ... end } (docs/extending.md)"

local function fits(value)
  return type(value) == "table" and type(value.render) == "function" and type(value.title) == "string"
    and (value.name == nil or type(value.name) == "string") and (value.after == nil or type(value.after) == "string")
end

--- The names that `load` knows.
function own_section.names() return own_file.names "sections" end

--- Loads a section.
-- @param name of a file in a folder `sections` (portolan.support.own_file), or its path
-- @param ids set of the identifiers of the sections that it may stand behind
-- @return section `{ id =, title =, after =, path =, file = }`; or nil and a message
function own_section.load(name, ids)
  local path = own_file.find("sections", name)
  if not path then return nil, ("no section '%s'; give a Lua file%s"):format(name, own_file.listed "sections") end
  local loaded, message = own_file.load(path, shape, fits)
  if not loaded then return nil, message end
  if loaded.after and not ids[loaded.after] then
    local known = lists.keys(ids)
    return nil, ("%s: there is no section '%s' to stand after; there are: %s"):format(path, printable.line(loaded.after), table.concat(known, ", "))
  end
  local word = loaded.name or path:match "([^/]*)%.lua$" or path
  return { id = "own-" .. word:gsub("[^%w_-]", "-"), title = loaded.title, after = loaded.after, path = path, file = loaded }
end

-- Is a node fit for a page, whoever made it? It must not run anything, nor refer to anything outside of the page.
local deepest, most = 100, 1000000 -- of elements within elements; of nodes

local elements = {}
for name in ([[a abbr b br caption circle code col colgroup dd del desc details div dl dt ellipse em figcaption figure g h3 h4 h5 h6 hr i ins kbd li
    line mark ol p path pre polygon polyline q rect s samp section small span strong sub summary sup svg table tbody td text tfoot th thead title tr
    tspan u ul var]]):gmatch "%S+" do
  elements[name] = true
end

local function attribute_fault(name, value)
  local plain = name:lower()
  if not name:find "^%a[%w-]*$" or plain:find "^on" or plain == "style" or plain:find "^src" or plain == "id" then
    return ("the attribute '%s' is not for sections of one's own"):format(name)
  end
  if plain == "href" and not tostring(value):find "^#" then return "href must begin with #: a page refers to nothing outside of it" end
  if tostring(value):find("url%s*%(") then return ("the attribute '%s' refers to something outside of the page"):format(name) end
  if type(value) == "table" or type(value) == "function" then return ("the attribute '%s' is a %s"):format(name, type(value)) end
end

local fault -- forward

local function element_fault(node, state, depth)
  if not elements[node.name] then return ("the element '%s' is not for sections of one's own"):format(tostring(node.name)) end
  for name, value in pairs(node.content) do
    local wrong = type(name) == "string" and attribute_fault(name, value)
    if wrong then return wrong end
  end
  return fault(node.content, state, depth + 1)
end

function fault(node, state, depth)
  state.nodes = state.nodes + 1
  if depth > deepest then return ("elements within elements, more than %d deep"):format(deepest) end
  if state.nodes > most then return ("more than %d elements"):format(most) end
  local kind = type(node)
  if kind == "function" or kind == "userdata" or kind == "thread" then return ("a %s is no text"):format(kind) end
  if kind ~= "table" then return nil end
  if html.is_raw(node) then return "finished markup is not for sections of one's own" end
  if html.is_element(node) then return element_fault(node, state, depth) end
  for key, child in pairs(node) do
    local wrong = type(key) == "number" and fault(child, state, depth + 1)
    if wrong then return wrong end
  end
end

-- A file's function may make pages with these.
local given = { tag = html.tag, note = section.note, facts = section.facts }

-- The node of a section as markup; false if it is left out; or nil and a message of one line.
local function rendered(one, data, kind)
  local node, why, raised = own_file.call(one.path, one.file.render, lua_library.copy(data), given, kind)
  if node == nil and why == nil then return false end
  if node == nil then return nil, raised and why or ("%s: %s"):format(one.path, own_file.words(why)) end
  local wrong = fault(node, { nodes = 0 }, 0)
  if wrong then return nil, ("%s: render: %s"):format(one.path, printable.line(wrong)) end
  return html.render(node)
end

--- The section as it stands in a page. An error in the file is a note in its place, and one of the troubles.
-- @param one section
-- @param data of the report
-- @param kind "chart", "campaign"
-- @param troubles list to which messages of one line are added
-- @treturn ?table node; nil if the section is left out
function own_section.node(one, data, kind, troubles)
  local markup, message = rendered(one, data, kind)
  if markup == false then return nil end
  if markup then return section.new(one.id, one.title, { html.raw(markup) }) end
  troubles[#troubles + 1] = message
  return section.new(one.id, one.title, section.missing("This section could not be made: " .. message))
end

return own_section
