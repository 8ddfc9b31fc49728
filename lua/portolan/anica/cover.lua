--- The k discoveries that together subsume most blocks: the integer linear program of section 8.1.7, by GLPK.
-- @module portolan.anica.cover
local core = require "portolan.core"

local cover = {}

local patience = 60 -- seconds for one program

--- Chooses the best discoveries.
-- @param n number of discoveries
-- @param rows per block a list of the discoveries (1 to n) that subsume it
-- @param k how many may be chosen
-- @tparam[opt] table options
-- @tparam[opt=60] number options.seconds how long to search
-- @return `{ chosen = list of numbers, ascending, covered = number of blocks, proven = whether no choice covers more }`; or nil and a message
function cover.best(n, rows, k, options)
  local chosen, covered, proven = core.model.cover(n, rows, k, { seconds = (options or {}).seconds or patience })
  if not chosen then return nil, covered end
  return { chosen = chosen, covered = covered, proven = proven }
end

return cover
