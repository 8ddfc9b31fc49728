--- Asks several predictors about the same blocks, with several processes at once.
--
-- The blocks of each predictor are cut into pieces, which wait in one queue; the answers come in the order of predictors and blocks,
-- whoever is ready first. A predictor that measures (`exclusive`) is asked when all others have ended.
-- @module portolan.predictor.machinery.several
local core = require "portolan.core"
local task = require "portolan.predictor.machinery.task"

local several = {}

-- Blocks in a piece, at least: a process takes as long to start as it takes for some 20 blocks. More where each job has a predictor anyway.
local fewest, fewest_each = 40, 100
local pieces_per_job = 3 -- so that at the end no job waits long for another

-- The number of pieces of each predictor: all jobs get as many, unless there are too few blocks.
local function piece_count(sharing, count, jobs)
  local least = sharing < jobs and fewest or fewest_each
  local n = math.max(1, math.min(count // least, math.ceil(jobs * pieces_per_job / sharing)))
  while n > 1 and n * sharing % jobs ~= 0 do n = n - 1 end
  return n
end

-- The pieces of all predictors that can share the machine, in turn: { predictor's number, first, last }.
local function pieces(predictors, count, jobs)
  local sharing, list = 0, {}
  for _, p in ipairs(predictors) do sharing = sharing + (p.exclusive and 0 or 1) end
  if sharing == 0 or count == 0 then return list end
  local size = math.ceil(count / piece_count(sharing, count, jobs))
  for first = 1, count, size do
    for k, p in ipairs(predictors) do
      if not p.exclusive then list[#list + 1] = { predictor = k, first = first, last = math.min(count, first + size - 1) } end
    end
  end
  return list
end

local function ask(predictors, blocks, piece, lists)
  local some = table.move(blocks, piece.first, piece.last, 1, {})
  local answers = predictors[piece.predictor]:predict(some)
  table.move(answers, 1, #some, piece.first, lists[piece.predictor])
end

--- Asks predictors about blocks.
-- @param predictors list (`portolan.predictor.machinery.protocol`)
-- @param blocks list
-- @tparam[opt] table options
-- @tparam[opt=2] int options.jobs processes at once
-- @return list of lists: the answers of each predictor, in order
function several.predict(predictors, blocks, options)
  local jobs = options and options.jobs or 2
  local queue, next_piece, lists, workers = pieces(predictors, #blocks, jobs), 1, {}, {}
  for k in ipairs(predictors) do lists[k] = {} end
  local function work()
    while queue[next_piece] do
      local piece = queue[next_piece]
      next_piece = next_piece + 1
      ask(predictors, blocks, piece, lists)
    end
  end
  for k = 1, math.min(jobs, #queue) do workers[k] = task.start(work) end
  local fault
  for _, worker in ipairs(workers) do
    local ok, trouble = pcall(worker.wait, worker)
    if not ok then fault, next_piece = fault or trouble, #queue + 1 end -- the others end their piece and tidy up
  end
  if fault then error(fault, 0) end
  for k, p in ipairs(predictors) do
    if p.exclusive and not core.base.interrupted() then lists[k] = p:predict(blocks) end
    for i = 1, #blocks do lists[k][i] = lists[k][i] or { error = "interrupted", interrupted = true } end
  end
  return lists
end

return several
