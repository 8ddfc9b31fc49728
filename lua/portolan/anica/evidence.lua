--- Is an abstract block interesting? Sampled blocks of it say so (section 8.1.3), in growing batches: most rejections cost a few samples.
--
-- Blocks that were found not to be interesting are kept as counterexamples for all checks of one candidate: an abstract block that contains
-- one is rejected without a single sample, by the very definition of being interesting.
-- @module portolan.anica.evidence
local evidence = {}
evidence.__index = evidence

local kept = { witnesses = 3, counter = 5 } -- blocks behind a decision
local most_counterexamples = 400

--- Checks of one generalization.
-- @param ask function(blocks) -> verdicts (`portolan.anica.pair`)
-- @param rng random stream for the samples
-- @tparam[opt] table options
-- @tparam[opt=100] int options.samples
-- @tparam[opt=5] int options.first size of the first batch
-- @tparam[opt=20] int options.provisional samples after which `check` is content
-- @tparam[opt] table options.counterexamples list shared with other checks of the same candidate
-- @return evidence
function evidence.new(ask, rng, options)
  options = options or {}
  local samples = options.samples or 100
  return setmetatable({
    ask = ask, rng = rng, samples = samples, first = math.min(options.first or 5, samples),
    provisional = math.min(options.provisional or 20, samples),
    counterexamples = options.counterexamples or {}, drawn = 0, checks = 0, reused = 0, turn = 0,
  }, evidence)
end

--- A counterexample that an abstract block contains.
-- @param A abstract block
-- @return `{ block =, verdict = }`; or nil
function evidence:refutation(A)
  local list = self.counterexamples
  for i = #list, 1, -1 do
    if A:contains(list[i].block) then
      local found = table.remove(list, i)
      list[#list + 1] = found -- what refuted once will do so again
      return found
    end
  end
end

local function remember(self, sample)
  local list = self.counterexamples
  list[#list + 1] = sample
  if #list > most_counterexamples then table.remove(list, 1) end
end

local function keep(list, sample, most)
  if #list < most then list[#list + 1] = sample end
end

--- Returns what is known of an abstract block at first: nothing.
-- @return findings `{ samples =, decided =, sum =, witnesses =, counter = }`
function evidence.nothing() return { samples = 0, decided = 0, sum = 0, infinite = 0, witnesses = {}, counter = {} } end

-- Half of n samples from the corners of A, as far as these have any, the others from A itself. Nil and a message if there are none.
local function draw(self, A, corners, n)
  local blocks, share = {}, #corners > 0 and n // 2 or 0
  for i = 1, share do
    local some = corners[1 + (self.turn + i) % #corners]:sample(self.rng, 1)
    blocks[#blocks + 1] = some and some[1]
  end
  self.turn = self.turn + share
  local others, failed = A:sample(self.rng, n - #blocks)
  if not others then return nil, failed end
  if #others == 0 then return nil, "no block could be drawn" end
  self.drawn = self.drawn + #blocks + #others
  return table.move(others, 1, #others, #blocks + 1, blocks)
end

local function count(findings, verdict)
  findings.decided = findings.decided + 1
  if verdict.difference == math.huge then findings.infinite = findings.infinite + 1 else findings.sum = findings.sum + verdict.difference end
end

-- Samples up to a total of n. False if one is not interesting or none can be drawn.
local function extend(self, A, findings, corners, n)
  local blocks, message = draw(self, A, corners, n - findings.samples)
  if not blocks then
    findings.failure = message
    return false
  end
  local fine = true
  for i, verdict in ipairs(self.ask(blocks)) do
    local sample = { block = blocks[i], verdict = verdict }
    if verdict.interesting then
      keep(findings.witnesses, sample, kept.witnesses)
      count(findings, verdict)
    elseif verdict.interesting == false then
      fine = false
      keep(findings.counter, sample, kept.counter)
      remember(self, sample)
    end
  end
  findings.samples = findings.samples + #blocks
  return fine
end

-- Do enough samples have a verdict at all?
local function carried(findings)
  if 2 * findings.decided >= findings.samples then return true end
  findings.failure = ("only %d of %d samples have a verdict"):format(findings.decided, findings.samples)
  return false
end

--- Checks an abstract block.
-- @param A abstract block
-- @param[opt] n samples that it must stand; `provisional` by default
-- @param[opt] findings of an earlier check of the same block, to go on from
-- @param[opt] corners function(rng) -> list of blocks below A from which half of the samples are drawn (portolan.anica.generalize)
-- @return whether it is interesting; findings
function evidence:check(A, n, findings, corners)
  self.checks = self.checks + 1
  n = n or self.provisional
  findings = findings or evidence.nothing()
  local refuted = self:refutation(A)
  if refuted then
    self.reused = self.reused + 1
    findings.counter[1] = findings.counter[1] or refuted
    return false, findings
  end
  local list = corners and findings.samples < n and corners(self.rng) or {}
  for _, size in ipairs { self.first, self.provisional, n } do
    size = math.min(size, n)
    if findings.samples < size then
      local before = findings.samples
      if not extend(self, A, findings, list, size) then return false, findings end
      if findings.samples == before then break end
    end
  end
  return carried(findings), findings
end

--- Mean difference of the predictions over the samples (section 8.1.7).
-- @param findings
-- @return number, `math.huge` if one of them crashed a predictor
function evidence.interestingness(findings)
  if findings.infinite > 0 then return math.huge end
  return findings.decided > 0 and findings.sum / findings.decided or 0
end

return evidence
