--- This module asks what LLVM's disassembler thinks of schemes: it prints samples, and its text is assembled again. Text that gives the same machine
-- code names the same instruction with the same operands.
-- @module portolan.predictor.machinery.llvm_opinion
local core = require "portolan.core"
local isa = require "portolan.scheme.isa"
local llvm_program = require "portolan.predictor.machinery.llvm_program"
local program = require "portolan.predictor.machinery.program"
local tool = require "portolan.predictor.machinery.tool"

local llvm_opinion = {}

local variants = 3 -- samples of each scheme

local function hex(bytes, format) return (bytes:gsub(".", function(c) return format:format(c:byte()) end)) end

-- All samples, each in a line of its own.
local function samples_of(schemes)
  local samples, lines = {}, {}
  for _, scheme in ipairs(schemes) do
    for variant = 0, variants - 1 do
      local bytes = assert(isa.sample(scheme.name, variant))
      samples[#samples + 1] = { scheme = scheme.name, bytes = bytes }
      lines[#lines + 1] = hex(bytes, "0x%02x ")
    end
  end
  return samples, table.concat(lines, "\n") .. "\n"
end

-- Numbers of the lines that are no instruction to it.
local function refused(complaints)
  local lines = {}
  for line in complaints:gmatch "<stdin>:(%d+):%d+: warning: invalid instruction" do lines[tonumber(line)] = true end
  return lines
end

-- Its text for each sample; nil where it knows none.
local function texts_of(samples, result)
  local printed, no_instruction, texts = {}, refused(result.err), {}
  for line in result.out:gmatch "[^\n]+" do
    if not line:match "^%s*%." and line:match "%S" then printed[#printed + 1] = line:gsub("%s+", " "):gsub("^ ", "") end
  end
  local next_line = 0
  for k in ipairs(samples) do
    if not no_instruction[k] then
      next_line = next_line + 1
      texts[k] = printed[next_line]
    end
  end
  if next_line ~= #printed then return nil, ("llvm-mc printed %d lines for %d instructions"):format(#printed, next_line) end
  return texts
end

local function judge(samples, texts, architecture)
  local result, agreed, differs = { same = 0, different = {} }, {}, {}
  for k, sample in ipairs(samples) do
    local code = texts[k] and core.isa.assemble(texts[k], architecture)
    if code and code.bytes == sample.bytes then
      agreed[sample.scheme] = true
    elseif not differs[sample.scheme] then
      differs[sample.scheme] = true
      table.insert(result.different, { scheme = sample.scheme, verdict = texts[k] and "text" or "unknown", theirs = texts[k],
        bytes = hex(sample.bytes, "%02x") })
    end
  end
  for scheme in pairs(agreed) do
    if not differs[scheme] then result.same = result.same + 1 end
  end
  return result
end

--- Asks the newest llvm-mc.
-- @param schemes list of schemes of AArch64
-- @return `{ program = "llvm-mc-19", same = count, different = list of { scheme =, verdict = "text" or "unknown", theirs = text, bytes = } }`; or
-- nil and a message
function llvm_opinion.of(schemes)
  local newest = llvm_program.installed("llvm-mc")[1]
  if not newest then return nil, llvm_program.missing "llvm-mc" end
  local samples, input = samples_of(schemes)
  local ran, message = program.run(newest.path, { "--disassemble", "-triple=aarch64", "-mattr=+all" }, { input = input })
  if not ran then return nil, message end
  local ending = program.failure(newest.name, ran) or ran.status ~= 0 and tool.complaint(newest.name, ran)
  if ending then return nil, ending.error end
  local texts
  texts, message = texts_of(samples, ran)
  if not texts then return nil, message end
  local result = judge(samples, texts, "aarch64")
  result.program = newest.name
  return result
end

return llvm_opinion
