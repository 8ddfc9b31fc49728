--- Counts how many interesting blocks of a set the discoveries subsume, and how many the best few of them do (section 8.2.3, Table 8.3).
-- @module portolan.anica.coverage
local bhive = require "portolan.format.bhive"
local core = require "portolan.core"
local json = require "portolan.support.json"
local lists = require "portolan.support.lists"

local coverage = {}

--- Random blocks, without constraints.
-- @param domain abstract domain
-- @param rng random stream
-- @param n number of blocks
-- @param[opt] length instructions in each; 4
-- @return list of machine code; or nil and a message
function coverage.random(domain, rng, n, length)
  local blocks, message = domain:top(length or 4):sample(rng, n)
  return blocks, not blocks and message or nil
end

--- The blocks of files of BHive that a domain can represent, each once.
-- @param domain abstract domain
-- @param paths list of files
-- @param[opt] longest instructions of a block; 16
-- @return list of machine code; number of blocks that were left out; or nil and a message
function coverage.of_files(domain, paths, longest)
  local blocks, seen, left_out = {}, {}, 0
  local ok, message = bhive.each(paths, function(block)
    if seen[block.code] then return end
    seen[block.code] = true
    local A = block.code ~= "" and domain:represent(block.code)
    if A and A:size() <= (longest or 16) then blocks[#blocks + 1] = block.code else left_out = left_out + 1 end
  end)
  if not ok then return nil, message end
  return blocks, left_out
end

--- Finds which discoveries subsume which blocks.
-- @param domain abstract domain
-- @param discoveries list of `{ abstract = abstract block }`
-- @param blocks list of machine code
-- @return per block a list of positions in `discoveries`
function coverage.matrix(domain, discoveries, blocks)
  local rows = {}
  for k, block in ipairs(blocks) do
    local A = domain:represent(block)
    rows[k] = lists.indices(A and discoveries or {}, function(d) return d.abstract:subsumes(A) end)
  end
  return rows
end

--- The interesting ones of some blocks.
-- @param ask function(blocks) -> verdicts, or nil and a message
-- @param blocks list
-- @return list of blocks; number of blocks that have a verdict; or nil and a message
function coverage.interesting(ask, blocks)
  local verdicts, message = ask(blocks)
  if not verdicts then return nil, message end
  local list, decided = {}, 0
  for i, verdict in ipairs(verdicts) do
    if verdict.interesting then list[#list + 1] = blocks[i] end
    if verdict.interesting ~= nil then decided = decided + 1 end
  end
  return list, decided
end

local patience = 60 -- seconds for one program

--- Chooses the k discoveries that together subsume most blocks: the integer linear program of section 8.1.7, by GLPK.
-- @param n number of discoveries
-- @param rows per block a list of the discoveries (1 to n) that subsume it
-- @param k how many may be chosen
-- @tparam[opt] table options
-- @tparam[opt=60] number options.seconds how long to search
-- @return `{ chosen = list of numbers, ascending, covered = number of blocks, proven = whether no choice covers more }`; or nil and a message
function coverage.best(n, rows, k, options)
  local chosen, covered, proven = core.model.cover(n, rows, k, { seconds = (options or {}).seconds or patience })
  if not chosen then return nil, covered end
  return { chosen = chosen, covered = covered, proven = proven }
end

--- Coverage as a whole: how many blocks all discoveries cover, and how many the best k. Sets `covers` of every discovery.
-- @param domain abstract domain
-- @param discoveries list of `{ id =, abstract = abstract block }`
-- @param interesting list of blocks
-- @param blocks number of blocks of which these are the interesting ones
-- @param[opt] sizes list of numbers k
-- @return `{ blocks =, interesting =, covered =, top = { { k =, covered =, discoveries = { ids }, proven = }, ... } }`; or nil and a message
function coverage.of(domain, discoveries, interesting, blocks, sizes)
  local rows, covered = coverage.matrix(domain, discoveries, interesting), 0
  for _, d in ipairs(discoveries) do d.covers = 0 end
  for _, row in ipairs(rows) do
    covered = covered + (#row > 0 and 1 or 0)
    for _, i in ipairs(row) do discoveries[i].covers = discoveries[i].covers + 1 end
  end
  local top = json.array {}
  for _, k in ipairs(sizes or { 10 }) do
    if k <= #discoveries then
      local best, message = coverage.best(#discoveries, rows, k)
      if not best then return nil, message end
      local ids = json.array {}
      for j, i in ipairs(best.chosen) do ids[j] = discoveries[i].id end
      top[#top + 1] = { k = k, covered = best.covered, discoveries = ids, proven = best.proven }
    end
  end
  return { blocks = blocks, interesting = #interesting, covered = covered, top = top }
end

return coverage
