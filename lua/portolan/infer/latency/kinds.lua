--- Kinds of values that instances hand to each other: files of registers, flags, memory of a width.
--
-- Kinds are those of arch/x86_64/connectors.lua. Memory is a kind for each width, as a load gets what a store has written only if it reads no more.
-- @module portolan.infer.latency.kinds
local isa = require "portolan.scheme.isa"
local place = require "portolan.scheme.place"

local kinds = {}

local narrow = { gpr8 = true, gpr16 = true }

local function of_register(scheme, class, file, fixed)
  if file == "x87" then return fixed and "st0" or "st" end
  if file == "vector" then return scheme.encoding == "legacy" and "sse" or "vector" end
  return narrow[class] and class or file
end

-- The kind at a place; nil if chains know none such.
local function kind_at(scheme, text)
  local at = place.parse(text, scheme)
  if not at then return nil end
  if at.kind == "register" then return of_register(scheme, at.class, at.file, at.fixed), at end
  if at.kind == "base" or at.kind == "index" then
    if scheme.operands[at.operand].kind == "address" then return "gpr", at end -- nothing is read from there
    return at.file == "gpr" and at.kind or "vector", at
  end
  if at.kind == "memory" then return "mem" .. scheme.operands[at.operand].width, at end
  return text, at
end

--- The kind of value that a scheme writes at a place.
-- @param name scheme
-- @param text place
-- @return kind; nil if there is none
function kinds.written(name, text)
  local kind = kind_at(isa.scheme(name), text)
  return kind == "base" and "gpr" or kind -- what is written back is an address that moves, and no base for the next one
end

--- The kind of value that a scheme reads at a place: of general registers, a part is read as easily as the whole.
-- @param name scheme
-- @param text place
-- @return kind; nil if there is none
function kinds.read(name, text) return (kind_at(isa.scheme(name), text)) end

local bits = { gpr8 = 8, gpr16 = 16, gpr = 64, zero = 64, base = 64 }

--- Tells whether what is written as one kind can be read as another one, without waiting for anything else.
-- @param written kind
-- @param read kind
function kinds.feed(written, read)
  if written == read then return true end
  if read == "index" then return written == "zero" end
  if read == "zero" or read == "base" then return false end
  if bits[written] and bits[read] then return bits[read] <= bits[written] end
  return false
end

local files = { gpr8 = "gpr", gpr16 = "gpr", zero = "gpr", base = "gpr", index = "gpr", sse = "vector", st0 = "x87", st = "x87" }

--- Tells whether a link leads from one file to another, neither of them memory. No core does that at rename: something is executed,
-- for a cycle at least.
-- @param link `{ scheme =, from =, to = }`
function kinds.crosses(link)
  local read, written = kinds.read(link.scheme, link.from), kinds.written(link.scheme, link.to)
  if read:find "^mem" or written:find "^mem" then return false end
  return (files[read] or read) ~= (files[written] or written)
end

--- Finds input registers of one class that an instance names itself.
-- @param name scheme
-- @return list of pairs of places that may be one register: both are read, and of one class
function kinds.twins(name)
  local scheme, list = isa.scheme(name), {}
  for i, a in ipairs(scheme.operands) do
    for j = i + 1, #scheme.operands do
      local b = scheme.operands[j]
      local chosen = a.kind == "register" and b.kind == "register" and a.visibility == "explicit" and b.visibility == "explicit"
      if chosen and a.class == b.class and a.access:find "r" and b.access:find "r" then list[#list + 1] = { tostring(i), tostring(j) } end
    end
  end
  return list
end

return kinds
