--- What a loop takes on this processor, as it is and changed in ways that do not change what it computes.
-- @module portolan.loop.times
local core = require "portolan.core"
local lists = require "portolan.support.lists"
local real_loop = require "portolan.real_loop"

local times = {}

local line_bytes, step_bytes = 64, 16 -- of the cache; between places in it at which code is tried
local unrolls = { 2, 4 }
local rounds, patience = 2, 15 -- seconds after which no further round begins

-- What may be done to a loop without a thought: `{ what =, unrolled =, address = }`.
local function changes_of(piece)
  local list = {}
  for _, n in ipairs(unrolls) do
    list[#list + 1] = { what = ("%d iterations from branch to branch"):format(n), unrolled = n, address = piece.address }
  end
  for place = 0, line_bytes - 1, step_bytes do
    if place ~= piece.address % line_bytes then
      list[#list + 1] = { what = ("beginning at %d of %d bytes"):format(place, line_bytes), address = place, place = place }
    end
  end
  return list
end

-- Measures the loop in a form; a result, or nil, message, status.
local function ask(processor, piece, form)
  local results, message, status = processor:measure_blocks({ piece.bytes }, nil, form)
  if not results then return nil, message, status end
  return results[1]
end

-- Measures the loop and its changes; what was not measured before, once more after all others: what shares the core may slow code down for seconds,
-- and never makes it faster. Returns results by the number of their form, that of the loop as it is being 1; or nil, message, status.
local function ask_all(processor, piece, changes)
  local forms, list, began = lists.joined({ { address = piece.address } }, changes), {}, core.base.now()
  for round = 1, rounds do
    for i, change in ipairs(forms) do
      local worth = round == 1 or list[i] and list[i].fresh and core.base.now() - began < patience
      if worth and not core.base.interrupted() then
        local result, message, status = ask(processor, piece, real_loop.form(change.address, change.unrolled, round > 1))
        if not result then return nil, message, status end
        list[i] = result
        if i == 1 and result.status ~= "ok" and not result.unsteady then return list end
      end
    end
  end
  return list
end

-- What the model says of a loop of so many iterations, each; nil if it says nothing, or does not know what counts them.
local function predicted(model, b, unrolled)
  local p = model and model:explain(real_loop.as_measured(b, unrolled), { loop = true })
  local counter = p and p.items[#p.items - 1]
  return counter and (b.counted == "own" or counter.known) and p.cycles / unrolled or nil
end

local function facts_of(result)
  local message = result.status == "trap" and "which way the branches inside go its data decide, and those that it has here leave its path"
    or result.message
  return { status = result.status, cycles = result.cycles, range = result.range, message = message, pages = result.pages,
    iterations = result.copies }
end

--- Measures a loop, and what changes give.
-- @param processor portolan.processor.hardware
-- @param piece of `portolan.code`
-- @param p its prediction, with `model` (portolan.block_model) if there is one
-- @return `{ status =, cycles = per iteration, range =, message = why there are none, iterations = that were measured, counted =, register = (as of
-- `real_loop.new`), predicted = cycles of what was measured, which may have a counter more, changes = list of { what =, cycles =, predicted = } }`;
-- or nil, message, status
function times.of(processor, piece, p)
  local b, why, state = real_loop.new(piece.bytes)
  if not b then return { status = state, message = why, changes = {} } end
  local changes = changes_of(piece)
  local results, message, status = ask_all(processor, piece, changes)
  if not results then return nil, message, status end
  local found = facts_of(results[1] or { status = "interrupted", message = "interrupted" })
  found.counted, found.register, found.predicted, found.changes = b.counted, b.register, predicted(p.model, b, 1), {}
  for i, change in ipairs(changes) do
    local cycles = results[i + 1] and results[i + 1].cycles
    found.changes[#found.changes + 1] = cycles and { what = change.what, cycles = cycles, place = change.place,
      predicted = change.unrolled and predicted(p.model, b, change.unrolled) or nil } or nil
  end
  return found
end

return times
