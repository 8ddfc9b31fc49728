--- Finds where a scheduling model of LLVM's is wrong, as far as measurements decide it: what whoever maintains the model can check and change.
--
-- Three kinds of claims, each with a block that decides and its time: use of ports (`portolan.infer.reference`, measured here), throughput alone
-- and latency (what the mapping's own measurements show, measured once more where there is a processor). A claim is only taken if llvm-mca itself is
-- wrong about the block that decides and the mapping is right.
-- @module portolan.infer.model_review
local algebra = require "portolan.mapping.algebra"
local core = require "portolan.core"
local instance = require "portolan.scheme.instance"
local latency_number = require "portolan.mapping.latency_number"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local reference = require "portolan.infer.reference"
local tables = require "portolan.predictor.llvm_mca.tables"
local text = require "portolan.predictor.llvm_mca.text"

local review = {}

local right = 0.05 -- a prediction that is off by no more than this share of the measurement is right; a 20th is twice what readings differ by
local wrong = 0.1 -- one that is off by more than this is wrong; between the two nothing is said

-- Statuses of schemes whose time alone the mapping's own model explains.
local trusted = { explained = true, ["slower than ports"] = true, ["eliminated at rename"] = true }

local unknown_latency = 100 -- and more: what LLVM's models say where they know none

local block_length = 12 -- instructions of a block to read, about

local function off(predicted, measured) return math.abs(predicted - measured) / measured end

--- Tells whether a block decides against the model.
-- @param ours cycles that the mapping predicts
-- @param theirs cycles that llvm-mca predicts
-- @param measured cycles
function review.decides(ours, theirs, measured) return measured > 0 and off(ours, measured) <= right and off(theirs, measured) > wrong end

-- Tells whether llvm-mca takes as long for a block as the number that a claim is about says. It may wait for something else, such as a register that
-- cores know not to matter: then the block says nothing about the number.
local function is_about(claim, theirs) return not claim.number or math.abs(theirs - claim.number) <= wrong * claim.number end

-- Adds what llvm-mca says of the blocks that decide, and their text; drops claims that it does not refute.
local function checked(tool, claims)
  local answers = tool:throughput(lists.map(claims, function(claim) return claim.e end))
  local kept = {}
  for i, claim in ipairs(claims) do
    claim.theirs = answers[i].cycles
    if claim.theirs and is_about(claim, claim.theirs) and review.decides(claim.ours, claim.theirs, claim.measured) then
      claim.block, claim.copies = text.of_experiment(claim.e, block_length)
      kept[#kept + 1] = claim
    end
  end
  return kept
end

-- Claims about ports: measured by the processor.
local function ports(m, other, tool, processor, options)
  local differences, message = reference.differences(m, other)
  if not differences then return nil, message end
  local counts, trouble = reference.decide(processor, differences, options)
  if not counts then return nil, trouble end
  local claims = {}
  for _, entry in ipairs(differences.list) do
    if entry.verdict == "ours" then
      claims[#claims + 1] = { scheme = entry.scheme, kind = "ports", was = entry.reference_usage, is = entry.usage, e = entry.e,
        number = entry.theirs, experiment = entry.experiment, ours = entry.ours, measured = entry.measured, assumed = entry.assumed }
    end
  end
  return checked(tool, claims), counts
end

local function cycles_text(x)
  local number = ("%.2f"):format(x):gsub("%.?0+$", "")
  return number .. (number == "1" and " cycle" or " cycles")
end

-- Measures claims anew, where there is a processor that can; drops those that come out otherwise. True; or nil and a message.
local function again(claims, measure)
  if not measure or #claims == 0 then return claims end
  local results, message = measure(claims)
  if not results then return nil, message end
  local kept = {}
  for i, claim in ipairs(claims) do
    claim.measured = results[i].status == "ok" and results[i].cycles or nil
    if claim.measured and review.decides(claim.ours, claim.theirs, claim.measured) then kept[#kept + 1] = claim end
  end
  return kept
end

-- Claims about what a scheme takes alone, of schemes that `skip` does not have.
local function throughputs(m, tool, facts, skip)
  local compiled, claims = assert(mapping.compile(m)), {}
  for _, name in ipairs(mapping.schemes(m, true)) do
    local entry, theirs = m.schemes[name], facts[name]
    if entry.tp and entry.tp > 0 and trusted[entry.status] and theirs and theirs.tp and not skip[name] then
      local ours = compiled:throughput { [name] = 1 }
      if ours and review.decides(ours, theirs.tp, entry.tp) then
        claims[#claims + 1] = { scheme = name, kind = "throughput", was = cycles_text(theirs.tp), is = cycles_text(entry.tp), e = { [name] = 1 },
          number = theirs.tp, experiment = name, ours = ours, measured = entry.tp }
      end
    end
  end
  return checked(tool, claims)
end

-- The chain that shows a latency best: of the fewest links.
local function deciding_chain(pair)
  local best, fewest
  for _, w in ipairs(pair.witnesses or {}) do
    local links = type(w.chain) == "string" and select(2, w.chain:gsub("%[", ""))
    if links and math.type(w.cycles) and w.cycles > 0 and (not best or links < fewest) then best, fewest = w, links end
  end
  return best, fewest
end

-- Claims about latencies: of pairs that are determined and have a chain of their own, one link.
local function latencies(m, facts)
  local claims = {}
  for _, name in ipairs(mapping.schemes(m, true)) do
    local theirs = facts[name]
    local _, most = latency_number.most(latency_number.pairs(name, m.schemes[name]), "register", "register")
    local witness, links = nil, nil
    if most and not most.pair.low then witness, links = deciding_chain(most.pair) end
    local known = theirs and theirs.latency and theirs.latency < unknown_latency
    if witness and links == 1 and known then
      claims[#claims + 1] = { scheme = name, kind = "latency", is = cycles_text(most.pair.cycles), chain = witness.chain,
        links = { { scheme = name, from = most.pair.from, to = most.pair.to } }, ours = most.pair.cycles, measured = witness.cycles }
    end
  end
  return claims
end

-- Those claims about latencies that llvm-mca is wrong about, with the text of their chains.
local function checked_chains(tool, claims)
  local blocks, with = {}, {}
  for _, claim in ipairs(claims) do
    local chain = core.isa.chain(claim.links, instance.policy(), 0)
    local words = chain and text.of_bytes(chain.bytes)
    if words then
      claim.block, claim.copies = words, chain.copies
      blocks[#blocks + 1], with[#with + 1] = { text = words }, claim
    end
  end
  local kept = {}
  for i, answer in ipairs(tool:predict(blocks)) do
    local claim = with[i]
    claim.theirs = answer.cycles and answer.cycles / claim.copies
    if claim.theirs and review.decides(claim.ours, claim.theirs, claim.measured) then
      claim.was, kept[#kept + 1] = cycles_text(claim.theirs), claim
    end
  end
  return kept
end

-- Returns what the mapping and the model say of a scheme, for a table.
local function facts_of(m, other, name, theirs)
  local ours, model = m.schemes[name], other.schemes[name] or {}
  return {
    ours = { ports = mapping.usage(ours), slots = ours.slots or 1, tp = ours.tp, latency = latency_number.longest(name, ours) },
    theirs = { ports = mapping.usage(model), slots = theirs.uops, tp = theirs.tp, latency = theirs.latency },
  }
end

--- Reviews a model.
-- @param m mapping
-- @param other mapping of the model (`portolan.predictor.llvm_mca.mapping`)
-- @param tool llvm-mca of the model (`portolan.predictor.llvm_mca`); its answers are those of the steady state
-- @param[opt] processor that measures what decides about ports; without, nothing is said of them
-- @tparam[opt] table options of the processor's `measure`
-- @return `{ model =, version =, renaming =, claims = { claim, ... }, counts = verdicts about ports, or nil }`; or nil and a message. A claim is
-- `{ scheme =, kind = "ports", "throughput" or "latency", was =, is = (texts), experiment or chain = text, block = assembler text, copies = rounds
-- in it, ours =, theirs =, measured = (cycles a round), assumed = true if ports were chosen, facts = { ours =, theirs = { ports =, slots =, tp =,
-- latency = } } }`
function review.of(m, other, tool, processor, options)
  local renamed, renaming = algebra.match(m, other)
  if not renamed then return nil, renaming end
  local names = mapping.common(renamed, other)
  local facts, claims, counts = tables.read(tool, names), {}, nil
  if processor then
    claims, counts = ports(renamed, other, tool, processor, options)
    if not claims then return nil, counts end
  end
  local decided = {}
  for _, claim in ipairs(claims) do decided[claim.scheme] = true end
  local alone, trouble = again(throughputs(renamed, tool, facts, decided), processor and function(list)
    return processor:measure(lists.map(list, function(claim) return claim.e end), options)
  end)
  if not alone then return nil, trouble end
  local chains, fault = again(checked_chains(tool, latencies(renamed, facts)), processor and processor.measure_chains and function(list)
    return processor:measure_chains(lists.map(list, function(claim) return claim.links end), options)
  end)
  if not chains then return nil, fault end
  for _, list in ipairs { alone, chains } do table.move(list, 1, #list, #claims + 1, claims) end
  for _, claim in ipairs(claims) do claim.facts = facts_of(renamed, other, claim.scheme, facts[claim.scheme]) end
  return { model = tool.name, version = tool.version, cpu = tool.cpu, major = tool.major, renaming = renaming, claims = claims, counts = counts,
    common = #names }
end

return review
