--- How far a prediction of a block is from being certain: what it takes at least and at most, whatever the schemes do that its mapping is not
-- sure of.
--
-- Not sure are schemes that no ports explain, of which only slots and the time alone are known (`alone`: portolan.best_known), and those whose ports
-- were chosen among several that fit (`assumed`). At least the block takes what it takes without them. At most each of them adds what it takes
-- alone: two experiments together never take longer than one after the other.
-- @module portolan.block_doubt
local core = require "portolan.core"
local lists = require "portolan.support.lists"

local block_doubt = {}

local function is_assumed(scheme) return type(scheme.assumed) == "table" and #scheme.assumed > 0 end

-- Is a scheme's part in a time not certain?
local function is_doubtful(scheme) return scheme ~= nil and (scheme.alone == true or is_assumed(scheme)) end

-- Cycles of the instructions that are left; 0 if none is.
local function cycles_of(model, instructions, options)
  local bytes = table.concat(lists.map(instructions, function(instruction) return instruction.bytes end))
  local p = bytes ~= "" and model:explain(bytes, { loop = options.loop })
  return p and p.cycles or 0
end

--- What a block takes at least and at most.
-- @param model of blocks
-- @param piece `{ bytes = }`
-- @param options `loop`, as of `portolan.block_model`
-- @param p its explanation by the model
-- @return `{ low =, high = }`, cycles; nil where all that it rests on is certain
function block_doubt.of(model, piece, options, p)
  local instructions, rest, further = assert(core.isa.decode(piece.bytes)).instructions, {}, 0
  for i, item in ipairs(p.items) do
    if item.known and is_doubtful(model.mapping.schemes[item.known_as]) then
      further = further + model.compiled:throughput { [item.known_as] = 1 }
    else
      rest[#rest + 1] = instructions[i]
    end
  end
  if #rest == #instructions then return nil end
  local low = cycles_of(model, rest, options)
  return { low = math.min(low, p.cycles), high = math.max(low + further, p.cycles) }
end

return block_doubt
