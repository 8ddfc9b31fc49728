--- Code as text, to be written anew: its registers by families, what it leaves alone, other texts assembled.
--
-- A family is what all names of a register have in common: "3" of xmm3, ymm3 and zmm3, "rax" of rax, eax, ax and al.
-- @module portolan.loop.code_text
local core = require "portolan.core"
local cpu = require "portolan.machine.cpu"
local lists = require "portolan.support.lists"
local paths = require "portolan.support.paths"

local code_text = {}

--- Holds what is known of rewrites: arch/x86_64/rewrites.lua.
code_text.facts = paths.data("x86_64", "rewrites.lua")

local facts = code_text.facts
local vector_registers = 16

--- Does this processor have what a rewrite needs?
-- @param rewrite with `needs`, a flag of the processor, or without
-- @treturn boolean
function code_text.is_here(rewrite)
  local here = cpu.facts()
  return not rewrite.needs or here ~= nil and here.flags[rewrite.needs] ~= nil
end

local name_of = {} -- of a general register -> { family =, width = }
for family, names in ipairs(facts.general) do
  for k, name in ipairs(names) do name_of[name] = { family = family, width = 64 >> (k - 1) } end
end

--- Does a text match one of some patterns?
-- @param text string
-- @param patterns list
-- @treturn boolean
function code_text.matches(text, patterns)
  return lists.any(patterns, function(pattern) return text:find(pattern) ~= nil end)
end

--- The family of a register.
-- @param name as code has it
-- @return its family; nil of what is no vector or general register
function code_text.family_of(name)
  local number = name:match "^[xyz]mm(%d+)$"
  local general = name_of[name]
  return number or general and facts.general[general.family][1]
end

--- The same register in another family, by the same width.
-- @param name of a register
-- @param to family
-- @return name
function code_text.renamed(name, to)
  local kind = name:match "^([xyz]mm)%d+$"
  if kind then return kind .. to end
  local width = name_of[name].width
  return lists.first(facts.general[name_of[to].family], function(other) return name_of[other].width == width end)
end

--- The families that an instruction reads, writes, or has an address of.
-- @param access of `core.isa.accesses`
-- @return set
function code_text.families_in(access)
  local set = {}
  for _, list in ipairs { access.read, access.written, access.address } do
    for _, name in ipairs(list) do set[code_text.family_of(name) or ""] = true end
  end
  set[""] = nil
  return set
end

--- Families of vector and of general registers that the code leaves alone, but for the one that measuring counts by.
-- @param b loop (portolan.block.loop)
-- @param accesses of its code
-- @return `{ vector = list, general = list }`
function code_text.free_families(b, accesses)
  local used, vector = { [code_text.family_of(b.register) or ""] = true }, {}
  for _, access in ipairs(accesses) do
    for family in pairs(code_text.families_in(access)) do used[family] = true end
  end
  for k = 0, vector_registers - 1 do vector[k + 1] = tostring(k) end
  local function is_free(family) return not used[family] end
  local general = lists.where(lists.map(facts.general, function(names) return names[1] end), is_free)
  return { vector = lists.where(vector, is_free), general = general }
end

--- Machine code with other texts in the place of some instructions.
-- @param instructions as of `core.isa.decode`
-- @param replaced number of an instruction -> list of texts
-- @return bytes; nil if one of the texts cannot be assembled
function code_text.assembled(instructions, replaced)
  local parts = {}
  for i, instruction in ipairs(instructions) do
    parts[#parts + 1] = instruction.bytes
    if replaced[i] then
      local code = core.isa.assemble(table.concat(replaced[i], "\n"))
      if not code then return nil end
      parts[#parts] = code.bytes
    end
  end
  return table.concat(parts)
end

--- The mnemonic of an instruction, and the texts of its operands.
-- @param instruction as of `core.isa.decode`
-- @return mnemonic, list
function code_text.operands(instruction)
  local mnemonic, rest = instruction.text:match "^(%S+)%s*(.*)$"
  local list = {}
  for text in rest:gmatch "[^,]+" do list[#list + 1] = text:match "^%s*(.-)%s*$" end
  return mnemonic, list
end

--- May the flags that an instruction of a loop writes be lost?
-- @param accesses of the loop
-- @param i number of the instruction
-- @treturn boolean
function code_text.flags_are_unread(accesses, i)
  local lost = accesses[i].flags_written
  for k = 1, #accesses - 1 do
    local access = accesses[(i + k - 1) % #accesses + 1]
    if access.flags_read & lost ~= 0 then return false end
    lost = lost & ~access.flags_written
  end
  return true
end

return code_text
