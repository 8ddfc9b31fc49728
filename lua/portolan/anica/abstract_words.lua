--- Abstract values, expansions and abstract blocks in words, in the style of the dissertation's Figure 8.5.
-- @module portolan.anica.abstract_words
local abstract_words = {}

local function edits(n) return n == 1 and "1 edit" or ("%d edits"):format(n) end

--- An abstract value of a feature.
-- @param value as `A:encode` has it; nil for top
-- @return string
function abstract_words.value(value)
  if value == nil then return "any" end
  if type(value) == "string" then return value end
  if value.base then return value.edits == 0 and value.base or ("%s + %s"):format(value.base, edits(value.edits)) end
  if value.below then return value.below == 1 and "none" or ("fewer than %d"):format(value.below) end
  if #value == 0 then return "anything" end
  return table.concat(value, ", ")
end

--- The short name of the place an expansion leads to; the same wherever it comes from.
function abstract_words.target(expansion)
  if expansion.dropped then return "-" .. expansion.dropped end
  local value = expansion.to
  if value == nil then return "top" end
  if type(value) == "string" then return ">" .. value end
  if value.edits then return "+" .. value.edits end
  return "<" .. value.below
end

--- What an expansion does.
-- @param expansion with its feature's name
-- @return string
function abstract_words.expansion(expansion)
  if expansion.feature == "aliasing" then
    local a, b = expansion.a, expansion.b
    return ("aliasing: operand %d of instruction %d and operand %d of instruction %d are free"):format(a[2], a[1], b[2], b[1])
  end
  local head = ("instruction %d: %s"):format(expansion.instruction, expansion.feature)
  if expansion.dropped then return ("%s without %s"):format(head, expansion.dropped) end
  return ("%s %s -> %s"):format(head, abstract_words.value(expansion.from), abstract_words.value(expansion.to))
end

--- An abstract block.
-- @param features names of the domain's features, in order
-- @param encoded what `A:encode` gives
-- @return list of lines
function abstract_words.block(features, encoded)
  local lines = { "Instructions:" }
  for i, instruction in ipairs(encoded.instructions) do
    local parts = {}
    for _, name in ipairs(features) do
      if instruction[name] ~= nil then parts[#parts + 1] = ("%s: %s"):format(name, abstract_words.value(instruction[name])) end
    end
    lines[#lines + 1] = ("  %d. %s"):format(i, #parts > 0 and table.concat(parts, "; ") or "any")
  end
  if #encoded.aliasing > 0 then lines[#lines + 1] = "Aliasing:" end
  for _, c in ipairs(encoded.aliasing) do
    lines[#lines + 1] = ("  operand %d of instruction %d %s alias with operand %d of instruction %d")
      :format(c.a[2], c.a[1], c.kind, c.b[2], c.b[1])
  end
  return lines
end

return abstract_words
