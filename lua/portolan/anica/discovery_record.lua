--- Discoveries as files have them (docs/anica.md): tables that JSON can hold.
-- @module portolan.anica.discovery_record
local code = require "portolan.anica.code"
local json = require "portolan.support.json"
local lists = require "portolan.support.lists"

local discovery_record = {}

local most_witnesses = 20

--- An answer of a predictor.
function discovery_record.answer(answer)
  if answer.cycles then return { cycles = answer.cycles } end
  return { error = answer.error or "no answer", crash = answer.crash, unsupported = answer.unsupported }
end

--- A block with both answers.
-- @param block machine code
-- @param verdict of `portolan.anica.pair`
-- @param[opt] text function(block) -> text
function discovery_record.block(block, verdict, text)
  local difference = verdict.difference ~= math.huge and verdict.difference or nil
  return { hex = code.hex(block), text = (text or code.text)(block), a = discovery_record.answer(verdict.a), b = discovery_record.answer(verdict.b),
    difference = difference }
end

local function samples(list, text)
  return json.array(lists.map(list, function(sample) return discovery_record.block(sample.block, sample.verdict, text) end))
end

local function step(s, text)
  local texts, keys = json.array {}, json.array {}
  for i, expansion in ipairs(s.expansions) do texts[i], keys[i] = expansion.text, expansion.key end
  return { expansions = texts, keys = keys, accepted = s.accepted, text = s.block:text(), samples = s.findings.samples, from = s.from,
    reason = s.reason, failure = s.findings.failure, witnesses = samples(s.findings.witnesses, text), counter = samples(s.findings.counter, text) }
end

--- The tree of a generalization.
-- @param tree list of steps of `portolan.anica.generalize`
-- @param[opt] text function(block) -> text
function discovery_record.tree(tree, text)
  return json.array(lists.map(tree, function(s) return step(s, text) end))
end

-- Interesting blocks of the discovery: those of the last steps that were accepted are of it or below it.
local function witnesses(d, text)
  local list, seen = json.array {}, {}
  for i = #d.tree, 1, -1 do
    local s = d.tree[i]
    for _, sample in ipairs(s.accepted and s.findings.witnesses or {}) do
      if #list < most_witnesses and not seen[sample.block] and d.abstract:contains(sample.block) then
        seen[sample.block] = true
        list[#list + 1] = discovery_record.block(sample.block, sample.verdict, text)
      end
    end
  end
  return list
end

--- A discovery.
-- @param d of `portolan.anica.wave`
-- @param[opt] text function(block) -> text
-- @return table for JSON
function discovery_record.discovery(d, text)
  local infinite = d.interestingness == math.huge
  return {
    id = d.id, abstract = d.abstract:encode(), text = d.abstract:text(), block = discovery_record.block(d.block, d.verdict, text),
    original = discovery_record.block(d.original, d.original_verdict, text), interestingness = not infinite and d.interestingness or nil,
    infinite = infinite or nil, generality = d.abstract:generality(), order = d.order, witnesses = witnesses(d, text),
    tree = discovery_record.tree(d.tree, text),
  }
end

return discovery_record
