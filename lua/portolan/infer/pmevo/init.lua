--- PMEvo (dissertation, chapter 5): a port mapping from times alone, by evolution.
--
-- Measures experiments that need no knowledge (section 5.1.1), takes schemes that they do not tell apart for one (5.1.2), and
-- evolves a mapping that explains their times with few uops (5.1.3): as published (portolan.infer.pmevo.plain), or, far faster,
-- by portolan.infer.pmevo.islands.
-- @module portolan.infer.pmevo
local all_pairs = require "portolan.infer.pmevo.all_pairs"
local checkpoint = require "portolan.infer.pmevo.checkpoint"
local congruence = require "portolan.infer.pmevo.congruence"
local core = require "portolan.core"
local experiment_set = require "portolan.infer.pmevo.experiment_set"
local front_end = require "portolan.infer.pmevo.front_end"
local islands = require "portolan.infer.pmevo.islands"
local lists = require "portolan.support.lists"
local meter = require "portolan.infer.pmevo.meter"
local plain = require "portolan.infer.pmevo.plain"
local port_set = require "portolan.mapping.ports"
local record = require "portolan.support.record"
local stop = require "portolan.infer.stop"
local recorded = require "portolan.infer.pmevo.recorded"
local training = require "portolan.infer.pmevo.training"

local pmevo = {}

--- Relative difference up to which times count as equal, unless another is given.
pmevo.epsilon = 0.05

local Inference = record.kind("inference by evolution", {
  processor = "what is measured",
  epsilon = "relative difference up to which times are equal",
  progress = "function(stage, done, total, note)",
  all_pairs = "true: all pairs of schemes are measured, as published",
  meter = "measures and remembers (portolan.infer.pmevo.meter)",
  stage = "what is being done, in words; written by find_classes",
  -- written by from_measurements or from_record
  names = "schemes with a time",
  alone = "name -> cycles of an instance alone, where they are known",
  limits = "name -> cycles alone, or at most (a record's)",
  failed = "name -> status of a scheme without a time",
  record = "what a record holds (portolan.infer.pmevo.recorded); nil if experiments are measured",
  classes = "of schemes that nothing tells apart (portolan.infer.pmevo.congruence)",
  -- written by prepare
  rmax = "instructions a cycle of the front end; nil: no limit",
  slots = "name -> issue slots; nil: one each",
  ports = "their names",
  problem = "of the engine (core.evo.problem)",
  list = "experiments that it has to explain (portolan.infer.pmevo.training)",
  given = "text of the uops that classes have for good; nil: none",
  hint = "text of the mapping to begin with; nil: none",
  totals = "numbers of uops of the classes, 0: not known; nil: none is known",
  -- written by evolve
  checkpoint = "where the evolution stands (portolan.infer.pmevo.checkpoint)",
})

-- Returns what a mapping says of the classes, as the engine's text; nil if there is no mapping.
local function known_text(m, classes, ports)
  if not m then return nil end
  local function uops_of(representative)
    for _, name in ipairs(classes.members[representative]) do
      local scheme = m.schemes[name]
      if scheme and scheme.uops and #scheme.uops > 0 then return scheme.uops end
    end
  end
  return stop.need(training.text(uops_of, classes.representatives, ports))
end

-- Numbers of uops of the classes, 0 where they are not known; nil if none is.
local function known_totals(uops, classes)
  local totals = uops and {}
  for i, representative in ipairs(uops and classes.representatives or {}) do
    totals[i] = 0
    for _, name in ipairs(classes.members[representative]) do
      if totals[i] == 0 then totals[i] = uops[name] or 0 end
    end
  end
  return totals
end

local function find_classes(run, differ)
  local placed, classes = 0, run.all_pairs and all_pairs.classes or congruence.classes
  run.classes = classes(run.meter, run.names, run.limits, { epsilon = run.epsilon, differ = differ, progress = function()
    placed = placed + 1
    run.stage = ("%d of %d schemes placed"):format(placed, #run.names)
  end })
end

-- Schemes, their times and their classes from measurements.
local function from_measurements(run, names)
  run.names, run.alone, run.failed = stop.need(run.meter:alone(names))
  if #run.names == 0 then stop.raise "none of the schemes could be measured alone" end
  run.limits = run.alone
  find_classes(run)
end

-- The same from a record, which need not hold every scheme alone.
local function from_record(run, names)
  run.record = recorded.collect(run.processor, names)
  run.alone, run.limits = recorded.limits(run.record.list)
  run.names, run.failed = {}, {}
  local unknown = {}
  for _, name in ipairs(names) do unknown[#unknown + 1] = not run.limits[name] and { [name] = 1 } or nil end
  stop.need(run.meter:measure(unknown)) -- for what became of them
  for _, name in ipairs(names) do
    if run.limits[name] then run.names[#run.names + 1] = name else run.failed[name] = run.meter:class { [name] = 1 } end
  end
  if #run.names == 0 then stop.raise "the record has no time of an experiment of these schemes alone" end
  find_classes(run, recorded.differ(run.record.list, run.alone, run.epsilon))
end

-- The stages up to the evolution; fills `run` in.
local function prepare(run, names, o)
  local find = run.processor.experiments and from_record or from_measurements
  find(run, names)
  run.rmax, run.slots = front_end.limits(run.processor, run.names, run.alone, o)
  run.ports = port_set.named((o.fixed or o.start or { ports = {} }).ports, o.ports)
  local limits = { ports = #run.ports, epsilon = run.all_pairs and all_pairs.tolerance or o.epsilon, rmax = run.rmax, slots = run.slots }
  if run.record then
    run.problem, run.list = stop.need(recorded.problem(run.record, run.classes, run.limits, limits))
  else
    run.problem, run.list = stop.need(training.problem(run.meter, run.classes.representatives, run.alone, limits))
  end
  run.given, run.hint = known_text(o.fixed, run.classes, run.ports), known_text(o.start, run.classes, run.ports)
  run.totals = known_totals(o.uops, run.classes)
end

-- All stages. The outcome of the evolution.
local function infer(run, names, o)
  prepare(run, names, o)
  local began, list, alone = core.base.now(), {}, {}
  local algorithm, count = o.plain and plain or islands, o.processes and o.processes.size or o.islands or 4
  run.checkpoint = checkpoint.new(o.directory and o.directory .. "/checkpoint.json", checkpoint.key(run.list,
    { algorithm.name, #run.ports, o.seed, o.population or 0, not o.plain and count or 0, run.given or "", run.hint or "",
      table.concat(run.totals or {}, " ") }))
  local function progress(s)
    local done, total = s.steps, s.limit
    if o.time then done, total = math.floor(core.base.now() - began), math.ceil(o.time) end
    run.progress("evolving", done, total, ("error %.2f%%, volume %d"):format(100 * s.error, s.volume))
  end
  local task = { population = o.population, islands = count, seed = o.seed, threads = o.threads, generations = o.generations,
    experiments = #run.list, given = run.given, hint = run.hint, totals = run.totals }
  if not o.processes then
    task.checkpoint, task.progress, task.deadline = run.checkpoint, progress, o.time and began + o.time
    return stop.need(algorithm.evolve(run.problem, task))
  end
  for i, x in ipairs(run.list) do list[i] = { schemes = x.schemes, counts = x.counts, cycles = x.cycles, least = x.least } end
  for i, name in ipairs(run.classes.representatives) do alone[i] = run.limits[name] end
  task.list, task.alone, task.ports, task.time = list, alone, #run.ports, o.time
  return stop.need(o.processes:lead(run.problem, task, { checkpoint = run.checkpoint, progress = progress }))
end

-- Counts what filtering saved: PMEvo measures all pairs. Of a record it counts what was used.
local function counted(run)
  local alone = {}
  if run.record then
    return { schemes = #run.names, classes = #run.classes.representatives, training = #run.list, recorded = run.record.total,
      used = #run.record.list, left_out = run.record.left_out }
  end
  for i, name in ipairs(run.names) do alone[i] = run.alone[name] end
  return { schemes = #run.names, classes = #run.classes.representatives, measured = run.meter.measured, recalled = run.meter.recalled,
    all = experiment_set.count(alone, run.all_pairs and all_pairs.tolerance or run.epsilon), training = #run.list }
end

--- Infers a mapping.
-- @param processor any
-- @param names schemes
-- @param options table: `ports` (number of ports, required), `epsilon` (0.05), `rmax` (by default what the processor says; false:
-- none), `plain` (as published), `population`, `islands`, `generations`, `time` (seconds of evolution), `seed` (1), `threads` (0: one per
-- processor), `fixed` (mapping whose schemes have the uops that it says), `start` (mapping to begin with),
-- `uops` (name -> number of uops, where known), `pairs` ("representatives" of classes, the default, or "all": every pair of schemes is
-- measured, as published; not from a record), `directory` (of the store of measurements and the checkpoint), `progress` =
-- function(stage, done, total, note); `processes`: islands are
-- processes (portolan.infer.pmevo.processes)
-- A processor that has a list of its experiments (`experiments`: a record) is not asked for others: all that it knows of the schemes is used.
-- @return `{ mapping =, error =, volume =, status =, steps =, classes =, experiments = (training), counts =, seconds =, resumed = }`;
-- or nil and a message, "interrupted" if there is no mapping yet
function pmevo.infer(processor, names, options)
  local o, began = lists.copy(options), core.base.now()
  o.epsilon, o.seed = o.epsilon or pmevo.epsilon, o.seed or 1
  local progress = o.progress or function() end
  local run, message, outcome = (Inference { processor = processor, epsilon = o.epsilon, progress = progress, all_pairs = o.pairs == "all" })
  if run.all_pairs and processor.experiments then return nil, "a record is used as it is; all pairs can be asked of a processor only" end
  run.meter, message = meter.new(processor, { path = o.directory and o.directory .. "/measurements.sqlite",
    progress = function(done) progress(processor.experiments and "comparing" or "measuring", done, nil, run.stage) end })
  if not run.meter then return nil, message end
  outcome, message = stop.guard(infer, run, names, o)
  run.meter:close()
  if not outcome then return nil, message end
  outcome.mapping = training.mapping(outcome.text, run.classes, { ports = run.ports, alone = run.alone, rmax = run.rmax, slots = run.slots,
    failed = run.failed })
  outcome.classes, outcome.experiments, outcome.counts = run.classes, run.list, counted(run)
  outcome.seconds, outcome.resumed, outcome.seed = core.base.now() - began, run.checkpoint.resumed, o.seed
  return outcome
end

return pmevo
