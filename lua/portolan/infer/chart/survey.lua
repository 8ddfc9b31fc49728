--- The survey of a processor: what is known so far of every scheme, and the stages' common ways to find out more.
--
-- A survey is a record: `survey.fields` says what its fields are, and which stage writes each. So are the facts of a scheme
-- (portolan.infer.chart.facts), a class (port_class) and a blocking experiment (blocking/job).
-- @module portolan.infer.chart.survey
local ask = require "portolan.measuring.ask"
local by_hand = require "portolan.infer.chart.by_hand"
local constants = require "portolan.infer.chart.constants"
local core = require "portolan.core"
local evidence = require "portolan.infer.chart.evidence"
local experiment = require "portolan.experiment"
local facts = require "portolan.infer.chart.facts"
local lists = require "portolan.support.lists"
local plan = require "portolan.infer.chart.plan"
local policy = require("portolan.measuring.policy").precise
local record = require "portolan.support.record"
local statuses = require "portolan.mapping.statuses"

local survey = {}

--- Field -> what it is, its unit; the file that writes it.
survey.fields = {
  processor = "any processor object; survey",
  groups = "the set: list of { name =, schemes = }; survey",
  order = "names of all schemes, in the set's order; survey",
  filling = "what fills issue slots, and how candidates served (`choose` of portolan.processor.filler); nil: there is none; stages/filler",
  filler = "the name of that scheme; nil: there is none; stages/filler",
  seed = "of all random choices, a whole number; survey",
  progress = "function(stage, done, total, note): experiments of the stage that are done, that it asks; survey",
  plan = "stages to come, with their seconds (portolan.infer.chart.plan); survey",
  began = "clock at the start, in seconds; survey",
  deadline = "clock after which no experiment begins, in seconds; nil: none; survey",
  stages = "stages so far: list of { name =, began =, seconds =, settle_until =, asked = number of experiments }; survey",
  experiments = "number of experiments asked for; survey",
  failure = "why it ended early, a sentence; survey",
  spent = "true: it ended as the budget of time was spent; survey",
  facts = "name of a scheme -> what is known of it (portolan.infer.chart.facts); all stages",
  noise = "relative standard deviation of a reading; stages/noise",
  width = "issue slots a cycle, a whole number; stages/counts",
  faster = "key of an experiment of representatives -> the experiment of other members that is faster; members",
  measured_width = "issue slots a cycle, as measured; stages/counts",
  counting = "{ source =, says = }: where numbers of uops come from; stages/counts",
  store_address = "class of the ports that address stores, fewer than those of loads; nil: none is known; stages/store_addresses",
  classes = "list of classes (portolan.infer.chart.port_class); stages/classes, stages/elimination, stages/class_ports, stages/stores",
  as_wide = "names of schemes that are as fast as the front end; stages/classes",
  rmax = "peak rate R_max, the issue width: a whole number if it is near one, in slots a cycle; stages/counts",
  inference = "outcome of the inference of the classes' ports (portolan.infer.cegis); stages/class_ports",
  ports = "names of the ports; stages/class_ports, stages/stores",
  effects = "function(blocking class, class) -> uops that one uop adds to a count (blocking/effects); stages/several_uops, blocking/refine",
  lead = "squared standard deviations by which an answer must be ahead; stages/several_uops",
  blocked = "name of a scheme -> its jobs (blocking/job); stages/several_uops, blocking/refine",
  epsilon = "cycles per instruction that a record resolves; nil: 0.02; survey",
  preferred = "names of schemes that are to represent their classes, a set (portolan.infer.chart.by_hand); survey",
  kept = "where outcomes of inferences are (portolan.infer.chart.kept_inference); nil: nowhere; survey",
  tried = "names of schemes that an earlier chart tried in mixtures, a set; survey",
  compared = "true: such a record, but it compares some schemes with all others; survey",
  incomplete = "true: the processor is a record that lacks something; survey",
  evidence = "all that was measured, in order (portolan.infer.chart.evidence); survey",
  floods = "key of an experiment -> cycles of a flood alone; false: not to be measured; blocking/flood",
  trial = "how mixtures bore out the claims: numbers of `mixtures`, of `claims`, of those `refuted`; `sure`: not too many; stages/mixtures",
  opinion = "a second opinion of `schemes`: who was right about `experiments`, as docs/report.md has it; nil: there is none; stages/second_opinion",
  front_end = "what is known of the front end, as docs/formats.md has it; nil: the processor does not answer; stages/front_end",
  forms = "what is known of forms of instructions, as docs/formats.md has it; nil: the processor does not answer; stages/forms",
  first_cache = "what is known of the first data cache, as docs/formats.md has it; nil: the processor does not answer; stages/first_cache",
  agreement = "{ runs =, agree =, disagree = }: numbers of claims that were seen again; stages/agreement",
}

local new = record.kind("survey", survey.fields, survey)

--- Starts a survey.
-- @param processor any processor object
-- @param set list of groups `{ name=, schemes= }`
-- @tparam table options
-- @tparam[opt=1] int options.seed of every random choice
-- @tparam[opt] func options.progress function(stage, done, total, note)
-- @tparam[opt] number options.budget seconds; otherwise no limit
-- @param[opt] options.reference if there will be one
-- @tparam[opt] number options.epsilon cycles per instruction that a record resolves
-- @tparam[opt] {string,...} options.blocking schemes that are to represent their classes
-- @tparam[opt] table options.kept, options.tried as of `portolan.infer.chart`
-- @tparam[opt] boolean incomplete the processor is a record that lacks something
function survey.new(processor, set, options, incomplete)
  local compared = incomplete and processor.compared and processor:compared() or nil
  local self = new {
    processor = processor, groups = set,
    order = {}, facts = {}, classes = {}, faster = {}, seed = options.seed or 1,
    progress = options.progress or function() end, experiments = 0, began = core.base.now(), stages = {},
    epsilon = options.epsilon, preferred = by_hand.set(options.blocking or compared),
    kept = options.kept, tried = lists.set(options.tried or {}), evidence = evidence.new(), incomplete = incomplete, compared = compared ~= nil,
    deadline = options.budget and core.base.now() + options.budget or nil,
  }
  for _, group in ipairs(set) do
    for _, name in ipairs(group.schemes) do
      if not self.facts[name] then
        self.order[#self.order + 1] = name
        self.facts[name] = facts.new(name, processor.breakers and processor:breakers(name) or 0,
          processor.companions and processor:companions(name))
        self.facts[name].alone = group.alone
      end
    end
  end
  self.plan = plan.of(#self.order, options)
  return self
end

-- Until when a stage may ask again what the machine left undecided: for some times its share of what is left of the budget.
local function settle_until(self, name)
  if not self.deadline then return nil end
  local own, all, reached = 0, 0, false
  for _, stage in ipairs(self.plan) do
    reached = reached or stage.name == name
    if reached then all = all + stage.seconds end
    if stage.name == name then own = stage.seconds end
  end
  local now = core.base.now()
  return now + (self.deadline - now) * math.min(1, all > 0 and constants.settle_share * own / all or 1)
end

--- Notes how long the current stage took: it is over.
function survey:end_stage()
  local last = self.stages[#self.stages]
  if last then last.seconds = core.base.now() - last.began end
end

--- Ends the survey: the user wants it, or the budget is spent; what is known so far stays valid.
function survey:give_up()
  if core.base.interrupted() then error(survey.stop, 0) end
  self.spent = true
  self:fail("the budget of time is spent (--budget)")
end

--- Begins a stage; raises `survey.stop` if the user wants to stop, or the budget is spent.
function survey:stage(name)
  if core.base.interrupted() or self.deadline and core.base.now() > self.deadline then self:give_up() end
  self:end_stage()
  self.stages[#self.stages + 1] = { name = name, began = core.base.now(), seconds = nil, settle_until = settle_until(self, name),
    asked = 0 }
  self.progress(name, 0)
end

--- The name of the stage that was begun last; nil before the first.
function survey:last_stage()
  local last = self.stages[#self.stages]
  return last and last.name
end

--- Ends the survey since it cannot go on; what is known so far stays valid.
-- @param message what is in the way
function survey:fail(message)
  self.failure = message
  error(survey.stop, 0)
end

--- Thrown when a survey ends early; what is known so far stays valid.
survey.stop = setmetatable({}, { __tostring = function() return "interrupted" end })

--- Thrown when a record turns out to lack something that is asked: conclusions so far took it to have all.
survey.anew = setmetatable({}, { __tostring = function() return "the record is not complete" end })

--- Says that the record lacks something; raises `survey.anew` if that was not known.
function survey:lack()
  if not self.incomplete then error(survey.anew, 0) end
end

--- The progress of one list of experiments: what the stage has asked before it is done.
-- @return function(done, total, note) for a processor
function survey:list()
  local stage = self.stages[#self.stages]
  local before = stage.asked
  return function(done, total, note)
    if total then stage.asked = math.max(stage.asked, before + total) end
    self.progress(stage.name, done and before + done, total and before + total, note)
  end
end

--- Says how many experiments the current stage is going to ask, as it knows by now; the progress has what is usual until then.
function survey:expect(number)
  local stage = self.stages[#self.stages]
  self.progress(stage.name, nil, stage.asked + math.ceil(number))
end

-- One reading of each; raises `survey.stop` if it cannot be had.
local function read(self, list, again, other_inputs, optional)
  local progress, method = self:list(), other_inputs and "measure_other_inputs" or "measure"
  local results, message = self.processor[method](self.processor, list, { again = again, deadline = self.deadline, progress = progress,
    settle_until = self.stages[#self.stages].settle_until })
  if not results then self:fail(message) end
  progress(#list, #list) -- whatever was known
  for _, result in ipairs(results) do
    if result.status == "interrupted" then self:give_up() end
    local absent = result.status == "not recorded"
    if absent and not other_inputs and not optional then self:lack() end -- readings with other inputs that failed are not kept
  end
  self.experiments = self.experiments + #list
  return results
end

--- Measures experiments, each as often as the processor's noise asks for.
-- @param list experiments
-- @tparam[opt] table options
-- @tparam[opt=false] boolean options.again anew, even if there are results: what contradicts is not believed at once
-- @tparam[opt] {number,...} options.precision relative standard deviation wanted of each
-- @tparam[opt] {{number,...},...} options.thresholds of each, cycles at which something is decided: what is clear of them is not read again
-- @tparam[opt=false] boolean options.optional a record that lacks them lacks nothing that matters
-- @tparam[opt=false] boolean options.other_inputs with other values in the registers, of a processor that has them
-- @return list of results; raises `survey.stop` after Ctrl-C, when the budget is spent, and if nothing can be measured
function survey:measure(list, options)
  options = options or {}
  local other, optional = options.other_inputs, options.optional
  local results, unknown = {}, {}
  for i, e in ipairs(list) do
    results[i] = not options.again and self.evidence:told(e, other, options.precision and options.precision[i] or policy.deviation)
    if not results[i] then unknown[#unknown + 1] = i end
  end
  local function of_unknown(values) return values and lists.map(unknown, function(i) return values[i] end) end
  local asked = of_unknown(list)
  local answers = ask.all(function(some, again) return read(self, some, again, other, optional) end, asked, self.noise or 0,
    { again = options.again, precision = of_unknown(options.precision), thresholds = of_unknown(options.thresholds) })
  for k, result in ipairs(answers) do
    if not self.noise then result.deviation = nil end -- nobody knows yet how precise it is
    results[unknown[k]] = result
    self.evidence:add(asked[k], result, self:last_stage(), options)
  end
  return results
end

--- Returns how many fillers take so many issue slots.
function survey:fillers_of(slots) return slots * self.filling.per_slot end

--- The names that no stage has settled, in order.
-- @param[opt] keep function(name, facts): only those for which it is true
function survey:unsettled(keep)
  local names = {}
  for _, name in ipairs(self.order) do
    local f = self.facts[name]
    if not f.status and (not keep or keep(name, f)) then names[#names + 1] = name end
  end
  return names
end

--- Settles a scheme.
-- @param name scheme
-- @param class of portolan.mapping.statuses
-- @param[opt] note why
function survey:settle(name, class, note)
  assert(statuses.is_class(class), class)
  local f = self.facts[name]
  f.status, f.note = class, note or f.note
end

--- Notes an experiment as evidence.
-- @param name scheme
-- @param e experiment
-- @param cycles measured
-- @param expected cycles by the mapping; nil if it has none
-- @param says what follows
-- @param role "shows" a port set, "bounds" it, or "contradicts"
-- @param[opt] tolerance cycles by which another reading may differ and say the same; 3%
-- @param[opt] flood of a flood: `without` the scheme, cycles measured; `ports` that it keeps busy; `confirmed`, true if several instances said the
-- same
function survey:witness(name, e, cycles, expected, says, role, tolerance, flood)
  local f = self.facts[name]
  local list = f.witnesses
  f.proofs = f.proofs or {}
  local alone = next(e) == name and next(e, name) == nil
  local unsteady = alone and f.varies -- it would come out another time
  if role == "shows" and not unsteady and not (flood and flood.confirmed) then
    f.proofs[#f.proofs + 1] = { e = e, cycles = cycles, expected = not flood and expected or nil,
      tolerance = tolerance or constants.witness_tolerance * cycles }
  end
  list[#list + 1] = { experiment = experiment.format(e), cycles = cycles, expected = expected, says = says, role = role,
    without = flood and flood.without, ports = flood and flood.ports }
end

return survey
