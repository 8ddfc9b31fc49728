--- Elements as Lua tables, written as text that is both HTML5 and well-formed XML.
-- Every string that is not marked raw is escaped, so a scheme or CPU name can never become markup.
--
--     local h = html.tag
--     html.render(h.p { class = "note", "2 < 3, said ", h.b "Lull" })   --> <p class="note">2 &lt; 3, said <b>Lull</b></p>
--
-- A tag takes one string or one table: string keys are attributes, the rest children (strings, numbers, elements, or
-- lists of these; nil and false are left out). Attributes are written in alphabetical order: same input, same bytes.
local json = require "portolan.support.json"
local lists = require "portolan.support.lists"
local printable = require "portolan.support.printable"

local html = {}

local element = {} -- metatable: { name=, content= }
local raw = {} -- metatable: { text= }
local void = { br = true, hr = true, img = true, input = true, link = true, meta = true, col = true, wbr = true }
local entities = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;", ["'"] = "&#39;" }
local unknown = "\u{FFFD}"

--- Text in which U+FFFD stands for what XML forbids and what is not harmless (portolan.support.printable).
function html.plain(text)
  return (printable.text(text, unknown):gsub("\xEF\xBF[\xBE\xBF]", unknown))
end

--- Text that is safe between tags and inside a quoted attribute.
-- @tparam any value anything; made a string by tostring (floats by %.14g: JSON readers make all numbers floats)
-- @treturn string escaped; bytes that XML forbids become U+FFFD
function html.escape(value)
  if math.type(value) == "float" then value = ("%.14g"):format(value) end
  return (html.plain(tostring(value)):gsub("[&<>\"']", entities))
end

--- Marks text as finished markup, to be written as it is. Only for texts of ours, never for data.
function html.raw(text)
  return setmetatable({ text = text }, raw)
end

-- HTML takes the text of data as it is, XML as markup: without these characters both read the same.
local escapes = { ["<"] = "\\u003c", [">"] = "\\u003e", ["&"] = "\\u0026" }

--- The element that holds data for a script.
-- @tparam string id of the element
-- @param value anything that JSON can hold
-- @treturn table node
function html.data(id, value)
  local text = assert(json.encode(value))
  return html.tag.script { type = "application/json", id = id, html.raw((text:gsub("[<>&]", escapes))) }
end

--- Is this an element? Its fields are `name` and `content`, the table that the tag took.
function html.is_element(node) return getmetatable(node) == element end

--- Is this marked as finished markup?
function html.is_raw(node) return getmetatable(node) == raw end

--- An element by its name.
-- @tparam string name
-- @tparam string|number|table content see above
function html.element(name, content)
  if type(content) ~= "table" or getmetatable(content) == element or getmetatable(content) == raw then
    content = { content }
  end
  return setmetatable({ name = name, content = content }, element)
end

--- `html.tag.NAME(content)` is `html.element("NAME", content)`.
html.tag = setmetatable({}, {
  __index = function(_, name)
    return function(content) return html.element(name, content) end
  end,
})

local write -- forward

-- Children may have holes (an absent part is nil): the length operator will not do.
local function write_list(list, out)
  local last = 0
  for key in pairs(list) do
    if type(key) == "number" and key > last then last = key end
  end
  for i = 1, last do write(list[i], out) end
  return last
end

local function write_attributes(content, out)
  local names = lists.of_fields(content, function(key, value) return type(key) == "string" and value ~= false and key or nil end)
  for _, name in ipairs(names) do
    local value = content[name]
    if value == true then value = name end
    out[#out + 1] = (' %s="%s"'):format(name, html.escape(value))
  end
end

local function write_element(node, out)
  out[#out + 1] = "<" .. node.name
  write_attributes(node.content, out)
  if void[node.name] then
    out[#out + 1] = " />"
    return
  end
  out[#out + 1] = ">"
  write_list(node.content, out)
  out[#out + 1] = "</" .. node.name .. ">"
end

function write(node, out)
  if node == nil or node == false then return end
  local meta = getmetatable(node)
  if meta == element then
    write_element(node, out)
  elseif meta == raw then
    out[#out + 1] = node.text
  elseif type(node) == "table" then
    write_list(node, out)
  else
    out[#out + 1] = html.escape(node)
  end
end

--- Markup of an element, a string or a list of these.
-- @treturn string
function html.render(node)
  local out = {}
  write(node, out)
  return table.concat(out)
end

--- A whole self-contained page: nothing in it refers to anything outside.
-- @tparam table page
-- @tparam string page.title
-- @tparam string page.style CSS text
-- @tparam[opt] string page.script JavaScript text
-- @tparam table page.body node
-- @treturn string
function html.page(page)
  local h = html.tag
  -- Scripts and styles are raw text to HTML, but markup to XML: the commented-out CDATA marks satisfy both.
  local function code(text) return html.raw("/*<![CDATA[*/\n" .. text .. "\n/*]]>*/") end
  return "<!DOCTYPE html>\n" .. html.render(h.html {
    lang = "en",
    h.head {
      h.meta { charset = "utf-8" },
      h.meta { name = "viewport", content = "width=device-width, initial-scale=1" },
      h.meta { name = "color-scheme", content = "light dark" },
      h.title(page.title),
      h.style { code(page.style) },
    },
    "\n",
    h.body { page.body, page.script and h.script { code(page.script) } },
  }) .. "\n"
end

return html
