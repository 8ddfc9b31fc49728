--- `portolan export --to llvm-review`: what is wrong with one of LLVM's scheduling models, as far as measurements decide it.
-- @module portolan.cli.export_review
local llvm_mc = require "portolan.predictor.llvm_mca.llvm_mc"
local llvm_mca = require "portolan.predictor.llvm_mca"
local mapping = require "portolan.mapping"
local model_review = require "portolan.infer.model_review"
local model_review_text = require "portolan.report.model_review_text"
local open_processor = require "portolan.cli.open_processor"
local progress = require "portolan.progress.line"

local export_review = {}

-- The model as a mapping and as a program that answers; or nil and a message.
local function model_of(name)
  if not name then return nil, "which model? add --against llvm-mca-19:CPU, for CPU see llvm-mca -mcpu=help" end
  local version, cpu = name:match "^llvm%-mca%-?(%d*):([%w_.-]+)$"
  if not cpu then return nil, ("--against %s: only LLVM's models are reviewed; write llvm-mca-19:CPU"):format(name) end
  local tool, message = llvm_mca.open { version = version ~= "" and version or nil, cpu = cpu, steady = true }
  if not tool then return nil, "--against: " .. message end
  local other, trouble = mapping.load(name)
  if not other then return nil, "--against: " .. trouble end
  return other, tool
end

-- The processor of --oracle, false without; or nil, message, status.
local function processor_of(args)
  if not args.oracle then return false end
  return open_processor.of_option(args.oracle, "export")
end

local function reviewed(m, other, tool, processor)
  local update, finish = progress.measuring(processor)
  local kit, message = model_review.of(m, other, tool, processor or nil, { progress = update })
  finish()
  if processor and processor.close then processor:close() end
  return kit, message
end

--- Writes a review.
-- @param m mapping
-- @param args `against`, `oracle`
-- @return Markdown, an empty list; or nil, message, status
function export_review.write(m, args)
  local other, tool = model_of(args.against)
  if not other then return nil, tool end
  local processor, message, status = processor_of(args)
  if processor == nil then return nil, message, status end
  local kit, trouble = reviewed(m, other, tool, processor)
  if not kit then return nil, trouble end
  local schemes = {}
  for i, claim in ipairs(kit.claims) do schemes[i] = claim.scheme end
  local opcodes = #schemes > 0 and llvm_mc.opcodes(schemes, tostring(kit.major)) or {}
  local p = type(m.processor) == "table" and m.processor or {}
  return model_review_text.markdown(kit, opcodes, p.name or p.cpu), {}
end

return export_review
