--- This module measures what a loop takes on this processor, as it is and changed in ways that do not change what it computes.
-- @module portolan.loop.times
local core = require "portolan.core"
local difference = require "portolan.loop.difference"
local lists = require "portolan.support.lists"
local real_blocks = require "portolan.processor.real_blocks"
local real_loop = require "portolan.block.loop"
local rewrites = require "portolan.loop.rewrites"

local times = {}

local line_bytes, step_bytes = real_loop.line_bytes, 16 -- between places in a line at which code is tried
local unrolls = { 2, 4 }
local off = 0.02 -- share by which a form takes more or less than predicted, from which on it is measured again
local patience = 15 -- seconds after which nothing is measured again

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

--- Measures a loop, and what changes give.
-- @param processor portolan.processor.hardware
-- @param piece of `portolan.code`
-- @param p its prediction, with `model` (portolan.block.model) and `mapping` if there is one
-- @return `{ status =, cycles = per iteration, range =, message = why there are none, iterations = that were measured, after_jumps = true (it was run
-- behind jumps), counted =, register = (as of `real_loop.new`), predicted = cycles of what was measured, which may have a counter more, changes =
-- list of { what =, cycles =, predicted =, layout = true if the instructions are the same }`, and where the prediction is wrong what
-- portolan.loop.difference notes; or nil, message, status
function times.of(processor, piece, p)
  local b, why, state = real_loop.new(piece.bytes)
  if not b then return { status = state, message = why, changes = {} } end
  local forms = forms_of(piece, p)
  for _, form in ipairs(forms) do form.predicted = form.place and forms[1].predicted or real_loop.predicted(p.model, form) end
  local ok, message, status = ask_all(processor, forms)
  if not ok then return nil, message, status end
  local found = facts_of(forms[1].result)
  found.counted, found.register, found.predicted, found.changes = b.counted, b.register, forms[1].predicted, {}
  difference.find(processor, piece, p, forms, found)
  for _, form in ipairs(table.move(forms, 2, #forms, 1, {})) do
    local cycles = form.result and form.result.cycles
    found.changes[#found.changes + 1] = cycles and { what = form.what, cycles = cycles / form.work, place = form.place, layout = form.layout,
      predicted = not form.place and form.predicted or nil } or nil
  end
  return found
end

return times
