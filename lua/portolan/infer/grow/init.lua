--- Inference that grows from a core: a few schemes jointly, every further one alone against them (docs/inference.md).
--
-- Joint inference takes time that grows steeply with the number of schemes. A scheme against known ones has a few hundred
-- possible places, and each needs a handful of experiments to be the only one left: hundreds of schemes are feasible.
-- @module portolan.infer.grow
local core_schemes = require "portolan.infer.grow.core_schemes"
local field = require "portolan.infer.grow.field"
local lists = require "portolan.support.lists"
local outcome = require "portolan.infer.grow.outcome"
local placing = require "portolan.infer.grow.placing"
local bounds = require "portolan.infer.bounds"
local printable = require "portolan.support.printable"
local stop = require "portolan.infer.stop"
local together = require "portolan.infer.grow.together"

local grow = {}

local defaults = { epsilon = 0.02, reading = "symmetric", seed = 1, time_limit = math.huge, experiment_limit = math.huge, threads = 0 }

local function report(run)
  run.rounds = run.rounds + 1
  if not run.options.progress then return end
  local placed = lists.count(run.schemes, function(s) return s.status end)
  run.options.progress { rounds = run.rounds, experiments = run.budget.asked, schemes = placed, of = #run.schemes, ports = run.most_ports }
end

-- All schemes beside the core in lock step: their next experiments are one batch. Returns how it ended.
local function place_all(run)
  placing.start(run)
  while true do
    report(run)
    local joining = placing.settle(run)
    placing.join(run, joining)
    local list = placing.ask(run)
    if #list == 0 and #joining == 0 and not run.doubtful then return "unique" end
    local over = #list > 0 and run.budget:over()
    if over then return over end
    placing.measure(run, list)
  end
end

local function identify(run)
  field.measure_alone(run)
  local status = core_schemes.identify(run)
  if status == "unique" then status = place_all(run) end
  return status == "unique" and together.decide(run) or status
end

--- Infers the ports of any number of schemes of one uop each.
-- @param processor as for `cegis.infer`; it should answer any experiment
-- @tparam {string,...} schemes names
-- @tparam[opt] table options as for `cegis.infer`: `ports`, up to 20, 16 if not given; `rmax`, `slots`, `port_counts`, `fixed`, `epsilon`, `reading`,
-- `seed`, `time_limit`, `experiment_limit`, `observations`, `improper`, `batch`, `confirm`, `doubt`, `slack`, `progress`; and
-- @tparam[opt] number options.noise standard deviation of a reading, a share of it
-- @tparam[opt=12] int|table options.core how many schemes are inferred jointly, those with the fewest ports; or their names
-- @tparam[opt=0] int options.threads 0: one per processor; the outcome is the same for any number
-- @return outcome as that of `cegis.infer`, without a certificate; and `core` (names of the schemes that the others were placed
-- against, those inferred jointly first), `schemes` (name -> `{status = "unique" | "open" | "contradicting" | "unmeasured" |
-- "unfinished", experiments = {{experiment=, cycles=}, ...} (what tells it apart), alternatives = {lists of ports, the chosen ones
-- first} of an open one, conflict= of a contradicting one}`). If schemes contradict, the status is "contradiction", but the mapping
-- of the others is there. Nil and a message for wrong options.
function grow.infer(processor, schemes, options)
  local o = setmetatable({}, { __index = function(_, k) return (options or {})[k] == nil and defaults[k] or (options or {})[k] end })
  if not bounds.known[o.reading] then return nil, ("no reading '%s'; use symmetric or asymmetric"):format(printable(tostring(o.reading))) end
  if o.uops then return nil, "schemes of several uops can't be grown; leave out 'uops', or infer them jointly" end
  local run, message = field.new(processor, schemes, o)
  if not run then return nil, message end
  local status, why, ended = stop.guard(identify, run)
  if run.place then run.place:close() end
  if not outcome.endings[status or ended] then return nil, why end
  return outcome.of(run, status or ended)
end

return grow
