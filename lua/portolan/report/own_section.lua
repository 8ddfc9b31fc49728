--- Sections of reports of the user's own, Lua programs: `portolan report --section mine.lua`, or `mine` if `mine.lua` is in a folder `sections`.
--
-- Such a file returns `{ title =, render = function(data, html, kind) -> node, or nil to be left out; name =, after = }`. `data` is a copy of what
-- chart.json or discoveries.json holds, `kind` is "chart" or "campaign"; `html.tag` makes elements, `html.note(text)` and `html.facts(list)` what
-- other sections use. The page stays one that runs nothing and refers to nothing outside of it (portolan.report.harmless).
-- @module portolan.report.own_section
local harmless = require "portolan.report.harmless"
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

-- What a file's function may make pages with.
local given = { tag = html.tag, note = section.note, facts = section.facts }

-- The node of a section as markup; false if it is left out; or nil and a message of one line.
local function rendered(one, data, kind)
  local node, why, raised = own_file.call(one.path, one.file.render, lua_library.copy(data), given, kind)
  if node == nil and why == nil then return false end
  if node == nil then return nil, raised and why or ("%s: %s"):format(one.path, own_file.words(why)) end
  local wrong = harmless.fault(node)
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
