--- Machine code as text that the GNU assembler reads: of x86-64 AT&T's, of A64 as compilers write it, aliases included.
--
-- Of x86-64 the decoder (Zydis) adds suffixes to vector instructions that access memory
-- (vpbroadcastqq, pmovsxdqq), leaves out those that alone tell the width (decl, flds), and has other words now and then (movzbl).
-- @module portolan.predictor.machinery.gnu_text
local core = require "portolan.core"
local isa = require "portolan.scheme.isa"
local names = require "portolan.format.osaca_names"

local gnu_text = {}

local vector = { xmm = true, ymm = true, zmm = true, mmx = true, mask = true }

-- One operand, in memory, whose width no suffix tells.
local unsized = { fbld = true, fbstp = true, cmpxchg8b = true, cmpxchg16b = true, invlpg = true, nop = true }

-- The mnemonic of a scheme; nil where the decoder's is right.
local function mnemonic_of(scheme)
  local printed, vectors, memory = names.printed(scheme), false, false
  for _, operand in ipairs(printed) do
    vectors = vectors or vector[operand.class]
    memory = memory or operand.kind == "memory"
  end
  local name = scheme.mnemonic
  if name:find "^mov[sz]xd?$" then return names.spellings(scheme, printed)[1].long end
  if not memory then return nil end
  if name:find "^v?cvtt?s[sd]2u?si$" then return name end
  if vectors then
    local converts = name:find "^v?cvtu?si2" or name:find "^vcvt" and not name:find "2u?si$"
    return converts and names.spellings(scheme, printed)[1].long or name
  end
  local width_is_open = #printed == 1 and (scheme.extension == "X87" or scheme.extension == "BASE")
  if width_is_open and not unsized[name] and not name:find "^prefetch" and not scheme.branch then return names.spellings(scheme, printed)[1].long end
end

local prefixes = { lock = true, rep = true, repe = true, repne = true }

-- A line with another mnemonic.
local function with_mnemonic(line, mnemonic)
  local first, rest = line:match "^(%S+)(.*)$"
  if prefixes[first] then return first .. rest:gsub("^(%s+)%S+", "%1" .. mnemonic) end
  return mnemonic .. rest
end

-- A64's lines are Capstone's. Branches, and loads from the code, go to a label: a distance is no operand of theirs to other tools.
local function a64_lines(bytes, code)
  local lines = {}
  for i, one in ipairs(assert(core.isa.listing(bytes, "intel", "aarch64"))) do
    local name = code.instructions[i] and code.instructions[i].scheme or ""
    if one.text:find "^%." then return nil, ("'%s' has no text"):format(name) end
    local to_label = name:find "%f[%a]rel%d+$" or name:find("[pc", 1, true)
    lines[i] = to_label and one.text:gsub("#%-?0?x?%x+$", gnu_text.label) or one.text
  end
  return lines
end

--- Branches of A64 go to this label, and so do those of x86-64 for tools that know no other.
gnu_text.label = ".Lportolan"

--- The text of machine code.
-- @param bytes string
-- @tparam[opt] string architecture by default x86-64
-- @return list of lines; or nil and a message, of bytes that begin no instruction
function gnu_text.lines(bytes, architecture)
  local code, message = core.isa.decode(bytes, architecture or "x86_64")
  if not code then return nil, message end
  if architecture == "aarch64" then return a64_lines(bytes, code) end
  local lines = {}
  for i, one in ipairs(assert(core.isa.listing(bytes, "att", "x86_64"))) do
    local scheme = code.instructions[i] and isa.scheme(code.instructions[i].scheme)
    local mnemonic = scheme and mnemonic_of(scheme)
    lines[i] = (mnemonic and with_mnemonic(one.text, mnemonic) or one.text):gsub("%%st(%d)", "%%st(%1)")
  end
  return lines
end

return gnu_text
