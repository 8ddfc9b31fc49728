--- This module measures what a loop takes on this processor, as it is and changed in ways that do not change what it computes.
-- @module portolan.loop.times
local core = require "portolan.core"
local lists = require "portolan.support.lists"
local mapping_part = require "portolan.mapping.part"
local model = require "portolan.prediction.model"
local prediction = require "portolan.prediction"
local real_blocks = require "portolan.processor.real_blocks"
local real_loop = require "portolan.block.loop"
local rewrites = require "portolan.loop.rewrites"
local witness = require "portolan.loop.witness"

local times = {}

local line_bytes, step_bytes = real_loop.line_bytes, 16 -- between places in a line at which code is tried
local unrolls = { 2, 4 }
local off = 0.02 -- share by which a form takes more or less than predicted, from which on it is measured again
local patience = 15 -- seconds after which nothing is measured again
local looking = 8 -- seconds that are spent on which part of a loop a prediction is wrong about

--- A prediction is wrong that is off by a larger share than this.
times.wrong = 0.05

local most_of_it = 0.5 -- share of a difference

--- Is most of what a loop's prediction is off by there in its instructions as an experiment, too? Then the mapping is wrong about them. What stays
-- within the time that is predicted for another reason (dependencies) explains nothing.
-- @param m what was measured, with `as_experiment`
function times.is_of_mapping(m)
  local e, more = m.as_experiment, m.cycles - m.predicted
  local explained = more > 0 and e.cycles - math.max(e.predicted, m.predicted) or math.max(e.cycles, m.cycles) - e.predicted
  return explained / more >= most_of_it
end

-- The loop as it is, and what may be done to it: list of `{ what =, bytes = of an iteration, others, unrolled, address = as of `real_loop.form`,
-- work = iterations of the loop as it is that are one of its own }`; `layout` of those whose instructions are the same; `place` of those that are
-- only moved; `quick` of all but the loop as it is: what is not steady of them is not waited for.
local function forms_of(piece, p)
  local list = { {} }
  local function add(form) list[#list + 1] = form end
  for _, n in ipairs(unrolls) do add { what = ("%d iterations from branch to branch"):format(n), unrolled = n, layout = true } end
  for _, rewrite in ipairs(rewrites.of(piece, p)) do
    local others = { table.unpack(rewrite.bodies, 2) }
    add { what = rewrite.what, bytes = rewrite.bodies[1], others = others, unrolled = #others + 1, work = rewrite.work }
  end
  for place = 0, line_bytes - 1, step_bytes do
    if place ~= piece.address % line_bytes then
      add { what = ("beginning at %d of %d bytes"):format(place, line_bytes), address = place, place = place, layout = true }
    end
  end
  local defaults = { bytes = piece.bytes, unrolled = 1, address = piece.address, work = 1 }
  for i, form in ipairs(list) do
    for key, value in pairs(defaults) do form[key] = form[key] or value end
    form.quick = i > 1
  end
  return list
end

-- Returns what the model says of an iteration of a loop that was changed, in cycles; nil if it does not know all of it.
local function predicted(blocks, change)
  local bodies = assert(real_loop.iterations(change.bytes, change.unrolled, change.others))
  local p = blocks and blocks:explain(real_loop.as_measured(bodies), { loop = true })
  local known = p and lists.all(p.items, function(item) return item.known end)
  return known and p.cycles / #bodies / change.work or nil
end

-- Measures forms, and notes the result of each that counts more than its former one (`real_blocks.better`). Returns true; or nil, message, status.
local function ask(processor, forms, again)
  local codes = lists.map(forms, function(form) return form.bytes end)
  local results, message, status = processor:measure_blocks(codes, nil, lists.map(forms, function(form)
    return real_loop.form { address = form.address, unrolled = form.unrolled, others = form.others, again = again, quick = form.quick }
  end))
  if not results then return nil, message, status end
  for i, form in ipairs(forms) do
    form.result = real_blocks.better(form.result, results[i])
  end
  return true
end

-- Is a form to be measured again? What shares the core may slow code down for seconds, and never makes it faster.
local function is_doubtful(form)
  local cycles = form.result.cycles
  return form.result.fresh and not (cycles and form.predicted and math.abs(cycles / (form.predicted * form.work) - 1) < off)
end

-- Measures all forms, as long as the first one has a time: those in doubt once more after all others. Returns true; or nil, message, status.
local function ask_all(processor, forms)
  local began = core.base.now()
  local ok, message, status = ask(processor, { forms[1] })
  local first = forms[1].result
  if not ok or first.status ~= "ok" and not first.unsteady then return ok, message, status end
  ok, message, status = ask(processor, table.move(forms, 2, #forms, 1, {}))
  if not ok or core.base.interrupted() or core.base.now() - began > patience then return ok, message, status end
  local doubtful = lists.where(forms, is_doubtful)
  if doubtful[1] == forms[1] then -- by itself: what is asked together has one patience
    ok, message, status = ask(processor, { table.remove(doubtful, 1) }, true)
    if not ok then return nil, message, status end
  end
  return ask(processor, doubtful, true)
end

local function facts_of(result)
  local message = result.status == "trap" and "which way the branches inside go its data decide, and those that it has here leave its path"
    or result.message
  return { status = result.status, cycles = result.cycles, range = result.range, message = message, pages = result.pages,
    iterations = result.copies, after_jumps = result.after_jumps }
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
  local own = predicted(blocks, { bytes = code, unrolled = 1, others = {}, work = 1 }) or 0
  local least, most = (1 + times.wrong) * math.max(first.predicted, own), (1 + times.wrong) * first.result.cycles
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
    return real_loop.new(bytes) and predicted(blocks, { bytes = bytes, unrolled = 1, others = {}, work = 1 })
  end
  local found = best and witness.of(processor, piece, { predict = predict, cycles = best.result.cycles, predicted = expected,
    address = best.address, seconds = looking })
  if found then found.place = best.place end
  return found -- without one all that was measured stands
end

-- Notes why the prediction of a loop is wrong, if it is: the layout of the same instructions with which it is right, what fetching the code takes,
-- what the instructions take as an experiment; and where these do not explain it, a part of the loop. A loop that is not steady where it stands may
-- be so elsewhere.
local function find_difference(processor, piece, p, forms, found)
  local first = forms[1]
  if not first.predicted or off_by(first) <= times.wrong then return end
  local right = lists.first(forms, function(form) return form.layout and off_by(form) <= math.min(times.wrong, off_by(first) / 2) end)
  found.right_layout, found.fetching = right and right.what, fetching_of(processor, piece, p.model, first)
  local cycles = first.result.cycles
  local function takes_it(time) return time ~= nil and cycles ~= nil and math.abs(time / cycles - 1) <= times.wrong end
  if right or takes_it(found.fetching) or core.base.interrupted() then return end
  found.as_experiment = cycles and as_experiment(processor, piece, p.mapping)
  local e = found.as_experiment
  if e and takes_it(e.cycles) and times.is_of_mapping(found) or core.base.interrupted() then return end
  found.witness = witness_of(processor, piece, p.model, forms)
end

--- Measures a loop, and what changes give.
-- @param processor portolan.processor.hardware
-- @param piece of `portolan.code`
-- @param p its prediction, with `model` (portolan.block.model) and `mapping` if there is one
-- @return `{ status =, cycles = per iteration, range =, message = why there are none, iterations = that were measured, after_jumps = true (it was run
-- behind jumps), counted =, register = (as of `real_loop.new`), predicted = cycles of what was measured, which may have a counter more, changes =
-- list of { what =, cycles =, predicted =, layout = true if the instructions are the same }`, and where the prediction is wrong `right_layout =
-- (what, of the change of layout with which it is right), fetching = (cycles that fetching the code takes, if these are more than predicted),
-- as_experiment = { cycles =, predicted = } of its instructions, and witness = of portolan.loop.witness, with `place` if it is not where the loop
-- stands; none if the former explain the difference }`; or nil, message, status
function times.of(processor, piece, p)
  local b, why, state = real_loop.new(piece.bytes)
  if not b then return { status = state, message = why, changes = {} } end
  local forms = forms_of(piece, p)
  for _, form in ipairs(forms) do form.predicted = form.place and forms[1].predicted or predicted(p.model, form) end
  local ok, message, status = ask_all(processor, forms)
  if not ok then return nil, message, status end
  local found = facts_of(forms[1].result)
  found.counted, found.register, found.predicted, found.changes = b.counted, b.register, forms[1].predicted, {}
  find_difference(processor, piece, p, forms, found)
  for _, form in ipairs(table.move(forms, 2, #forms, 1, {})) do
    local cycles = form.result and form.result.cycles
    found.changes[#found.changes + 1] = cycles and { what = form.what, cycles = cycles / form.work, place = form.place, layout = form.layout,
      predicted = not form.place and form.predicted or nil } or nil
  end
  return found
end

return times
