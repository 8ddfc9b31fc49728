--- Three-level inference where the numbers of uops are not known (section 4.4).
--
-- The dissertation leaves the numbers to the solver, which then multiplies unknowns and may not end. Here each choice of numbers is a question of
-- its own (`cegis.infer`), few uops first. The first choice that fits is held against all others within the bounds: experiments refute another one;
-- or its mapping is told from the one that is held by an experiment, which is measured; or no experiment tells the two apart.
-- Numbers that no mapping can have are refuted by a few experiments; every other choice that has the same numbers for the schemes of these
-- experiments is refuted with them. What was measured for one choice serves all later ones.
-- @module portolan.infer.cegis.uop_counts
local budget = require "portolan.infer.budget"
local cegis = require "portolan.infer.cegis"
local core = require "portolan.core"
local experiment = require "portolan.experiment"
local record = require "portolan.support.record"
local uop_choices = require "portolan.infer.cegis.uop_choices"

local uop_counts = {}

uop_counts.most = 4 -- uops of a scheme, if nobody says how many there may be

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
  choices = "that are left (portolan.infer.cegis.uop_choices)",
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

-- cegis.infer with these numbers, from what is observed so far, and further experiments.
function Search:run(uops, experiments)
  local o = setmetatable({ uops = uops, doubt = false, -- contradictions are what is looked for
    observations = self.observations, initial = experiments or self.tried and {} or nil,
    time_limit = math.max(0, self.budget:seconds_left()), experiment_limit = math.max(0, self.budget:left()) }, { __index = self.options })
  local outcome, message = cegis.infer(self.processor, self.schemes, o)
  if not outcome then error({ message = message }, 0) end
  self.budget:spend(outcome.experiments)
  self.rounds, self.solver_seconds, self.observations = self.rounds + outcome.rounds, self.solver_seconds + outcome.solver_seconds, {}
  for k, seen in ipairs(outcome.observations) do self.observations[k] = { seen.experiment, seen.cycles } end
  outcome.uops, self.last = uops, outcome
  return outcome
end

-- Keeps the numbers of the schemes in the experiments that contradict each other.
function Search:refute(outcome)
  local numbers = {}
  for _, o in ipairs(outcome.conflict.experiments) do
    for i, name in ipairs(self.schemes) do
      if o.experiment[name] then numbers[i] = outcome.uops[name] end
    end
  end
  self.choices:refute(numbers)
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
  if outcome.status == "contradiction" then self:refute(outcome) else self.best = outcome end
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
    if outcome.status == "contradiction" then return self:refute(outcome) end
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
      self:refute(self.best)
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
    if self.best then return self:rival(uops) end
    return self:first(uops)
  end)
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

-- Adds experiments that would decide, each once.
local function add_wanted(outcome, list)
  local seen = {}
  for _, wish in ipairs(outcome.wanted) do seen[experiment.key(wish.experiment)] = true end
  for _, wish in ipairs(list) do
    local key = experiment.key(wish.experiment)
    if not seen[key] then outcome.wanted[#outcome.wanted + 1], seen[key] = wish, true end
  end
end

-- The outcome of the choice that was held, and of all others together.
local function finish(self, ended)
  local outcome = self.best or self.last
  if not outcome then return nil, "no numbers of uops were tried; allow more time or experiments" end
  outcome.refuted, outcome.rounds, outcome.experiments = self.choices.refuted, self.rounds, self.budget.asked
  outcome.seconds, outcome.solver_seconds = self.budget:seconds(), self.solver_seconds
  if ended then
    outcome.status, outcome.conflict, outcome.certificate = ended, nil, nil
    if not self.best then outcome.mapping = nil end
  elseif #self.wanted > 0 then
    outcome.status = "undecided"
    add_wanted(outcome, self.wanted)
  end
  if not outcome.mapping then return outcome end
  open_points(self, outcome)
  table.insert(outcome.assumed, { text = ("no scheme has more than %d uops, but for those whose number is given; of numbers that fit, the fewest")
    :format(self.options.most_uops or uop_counts.most) })
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
    choices = uop_choices.new(ranges_of(schemes, options)), observations = options.observations, rounds = 0, solver_seconds = 0,
    budget = budget.new { time_limit = options.time_limit or math.huge, experiment_limit = options.experiment_limit or math.huge } }
  local ok, ended = xpcall(function()
    local status
    repeat status = self:walk() until status ~= "again"
    return status
  end, function(e) return type(e) == "table" and e.message and e or debug.traceback(e, 2) end)
  if ok then return finish(self, ended) end
  if type(ended) == "table" then return nil, ended.message end
  error(ended, 0)
end

return uop_counts
