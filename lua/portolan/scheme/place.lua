--- Places of a scheme: where a value enters or leaves its instances. Latencies are from one place to another.
--
-- A place is a text:
--
--    "2"                   operand 2 of `isa.scheme(name).operands` (hidden ones count): the register's value, or that in memory
--    "2.base", "2.index"   the address registers of memory (or `lea`) operand 2
--    "cf" "pf" "af" "zf" "sf" "df" "of"   one flag each
--
-- Inputs are what instances wait for: what they read, and registers that they write in part or at times only (8 and 16 bits, conditional moves).
-- Outputs are what they write; flags that they leave undefined count.
-- @module portolan.scheme.place
local core = require "portolan.core"
local lists = require "portolan.support.lists"

local place = {}

local known = {} -- name of a scheme -> its places, by text and as lists

local function places_of(name)
  if known[name] then return known[name] end
  local list, message = core.isa.places(name)
  if not list then return nil, message end
  local of = { list = list, by_text = {}, inputs = {}, outputs = {} }
  for _, p in ipairs(list) do
    of.by_text[p.place] = p
    if p.input then of.inputs[#of.inputs + 1] = p.place end
    if p.output then of.outputs[#of.outputs + 1] = p.place end
  end
  known[name] = of
  return of
end

-- A scheme may be given by its name.
local function name_of(scheme) return type(scheme) == "table" and scheme.name or scheme end

local function list_of(scheme, side)
  local of, message = places_of(name_of(scheme))
  if not of then return nil, message end
  return table.move(of[side], 1, #of[side], 1, {})
end

--- The places that instances of a scheme wait for: by operand, then flags.
-- @param scheme table of portolan.scheme.isa, or its name
-- @treturn {string,...} or nil and a message
function place.inputs(scheme) return list_of(scheme, "inputs") end

--- The places that instances of a scheme write: by operand, then flags.
-- @param scheme table of portolan.scheme.isa, or its name
-- @treturn {string,...} or nil and a message
function place.outputs(scheme) return list_of(scheme, "outputs") end

--- Tells what is at a place.
-- @tparam string text of the place
-- @param scheme table of portolan.scheme.isa, or its name
-- @return `{ place = text, kind = "register", "memory", "base", "index" or "flag", operand = its number, class = of registers, file = "gpr",
-- "vector", "mask", "mmx" or "x87", fixed = name of the register that the scheme fixes, input = true, output = true }`; shared, do not change it; or
-- nil and a message
function place.parse(text, scheme)
  local of, message = places_of(name_of(scheme))
  if not of then return nil, message end
  local found = of.by_text[text]
  if found then return found end
  local texts = lists.map(of.list, function(p) return p.place end)
  return nil, ("%s has no place '%s'; %s"):format(name_of(scheme), tostring(text),
    #texts > 0 and "it has " .. table.concat(texts, " ") or "it has none")
end

--- Tells why a latency cannot be from, or to, a place of a scheme.
-- @param text of the place
-- @param scheme table of portolan.scheme.isa, or its name
-- @tparam[opt] string side "input" or "output"; by default any place will do. A register that is only written may be an input: then it is asked
-- whether instances wait for the old value nevertheless (a false dependency).
-- @return nil if it can; or a message
function place.fault(text, scheme, side)
  if type(text) ~= "string" then return "a place must be a text such as \"2\", \"2.base\" or \"cf\"" end
  local p, message = place.parse(text, scheme)
  if not p then return message end
  if side == "output" and not p.output then return ("%s does not write its place '%s'"):format(name_of(scheme), text) end
  if side == "input" and not p.input and p.kind ~= "register" then return ("%s does not read its place '%s'"):format(name_of(scheme), text) end
  return nil
end

return place
