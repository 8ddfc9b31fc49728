--- One wave of a campaign: lines 3 to 10 of Algorithm 8.1 for many sampled blocks at once.
--
-- All candidates are minimized at once. They are generalized in the order of their samples, a number of them at a time; once one is
-- done, others that its discovery subsumes are given up, running or not: one after the other they would not have been begun. So that few are
-- begun in vain, the first order of a candidate runs alone, and the other orders after it.
--
-- In the algorithm's own order, each a function below: `sample` (line 3), `interesting` (lines 4 and 5), `minimized` (line 6), `subsumed` (lines
-- 7 and 8), `start_order` with portolan.anica.generalize (line 9, Algorithm 8.2), `discover` (line 10).
--
-- A wave depends on the seed, its number, and the discoveries before it, on nothing else.
-- @module portolan.anica.wave
local Evidence = require "portolan.anica.evidence"
local Rounds = require "portolan.anica.rounds"
local generalize = require "portolan.anica.generalize"
local lists = require "portolan.support.lists"
local minimize = require "portolan.anica.minimize"

local wave = {}

local Wave = {}
Wave.__index = Wave

-- The sampled blocks, of 1 to `length` instructions.
local function sample(self, rng)
  local o, blocks = self.options, {}
  for i = 1, o.batch do
    local own = rng:split(i)
    local list = o.domain:top(1 + own:below(o.length)):sample(own, 1)
    blocks[#blocks + 1] = list and list[1]
  end
  return blocks
end

-- Returns the interesting ones of some blocks, a list of `{ original =, original_verdict =, index = }`; or nil and a message.
local function interesting(self, blocks)
  local verdicts, message = self.answer(blocks)
  if not verdicts then return nil, message end
  local list = {}
  for i, verdict in ipairs(verdicts) do
    if verdict.interesting then list[#list + 1] = { original = blocks[i], original_verdict = verdict, index = i } end
  end
  return list
end

-- Minimized candidates, each block once; or nil and a message.
local function minimized(self, candidates)
  local searches, split = Rounds.new(self.answer), self.options.domain.split
  for _, candidate in ipairs(candidates) do
    searches:start(function() return minimize.run(candidate.original, Rounds.ask, split) end, function(block) candidate.block = block end)
  end
  local ok, message = searches:run()
  if not ok then return nil, message end
  local list, seen = {}, {}
  for _, candidate in ipairs(candidates) do
    if candidate.block and not seen[candidate.block] then
      seen[candidate.block] = true
      local verdicts, why = self.answer { candidate.block }
      if not verdicts then return nil, why end
      candidate.verdict = verdicts[1]
      candidate.represented = self.options.domain:represent(candidate.block)
      if candidate.represented then list[#list + 1] = candidate end
    end
  end
  return list
end

-- Gives a candidate up if a discovery subsumes it.
local function subsumed(self, candidate)
  if candidate.done or candidate.found then return candidate.done end
  if not self.found:subsuming(candidate.represented) then return false end
  candidate.done = true
  self.subsumed = self.subsumed + 1
  for _, search in ipairs(candidate.searches) do Rounds.cancel(search) end
  return true
end

local function discover(self, candidate, order, result)
  if self.options.stop() then return end
  local d = { abstract = result.abstract, block = candidate.block, verdict = candidate.verdict, original = candidate.original,
    original_verdict = candidate.original_verdict, interestingness = result.interestingness, findings = result.findings, tree = result.tree,
    order = order }
  local new, other = self.found:add(d)
  self.options.report(new and "discovery" or "subsumed", d, other)
  if not new then return end
  self.discoveries = self.discoveries + 1
  for _, running in ipairs(self.running) do subsumed(self, running) end
end

local start_order

-- An order of a candidate has ended.
local function finished(self, candidate, order, result)
  candidate.open = candidate.open - 1
  if result then
    self.expansions = self.expansions + #result.tree
    candidate.found = true
    discover(self, candidate, order, result)
  end
  if order == 1 and result then
    for k = 2, self.options.orders do start_order(self, candidate, k) end
  end
  if candidate.open == 0 then
    candidate.done = true
    if not candidate.found then self.unlike = self.unlike + 1 end
  end
end

function start_order(self, candidate, order)
  local o, rng = self.options, candidate.rng:split(order)
  candidate.open = candidate.open + 1
  local check = Evidence.new(Rounds.ask, rng:split(1), { samples = o.samples, first = o.first, provisional = o.provisional,
    counterexamples = candidate.counterexamples })
  local function run()
    return (generalize.run(candidate.block, o.domain, check, rng:split(2), { strategy = o.strategy }))
  end
  table.insert(candidate.searches, self.rounds:start(run, function(result) finished(self, candidate, order, result) end))
end

-- Starts candidates while there is room.
local function refill(self)
  local running = lists.where(self.running, function(candidate) return not candidate.done end)
  self.running = running
  while self.rounds:alive() < self.options.concurrent and self.candidates[self.next] do
    local candidate = self.candidates[self.next]
    self.next = self.next + 1
    candidate.searches, candidate.open, candidate.counterexamples = {}, 0, {}
    candidate.rng = self.rng:split(candidate.index)
    if not subsumed(self, candidate) then
      table.insert(self.running, candidate)
      start_order(self, candidate, 1)
    end
  end
end

local function generalized(self)
  self.rounds, self.running, self.next = Rounds.new(self.answer), {}, 1
  while true do
    refill(self)
    if self.rounds:alive() == 0 then return true end
    local ok, message = self.rounds:step()
    if not ok then return nil, message end
    local stop = self.options.stop()
    if stop then return nil, stop, true end
  end
end

--- Runs a wave.
-- @param rng random stream of this wave
-- @param known discoveries (`portolan.anica.found`); new ones are added
-- @tparam table options
-- @param options.domain abstract domain
-- @tparam func options.answer function(blocks) -> verdicts, or nil and a message
-- @tparam int options.batch blocks sampled
-- @tparam int options.length of a block, at most
-- @tparam int options.orders in which a block is generalized
-- @tparam int options.samples for an abstract block to be interesting
-- @tparam int options.first of these samples are taken first
-- @tparam int options.provisional samples on the way
-- @tparam string options.strategy "groups" or "plain"
-- @tparam int options.concurrent searches at a time
-- @tparam func options.report function("discovery"|"subsumed", discovery, the one that subsumes it)
-- @tparam func options.sampled function(number of blocks, number of interesting ones)
-- @tparam func options.stop function() -> reason to end in mid-wave, or nil
-- @return `{ sampled =, interesting =, candidates =, subsumed =, unlike =, discoveries =, expansions = }`; message if it ended early, and
-- whether `stop` ended it
function wave.run(rng, known, options)
  local self = setmetatable({ options = options, found = known, rng = rng, answer = options.answer, discoveries = 0, subsumed = 0, unlike = 0,
    expansions = 0, candidates = {} }, Wave)
  local blocks = sample(self, rng:split(0))
  local list, message = interesting(self, blocks)
  local ok, stopped = list ~= nil, nil
  if ok then
    self.interesting = #list
    options.sampled(#blocks, #list)
    self.candidates, message = minimized(self, list)
    ok = self.candidates ~= nil
  end
  if ok then ok, message, stopped = generalized(self) end
  return { sampled = #blocks, interesting = self.interesting or 0, candidates = self.candidates and #self.candidates or 0,
    subsumed = self.subsumed, unlike = self.unlike, discoveries = self.discoveries, expansions = self.expansions },
    not ok and (message or "interrupted") or nil, stopped
end

return wave
