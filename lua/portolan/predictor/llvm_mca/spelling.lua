--- This module knows what LLVM's assembler calls an instruction: LLVM reads Intel syntax, but not all of it as the decoder prints it. Read by LLVM,
-- the text is the same instruction again, mostly to the byte (tests/lua/llvm_spelling_spec.lua has the exceptions).
-- @module portolan.predictor.llvm_mca.spelling
local isa = require "portolan.scheme.isa"

local spelling = {}

--- The version of printing: answers to text that another version printed are asked for anew.
spelling.method = "2"

-- LLVM would take the encoding that it finds shorter.
local prefixes = { vex = "{vex} ", evex = "{evex} " }

local function renamed(name)
  return function(words) return (words:gsub("^%S+", name)) end
end

-- Operands that LLVM implies.
local function bare(words) return words:match "^%S+" end

-- A size that LLVM does not want to read.
local function unsized(words) return (words:gsub("%w+ ptr ", "")) end

-- A cache line is a byte to LLVM.
local function of_byte(words) return (words:gsub("zmmword", "byte")) end

-- The register that alignment in compilers' code never means: nop dword ptr [rax], eax.
local function first_only(words) return (words:gsub(", %w+$", "")) end

local function swapped(words) return (words:gsub("(%w+), (%w+)$", "%2, %1")) end

-- {rn-sae} goes ahead of a general-purpose register.
local function rounding_first(words) return (words:gsub("(, [er]%w+)(, {r%w%-sae})$", "%2%1")) end

local function movabs(words, scheme)
  if not scheme:find("moffs", 1, true) then return words end
  return (words:gsub("^mov", "movabs"):gsub("%w+ ptr ", ""))
end

local function far(words, scheme)
  if scheme:find("{o16}", 1, true) then return words end
  return (words:gsub("^ret far", scheme:find("{o64}", 1, true) and "retfq" or "retf"):gsub("^(%a+) far fword", "%1 fword"))
end

-- This table holds what differs, by mnemonic: function(text, name of the scheme) -> text.
local forms = {
  nop = first_only, xchg = swapped, mov = movabs, xlat = renamed "xlatb", pushf = renamed "pushfw", popf = renamed "popfw",
  ret = far, call = far, jmp = far,
  clflush = of_byte, clflushopt = of_byte, clwb = of_byte, clrssbsy = unsized, rstorssp = unsized,
  fucomp = function(words) return (words:gsub("st%(0%), (st)", "%1")) end,
  invlpgb = bare, pvalidate = bare, rmpadjust = bare, rmpupdate = bare,
  pfsqrt = renamed "pfrsqrt", pfcpit1 = renamed "pfrcpit1",
  xcrypt_cbc = renamed "xcryptcbc", xcrypt_cfb = renamed "xcryptcfb", xcrypt_ctr = renamed "xcryptctr", xcrypt_ecb = renamed "xcryptecb",
  xcrypt_ofb = renamed "xcryptofb",
}
for _, name in ipairs { "vcvtsi2sd", "vcvtsi2sh", "vcvtsi2ss", "vcvtusi2sd", "vcvtusi2sh", "vcvtusi2ss" } do forms[name] = rounding_first end

-- A branch goes to a label, which need not be there: llvm-mca follows no branches.
local function to_label(words) return (words:gsub("%s0x%x+$", " portolan_target")) end

--- A decoded instruction.
-- @param instruction `{ scheme =, text = }`, of `core.isa`
-- @return its text for LLVM
function spelling.of(instruction)
  local words, name = instruction.text, instruction.scheme
  local scheme = isa.scheme(name)
  if scheme and scheme.architecture ~= "x86_64" then return words end -- the decoder prints what LLVM reads
  if words:find("[", 1, true) and words:find "%[[^%]]*[xyz]mm" then words = words:gsub("%w+ ptr (%[[^%]]*[xyz]mm)", "%1") end
  if words:find("st", 2, true) then words = words:gsub("%f[%w]st(%d)", "st(%1)") end
  if words:find("^bnd ") then words = words:sub(5) end -- a prefix of an extension that no processor has any more
  local ahead, rest = words:match "^(rep%l* )(.*)$"
  if ahead then words = rest end
  local form = forms[words:match "^%S+"]
  if form then words = form(words, name) end
  if name:find("rel", 1, true) and name:find " rel%d+$" then words = to_label(words) end
  return (ahead or "") .. (scheme and prefixes[scheme.encoding] or "") .. words
end

return spelling
