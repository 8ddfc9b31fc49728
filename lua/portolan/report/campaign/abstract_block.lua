--- An abstract block in the manner of Figure 8.5: its instructions with their features, its aliasing.
local html = require "portolan.report.html"
local h = html.tag
local abstract_block = {}

local most_aliases = 4 -- before the others are folded
local unconstrained = { ["any"] = true, ["any instruction"] = true, ["⊤"] = true }

--- Its lines by what they say.
-- @tparam {string,...}|nil lines as `A:text()` gives them: headings, " 1. feature: value; feature: value", " operand ... must alias with ..."
-- @treturn table { instructions = list of lists of texts, aliasing = list of texts, rest = list of texts }
function abstract_block.parts(lines)
  local parts, at = { instructions = {}, aliasing = {}, rest = {} }, "rest"
  for _, line in ipairs(lines or {}) do
    local text = line:match "^%s*(.-)%s*$"
    local heading, behind = text:match "^(%a+):%s*(.*)$"
    if heading == "Instructions" or heading == "Aliasing" then at, text = heading:lower(), behind end
    local features = at == "instructions" and text:match "^%d+%.%s*(.*)$"
    if features then
      local list = {}
      for feature in (features .. ";"):gmatch "%s*(.-)%s*;" do list[#list + 1] = feature ~= "" and not unconstrained[feature] and feature or nil end
      table.insert(parts.instructions, list)
    elseif text ~= "" and not unconstrained[text] then
      table.insert(parts[at == "aliasing" and at or "rest"], (text:gsub("^[*-]%s*", ""):gsub("^•%s*", "")))
    end
  end
  return parts
end

-- "mnemonic: bsf + 1 edit" with its name set apart.
local function feature(text)
  local name, value = text:match "^([%a][%w _-]-): (.*)$"
  if not name then return h.span { class = "feature", text } end
  return h.span { class = "feature", h.i(name .. ":"), " " .. value }
end

local function instruction(features)
  local nodes = {}
  for i, text in ipairs(features) do nodes[i] = { i > 1 and " ", feature(text) } end
  return h.li { #nodes > 0 and nodes or h.span { class = "anything", "any instruction" } }
end

local function items(list, from, to)
  local nodes = {}
  for i = from, math.min(to, #list) do nodes[#nodes + 1] = h.li { class = list[i]:find "must not" and "apart", list[i] } end
  return h.ul { class = "aliases", nodes }
end

--- The node.
-- @tparam {string,...}|nil lines
function abstract_block.render(lines)
  local parts, instructions = abstract_block.parts(lines), {}
  for i, features in ipairs(parts.instructions) do instructions[i] = instruction(features) end
  local count = #parts.aliasing
  local shown = count <= most_aliases + 1 and count or most_aliases
  return h.div { class = "abstract",
    #instructions > 0 and h.ol { class = "parts", instructions },
    count > 0 and items(parts.aliasing, 1, shown),
    count > shown and h.details { h.summary(("%d more about aliasing"):format(count - shown)), items(parts.aliasing, shown + 1, count) },
    #parts.rest > 0 and items(parts.rest, 1, #parts.rest),
  }
end

return abstract_block
