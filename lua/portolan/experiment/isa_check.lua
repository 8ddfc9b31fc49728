--- Checks of the instruction tables: does every scheme survive encoding and decoding, and does Capstone agree?
-- @module portolan.experiment.isa_check
local architectures = require "portolan.support.architectures"
local core = require "portolan.core"
local isa = require "portolan.scheme.isa"
local lists = require "portolan.support.lists"
local loop_body = require "portolan.experiment.loop_body"
local paths = require "portolan.support.paths"

local isa_check = {}

local function mnemonic_of(scheme_name) return isa.scheme(scheme_name).mnemonic end

local function is_among(value, expected)
  if type(expected) == "string" then return value == expected end
  return lists.any(expected, function(one) return value == one end)
end

-- Returns why Capstone's opinion differs; nil if there is no explanation.
local function explain(opinion, explanations)
  for _, explanation in ipairs(explanations) do
    local expected = explanation.pairs[mnemonic_of(opinion.scheme)]
    if expected and is_among(opinion.theirs, expected) then return explanation.reason end
  end
  if opinion.verdict == "unknown" then
    return ("Capstone does not know it: %s"):format(isa.scheme(opinion.scheme).extension)
  end
  return nil
end

-- Returns why LLVM's opinion differs; nil if there is no explanation.
local function explain_llvm(opinion, explanations)
  for _, explanation in ipairs(explanations) do
    if explanation.llvm and is_among(mnemonic_of(opinion.scheme), explanation.llvm) then return explanation.reason end
  end
  return nil
end

local function group(opinions, explanations, explaining)
  local groups, by_reason, unexplained = {}, {}, {}
  for _, opinion in ipairs(opinions) do
    local reason = explaining(opinion, explanations)
    if not reason then
      unexplained[#unexplained + 1] = opinion
    else
      local g = by_reason[reason]
      if not g then
        g = { reason = reason, schemes = {} }
        by_reason[reason], groups[#groups + 1] = g, g
      end
      table.insert(g.schemes, opinion.scheme)
    end
  end
  table.sort(groups, function(a, b)
    if #a.schemes ~= #b.schemes then return #a.schemes > #b.schemes end
    return a.reason < b.reason
  end)
  return groups, unexplained
end

-- The scheme's operands allocated for `copies` instances in a row, encoded and decoded: nil, or what went wrong.
-- (Encoding itself refuses what does not decode to the very same operands.)
local function allocation_fault(name, copies, policy, layout)
  local sequence = {}
  for k = 1, copies do sequence[k] = name end
  local code, message = core.isa.instantiate(sequence, policy, layout)
  if not code then return message end
  local each, behind = #code.instructions // copies, core.isa.scheme(name).behind or 0 -- with what stands around an instance
  for k = 1, copies do
    local instruction = code.instructions[k * each - behind]
    if not instruction then return ("instance %d is missing"):format(k) end
    if instruction.scheme ~= name then return ("instance %d decodes to %s"):format(k, instruction.scheme) end
  end
end

local copies = 12 -- in a row: every candidate operand has its turn

--- Chooses operands by Algorithm 3.1 in every layout of the policy, encodes, decodes.
-- @param schemes list of schemes that are to be measured
-- @param policy default: that of the schemes' architecture
-- @return { schemes = count, instances = count, failures = list of { scheme =, message = } }, or nil, message
function isa_check.allocation(schemes, policy)
  policy = policy or assert(loop_body.declared(schemes[1] and schemes[1].architecture))
  local compiled, message = core.isa.policy(policy)
  if not compiled then return nil, message end
  local result = { schemes = #schemes, instances = 0, failures = {} }
  for _, scheme in ipairs(schemes) do
    for _, layout in ipairs(policy.layouts) do
      local fault = allocation_fault(scheme.name, copies, compiled, layout.name)
      result.instances = result.instances + copies
      if fault then
        table.insert(result.failures, { scheme = scheme.name, message = ("layout %s: %s"):format(layout.name, fault) })
        break
      end
    end
  end
  return result
end

--- Encodes and decodes instances of every scheme, and asks Capstone about length and mnemonic of one.
-- @param schemes list of schemes
-- @return { schemes = count, instances = count, failures = list of { scheme =, message = }, agreements = count,
--   disagreements = list of { reason =, schemes = names }, unexplained = list of { scheme =, verdict =, bytes =, theirs = } },
--   or nil, message
function isa_check.run(schemes)
  local names = lists.map(schemes, function(scheme) return scheme.name end)
  local architecture = schemes[1] and schemes[1].architecture or architectures.default()
  local result, message = core.isa.check(names)
  if not result then return nil, message end
  local groups, unexplained = group(result.different, paths.data(architecture, "second_opinion.lua"), explain)
  return {
    schemes = #schemes, instances = result.instances, failures = result.failures, agreements = result.same,
    disagreements = groups, unexplained = unexplained,
  }
end

--- Groups what LLVM's disassembler says otherwise by reasons (arch/ARCHITECTURE/second_opinion.lua).
-- @param opinion what `portolan.predictor.machinery.llvm_opinion` returned
-- @param architecture of the schemes
-- @return { program =, agreements = count, disagreements = list of { reason =, schemes = names },
--   unexplained = list of { scheme =, verdict =, bytes =, theirs = } }
function isa_check.llvm(opinion, architecture)
  local groups, unexplained = group(opinion.different, paths.data(architecture, "second_opinion.lua"), explain_llvm)
  return { program = opinion.program, agreements = opinion.same, disagreements = groups, unexplained = unexplained }
end

return isa_check
