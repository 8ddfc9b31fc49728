--- Puts together what comes of a campaign: its discoveries, ranked, what they cover, how much further predictors disagree (discoveries.json).
-- @module portolan.anica.outcome
local core = require "portolan.core"
local coverage = require "portolan.anica.coverage"
local heat = require "portolan.anica.heat"
local json = require "portolan.support.json"
local lists = require "portolan.support.lists"
local rank = require "portolan.anica.rank"

local outcome = {}

local test_stream = -1 -- label of the random numbers of the test set: no wave has it

-- The test set: random blocks, or those of files.
local function test_blocks(self)
  local c = self.settings.coverage
  if c.files then
    local blocks, message = coverage.of_files(self.domain, c.files)
    return blocks, not blocks and message or nil
  end
  if c.blocks == 0 then return {} end
  return coverage.random(self.domain, core.base.rng(self.settings.seed):split(test_stream), c.blocks, c.length)
end

-- Coverage and heat map; messages of what failed.
local function evaluate(self, standing)
  local blocks, message = test_blocks(self)
  if not blocks then return nil, nil, message end
  if #blocks == 0 then return nil end
  local function over() return self:over() end
  local answered, why = self.pair:ask(blocks, over)
  if core.base.interrupted() then return nil end
  if why == "seconds" then
    blocks = lists.where(blocks, function(block) return self.pair.known[block] end)
  elseif not answered then
    return nil, nil, why
  end
  local interesting, decided = coverage.interesting(function(list) return self.pair:ask(list) end, blocks)
  local covered, trouble = coverage.of(self.domain, standing, interesting, decided, self.settings.coverage.top)
  local map
  if #self.others > 0 and not self.settings.interesting and not core.base.interrupted() then -- a function of one's own is not one of pairs
    map, message = heat.of({ self.a, self.b, table.unpack(self.others) }, blocks, self.settings.criterion,
      { jobs = self.settings.jobs, predict = self.settings.predict, stop = over })
  end
  return covered, map, trouble or message
end

--- Concludes a campaign.
-- @param self campaign
-- @param header what campaign.json holds
-- @param reason why it ended
-- @return table for discoveries.json
function outcome.run(self, header, reason)
  self.found:resolve()
  local standing, discoveries = self.found:standing(), json.array {}
  local covered, map, failure
  if reason ~= "interrupted" then covered, map, failure = evaluate(self, standing) end
  for i, d in ipairs(self.found.list) do
    local r = d.record
    r.event, r.subsumed_by, r.covers = nil, d.subsumed_by, d.covers
    discoveries[i] = r
  end
  local ranked = {}
  for i, d in ipairs(standing) do ranked[i] = d.record end
  rank.all(ranked)
  return { format = "portolan-discoveries", version = 1, campaign = header, figures = self.figures, reason = reason, discoveries = discoveries,
    coverage = covered or nil, heat = map, failure = failure }
end

return outcome
