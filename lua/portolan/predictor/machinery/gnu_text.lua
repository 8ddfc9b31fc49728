--- Machine code as AT&T text that the GNU assembler reads. The decoder (Zydis) adds suffixes to vector instructions that access memory
-- (vpbroadcastqq, pmovsxdqq), leaves out those that alone tell the width (decl, flds), and has other words now and then (movzbl).
-- @module portolan.predictor.machinery.gnu_text
local core = require "portolan.core"
local isa = require "portolan.isa"
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

--- The text of machine code.
-- @param bytes string
-- @return list of lines; or nil and a message, of bytes that begin no instruction
function gnu_text.lines(bytes)
  local code, message = core.isa.decode(bytes)
  if not code then return nil, message end
  local lines = {}
  for i, one in ipairs(assert(core.isa.listing(bytes, "att"))) do
    local scheme = code.instructions[i] and isa.scheme(code.instructions[i].scheme)
    local mnemonic = scheme and mnemonic_of(scheme)
    lines[i] = (mnemonic and with_mnemonic(one.text, mnemonic) or one.text):gsub("%%st(%d)", "%%st(%1)")
  end
  return lines
end

return gnu_text
