--- LLVM's names of instructions: by its assembler llvm-mc, and those of code generation and of other encodings by llvm-exegesis.
-- @module portolan.predictor.llvm_mca.llvm_mc
local exegesis = require "portolan.predictor.llvm_mca.llvm_exegesis"
local isa = require "portolan.isa"
local llvm_program = require "portolan.predictor.machinery.llvm_program"
local program = require "portolan.predictor.machinery.program"
local text = require "portolan.predictor.llvm_mca.text"

local llvm_mc = {}

--- Reads what `llvm-mc -show-inst` wrote for instructions behind labels p1, p2, ...
-- @param out its standard output
-- @return number -> name
function llvm_mc.parse(out)
  local found, at = {}, nil
  for line in out:gmatch "[^\n]+" do
    at = tonumber(line:match "^p(%d+):") or at
    local opcode = line:match "<MCInst #%d+ ([%w_]+)"
    if at and opcode and not found[at] then found[at] = opcode end
  end
  return found
end

--- The operands of instructions that `llvm-mc -show-inst` wrote.
-- @param out its standard output
-- @return opcode -> text, a word for each operand: what tells registers apart, or `i` for all that is no register
function llvm_mc.layouts(out)
  local layouts, opcode, words, open = {}, nil, nil, false
  for line in out:gmatch "[^\n]+" do
    local name = line:match "<MCInst #%d+ ([%w_]+)"
    if name then opcode, words, open = name, {}, true end
    local kind, value = line:match "<MCOperand (%w+):?([^>%s]*)"
    if open and kind then words[#words + 1] = kind == "Reg" and "r" .. value or "i" end
    if open and line:find(">>", 1, true) or name and line:find(name .. ">", 1, true) then
      layouts[opcode], open = layouts[opcode] or table.concat(words, " "), false
    end
  end
  return layouts
end

-- Adds the opcodes that the assembler does not choose, each to the scheme that it encodes.
local function add_others(opcodes, found)
  local known = {}
  for _, list in pairs(opcodes) do known[list[1]] = true end -- which may stand for more schemes than the one of the snippet
  for opcode, scheme in pairs(found) do
    local list = opcodes[scheme]
    if list and not known[opcode] then list[#list + 1] = opcode end
  end
  for _, list in pairs(opcodes) do table.sort(list) end
  return opcodes
end

--- LLVM's opcodes of schemes.
-- @param names list of schemes
-- @param[opt] version "19"; by default whatever `llvm-mc` is
-- @return scheme -> sorted list of opcodes, for those that LLVM's assembler can read; or nil and a message
-- @return what is to be said of them: that the names of code generation are missing, and why; nil if they are not
-- @return opcode -> its operands (`llvm_mc.layouts`), as far as they are known
function llvm_mc.opcodes(names, version)
  local tool = "llvm-mc" .. (version and "-" .. version or "")
  local path = program.find(tool)
  if not path then return nil, llvm_program.missing(tool) end
  local architecture, mixed = isa.architecture(names)
  if mixed then return nil, mixed end
  local lines, opcodes = { architecture ~= "aarch64" and ".intel_syntax noprefix\n" or nil }, {}
  for i, name in ipairs(names) do
    local words = text.of_scheme(name)
    if words then lines[#lines + 1] = ("p%d:\n%s\n"):format(i, words) end
  end
  local result, message = program.run(path,
    { "-triple=" .. llvm_program.triples[architecture or "x86_64"], "-show-inst" }, { input = table.concat(lines) })
  if not result then return nil, message end
  if not result.out:find("MCInst", 1, true) and #lines > 1 then return nil, tool .. " names no instruction" end
  for i, opcode in pairs(llvm_mc.parse(result.out)) do opcodes[names[i]] = { opcode } end
  local layouts = llvm_mc.layouts(result.out)
  if architecture == "aarch64" then return opcodes, nil, layouts end -- its assembler names what compilers use
  local found, trouble = exegesis.opcodes(version)
  if not found then return opcodes, ("Names of code generation (VADDSDrr beside VADDSDrr_Int) are missing: %s."):format(trouble), layouts end
  for opcode, layout in pairs(trouble) do layouts[opcode] = layouts[opcode] or layout end
  return add_others(opcodes, found), nil, layouts
end

return llvm_mc
