--- LLVM's words for instructions, by its assembler llvm-mc: the names of schemes (and those of code generation and of other encodings by
-- llvm-exegesis), and instances as llvm-exegesis writes instructions: `ADD64rm RAX RAX RDI i_0x1 %noreg i_0x0 %noreg`.
--
-- llvm-mc says opcodes, and registers as numbers that change with every version; which number is which register it is asked beside, by an instruction
-- for each of them.
-- @module portolan.predictor.llvm_mca.llvm_mc
local exegesis = require "portolan.predictor.llvm_mca.llvm_exegesis"
local instance = require "portolan.scheme.instance"
local isa = require "portolan.scheme.isa"
local lists = require "portolan.support.lists"
local llvm_program = require "portolan.predictor.machinery.llvm_program"
local program = require "portolan.predictor.machinery.program"
local spelling = require "portolan.predictor.llvm_mca.spelling"

local llvm_mc = {}

--- Reads what `llvm-mc -show-inst` wrote for instructions behind labels p1, p2, ...
-- @param out its standard output
-- @return number -> the first instruction there: `{ opcode =, operands = list of { kind, value } }`
-- @return opcode -> its first instruction of all
function llvm_mc.parse(out)
  local found, by_opcode, at, current = {}, {}, nil, nil
  for line in out:gmatch "[^\n]+" do
    local label = tonumber(line:match "^p(%d+):")
    if label then at, current = label, nil end
    local opcode = line:match "<MCInst #%d+ ([%w_]+)"
    if opcode then
      current = { opcode = opcode, operands = {} }
      if at and not found[at] then found[at] = current end
      by_opcode[opcode] = by_opcode[opcode] or current
    end
    local kind, value = line:match "<MCOperand (%w+):?([^>%s]*)"
    if current and kind then table.insert(current.operands, { kind, value }) end
  end
  return found, by_opcode
end

-- The operands of an instruction as text, a word for each: what tells registers apart, or `i` for all that is no register.
local function layout_of(one)
  return table.concat(lists.map(one.operands, function(operand) return operand[1] == "Reg" and "r" .. operand[2] or "i" end), " ")
end

-- Has llvm-mc read texts, by numbers: its standard output; or nil and a message.
local function shown(texts, version, architecture)
  local tool = "llvm-mc" .. (version and "-" .. version or "")
  local path = program.find(tool)
  if not path then return nil, llvm_program.missing(tool) end
  local lines = { architecture ~= "aarch64" and ".intel_syntax noprefix\n" or nil }
  for _, number in ipairs(lists.keys(texts)) do lines[#lines + 1] = ("p%d:\n%s\n"):format(number, texts[number]) end
  local result, message = program.run(path,
    { "-triple=" .. llvm_program.triples[architecture or "x86_64"], "-show-inst" }, { input = table.concat(lines) })
  if not result then return nil, message end
  if not result.out:find("MCInst", 1, true) and #lines > 1 then return nil, tool .. " names no instruction" end
  return result.out
end

-- Instances of schemes, and their texts, both by their numbers.
local function instances_of(names)
  local instances, texts = {}, {}
  for i, name in ipairs(names) do
    instances[i] = instance.of(name)
    texts[i] = instances[i] and spelling.of(instances[i])
  end
  return instances, texts
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
-- @return opcode -> its operands, a word for each, as far as they are known
function llvm_mc.opcodes(names, version)
  local architecture, mixed = isa.architecture(names)
  if mixed then return nil, mixed end
  local _, texts = instances_of(names)
  local out, message = shown(texts, version, architecture)
  if not out then return nil, message end
  local opcodes, layouts, found, by_opcode = {}, {}, llvm_mc.parse(out)
  for i, one in pairs(found) do opcodes[names[i]] = { one.opcode } end
  for opcode, one in pairs(by_opcode) do layouts[opcode] = layout_of(one) end
  if architecture == "aarch64" then return opcodes, nil, layouts end -- its assembler names what compilers use
  local others, trouble = exegesis.opcodes(version)
  if not others then return opcodes, ("Names of code generation (VADDSDrr beside VADDSDrr_Int) are missing: %s."):format(trouble), layouts end
  for opcode, layout in pairs(trouble) do layouts[opcode] = layouts[opcode] or layout end
  return add_others(opcodes, others), nil, layouts
end

-- Calls add(name, text of an instruction, place of the register among its operands) for every register that instances may have.
local function each_register(add)
  local function all(format, from, to, text)
    for i = from, to do
      local name = format:format(i)
      add(name:upper(), text:gsub("R", name), 1)
    end
  end
  for _, name in ipairs { "ax", "cx", "dx", "bx", "sp", "bp", "si", "di" } do
    for _, whole in ipairs { "r" .. name, "e" .. name, name, name:find "x" and name:sub(1, 1) .. "l" or name .. "l" } do
      add(whole:upper(), ("mov %s, %s"):format(whole, whole), 1)
    end
  end
  for _, name in ipairs { "ah", "ch", "dh", "bh" } do add(name:upper(), ("mov %s, %s"):format(name, name), 1) end
  for _, ending in ipairs { "", "d", "w", "b" } do all("r%d" .. ending, 8, 15, "mov R, R") end
  for _, class in ipairs { "xmm", "ymm", "zmm" } do all(class .. "%d", 0, 31, "vmovaps R, R") end
  all("k%d", 0, 7, "kmovw R, R")
  all("mm%d", 0, 7, "movq R, R")
  for _, name in ipairs { "es", "cs", "ss", "ds", "fs", "gs" } do add(name:upper(), "mov ax, " .. name, 2) end
  for i = 0, 7 do add("ST" .. i, ("fxch st(%d)"):format(i), 1) end
end

-- The numbers of registers, of instructions behind labels from `first` on.
local function registers_of(found, asked, first)
  local names = { ["0"] = "%noreg" }
  for i, register in ipairs(asked) do
    local one = found[first + i]
    local word = one and one.operands[register.place]
    if word and word[1] == "Reg" then names[word[2]] = names[word[2]] or register.name end
  end
  return names
end

-- Nil if an operand is neither a register that is known nor a number.
local function text_of(one, registers)
  local parts = { one.opcode }
  for _, word in ipairs(one.operands) do
    local number = word[1] == "Imm" and math.tointeger(tonumber(word[2]))
    local text = word[1] == "Reg" and registers[word[2]] or number and ("i_0x%x"):format(number)
    if not text then return nil end
    parts[#parts + 1] = text
  end
  return table.concat(parts, " ")
end

--- Instances of schemes.
-- @param names list of schemes of x86-64
-- @param[opt] version "19"; by default whatever `llvm-mc` is
-- @return scheme -> `{ opcode =, text = the instruction in llvm-exegesis' words, bytes = its machine code }`, for those that LLVM knows and that it
-- can say without a label; or nil and a message
function llvm_mc.instructions(names, version)
  local instances, texts = instances_of(names)
  local asked, found = {}, {}
  each_register(function(name, words, place)
    asked[#asked + 1] = { name = name, place = place }
    texts[#names + #asked] = words
  end)
  local out, message = shown(texts, version)
  if not out then return nil, message end
  local read = llvm_mc.parse(out)
  local registers = registers_of(read, asked, #names)
  for i, name in ipairs(names) do
    local text = read[i] and text_of(read[i], registers)
    if text then found[name] = { opcode = read[i].opcode, text = text, bytes = instances[i].bytes } end
  end
  return found
end

return llvm_mc
