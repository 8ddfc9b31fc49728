--- Schemes placed alone on the ground of known ones: the engine's side of growing (`core.smt.alone`, docs/inference.md).
-- @module portolan.infer.grow.placing
local core = require "portolan.core"
local field = require "portolan.infer.grow.field"
local lists = require "portolan.support.lists"
local stop = require "portolan.infer.stop"
local unknowns = require "portolan.infer.cegis.unknowns"

local placing = {}

local most_experiments = 64 -- per scheme; with the asymmetric reading an experiment need not decide

-- A scheme whose ports are known: experiments may be made of it.
local function know(run, s)
  s.known = stop.need(run.place:know(s.ports, s.slots))
  run.known[s.known] = s
end

-- The engine's form of an experiment of scheme s, or nil if it has others that are not known.
local function terms_of(run, s, e)
  local terms = {}
  for name, copies in pairs(e) do
    local other = run.by_name[name]
    if other ~= s then
      if not other.known then return nil end
      terms[other.known] = copies
    end
  end
  return terms, e[s.name]
end

-- Tells the engine what is known of scheme s, as far as it is about known schemes.
local function tell(run, s)
  for k, seen in ipairs(s.seen) do
    local terms, own
    if not s.placed[k] then terms, own = terms_of(run, s, seen.terms) end
    if terms and own then
      stop.need(run.place:observe(s.number, terms, own, run.observations:bounds(seen.terms, seen.cycles)))
      s.placed[k], s.told[#s.told + 1] = true, seen
    end
  end
end

-- A scheme from the start, with what its observations mean now.
local function enter(run, s)
  s.number, s.placed, s.told = stop.need(run.place:scheme(field.counts(run, s), s.slots)), {}, {}
end

local function tell_all(run)
  for _, s in ipairs(run.schemes) do
    if s.number and not s.status then
      tell(run, s)
      s.asked = true
    end
  end
end

--- The ground of the core, and every other scheme with what was measured of it so far.
function placing.start(run)
  local o = run.options
  run.place = stop.need(core.smt.alone { ports = run.most_ports, epsilon = o.epsilon, rmax = o.rmax, threads = o.threads,
    flood = o.reading == "asymmetric", slack = o.slack or (o.reading == "asymmetric" and 6 or 0) })
  for _, s in ipairs(run.schemes) do
    if not s.status then enter(run, s) end
  end
  tell_all(run) -- alone: that leaves few candidates to refine
  for _, name in ipairs(run.core) do know(run, run.by_name[name]) end
  stop.need(run.place:refine())
  tell_all(run)
end

-- The experiments that leave scheme s no place are measured anew, if they were not yet.
-- @return true if it is to be placed once more, false if it contradicts
local function doubt(run, s)
  s.against = lists.map(stop.need(run.place:conflict(s.number)), function(n) return s.told[n] end)
  if not run.doubts or not field.measure_again(run, s.against) then return false end
  s.rate, s.against = field.rate(run, s), nil
  enter(run, s)
  stop.need(run.place:refine())
  tell(run, s)
  s.asked = true
  return true
end

--- The schemes that have one place left, or none, get their status: "unique" or "contradicting". Of those that split a class of
-- ports one per class and round: the others see finer classes then.
-- @return list of the unique ones that tell something new, to be joined
function placing.settle(run)
  local joining, taken = {}, 0
  run.doubtful = false
  for _, s in ipairs(run.schemes) do
    if s.number and not s.status then
      local remaining, count = run.place:remaining(s.number, 1)
      local split = count == 1 and run.place:splits(remaining[1]) or 0
      if count == 0 then
        local again = doubt(run, s)
        if not again then s.status = "contradicting" end
        run.doubtful = run.doubtful or again
      elseif count == 1 and split & taken == 0 then
        s.status, s.ports, taken = "unique", remaining[1], taken | split
        s.splits = split ~= 0
        if s.splits or not run.place:has(s.ports) then joining[#joining + 1] = s end
      end
    end
  end
  table.sort(joining, function(a, b) -- what several small sets make up, a large one need not add
    local x, y = unknowns.count(a.ports), unknowns.count(b.ports)
    if x ~= y then return x < y end
    return a.order < b.order
  end)
  return joining
end

--- Schemes join the known ones; all others see the finer classes, and are to be asked about anew.
function placing.join(run, joining)
  if #joining == 0 then return end
  for _, s in ipairs(joining) do
    if s.splits or not run.place:has(s.ports) then know(run, s) end
  end
  stop.need(run.place:refine())
  tell_all(run)
end

local function experiment_of(run, s, answer)
  local e = { [s.name] = answer.own }
  for number, copies in pairs(answer.terms) do e[run.known[number].name] = copies end
  return e
end

--- The next experiment of each scheme that has several places left; none for those of which nothing tells them apart, as far as
-- is known so far.
-- @return list of `{scheme=, experiment=, terms=, own=}`
function placing.ask(run)
  local asked, list = lists.where(run.schemes, function(s) return s.number and not s.status and s.asked end), {}
  local answers = stop.need(run.place:next(lists.map(asked, function(s) return s.number end)))
  for k, s in ipairs(asked) do
    s.asked = answers[k] and #s.seen < most_experiments
    if s.asked then
      list[#list + 1] = { scheme = s, experiment = experiment_of(run, s, answers[k]), terms = answers[k].terms, own = answers[k].own }
    end
  end
  return list
end

--- Measures what `ask` asks for.
function placing.measure(run, list)
  field.measure(run, list, function(item, bounds)
    local s = item.scheme
    local ok, message = run.place:observe(s.number, item.terms, item.own, bounds or {})
    stop.need(ok, message)
    if bounds then
      s.placed[#s.seen], s.told[#s.told + 1] = true, s.seen[#s.seen]
    else
      s.told[#s.told + 1] = { terms = item.experiment }
    end
  end)
end

--- The places that a scheme has left, the simplest first: least cost, no more ports than are in use, few ports; then those that
-- hold more known schemes whole (sets of real cores are nested more often than they overlap).
-- @return list of masks (64 at most), how many there are
function placing.left(run, s)
  local _, count = run.place:remaining(s.number, 0)
  local masks, _, costs = run.place:remaining(s.number, count)
  local used, rank = 0, {}
  for _, other in ipairs(run.schemes) do used = used | (other.status == "unique" and other.ports or 0) end
  for k, mask in ipairs(masks) do
    local nested = lists.sum(run.known, function(other) return other.ports & ~mask == 0 and 1 or 0 end)
    rank[mask] = { costs[k], unknowns.count(mask & ~used), unknowns.count(mask), -nested, mask }
  end
  table.sort(masks, function(a, b)
    for k = 1, 5 do
      if rank[a][k] ~= rank[b][k] then return rank[a][k] < rank[b][k] end
    end
    return false
  end)
  return table.move(masks, 1, math.min(#masks, 64), 1, {}), count
end

return placing
