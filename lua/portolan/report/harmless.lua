--- Is a node fit for a page, whoever made it? It must not run anything, nor refer to anything outside of the page.
-- @module portolan.report.harmless
local html = require "portolan.report.html"

local harmless = {}

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

--- Checks a node.
-- @param node of `portolan.report.html`: text, number, element, or a list of these
-- @treturn ?string what is wrong; nil if nothing is
function harmless.fault(node) return fault(node, { nodes = 0 }, 0) end

return harmless
