--- Which flood of a scheme tells most, by what is known of it so far?
--
-- A scheme has a few uops on the sets of ports that can be flooded: each choice of them is a hypothesis, whose price is what speaks against it
-- beside floods (portolan.infer.chart.blocking.prior) and the misfit of the floods that were measured. The next flood is the one on which the
-- hypotheses differ most, each counting by its price; when no flood tells those that are left apart, enough was asked. Then the answer is floods of
-- its own sets, and one that it evades: two readings that agree. What a relative lets expect (portolan.infer.chart.blocking.relatives) has a lead
-- that counts as evidence: only these floods are asked then, which would refute it. Where nothing fits what was asked, even without the floods of
-- classes that are slower than their ports, no other flood mends that; where the uops are too many to go through all choices, all floods are asked.
-- The verdict is that of portolan.infer.chart.blocking.attribute in any case.
-- @module portolan.infer.chart.blocking.asking
local attribute = require "portolan.infer.chart.blocking.attribute"
local constants = require "portolan.infer.chart.constants"
local fit = require "portolan.infer.chart.blocking.fit"
local lists = require "portolan.support.lists"
local port_set = require "portolan.mapping.ports"
local prior = require "portolan.infer.chart.blocking.prior"

local asking = {}

local most_choices = 6000 -- that are gone through
local refuted, gone = constants.asking_refuted, 2 * constants.asking_refuted
local apart, blur = constants.answers_apart, constants.misfit_above

-- All choices of at most p.most uops on p.n sets: list of `{ [set] = uops, ... }`; nil if they are too many.
local function choices_of(p)
  local list, chosen = {}, {}
  for i = 1, p.n do chosen[i] = 0 end
  local function choose(i, left)
    if #list > most_choices then return end
    if i > p.n then
      list[#list + 1] = table.move(chosen, 1, p.n, 1, {})
      return
    end
    for uops = 0, left // p.weight[i] do
      chosen[i] = uops
      choose(i + 1, left - uops * p.weight[i])
    end
    chosen[i] = 0
  end
  choose(1, p.most)
  return #list <= most_choices and list or nil
end

-- Lists what each choice predicts: `{ chosen =, place =, located =, time =, model =, expected = (by row) }`, the same for all schemes with the same
-- sets.
local function hypotheses_of(p, classes, known)
  local keys = lists.map(classes, function(class) return class.representative end)
  local key = table.concat(keys, "\0") .. table.concat(p.weight, " ") .. "\0" .. p.most
  if known[key] == nil then
    local choices, time_of = choices_of(p), prior.timer(classes)
    local place = 0
    known[key] = choices and lists.map(choices, function(chosen)
      place = place + 1
      local h = { chosen = chosen, place = place, located = 0, time = time_of(chosen), model = {}, expected = {} }
      for j = 1, p.n do
        h.located = h.located + chosen[j] * p.weight[j]
        h.model[j], h.expected[j] = fit.model(p, j, chosen), fit.expected(p, j, chosen)
      end
      return h
    end) or false
  end
  return known[key]
end

local function cheaper(a, b)
  if a.price ~= b.price then return a.price < b.price end
  return a.of.place < b.of.place
end

-- Adds what a flood that was measured says to the prices, and leaves out what cannot be.
local function learn(open, j)
  local least, left = math.huge, {}
  for _, one in ipairs(open.left) do
    local cost = fit.misfit(open.p, j, one.of.model[j], one.of.expected[j])
    if cost then
      one.price, one.evidence = one.price + cost, one.evidence + cost
      least, left[#left + 1] = math.min(least, one.evidence), one
    end
  end
  open.left = lists.where(left, function(one) return one.evidence <= least + gone end)
  table.sort(open.left, cheaper)
end

-- Returns what a hypothesis makes of a flood's count, in the middle of what the model says and what was seen of its uops.
local function middle(one, j) return (one.of.model[j] + one.of.expected[j]) / 2 end

-- Computes how much the hypotheses that are left differ on a flood, each counting by its price, compared with how uncertain its count is.
local function tells(open, j)
  local sum, squares, blurred, weights, least = 0, 0, 0, 0, open.left[1].price
  for _, one in ipairs(open.left) do
    local weight, x = math.exp((least - one.price) / 2), middle(one, j)
    sum, squares, weights = sum + weight * x, squares + weight * x * x, weights + weight
    blurred = blurred + weight * (one.of.expected[j] - one.of.model[j]) ^ 2 / 4
  end
  local mean = sum / weights
  return (squares / weights - mean * mean) / (blur * blur + blurred / weights)
end

-- Floods that were not measured, on which a hypothesis that is not refuted differs from the best.
local function telling(open)
  local best, found = open.left[1], {}
  for _, one in ipairs(open.left) do
    if one.evidence < best.evidence + refuted then
      for j in pairs(open.unasked) do
        found[j] = found[j] or math.abs(middle(one, j) - middle(best, j)) > apart or nil
      end
    end
  end
  return found
end

-- The largest set that is a part of another one; its place, nil if there is none, or one of the parts was asked.
local function part_of(open, j)
  local whole, largest = open.jobs[j].class.ports, nil
  for i = 1, j - 1 do
    local ports = open.jobs[i].class.ports
    if #ports < #whole and port_set.within(ports, whole) then
      if not open.unasked[i] then return nil end
      largest = i
    end
  end
  return largest
end

-- Is the best hypothesis what a close relative lets expect? Mixtures would refute fewer ports than that.
local function expects(open) return open.close and open.left[1].unlike == 0 end

-- A flood that confirms the best hypothesis: of a set that has its uops, of a part of that, which bounds them from below, or one that it evades; of
-- all sets that hold any, if it has more uops than were counted. Nil if all were seen.
local function confirming(open)
  local best, evaded, widest = open.left[1].of, false, nil
  for j = 1, open.p.n do
    local uops = best.chosen[j] > 0
    if open.unasked[j] and (uops or best.located > open.counted and best.model[j] > 0) then return j end
    local part = uops and not expects(open) and part_of(open, j)
    if part then return part end
    evaded = evaded or not open.unasked[j] and best.model[j] == 0
    if open.unasked[j] and best.expected[j] < apart then widest = j end
  end
  return not evaded and widest or nil
end

-- The flood to ask next, by its place; nil: enough was asked, or nothing fits.
local function next_of(open)
  if #open.left == 0 then return nil end
  local best, most = nil, 0
  for j in pairs(telling(open)) do
    local much = tells(open, j)
    if not best or much > most or much == most and j < best then best, most = j, much end
  end
  return best or confirming(open)
end

-- The hypotheses that what was measured leaves, with what speaks against them. Where nothing is left, they begin anew without floods of classes that
-- are slower beside others than their ports explain.
local function weigh(open)
  open.left = {}
  for _, h in ipairs(open.hypotheses) do
    local price, unlike = open.p.prior(h.chosen, h.located, h.time)
    if price then open.left[#open.left + 1] = { of = h, price = price, evidence = unlike, unlike = unlike } end
  end
  table.sort(open.left, cheaper)
  for j, job in ipairs(open.jobs) do
    local out = open.clean and job.class.slow_beside
    if out then open.unasked[j] = nil end
    if job.count and not out then learn(open, j) end
  end
  if #open.left == 0 and not open.clean then
    open.clean = true
    weigh(open)
  end
end

-- Begins with a scheme: nil where all of its floods are to be asked.
local function begin(jobs, known, effects, all)
  local p = attribute.problem(jobs, known, effects)
  local classes = lists.map(jobs, function(job) return job.class end)
  local hypotheses = hypotheses_of(p, classes, all)
  if not hypotheses then return nil end
  local open = { p = p, jobs = jobs, hypotheses = hypotheses, unasked = {}, place = {}, counted = known.total.most,
    close = known.relative and known.relative.close }
  for j, job in ipairs(jobs) do open.unasked[j], open.place[job] = not job.count or nil, j end
  weigh(open)
  return open
end

-- The floods that were asked, and those of sets that have uops in a hypothesis that is left: on the others no uop can be. All, where nothing fits.
local function kept_of(open)
  local best = open.left[1]
  if not best then return open.jobs end
  return lists.where(open.jobs, function(job)
    local j = open.place[job]
    return not open.unasked[j] or lists.any(open.left, function(one)
      return one.evidence < best.evidence + refuted and one.of.chosen[j] > 0
    end)
  end)
end

--- Measures as many floods of schemes as it takes to tell what uops they have. The jobs of sets on which no uop can be are dropped.
-- @param schemes list of `{ jobs = (of a scheme, from the smallest set to the largest), known = (of blocking/prior), all = (true: each
-- is asked) }`
-- @param effects function(blocking class, class) -> effect
-- @param measure function(jobs): measures floods, all schemes' together
function asking.measure(schemes, effects, measure)
  local known, opens, batch = {}, {}, {}
  for _, scheme in ipairs(schemes) do
    local open = not scheme.all and begin(scheme.jobs, scheme.known, effects, known)
    if open then
      opens[#opens + 1], open.scheme = open, scheme
    else
      local left = lists.where(scheme.jobs, function(job) return not job.count end)
      table.move(left, 1, #left, #batch + 1, batch)
    end
  end
  while #opens > 0 or #batch > 0 do
    local asked, still = {}, {}
    for _, open in ipairs(opens) do
      local j = next_of(open)
      if j then
        batch[#batch + 1], asked[#asked + 1], still[#still + 1] = open.jobs[j], j, open
        open.unasked[j] = nil
      else
        open.scheme.jobs = kept_of(open)
      end
    end
    measure(batch)
    for i, open in ipairs(still) do
      local j, job = asked[i], open.jobs[asked[i]]
      open.p.count[j], open.p.sd[j], open.p.held[j] = job.count, job.sd, job.held or 0
      if job.count then learn(open, j) end
      if #open.left == 0 and not open.clean then weigh(open) end
    end
    opens, batch = still, {}
  end
end

return asking
