--- Palmed: a conjunctive resource mapping from times alone, by linear and integer programs (Derumigny et al., CGO 2022; dissertation, section 7.1).
--
-- Quadratic benchmarks sort schemes into classes, of which a few become basic instructions. The resources of these are found together: shapes
-- by LP1, weights by LP2. Every other scheme is measured in kernels that saturate one resource each, and its loads follow by LPAUX.
-- @module portolan.infer.palmed
local basic = require "portolan.infer.palmed.basic"
local budget = require "portolan.infer.budget"
local complete = require "portolan.infer.palmed.complete"
local constants = require "portolan.infer.palmed.constants"
local core = require "portolan.core"
local core_mapping = require "portolan.infer.palmed.core"
local kernels = require "portolan.infer.palmed.kernels"
local lists = require "portolan.support.lists"
local meter = require "portolan.infer.pmevo.meter"
local outcome = require "portolan.infer.palmed.outcome"
local private = require "portolan.infer.palmed.private"
local quadratic = require "portolan.infer.palmed.quadratic"
local state = require "portolan.infer.palmed.state"
local stop = require "portolan.infer.stop"

local palmed = {}

--- Options that are not given.
palmed.defaults = { epsilon = constants.epsilon, basic = constants.basic_most, seed = 1, time_limit = math.huge, experiment_limit = math.huge }

local function map_schemes(run, names, levels, stage)
  complete.map(run, run.core, names, levels, function(done)
    run.progress(stage, done, #names, ("%d resources"):format(#run.core.resources))
  end)
end

-- Schemes that the core's resources do not explain alone.
local function slow_schemes(run)
  local list = {}
  for _, name in ipairs(run.names) do
    local most = math.max(0, table.unpack(run.loads[name]))
    if most < run.alone[name] * (1 - constants.unexplained * run.options.epsilon) then list[#list + 1] = name end
  end
  return list
end

-- Core mappings with more and more basic instructions, until the quadratic benchmarks are explained.
local function find_core(run, pairs_of)
  run.basics = basic.choose(run, pairs_of)
  if #run.basics == 0 then stop.raise "none of the schemes runs once a cycle: there are no basic instructions" end
  while true do
    run.core = core_mapping.map(run, pairs_of.levels, run.core)
    run.loads = {}
    map_schemes(run, run.representatives, pairs_of.levels, "classes")
    local more = basic.missing(run, pairs_of, outcome.predictor(run))
    if #more == 0 then return end
    run.basics = table.move(more, 1, #more, #run.basics + 1, table.move(run.basics, 1, #run.basics, 1, {}))
  end
end

local function infer(run, names)
  local pairs_of = {}
  pairs_of.levels, pairs_of.times = quadratic.classes(run, names)
  find_core(run, pairs_of)
  map_schemes(run, run.names, pairs_of.levels, "complete mapping")
  private.share_out(run, slow_schemes(run))
  return "complete"
end

-- Schemes that were not reached, and how many kernels nothing explains.
local function finish(run, status, began)
  for _, name in ipairs(run.names) do
    if not run.loads[name] then run.failed[name] = "not reached" end
  end
  local classes = #run.representatives
  return { status = status, mapping = outcome.mapping(run), failed = run.failed, basics = run.core.basics, classes = classes,
    resources = #run.core.resources, private = #(run.private or {}), kernels = #run.core.kernels, unexplained = lists.size(run.core.vain),
    experiments = run.kernels.meter.measured, unanswered = run.kernels.unanswered, seconds = core.base.now() - began, seed = run.options.seed }
end

--- Infers a conjunctive resource mapping.
-- @param processor any
-- @tparam {string,...} names schemes
-- @tparam[opt] table options
-- @tparam[opt=0.03] number options.epsilon relative difference up to which times are equal
-- @tparam[opt=20] int options.basic most basic instructions
-- @tparam[opt=1] int options.seed of random mixtures
-- @tparam[opt] number options.time_limit seconds
-- @tparam[opt] int options.experiment_limit experiments
-- @tparam[opt] string options.directory where measurements are kept
-- @tparam[opt] func options.progress function(stage, done, total, note)
-- @return `{ status = "complete" | "limit" | "interrupted", mapping = (portolan.format.conjunctive), failed = { scheme = class }, basics =,
-- classes =, resources =, private = (resources of schemes beside the core), kernels =, unexplained = (kernels of the core that no resource
-- explains), experiments =, unanswered = (of those that were asked for, without an answer: loads that rest on them are guesses), seconds =,
-- seed = }`; or nil and a message, "limit" or "interrupted" if there is no mapping yet
function palmed.infer(processor, names, options)
  local o, began = setmetatable({}, { __index = palmed.defaults }), core.base.now()
  for key, value in pairs(options or {}) do o[key] = value end
  local progress = o.progress or function() end
  local m, message = meter.new(processor, { path = o.directory and o.directory .. "/measurements.sqlite" })
  if not m then return nil, message end
  local run = state.run { options = o, kernels = kernels.new(m, budget.new(o)), rng = core.base.rng(o.seed), progress = progress }
  local status, why = stop.guard(infer, run, lists.keys(lists.set(names)))
  m:close()
  if why == "interrupted" or why == "limit" then status = why end
  if not status then return nil, why end
  if not (run.core and run.loads and next(run.loads)) then return nil, status end
  return finish(run, status, began)
end

return palmed
