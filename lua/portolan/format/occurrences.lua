--- This module counts how often instruction schemes occur in the basic blocks of programs.
-- @module portolan.format.occurrences
local bhive = require "portolan.format.bhive"
local core = require "portolan.core"
local lists = require "portolan.support.lists"

local occurrences = {}

--- Counts the schemes of blocks as they occur in the code; how often a block was run does not matter.
-- @param paths list of files of BHive: hex,frequency
-- @tparam[opt] string architecture of the code; by default the host's
-- @return table scheme name -> number of instructions; number of blocks left out because they cannot be decoded; or nil and a message
function occurrences.of_files(paths, architecture)
  local counts, left_out = {}, 0
  local ok, message = bhive.each(paths, function(block)
    local code = core.isa.decode(block.code, architecture)
    if not code then left_out = left_out + 1 end
    for _, instruction in ipairs(code and code.instructions or {}) do
      local name = instruction.scheme
      if name then counts[name] = (counts[name] or 0) + 1 end
    end
  end)
  if not ok then return nil, message end
  return counts, left_out
end

--- Puts schemes in order, the most frequent first, and leaves out those that do not occur.
-- @param schemes list of schemes
-- @param counts table scheme name -> number
-- @param[opt] most how many to keep; all
-- @return list of schemes
function occurrences.sorted(schemes, counts, most)
  local list = lists.where(schemes, function(scheme) return counts[scheme.name] end)
  table.sort(list, function(a, b)
    if counts[a.name] ~= counts[b.name] then return counts[a.name] > counts[b.name] end
    return a.name < b.name
  end)
  return table.move(list, 1, math.min(#list, most or #list), 1, {})
end

return occurrences
