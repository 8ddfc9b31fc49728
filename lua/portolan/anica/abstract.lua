--- Abstract blocks (dissertation §8.1.2, §8.1.4): what `portolan.anica.domain` hands out. They never change.
-- @classmod portolan.anica.abstract
local independent = require "portolan.anica.independent"
local json = require "portolan.support.json"

local abstract = {}
abstract.__index = abstract

local function edits(n) return n == 1 and "1 edit" or ("%d edits"):format(n) end

--- An abstract value of a feature in words, in the style of the dissertation's Figure 8.5.
-- @param value as `A:encode` has it; nil for top
-- @return string
function abstract.value_text(value)
  if value == nil then return "any" end
  if type(value) == "string" then return value end
  if value.base then return value.edits == 0 and value.base or ("%s + %s"):format(value.base, edits(value.edits)) end
  if value.below then return value.below == 1 and "none" or ("fewer than %d"):format(value.below) end
  if #value == 0 then return "anything" end
  return table.concat(value, ", ")
end

-- The short name of the place an expansion leads to; the same wherever it comes from.
local function target(expansion)
  if expansion.dropped then return "-" .. expansion.dropped end
  local value = expansion.to
  if value == nil then return "top" end
  if type(value) == "string" then return ">" .. value end
  if value.edits then return "+" .. value.edits end
  return "<" .. value.below
end

-- Says what an expansion does, which has its feature's name.
local function expansion_text(expansion)
  if expansion.feature == "aliasing" then
    local a, b = expansion.a, expansion.b
    return ("aliasing: operand %d of instruction %d and operand %d of instruction %d are free"):format(a[2], a[1], b[2], b[1])
  end
  local head = ("instruction %d: %s"):format(expansion.instruction, expansion.feature)
  if expansion.dropped then return ("%s without %s"):format(head, expansion.dropped) end
  return ("%s %s -> %s"):format(head, abstract.value_text(expansion.from), abstract.value_text(expansion.to))
end

--- Wraps the engine's form; for portolan.anica.domain.
-- @local
function abstract.of(domain, core) return setmetatable({ domain = domain, core = core }, abstract) end

--- The number of instructions.
function abstract:size() return self.core:size() end

--- The least number of schemes that one of its instructions represents (§8.1.7).
function abstract:generality() return self.core:generality() end

--- The schemes that instruction i represents: sorted names.
function abstract:schemes(i) return self.core:schemes(i) end

-- Adds what makes an expansion recognizable, now and in more general blocks.
local function complete(domain, e)
  if e.a then
    e.feature = "aliasing"
    e.key = ("aliasing:%d.%d~%d.%d"):format(e.a[1], e.a[2], e.b[1], e.b[2])
  else
    e.feature = domain.features[e.number].name
    e.key = ("%d:%s:%s"):format(e.instruction, e.feature, target(e))
  end
  e.text = expansion_text(e)
  return e
end

--- The expansions that apply (eq. 8.7), always in the same order: by instruction and feature, then aliasing.
-- An expansion that drops a member of a set has the same key wherever that member is dropped: if it cannot be accepted here, it cannot be
-- later, in a block that is more general (Def. 8.2, law 6).
-- @return list of `{ key =, text =, feature = name or "aliasing", instruction =, ... }`
function abstract:expansions()
  local list = self.core:expansions()
  for _, e in ipairs(list) do complete(self.domain, e) end
  return list
end

--- Applies expansions, one after the other; those that do not apply (any more) are ignored.
-- @param expansions one of `A:expansions()`, or a list of such
-- @return abstract block
function abstract:expand(expansions)
  if expansions.key then expansions = { expansions } end
  return abstract.of(self.domain, self.core:expand(expansions))
end

--- Draws represented blocks at random (§8.1.5).
-- @param rng from core.base.rng
-- @param n how many
-- @return list of machine code strings, number of failed draws; or nil, message when none could be drawn
function abstract:sample(rng, n)
  local blocks, failed = self.core:sample(rng, n)
  if not blocks or not self.domain.allocation then return blocks, failed end
  local list, lost = independent.blocks(blocks, self.domain.allocation, self.domain.architecture)
  if #list == 0 and n > 0 then return nil, "fixed registers make every block wait for itself" end
  return list, failed + lost
end

--- Tells whether a block is represented (eq. 8.5).
-- @param block machine code
-- @return boolean; or nil, message if it is no block
function abstract:contains(block) return self.core:contains(block) end

--- Is it below another one, or equal (eq. 8.4)?
function abstract:leq(other) return self.core:leq(other.core) end

--- Is it equal to another one?
function abstract:equal(other) return self.core:equal(other.core) end

--- Tells whether it subsumes another (Def. 8.7), which may have more instructions.
-- @param other abstract block of the same domain
-- @return boolean; if true: also, for each of its instructions, the number of the other's
function abstract:subsumes(other) return self.core:subsumes(other.core) end

--- As a table that `portolan.support.json` can write and `D:decode` reads; features at top are left out.
-- @return `{ instructions = {{ feature = value, ... }, ...}, aliasing = {{ a = {i, k}, b = {j, l}, kind = "must" | "must not" }, ...} }`
function abstract:encode()
  local encoded = { instructions = {}, aliasing = self.core:aliasing() }
  for i = 1, self:size() do
    local instruction = json.object {}
    for f, feature in ipairs(self.domain.features) do instruction[feature.name] = self.core:value(i, f) end
    encoded.instructions[i] = instruction
  end
  return encoded
end

--- The abstract block in words: a list of lines.
function abstract:text()
  local encoded, lines = self:encode(), { "Instructions:" }
  for i, instruction in ipairs(encoded.instructions) do
    local parts = {}
    for _, feature in ipairs(self.domain.features) do
      local value = instruction[feature.name]
      if value ~= nil then parts[#parts + 1] = ("%s: %s"):format(feature.name, abstract.value_text(value)) end
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

return abstract
