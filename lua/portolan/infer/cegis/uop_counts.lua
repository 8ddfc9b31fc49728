--- Three-level inference where the numbers of uops are not known (section 4.4).
--
-- The dissertation leaves the numbers to the solver, which then multiplies unknowns and may not end. Here each choice of numbers is a question of
-- its own (`cegis.infer`), few uops first. The first choice that fits is held against all others within the bounds: experiments refute another one;
-- or its mapping is told from the one that is held by an experiment, which is measured; or no experiment tells the two apart.
-- Numbers that no mapping can have are refuted by a few experiments; every other choice that has the same numbers for the schemes of these
-- experiments is refuted with them. No solver is needed where an experiment has more uops than ports can run in its cycles. What was measured for one
-- choice serves all later ones.
--
-- Where the number of ports is not given, there are as few as the schemes alone keep busy, and one more whenever all choices are refuted: a wrong
-- choice is refuted in no time for few ports, and hardly ever for many.
-- @module portolan.infer.cegis.uop_counts
local bounds = require "portolan.infer.bounds"
local budget = require "portolan.infer.budget"
local cegis = require "portolan.infer.cegis"
local core = require "portolan.core"
local experiment = require "portolan.experiment"
local lists = require "portolan.support.lists"
local record = require "portolan.support.record"
local stop = require "portolan.infer.stop"
local uop_choices = require "portolan.infer.cegis.uop_choices"

local uop_counts = {}

uop_counts.most = 4 -- uops of a scheme, if nobody says how many there may be

local most_ports = 16 -- if nobody says how many there are; as of cegis.infer

-- The numbers that each scheme may have: what is given; one, where its number of ports is given; 1 to most.
local function ranges_of(schemes, options)
  local ranges = {}
  for i, name in ipairs(schemes) do
    local given = options.uops and options.uops[name] or options.port_counts and options.port_counts[name] and 1
    ranges[i] = given and { given, given } or { 1, options.most_uops or uop_counts.most }
  end
  return ranges
end

-- Pairs of schemes in several proportions: they refute most choices at once.
local function trials(schemes)
  local list = {}
  for i = 1, #schemes do
    for j = i + 1, #schemes do
      for _, copies in ipairs { { 1, 1 }, { 1, 2 }, { 2, 1 }, { 1, 4 }, { 4, 1 } } do
        list[#list + 1] = { [schemes[i]] = copies[1], [schemes[j]] = copies[2] }
      end
    end
  end
  return list
end

local Search = {}
Search.__index = Search

local new_search = record.kind("search for numbers of uops", {
  processor = "what is measured",
  schemes = "names",
  options = "of uop_counts.infer",
  record = "true: the processor replays a record, and has no other answers",
  ports = "how many there may be",
  choices = "that are left for so many ports (portolan.infer.cegis.uop_choices)",
  refuted_before = "choices that were refuted by experiments of their own, for fewer ports",
  observations = "list of { experiment, cycles }, of all choices so far; nil before the first one",
  tried = "true: pairs of schemes were measured; Search:first",
  best = "outcome of the choice that is held; nil: none yet",
  last = "outcome of the last choice, whatever it was; Search:run",
  alike = "numbers of uops (name -> number) of the choices that nothing tells from the one that is held",
  wanted = "experiments without an answer that would tell a choice from the one that is held; as of an outcome",
  rounds = "of all choices so far",
  solver_seconds = "of all choices so far",
  budget = "of all choices together (portolan.infer.budget)",
}, Search)

-- cegis.infer with these numbers, from what is observed so far, and further experiments: `limit` at most. Other numbers of ports than
-- are looked at are given.
function Search:run(uops, experiments, limit, ports)
  local o = setmetatable({ uops = uops, doubt = false, -- contradictions are what is looked for
    ports = ports or self.options.ports, most_ports = self.ports, observations = self.observations,
    initial = experiments or self.tried and {} or nil, progress = self:progress(), time_limit = math.max(0, self.budget:seconds_left()),
    experiment_limit = math.max(0, math.min(self.budget:left(), limit or math.huge)) }, { __index = self.options })
  local outcome = stop.need(cegis.infer(self.processor, self.schemes, o))
  self.budget:spend(outcome.experiments)
  self.rounds, self.solver_seconds, self.observations = self.rounds + outcome.rounds, self.solver_seconds + outcome.solver_seconds, {}
  for k, seen in ipairs(outcome.observations) do self.observations[k] = { seen.experiment, seen.cycles } end
  outcome.uops, self.last = uops, outcome
  return outcome
end

-- Returns a function that reports what is searched, beside the progress of one inference; nil where nobody wants to know.
function Search:progress()
  local report = self.options.progress
  return report and function(s)
    s.experiments = s.experiments + self.budget.asked
    s.search = ("numbers of uops up to %d on %d ports, %d refuted"):format(self.options.most_uops or uop_counts.most, s.ports, self:refuted())
    report(s)
  end
end

-- All choices anew, for that many ports.
function Search:allow(ports)
  self.refuted_before, self.ports = self:refuted(), ports
  self.choices = uop_choices.new(ranges_of(self.schemes, self.options))
end

-- Choices that were refuted by experiments of their own.
function Search:refuted() return self.refuted_before + (self.choices and self.choices.refuted or 0) end

-- Begins with as many ports as the schemes alone show.
function Search:look()
  local least, ports = {}, 1
  for i, range in ipairs(ranges_of(self.schemes, self.options)) do least[self.schemes[i]] = range[1] end
  self:run(least, {}, #self.schemes)
  for _, count in pairs(self.options.port_counts or {}) do ports = math.max(ports, count) end
  for _, seen in ipairs(self.observations) do ports = math.max(ports, math.floor(experiment.length(seen[1]) / seen[2] + 0.5)) end
  self:allow(ports)
end

-- Keeps the numbers of the schemes in experiments that contradict each other.
function Search:refute(uops, experiments)
  local numbers = {}
  for _, o in ipairs(experiments) do
    for i, name in ipairs(self.schemes) do
      if o.experiment[name] then numbers[i] = uops[name] end
    end
  end
  self.choices:refute(numbers)
end

-- An experiment, in a list, that has more uops than the ports can run in its cycles; nil: none.
function Search:overfull(uops)
  for _, seen in ipairs(self.last and self.observations or {}) do
    local e, n, of = seen[1], 0, self.last
    for name, copies in pairs(e) do n = n + copies * uops[name] end
    local most = bounds.of(of.reading, seen[2], experiment.length(e), 0, of.epsilon, of.noise).upper
    if n > self.ports * most * (1 + 1e-9) then return { { experiment = e } } end
  end
end

-- Has it ended before there was an answer? Then so has the search.
local function unfinished(outcome) return outcome.status == "limit" or outcome.status == "interrupted" end

-- The first choice that may do: with the trials, if it still fits.
function Search:first(uops)
  local outcome = self:run(uops)
  if outcome.status == "unique" and not self.tried and not self.record then
    self.tried = true
    outcome = self:run(uops, trials(self.schemes))
  end
  if unfinished(outcome) then return outcome.status end
  if outcome.status == "contradiction" then self:refute(uops, outcome.conflict.experiments) else self.best = outcome end
end

-- Measures what tells another mapping from the one that is held. False if it has no answer.
function Search:decide(relation)
  local before = #self.observations
  if self.record then return false end
  local again = self:run(self.best.uops, { relation.experiment })
  self.best = again
  return #self.observations > before
end

-- A choice may have mappings beside the one that was compared, between which experiments would decide that have no answer.
function Search:note_undecided(outcome)
  if outcome.status == "undecided" then table.move(outcome.wanted, 1, #outcome.wanted, #self.wanted + 1, self.wanted) end
end

-- Another choice: refuted, told apart, or as good. A result ends the walk: a status, or "again" if what was held is refuted.
function Search:rival(uops)
  while true do
    local outcome = self:run(uops)
    if unfinished(outcome) then return outcome.status end
    if outcome.status == "contradiction" then return self:refute(uops, outcome.conflict.experiments) end
    local relation = core.model.compare(core.model.mapping(self.best.mapping), core.model.mapping(outcome.mapping),
      { epsilon = self.best.epsilon })
    if not relation.distinguishable then
      self.alike[#self.alike + 1] = uops
      return self:note_undecided(outcome)
    end
    local decided = self:decide(relation)
    if unfinished(self.best) then return self.best.status end
    if not decided then
      self.wanted[#self.wanted + 1] = { experiment = relation.experiment, chosen = relation.a, other = relation.b }
      return nil
    end
    if self.best.status == "contradiction" then
      self:refute(self.best.uops, self.best.conflict.experiments)
      return "again"
    end
  end
end

-- One walk through all choices. nil at its end; or why it ended.
function Search:walk()
  self.best, self.alike, self.wanted = nil, {}, {}
  return self.choices:each(function(counts)
    local over, uops = self.budget.asked > 0 and self.budget:over(), {}
    if over then return over end
    for i, name in ipairs(self.schemes) do uops[name] = counts[i] end
    local full = self:overfull(uops)
    if full then return self:refute(uops, full) end
    if self.best then return self:rival(uops) end
    return self:first(uops)
  end)
end

-- One port more: where all choices are refuted, or where it makes a difference to the one that is held. "again" if so; nil; or why it ended.
function Search:one_more()
  if not self.best then
    self:allow(self.ports + 1)
    return "again"
  end
  local before = #self.observations
  local outcome = self:run(self.best.uops, {}, nil, self.ports + 1)
  if unfinished(outcome) then return outcome.status end
  self:note_undecided(outcome)
  return #self.observations > before and "again" or nil
end

-- One line for each scheme that other numbers explain as well.
local function open_points(self, outcome)
  for _, name in ipairs(self.schemes) do
    local others, seen = {}, { [outcome.uops[name]] = true }
    for _, uops in ipairs(self.alike) do
      if not seen[uops[name]] then others[#others + 1], seen[uops[name]] = uops[name], true end
    end
    table.sort(others)
    if #others > 0 then
      table.insert(outcome.open, { a = name, text = ("%s is %d uops; %s would do as well"):format(name, outcome.uops[name],
        table.concat(others, " or ")) })
    end
  end
end

-- The outcome of the choice that was held, and of all others together.
local function finish(self, ended)
  local outcome = self.best or self.last
  if not outcome then return nil, "no numbers of uops were tried; allow more time or experiments" end
  outcome.refuted, outcome.rounds, outcome.experiments = self:refuted(), self.rounds, self.budget.asked
  outcome.most_uops = self.options.most_uops or uop_counts.most
  outcome.seconds, outcome.solver_seconds = self.budget:seconds(), self.solver_seconds
  if ended then
    outcome.status, outcome.conflict, outcome.certificate = ended, nil, nil
    if not self.best then outcome.mapping = nil end
  elseif not self.best then
    local why = outcome.conflict and "; of the last ones, " .. outcome.conflict.text or ""
    outcome.status, outcome.mapping, outcome.certificate = "contradiction", nil, nil
    outcome.conflict = { experiments = outcome.conflict and outcome.conflict.experiments or {},
      text = ("all numbers of uops up to %d are refuted for up to %d ports%s"):format(outcome.most_uops, self.ports, why) }
  elseif #self.wanted > 0 then
    outcome.status = "undecided"
    outcome.wanted = lists.distinct(lists.joined(outcome.wanted, self.wanted), function(wish) return experiment.key(wish.experiment) end)
  end
  if not outcome.mapping then return outcome end
  open_points(self, outcome)
  table.insert(outcome.assumed, { text = ("no scheme has more than %d uops, but for those whose number is given; of numbers that fit, the fewest")
    :format(outcome.most_uops) })
  if not self.options.ports then
    table.insert(outcome.assumed, { kind = "fewest ports", ports = self.ports,
      text = ("no more ports than the %d that are needed"):format(self.ports) })
  end
  return outcome
end

--- Infers numbers of uops and ports.
-- @param processor as for `cegis.infer`
-- @tparam {string,...} schemes names; few, as there are exponentially many choices
-- @tparam[opt] table options as for `cegis.infer`; and
-- @tparam[opt] table options.uops name -> number of uops, of schemes of which it is known; those with `port_counts` have one
-- @tparam[opt=4] int options.most_uops of a scheme
-- @return outcome as of `cegis.infer`, for the fewest uops in all that fit, with `uops` (name -> number) and `refuted` (how many choices were
-- refuted by experiments of their own). "unique": within the bounds no mapping with other numbers of uops can be told from it either; which numbers
-- would do as well is among `open`. Its certificate is about mappings with these numbers. "contradiction": all choices are refuted; "undecided":
-- `wanted` experiments, which have no answer, would tell other numbers apart. Or nil and a message
function uop_counts.infer(processor, schemes, options)
  options = options or {}
  if #schemes == 0 then return nil, "no schemes to infer ports for; name at least one" end
  local self = new_search { processor = processor, schemes = schemes, options = options, record = processor.experiments ~= nil,
    refuted_before = 0, observations = options.observations, rounds = 0, solver_seconds = 0,
    budget = budget.new { time_limit = options.time_limit or math.huge, experiment_limit = options.experiment_limit or math.huge } }
  local ended, message = stop.guard(function()
    local status
    if options.ports then self:allow(options.ports) else self:look() end
    repeat
      status = self:walk()
      if not status and not options.ports and self.ports < (options.most_ports or most_ports) then status = self:one_more() end
    until status ~= "again"
    return status or false
  end)
  if ended == nil then return nil, message end
  return finish(self, ended)
end

return uop_counts
