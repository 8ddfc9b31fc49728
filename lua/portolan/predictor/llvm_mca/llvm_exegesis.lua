--- All names that LLVM has for encodings: beside the ones that its assembler knows, those that code generation uses (VADDSDrr next to
-- VADDSDrr_Int) and those of other encodings of the same instruction (ADD64rr_REV). llvm-exegesis assembles a snippet of every opcode
-- (and stops there: nothing is executed), which is decoded again.
-- @module portolan.predictor.llvm_mca.llvm_exegesis
local block = require "portolan.block"
local core = require "portolan.core"
local file = require "portolan.support.file"
local fingerprint = require "portolan.predictor.machinery.fingerprint"
local json = require "portolan.support.json"
local llvm_program = require "portolan.predictor.machinery.llvm_program"
local paths = require "portolan.support.paths"
local program = require "portolan.predictor.machinery.program"

local exegesis = {}

local method = "2" -- of reading snippets: what another one read is read anew

-- It works on any processor: snippets do not depend on what the processor has.
local arguments = { "--mode=inverse_throughput", "--opcode-index=-1", "--benchmark-phase=assemble-measured-code", "--min-instructions=1",
  "--use-dummy-perf-counters", "--mtriple=x86_64", "--mcpu=bdver4" }

local limit = 600 -- seconds: it takes ten, on a processor that has nothing else to do

local function is(instruction, mnemonic) return instruction.text:match "^%S+" == mnemonic end

-- Returns the name of the scheme that a snippet is of: the last instruction ahead of its end, where it restores as many registers as it had saved;
-- nil if the snippet does not end so.
local function scheme_of(hex)
  local code = core.isa.decode(assert(block.from_hex(hex)))
  if not code then return nil end
  local list, saved = code.instructions, 0
  while list[saved + 1] and is(list[saved + 1], "push") do saved = saved + 1 end
  local last = #list
  if last == 0 or not is(list[last], "ret") then return nil end
  last = last - 1
  for _ = 1, saved do
    if last == 0 or not is(list[last], "pop") then return nil end
    last = last - 1
  end
  return list[last] and list[last].scheme
end

-- The operands of an instruction: `R13 R13 RDI i_0x1 %noreg` -> `R13 R13 RDI i %noreg`.
local function layout_of(words)
  local list = {}
  for word in words:gmatch "%S+" do list[#list + 1] = word:find "^[id]_" and "i" or word end
  return table.concat(list, " ")
end

--- Reads what `llvm-exegesis` wrote.
-- @param out its standard output
-- @return opcode -> scheme
-- @return opcode -> text of its operands, a word each: a register, or `i` for what is none
function exegesis.parse(out)
  local found, layouts, opcode = {}, {}, nil
  for line in out:gmatch "[^\n]+" do
    if line == "---" then opcode = nil end
    local name, words = line:match "^    %- '?([%w_]+)([^']*)"
    if not opcode and name then opcode, layouts[name] = name, layout_of(words) end
    local hex = opcode and line:match "^assembled_snippet: '?(%x+)"
    if hex then found[opcode] = scheme_of(hex) end
  end
  for name in pairs(layouts) do layouts[name] = found[name] and layouts[name] end
  return found, layouts
end

-- Returns what the cache has, if it is whole: opcodes and layouts.
local function kept(path, key)
  local words = file.kind(path) and file.read(path)
  local t = words and json.decode(words, path)
  if t and t.key == key and type(t.opcodes) == "table" and type(t.layouts) == "table" then return t.opcodes, t.layouts end
end

--- The opcodes of an LLVM.
-- @param[opt] version "19"
-- @return opcode -> scheme; or nil and a message
-- @return opcode -> its operands, as of `exegesis.parse`
function exegesis.opcodes(version)
  local tool = "llvm-exegesis" .. (version and "-" .. version or "")
  local path = program.find(tool)
  if not path then return nil, llvm_program.missing(tool) end
  local key = fingerprint.of(method, fingerprint.file(path), tool)
  local cache = paths.cache(("opcodes/%s-%s.json"):format(tool, key))
  local found, layouts = kept(cache, key)
  if found then return found, layouts end
  local result, message = program.run(path, arguments, { seconds = limit })
  if not result then return nil, message end
  local ending = program.failure(tool, result)
  if ending then return nil, ending.error end -- a part of the list is not kept
  found, layouts = exegesis.parse(result.out)
  if next(found) == nil then return nil, tool .. " assembles no instruction" end
  local text = json.encode { key = key, opcodes = json.object(found), layouts = json.object(layouts) }
  if text and file.make_directory(cache:match "^(.*)/") then file.write(cache, text) end -- a cache that cannot be written is none
  return found, layouts
end

return exegesis
