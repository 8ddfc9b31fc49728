--- Instances of schemes in LLVM's own words, as llvm-exegesis writes instructions: `ADD64rm RAX RAX RDI i_0x1 %noreg i_0x0 %noreg`.
--
-- llvm-mc says opcodes, and registers as numbers that change with every version; which number is which register it is asked beside, by an instruction
-- for each of them.
-- @module portolan.predictor.llvm_mca.llvm_instructions
local instance = require "portolan.instance"
local llvm_program = require "portolan.predictor.machinery.llvm_program"
local program = require "portolan.predictor.machinery.program"
local spelling = require "portolan.predictor.llvm_mca.spelling"

local instructions = {}

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

-- The MCInst of each label of what llvm-mc wrote: number -> `{ opcode =, words = list of { kind, value } }`.
local function read(out)
  local found, at, current = {}, nil, nil
  for line in out:gmatch "[^\n]+" do
    local label = line:match "^p(%d+):"
    if label then at, current = tonumber(label), nil end
    local opcode = line:match "<MCInst #%d+ ([%w_]+)"
    if opcode and at then
      current = { opcode = opcode, words = {} }
      found[at] = found[at] or current
    end
    local kind, value = line:match "<MCOperand (%w+):?([^>%s]*)"
    if current and kind then current.words[#current.words + 1] = { kind, value } end
  end
  return found
end

-- The numbers of registers, of instructions behind labels from `first` on.
local function registers_of(found, asked, first)
  local names = { ["0"] = "%noreg" }
  for i, register in ipairs(asked) do
    local one = found[first + i]
    local word = one and one.words[register.place]
    if word and word[1] == "Reg" then names[word[2]] = names[word[2]] or register.name end
  end
  return names
end

-- Nil if an operand is neither a register that is known nor a number.
local function text_of(one, registers)
  local parts = { one.opcode }
  for _, word in ipairs(one.words) do
    local number = word[1] == "Imm" and math.tointeger(tonumber(word[2]))
    local text = word[1] == "Reg" and registers[word[2]] or number and ("i_0x%x"):format(number)
    if not text then return nil end
    parts[#parts + 1] = text
  end
  return table.concat(parts, " ")
end

--- Instances of schemes.
-- @param names list of schemes
-- @param[opt] version "19"; by default whatever `llvm-mc` is
-- @return scheme -> `{ opcode =, text = the instruction in llvm-exegesis' words, bytes = its machine code }`, for those that LLVM knows and that it
-- can say without a label; or nil and a message
function instructions.of(names, version)
  local tool = "llvm-mc" .. (version and "-" .. version or "")
  local path = program.find(tool)
  if not path then return nil, llvm_program.missing(tool) end
  local lines, instances, asked = { ".intel_syntax noprefix\n" }, {}, {}
  local function ask(number, words) lines[#lines + 1] = ("p%d:\n%s\n"):format(number, words) end
  for i, name in ipairs(names) do
    instances[i] = instance.of(name)
    if instances[i] then ask(i, spelling.of(instances[i])) end
  end
  each_register(function(name, words, place)
    asked[#asked + 1] = { name = name, place = place }
    ask(#names + #asked, words)
  end)
  local result, message = program.run(path, { "-triple=x86_64", "-show-inst" }, { input = table.concat(lines) })
  if not result then return nil, message end
  local read_out, found = read(result.out), {}
  local registers = registers_of(read_out, asked, #names)
  for i, name in ipairs(names) do
    local text = read_out[i] and text_of(read_out[i], registers)
    if text then found[name] = { opcode = read_out[i].opcode, text = text, bytes = instances[i].bytes } end
  end
  return found
end

return instructions
