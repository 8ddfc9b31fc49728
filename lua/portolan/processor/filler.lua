--- Which instruction fills issue slots and does nothing else, on the core at hand?
--
-- Issue slots are counted, and floods filled up, with instances of one instruction, of which each is to take one slot and nothing more, whatever
-- stands beside it. NOPs do so on most cores; on Zen 4 they fuse with what stands before them. So each candidate is tested beside schemes of many
-- kinds: where the front end is crowded, the scheme must take the same number of slots beside few fillers and beside many, and where its ports are
-- full, and some slots are left, fillers in these must cost nothing. What all these counts together say is compared with a mixture of the schemes
-- that has no filler in it: it cannot be faster than its slots are issued. And those that take least must take one slot: beside a filler that is
-- half of one they take two. Where nothing serves better, two such fillers are a slot.
-- @module portolan.processor.filler
local architectures = require "portolan.support.architectures"
local landmarks = require "portolan.scheme.landmarks"
local lists = require "portolan.support.lists"
local slots = require "portolan.measuring.slots"
local values = require "portolan.measuring.values"

local filler = {}

local near = 0.3 -- slots, by which a count may be off the whole number that it is
local bound = 1.25 -- times as many fillers as there are slots while a scheme runs alone: the least with which the front end binds
local filled, full_cycles = 0.9, 6 -- share of the slots that are filled where ports are full; for how many cycles
local free = 1.04 -- factor by which what must not be slower may be
local alike = 0.2 -- share of the schemes, by which one candidate must be better than another one that is preferred
local least_schemes, most_schemes = 4, 12 -- beside which a candidate is tried; fewer tell nothing
local in_part = 0.75 -- factor by which a candidate is preferred of which several are a slot
local sure = 0.7 -- share of the schemes beside which a filler is as it should be

-- Experiments in which the front end binds: a scheme that takes so many cycles alone, with fillers of which so many go a cycle.
local function crowded(name, width, scheme, cycles)
  local n = math.max(7, math.ceil(1.5 * cycles * width))
  local few = math.ceil(bound * cycles * width)
  return lists.map({ { 1, n }, { 2, 2 * n + 1 }, { 3, 3 * few } }, function(numbers)
    return { e = { [scheme] = numbers[1], [name] = numbers[2] }, instances = numbers[1], fillers = numbers[2] }
  end)
end

-- Returns a function that asks `measure` in batches: function(list of `{ e = }`), which adds `cycles` to those that could be measured.
local function asking(measure)
  return function(probes)
    local results = measure(lists.map(probes, function(probe) return probe.e end))
    for i, probe in ipairs(probes) do probe.cycles = results and results[i].status == "ok" and results[i].cycles or nil end
  end
end

-- The slots that a scheme takes in crowded experiments: in the middle, and whether all are the same whole number. Nil where one was not measured.
local function slots_of(trial)
  local counts = {}
  for i, probe in ipairs(trial.crowded) do
    if not probe.cycles then return nil end
    counts[i] = (trial.candidate.width * probe.cycles - probe.fillers) / probe.instances
  end
  local middle = values.middle(counts)
  local whole = slots.nearest(middle)
  return middle, lists.all(counts, function(count) return math.abs(count - whole) <= near end)
end

-- The experiment in which a scheme keeps its ports busy, and fillers take most of the slots that are left; nil if there are none.
local function full(trial)
  local k = math.ceil(full_cycles / trial.cycles)
  local needs = k * trial.cycles
  local n = math.floor(filled * trial.candidate.width * needs - k * slots.nearest(trial.slots))
  return n > 0 and { e = { [trial.scheme] = k, [trial.candidate.name] = n }, needs = needs } or nil
end

-- Each candidate beside each scheme: `{ candidate =, scheme =, cycles = (of the scheme alone), slots =, fits = }`.
local function trials_of(candidates, schemes, ask)
  local alone, list = {}, {}
  for _, c in ipairs(candidates) do alone[#alone + 1] = { e = { [c.name] = 1 } } end
  for _, scheme in ipairs(schemes) do alone[#alone + 1] = { e = { [scheme] = 1 } } end
  ask(alone)
  for i, c in ipairs(candidates) do
    c.width = alone[i].cycles and 1 / alone[i].cycles
    for k, scheme in ipairs(c.width and schemes or {}) do
      local cycles = alone[#candidates + k].cycles
      if cycles and scheme ~= c.name then
        list[#list + 1] = { candidate = c, scheme = scheme, cycles = cycles, crowded = crowded(c.name, c.width, scheme, cycles) }
      end
    end
  end
  return list
end

local function crowds_of(trials)
  local all = {}
  for _, trial in ipairs(trials) do table.move(trial.crowded, 1, #trial.crowded, #all + 1, all) end
  return all
end

-- For each candidate the mixture of all schemes that were tried beside it, with the slots that it counts.
local function mixtures(candidates, trials)
  return lists.map(candidates, function(c)
    local own = lists.where(trials, function(trial) return trial.candidate == c end)
    local e = {}
    for _, trial in ipairs(own) do e[trial.scheme] = 1 end
    return { e = e, candidate = c, slots = lists.sum(own, function(trial) return slots.nearest(trial.slots) end) }
  end)
end

local function test(candidates, schemes, ask)
  local trials = trials_of(candidates, schemes, ask)
  ask(crowds_of(trials))
  trials = lists.where(trials, function(trial)
    trial.slots, trial.fits = slots_of(trial)
    local c = trial.candidate
    if trial.slots then c.tried, c.least = c.tried + 1, math.min(c.least or math.huge, trial.slots) end
    return trial.slots ~= nil
  end)
  local ports = {}
  for _, trial in ipairs(trials) do
    trial.full = trial.fits and full(trial) or nil
    ports[#ports + 1] = trial.full
  end
  local mixed = mixtures(lists.where(candidates, function(c) return c.tried > 0 end), trials)
  ask(table.move(mixed, 1, #mixed, #ports + 1, ports))
  for _, mixture in ipairs(mixed) do
    mixture.candidate.too_slow = mixture.cycles and mixture.slots / mixture.candidate.width > free * mixture.cycles
  end
  for _, trial in ipairs(trials) do
    local c, probe = trial.candidate, trial.full
    local costs = probe and probe.cycles and probe.cycles > free * probe.needs
    c.fits = c.fits + (trial.fits and not costs and 1 or 0)
  end
end

--- How many of a candidate are one slot, as the scheme tells that takes least beside it?
-- @param c candidate of `choose` that was tried
-- @treturn integer nil if that is no whole number
function filler.per_slot(c)
  local whole = slots.nearest(c.least)
  return math.abs(c.least - whole) <= near and whole or nil
end

-- Rates how well a candidate serves: the share of the schemes beside which it is as it should be; half of that if all its counts together are wrong.
local function rating(c)
  if c.tried == 0 then return 0 end
  local wrong = c.too_slow or not filler.per_slot(c)
  return c.fits / c.tried * (wrong and 0.5 or 1)
end

-- The same, but that one which is a slot by itself is preferred.
local function preference(c) return rating(c) * (c.tried > 0 and filler.per_slot(c) == 1 and 1 or in_part) end

--- Tests candidates, and chooses.
-- @tparam {string,...} names of candidates, the one to be preferred first
-- @tparam {string,...} schemes of many kinds to test them beside
-- @param measure function(experiments) -> list of results, or nil
-- @return `{ name =, per_slot = (how many of it are one issue slot), sure = (false: it does not serve well; nil: too little could be tested),
-- candidates = list of `{ name =, width = (instances a cycle alone), tried =, fits = (numbers of schemes), least = (slots that a scheme takes beside
-- it), too_slow = (true: a mixture of these schemes is faster than their slots could be issued) }` }`; nil if there is no candidate
function filler.choose(names, schemes, measure)
  local candidates = lists.map(names, function(name) return { name = name, tried = 0, fits = 0 } end)
  test(candidates, schemes, asking(measure))
  local best = 0
  for _, c in ipairs(candidates) do best = math.max(best, preference(c)) end
  for _, c in ipairs(candidates) do
    if preference(c) >= best - alike then
      local known = c.tried >= least_schemes
      local per_slot = c.tried > 0 and rating(c) >= sure and filler.per_slot(c) or 1
      return { name = c.name, per_slot = per_slot, sure = known and rating(c) >= sure or not known and nil, candidates = candidates }
    end
  end
end

--- Returns what a processor that knows some schemes answers when it is asked for `fillers()`.
-- @tparam table known names of schemes as keys
-- @return names of candidates; schemes to test them beside: of many kinds, or any where few of these are known
function filler.among(known)
  local names, schemes = {}, {}
  for _, architecture in ipairs(architectures.names()) do
    local marks = landmarks.of(architecture)
    for _, candidate in ipairs(marks.fillers) do names[#names + 1] = known[candidate.name] and candidate.name or nil end
    for _, name in ipairs(marks.various) do schemes[#schemes + 1] = known[name] and name or nil end
  end
  if #schemes >= least_schemes then return names, schemes end
  local is_candidate = lists.set(names)
  local others = lists.where(lists.keys(known), function(name) return not is_candidate[name] end)
  return names, table.move(others, 1, math.min(#others, most_schemes), 1, {})
end

local chosen = setmetatable({}, { __mode = "k" }) -- processor -> what was chosen for it

--- The filler of a processor: tested when it is first asked for.
-- @param processor any; without a method `fillers` it has none
-- @param[opt] measure function(experiments) -> list of results; by default the processor's own `measure`
-- @return as of `choose`; nil if there is none
function filler.of(processor, measure)
  if not processor.fillers then return nil end
  if not chosen[processor] then
    local interrupted = false
    local names, schemes = processor:fillers()
    measure = measure or function(list) return processor:measure(list) end
    local choice = filler.choose(names, schemes, function(list)
      local results = measure(list)
      interrupted = interrupted or not results or lists.any(results, function(result) return result.status == "interrupted" end)
      return results
    end)
    if interrupted then return choice end
    chosen[processor] = choice
  end
  return chosen[processor]
end

--- A candidate as `arch/ARCHITECTURE/landmarks.lua` describes it.
-- @param name of `choose`
-- @return `{ name =, text = (of an instance), short = (its code in as few bytes as there are, but two at least), vector_bits = (that it needs; nil:
-- none), codes = (nil: as it is instantiated) }`
function filler.described(name)
  for _, architecture in ipairs(architectures.names()) do
    local found = lists.first(landmarks.of(architecture).fillers, function(candidate) return candidate.name == name end)
    if found then return found end
  end
end

return filler
