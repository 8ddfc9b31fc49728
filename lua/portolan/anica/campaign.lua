--- Campaigns: Algorithm 8.1.
--
--    local campaign = require "portolan.anica.campaign"
--    local c = assert(campaign.new { a = "llvm-mca-14:znver1", b = "llvm-mca-16:znver1", seed = 1, out = "campaigns/znver1" })
--    local result = assert(c:run())
--    for _, d in ipairs(result.discoveries) do print(d.id, table.concat(d.text, "\n")) end
--
-- A campaign runs in waves (portolan.anica.wave). The random numbers of a wave depend on the seed and its number only, and its discoveries
-- are in the journal before its end is: after `kill -9` a campaign goes on behind the last whole wave and finds what it would have found.
-- @module portolan.anica.campaign
local Found = require "portolan.anica.found"
local Pair = require "portolan.anica.pair"
local core = require "portolan.core"
local outcome = require "portolan.anica.outcome"
local journal = require "portolan.anica.journal"
local json = require "portolan.support.json"
local preparation = require "portolan.anica.preparation"
local discovery_record = require "portolan.anica.discovery_record"
local settings = require "portolan.anica.settings"
local wave = require "portolan.anica.wave"

local campaign = {}

local Campaign = {}
Campaign.__index = Campaign

--- Prepares a campaign: opens predictors and domain, and finds out which schemes they support.
-- @tparam table options those of `settings.check` (portolan.anica.settings); the time that is taken here counts
-- @tparam[opt] func watch function(what, done, total) that is called while predictors are asked what they support
-- @return campaign; or nil, a message, an exit status (nil: the input is wrong)
function campaign.new(options, watch)
  local began = core.base.now()
  local s, message = settings.check(options)
  if not s then return nil, message end
  local p, status
  p, message, status = preparation.of(s, function(what, done, total)
    if watch then watch(what, done, total) end
    return s.limits.seconds and core.base.now() - began >= s.limits.seconds and "seconds" or nil
  end)
  if not p then return nil, message, status end
  local self = setmetatable({ began = began, settings = s, a = p.a, others = p.others, domain = p.domain, scheme_count = p.scheme_count,
    excluded = p.excluded }, Campaign)
  self.pair = Pair.new(p.a, p.b, s.criterion, { jobs = s.jobs, architecture = self.domain.architecture,
    predict = s.predict, others = s.interesting and self.others })
  self.b = self.pair.b
  return self
end

local function nothing() return { seconds = 0, predictor_calls = 0, blocks_sampled = 0, interesting = 0, expansions = 0, batches = 0, unlike = 0 } end

-- Takes up what the journal knows.
local function restore(self)
  self.found, self.before, self.dry, self.now = Found.new(), nothing(), 0, { sampled = 0, interesting = 0 }
  for _, event in ipairs(self.journal and self.journal.events or {}) do
    if event.event == "discovery" then
      local d, message = self.domain:decode(event.abstract)
      if not d then return nil, ("%s: discovery %s: %s"):format(self.journal.path, event.id, message) end
      self.found:restore { id = event.id, abstract = d, record = event }
    elseif event.event == "batch" then
      self.before, self.dry = event.figures, event.dry
    end
  end
  self.figures, self.pair.calls = {}, 0 -- what an earlier run of this object asked is among those before
  for name, value in pairs(self.before) do self.figures[name] = value end
  return true
end

local function append(self, event)
  if self.journal then self.journal:append(event) end
end

local function elapsed(self) return self.before.seconds + core.base.now() - self.started end

-- Seconds that the test set will take at the pace so far: they are left of the time, but at most so large a part of it.
local most_for_tests = 0.25

local function for_tests(self)
  local c, calls = self.settings.coverage, self.pair.calls
  if calls == 0 or c.files then return 0 end
  local seconds = c.blocks * (#self.pair.predictors + #self.others) * (core.base.now() - self.started) / calls
  return math.min(most_for_tests * self.settings.limits.seconds, seconds)
end

--- Returns why nothing more may be asked: "interrupted", "seconds" (its time is up); nil if it may.
-- @tparam[opt=0] number reserved seconds of its time that are for something else
function Campaign:over(reserved)
  if core.base.interrupted() then return "interrupted" end
  local limit = self.settings.limits.seconds
  return limit and elapsed(self) >= limit - (reserved or 0) and "seconds" or nil
end

-- Returns why the campaign should end; nil if it should not.
local function reason_to_end(self)
  local limits = self.settings.limits
  local over = self:over(limits.seconds and for_tests(self))
  if over then return over end
  if limits.discoveries and #self.found:standing() >= limits.discoveries then return "discoveries" end
  if limits.dry and self.dry >= limits.dry then return "dry" end
  if limits.batches and self.figures.batches >= limits.batches then return "batches" end
end

-- `asked`: calls that the pair does not know of yet.
local function tell(self, asked)
  if not self.watch then return end
  self.watch { seconds = elapsed(self), discoveries = #self.found:standing(), batches = self.figures.batches, dry = self.dry,
    predictor_calls = self.before.predictor_calls + self.pair.calls + (asked or 0), blocks_sampled = self.figures.blocks_sampled + self.now.sampled,
    interesting = self.figures.interesting + self.now.interesting, threshold = self.settings.threshold }
end

local function report(self, kind, d, other)
  if kind == "subsumed" then
    return append(self, { event = "subsumed", text = d.abstract:text(), by = other.id,
      block = discovery_record.block(d.block, d.verdict, self.domain.text) })
  end
  local r = discovery_record.discovery(d, self.domain.text)
  r.event, r.over = "discovery", json.array(d.over)
  append(self, r)
  d.record, d.tree, d.findings = r, nil, nil
  tell(self)
end

-- Makes the options that a wave is told.
local function wave_options(self)
  local s = self.settings
  return { domain = self.domain, batch = s.batch, length = s.length, orders = s.orders, samples = s.samples, first = s.first,
    provisional = s.provisional, strategy = s.strategy, concurrent = s.concurrent,
    answer = function(blocks)
      local verdicts, message = self.pair:ask(blocks, function(done)
        tell(self, done * #self.pair.predictors)
        return self:over(s.limits.seconds and for_tests(self))
      end)
      if core.base.interrupted() then return nil, "interrupted" end
      tell(self)
      return verdicts, message
    end,
    report = function(kind, d, other) report(self, kind, d, other) end,
    sampled = function(n, interesting) self.now = { sampled = n, interesting = interesting } end,
    stop = function() return reason_to_end(self) end }
end

local ends = { interrupted = true, seconds = true } -- as of `over`

-- One wave. True; or nil, why it ended early, and whether that is a reason to end the campaign.
local function run_wave(self)
  local figures = self.figures
  local w, message, stopped = wave.run(core.base.rng(self.settings.seed):split(figures.batches + 1), self.found, wave_options(self))
  self.pair:forget()
  self.now = { sampled = 0, interesting = 0 }
  figures.blocks_sampled, figures.interesting = figures.blocks_sampled + w.sampled, figures.interesting + w.interesting
  figures.expansions, figures.unlike = figures.expansions + w.expansions, figures.unlike + w.unlike
  figures.seconds, figures.predictor_calls = elapsed(self), self.before.predictor_calls + self.pair.calls
  if message then return nil, message, stopped or ends[message] end
  figures.batches = figures.batches + 1
  self.dry = w.discoveries > 0 and 0 or self.dry + 1
  append(self, { event = "batch", n = w.sampled, interesting = w.interesting, candidates = w.candidates, subsumed = w.subsumed,
    unlike = w.unlike, discoveries = w.discoveries, dry = self.dry, figures = figures })
  tell(self)
  return true
end

-- Algorithm 8.1: one wave after the other (lines 3 to 10, portolan.anica.wave) until there is a reason to end (line 2).
local function run_waves(self)
  while true do
    local reason = reason_to_end(self)
    if reason then return reason end
    local ok, message, stopped = run_wave(self)
    if not ok then
      if stopped then return message end
      return nil, message
    end
  end
end

-- The waves and what comes of them, with the journal open.
local function run(self, head)
  local ok, message = restore(self)
  if not ok then return nil, message end
  self.started, self.began = self.began or core.base.now(), nil
  local reason, trouble = run_waves(self)
  append(self, { event = "end", reason = reason or "failure", message = trouble })
  if not reason then return nil, trouble, 1 end
  local result = outcome.run(self, head, reason)
  if self.journal then
    local written, why, status = self.journal:conclude(result)
    if not written then return nil, why, status end
  end
  return result
end

--- Runs the campaign; goes on where an earlier run of it was cut short.
-- @param[opt] watch function(state): called often; `{ seconds =, discoveries =, batches =, dry =, predictor_calls =, ... }`
-- @return what discoveries.json holds (docs/anica.md); or nil, message, status
function Campaign:run(watch)
  self.watch = watch
  local head = preparation.header(self)
  if not self.settings.out then return run(self, head) end
  local opened, message, status = journal.open(self.settings.out, head)
  if not opened then return nil, message, status end
  self.journal = opened
  local result = table.pack(pcall(run, self, head))
  opened:close()
  if not result[1] then error(result[2], 0) end
  return table.unpack(result, 2, result.n)
end

return campaign
