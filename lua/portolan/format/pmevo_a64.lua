--- PMEvo's names of AArch64 instructions, such as `add ((REG:W:G:64)), ((REG:R:G:64)), ((REG:R:G:32)), sxtw 2`, as schemes.
--
-- They are assembler text with places for operands: `((REG:ACCESS:FILE:BITS))` is a register of the general-purpose (G) or floating-point
-- file (F), which has `VEC` for bits where an arrangement follows; `((MEM:64))` a base register, `((MIMM:16))` a displacement. In JSON they
-- begin with `_` and have `_` for blanks. The file `all.insn` of PMEvo has one a line.
-- @module portolan.format.pmevo_a64
local core = require "portolan.core"

local pmevo_a64 = {}

local general = { ["64"] = "x", ["32"] = "w" }
local vector = { VEC = "v", ["128"] = "q", ["64"] = "d", ["32"] = "s", ["16"] = "h", ["8"] = "b" }

--- Tells whether a name is one of theirs.
function pmevo_a64.is_name(name) return name:find "^[_%s]*%l" ~= nil and name:find "%(%(%u+:" ~= nil end -- those of x86 are in capitals

--- An instruction of this form, as assembler text: registers are numbered as they come.
-- @tparam string name
-- @return text | nil, message
function pmevo_a64.text(name)
  local unknown
  local number = 0
  local function place(inside)
    number = number + 1
    local file, bits = inside:match "^REG:%u:(%u):(%w+)$"
    local letter = file == "G" and general[bits] or file == "F" and vector[bits]
    if letter then return letter .. number end
    if inside == "MEM:64" then return "x" .. number end
    if inside:match "^MIMM:%d+$" then return "16" end -- a multiple of every size
    unknown = inside
  end
  local text = name:gsub("_", " "):gsub("%(%(([^()]*)%)%)", place):gsub("^%s+", ""):gsub("%s+$", "")
  if unknown then return nil, ("'((%s))' is no place of PMEvo's for an operand"):format(unknown) end
  return text
end

--- The scheme that one of their names means.
-- @tparam string name
-- @return scheme name | nil, message
function pmevo_a64.scheme(name)
  local text, message = pmevo_a64.text(name)
  if not text then return nil, message end
  local code
  code, message = core.isa.assemble(text, "aarch64")
  if not code then return nil, message end
  if #code.instructions ~= 1 then return nil, ("'%s' is not one instruction"):format(text) end
  return code.instructions[1].scheme
end

--- Their names in the text of a file like `all.insn`, in its order.
-- @return list of names
function pmevo_a64.names(text)
  local list = {}
  for line in text:gmatch "[^\n]+" do
    local name = line:gsub("%s+", " "):gsub("^ ", ""):gsub(" $", "")
    if name ~= "" then list[#list + 1] = name end
  end
  return list
end

return pmevo_a64
