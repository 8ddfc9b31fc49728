--- This module reads what `llvm-mca -instruction-tables` says of instruction schemes.
-- @module portolan.predictor.llvm_mca.tables
local batch = require "portolan.predictor.machinery.batch"
local isa = require "portolan.scheme.isa"
local lists = require "portolan.support.lists"
local runs = require "portolan.predictor.llvm_mca.runs"
local text = require "portolan.predictor.llvm_mca.text"

local tables = {}

--- The names, then those of the whole catalogue: groups and ports are learnt from all, so that they do not depend on what is asked.
-- @param names list
-- @param architecture whose catalogue it is
-- @return list, each name once; or nil and a message
function tables.universe(names, architecture)
  local catalogue, message = isa.schemes { architecture = architecture, legacy = true, vex = true }
  if not catalogue then return nil, message end
  return lists.distinct(lists.joined(names, lists.map(catalogue, function(scheme) return scheme.name end)))
end

-- Returns what the tables say of one instruction; units are counted from 1.
local function entry_of(region)
  local facts, info = region.InstructionInfoView.InstructionList[1], {}
  for _, use in ipairs(region.ResourcePressureView.ResourcePressureInfo) do
    if use.InstructionIndex == 0 then info[#info + 1] = { unit = use.ResourceIndex + 1, cycles = use.ResourceUsage } end
  end
  return { uops = facts.NumMicroOpcodes, latency = facts.Latency, tp = tonumber(facts.RThroughput), info = info }
end

--- Reads the tables.
-- @param tool as for `portolan.predictor.llvm_mca.runs`
-- @param names of schemes
-- @return entries by name: `{ name =, text =, uops = NumMicroOpcodes, latency =, tp =, info = { { unit = number, cycles = }, ... } }`
-- or `{ error = why there are none }`; list of the resources' names
function tables.read(tool, names)
  local list, texts, entries, target = {}, {}, {}, nil
  for _, name in ipairs(names) do
    local words, message = text.of_scheme(name)
    entries[name] = { name = name, text = words, error = message }
    if words then
      list[#list + 1] = name
      texts[#list] = words
    end
  end
  local regions = batch.answer(texts, function(some)
    local found, info, faults = runs.run(tool, some, { "-instruction-tables" }, { single = true })
    if found then target = info end
    return found, info, faults
  end, { most = #texts })
  for i, region in ipairs(regions) do
    local entry = entries[list[i]]
    entry.error = region.error
    for key, value in pairs(region.error and {} or entry_of(region)) do entry[key] = value end
  end
  return entries, target and target.Resources or {}
end

return tables
