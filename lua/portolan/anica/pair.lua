--- The predictors under test: blocks in, their answers and the verdict on them out. Every block is predicted once in a wave, but for changes of
-- blocks (`portolan.anica.changes`), which belong to their block.
-- @module portolan.anica.pair
local lists = require "portolan.support.lists"
local pieces = require "portolan.predictor.machinery.pieces"
local several = require "portolan.predictor.machinery.several"

local pair = {}
pair.__index = pair

--- Makes a pair.
-- @param a predictor
-- @param b predictor; may be the same: then only crashes differ. Nil if one is enough for the criterion: then `b` is what is shown beside it
-- @param criterion of `portolan.anica.interest` or `portolan.anica.own_interest`
-- @tparam[opt] table options
-- @tparam[opt=2] int options.jobs processes at once
-- @tparam[opt] string options.architecture of the blocks; by default the host's
-- @tparam[opt] {table,...} options.others further predictors, whose answers the criterion gets, too
-- @tparam[opt] func options.predict function({ a, b }, blocks, options) -> both lists of answers; by default that of
-- `portolan.predictor.machinery.several`
-- @return pair
function pair.new(a, b, criterion, options)
  options = options or {}
  local predictors = { a }
  if b then predictors[2] = b end
  table.move(options.others or {}, 1, #(options.others or {}), #predictors + 1, predictors)
  return setmetatable({
    predictors = predictors, a = a, b = b or pair.shown(a, criterion), alone = not b, criterion = criterion, jobs = options.jobs or 2,
    architecture = options.architecture, predict = options.predict or several.predict, known = {}, calls = 0,
    pieces = pieces.new(),
  }, pair)
end

--- Returns what stands in B's place where there is none: the first predictor's answer for a changed block.
-- @param a predictor
-- @param criterion
-- @return `{ name =, version =, spec = name that opens the predictor }`
function pair.shown(a, criterion)
  return { name = criterion.shows and ("%s, %s"):format(a.name, criterion.shows) or a.name, version = a.version, spec = a.spec or a.name }
end

--- Forgets what is known: answers are kept for one wave only.
function pair:forget() self.known = {} end

-- All blocks to predict: those that are new, then changes of them. Block -> its place; block -> list of its changes.
local function with_changes(self, new)
  local blocks, place, changes = {}, {}, {}
  local function add(block)
    if place[block] then return end
    blocks[#blocks + 1] = block
    place[block] = #blocks
  end
  for _, block in ipairs(new) do add(block) end
  for _, block in ipairs(new) do
    changes[block] = self.criterion.blocks and self.criterion:changed(block, self.architecture) or {}
    for _, changed in ipairs(changes[block]) do add(changed) end
  end
  return blocks, place, changes
end

-- The answers of all predictors for the block of this place.
local function answers_at(by_predictor, place) return lists.map(by_predictor, function(list) return list[place] end) end

-- The verdict on a block.
local function verdict(self, by_predictor, block, place, changes)
  local answers = answers_at(by_predictor, place[block])
  local v = { a = answers[1], b = not self.alone and answers[2] or answers[1] }
  if self.criterion.kind ~= "own" then
    v.interesting, v.difference = self.criterion:judge(v.a, v.b)
    return v
  end
  local more, shown = { predictors = self.predictors, changed = {} }
  for i, changed in ipairs(changes[block]) do more.changed[i] = { block = changed, answers = answers_at(by_predictor, place[changed]) } end
  v.interesting, v.difference, shown = self.criterion:judge(answers, block, more)
  if self.alone and shown then v.b = shown end
  return v
end

--- Both answers for each block.
-- @param blocks list of machine code
-- @tparam[opt] func stop function() -> reason to end early, or nil, looked at every second or so; what is answered by then stays known
-- @return list of `{ a = answer, b = answer, interesting = boolean or nil, difference = number or nil }`; or nil and a message, or the reason
function pair:ask(blocks, stop)
  local new, seen = {}, {}
  for _, block in ipairs(blocks) do
    if not self.known[block] and not seen[block] then
      seen[block] = true
      new[#new + 1] = block
    end
  end
  if #new > 0 then
    local all, place, changes = with_changes(self, new)
    local by_predictor, done, why = self.pieces:predict(self.predict, self.predictors, all, { jobs = self.jobs }, stop)
    self.calls = self.calls + #by_predictor * done
    local function is_done(block) return place[block] <= done end
    for _, block in ipairs(new) do
      if is_done(block) and lists.all(changes[block], is_done) then self.known[block] = verdict(self, by_predictor, block, place, changes) end
    end
    if done < #all then return nil, why end
  end
  return lists.map(blocks, function(block) return self.known[block] end)
end

return pair
