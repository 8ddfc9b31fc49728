--- This module finds why the prediction of a loop is wrong, where it is. Each of several tests parts one kind of reasons from the others, whatever
-- the core.
-- @module portolan.loop.difference
local core = require "portolan.core"
local lists = require "portolan.support.lists"
local mapping_part = require "portolan.mapping.part"
local model = require "portolan.prediction.model"
local prediction = require "portolan.prediction"
local real_loop = require "portolan.block.loop"
local witness = require "portolan.loop.witness"

local difference = {}

local looking = 8 -- seconds that are spent on which part of a loop a prediction is wrong about
local most_of_it = 0.5 -- share of a difference

--- A prediction is wrong that is off by a larger share than this.
difference.wrong = 0.05

--- Is most of what a loop's prediction is off by there in its instructions as an experiment, too? Then the mapping is wrong about them. What stays
-- within the time that is predicted for another reason (dependencies) explains nothing.
-- @param m what was measured, with `as_experiment`
function difference.is_of_mapping(m)
  local e, more = m.as_experiment, m.cycles - m.predicted
  local explained = more > 0 and e.cycles - math.max(e.predicted, m.predicted) or math.max(e.cycles, m.cycles) - e.predicted
  return explained / more >= most_of_it
end

-- How right the prediction of a form is: the share by which it is off, infinite if that is not known.
local function off_by(form)
  local cycles, should = form.result and form.result.cycles, form.predicted and form.predicted * form.work
  return cycles and should and math.abs(should / cycles - 1) or math.huge
end

-- What fetching the code takes, in cycles: NOPs of the same lengths in its place, asked twice, as what shares the core may slow them. Nil if that is
-- not known, or tells nothing: they take no more than is predicted of the loop and of them, or more than the loop.
local function fetching_of(processor, piece, blocks, first)
  local code = witness.as_nops(piece)
  if not code or not first.result.cycles or first.result.cycles < first.predicted then return nil end
  local function asked(again)
    local form = real_loop.form { address = first.address, quick = true, again = again }
    local results = processor:measure_blocks({ code }, nil, { form })
    return results and results[1] or {}
  end
  local result = asked(false)
  if result.fresh then result = asked(true) end -- which keeps the faster one
  local own = real_loop.predicted(blocks, { bytes = code }) or 0
  local least, most = (1 + difference.wrong) * math.max(first.predicted, own), (1 + difference.wrong) * first.result.cycles
  return result.cycles and result.cycles > least and result.cycles <= most and result.cycles or nil
end

-- What the instructions of a loop take as an experiment (docs/measuring.md), in which they wait for nothing and memory is always in the same place:
-- `{ cycles =, predicted = }`. Nil where that is not known. Branches are not in it. The faster of two readings counts: what shares the core may slow
-- one.
local function as_experiment(processor, piece, m)
  local e = prediction.experiment(lists.where(piece.instructions, function(instruction) return not instruction.scheme:find "^j" end))
  local p = m and prediction.of(assert(model.of(mapping_part.of(m, core.isa.host, lists.keys(e)))), e, {})
  if not p or p.unknown then return nil end
  local cycles
  for reading = 1, 2 do
    local results = processor:measure({ e }, { again = reading > 1 })
    local time = results and results[1].cycles
    cycles = time and math.min(time, cycles or time) or cycles
  end
  return cycles and { cycles = cycles, predicted = p.cycles } or nil
end

-- The part of a loop that its prediction is wrong about, where it stands best.
local function witness_of(processor, piece, blocks, forms)
  local expected, best = forms[1].predicted, nil
  for _, form in ipairs(forms) do
    if (form == forms[1] or form.place) and off_by(form) < (best and off_by(best) or math.huge) then best = form end
  end
  local function predict(bytes)
    return real_loop.new(bytes) and real_loop.predicted(blocks, { bytes = bytes })
  end
  local found = best and witness.of(processor, piece, { predict = predict, cycles = best.result.cycles, predicted = expected,
    address = best.address, seconds = looking })
  if found then found.place = best.place end
  return found -- without one all that was measured stands
end

--- Notes why the prediction of a loop is wrong, if it is. A loop that is not steady where it stands may be so elsewhere.
-- @param processor portolan.processor.hardware
-- @param piece of `portolan.code`
-- @param p its prediction, with `model` (portolan.block.model) and `mapping` if there is one
-- @param forms as of portolan.loop.times, measured, the loop as it is first
-- @param found `{ cycles =, predicted = }` of that; gets `right_layout = (what, of the change of layout with which the prediction is right), fetching
-- = (cycles that fetching the code takes, if these are more than predicted), as_experiment = { cycles =, predicted = } of its instructions, and
-- witness = of portolan.loop.witness, with `place` if it is not where the loop stands; none if the former explain the difference }`
function difference.find(processor, piece, p, forms, found)
  local first = forms[1]
  if not first.predicted or off_by(first) <= difference.wrong then return end
  local right = lists.first(forms, function(form) return form.layout and off_by(form) <= math.min(difference.wrong, off_by(first) / 2) end)
  found.right_layout, found.fetching = right and right.what, fetching_of(processor, piece, p.model, first)
  local cycles = first.result.cycles
  local function takes_it(time) return time ~= nil and cycles ~= nil and math.abs(time / cycles - 1) <= difference.wrong end
  if right or takes_it(found.fetching) or core.base.interrupted() then return end
  found.as_experiment = cycles and as_experiment(processor, piece, p.mapping)
  local e = found.as_experiment
  if e and takes_it(e.cycles) and difference.is_of_mapping(found) or core.base.interrupted() then return end
  found.witness = witness_of(processor, piece, p.model, forms)
end

return difference
