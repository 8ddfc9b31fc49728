--- This module tells how far a prediction of a block is from being certain: what it takes at least and at most, whatever the schemes do of which only
-- slots and the time alone are known (`alone`: portolan.mapping.best_known).
--
-- At least the block takes what it takes without them, but for their slots and latencies. At most each of them adds what it takes alone to what the
-- ports, slots and units are busy with: two experiments together never take longer than one after the other. Ports that were chosen among several
-- that fit are not in it: the time alone and mixtures bear these out.
-- @module portolan.block.doubt
local block_model = require "portolan.block.model"
local lists = require "portolan.support.lists"

local block_doubt = {}

local function is_doubtful(scheme) return scheme ~= nil and scheme.alone == true end

local certain_of = setmetatable({}, { __mode = "k" }) -- a model -> the same without what such schemes take alone

local function certain(model)
  if certain_of[model] then return certain_of[model] end
  local m = lists.copy(model.mapping)
  m.schemes = lists.copy(m.schemes)
  for name, scheme in pairs(m.schemes) do
    if is_doubtful(scheme) then
      local copy = lists.copy(scheme)
      copy.tp = nil
      m.schemes[name] = copy
    end
  end
  certain_of[model] = assert(block_model.of(m))
  return certain_of[model]
end

-- Returns the largest of the bounds but that of dependencies, in cycles.
local function busy(p)
  local most = 0
  for limit, cycles in pairs(p.bounds) do
    if limit ~= "dependencies" then most = math.max(most, cycles) end
  end
  return most
end

--- Computes what a block takes at least and at most.
-- @param model of blocks
-- @param piece `{ bytes = }`
-- @param options as of `model:explain`
-- @param p its explanation by the model
-- @return `{ low =, high = }`, cycles; nil where all that it rests on is certain, or where something is not known at all
function block_doubt.of(model, piece, options, p)
  local further, any = 0, false
  for _, item in ipairs(p.items) do
    if not item.known or item.lacks_latency then return nil end
    if is_doubtful(model.mapping.schemes[item.known_as]) then
      further, any = further + model.compiled:throughput { [item.known_as] = 1 }, true
    end
  end
  local least = any and certain(model):explain(piece.bytes, { loop = options.loop })
  return least and { low = math.min(least.cycles, p.cycles), high = math.max(busy(least) + further, p.cycles) } or nil
end

return block_doubt
