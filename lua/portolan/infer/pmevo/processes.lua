--- Islands as processes: `mpirun -n K portolan infer pmevo --mpi` gives what K islands in one process give.
--
-- The first process measures and tells the others what to explain; each evolves one island, and all exchange mappings when the
-- islands of one process would.
-- @module portolan.infer.pmevo.processes
local checkpoint = require "portolan.infer.pmevo.checkpoint"
local core = require "portolan.core"
local islands = require "portolan.infer.pmevo.islands"
local json = require "portolan.support.json"

local processes = {}
processes.__index = processes

--- Joins the processes that mpirun started.
-- @return processes with `rank` (from 0) and `size`; or nil and a message
function processes.open()
  if not core.evo.mpi then return nil, "this build has no MPI; configure it with -DPTL_MPI=ON" end
  local rank, size = core.evo.mpi.open()
  return setmetatable({ rank = rank, size = size }, processes)
end

-- Gathers what every process says, by rank.
local function gather(value)
  local all = core.evo.mpi.gather(assert(json.encode(value)))
  for i, text in ipairs(all) do all[i] = assert(json.decode(text)) end
  return all
end

-- Exchange of islands.lua.
local function exchange(entries, whole)
  local all, every = {}, true
  for _, said in ipairs(gather { entries = json.array(entries), whole = whole }) do
    table.move(said.entries, 1, #said.entries, #all + 1, all)
    every = every and said.whole
  end
  return all, every
end

-- One island of many.
local function evolve(self, problem, task, o)
  return islands.evolve(problem, { islands = 1, first = self.rank, exchange = exchange, threads = 1, population = task.population,
    seed = task.seed, generations = task.generations, experiments = #task.list, given = task.given, hint = task.hint, totals = task.totals,
    deadline = task.time and core.base.now() + task.time, checkpoint = o.checkpoint, progress = o.progress })
end

--- The first process: tells the others the task and evolves its own island.
-- @param problem core.evo.problem
-- @param task what islands.evolve needs, with `list` (experiments with numbers of schemes), `alone` (list of cycles) and `ports`
-- @param o `checkpoint`, `progress`
-- @return as islands.evolve
function processes:lead(problem, task, o)
  task.saved, self.done = o.checkpoint:read(), true
  gather(task)
  return evolve(self, problem, task, o)
end

--- The first process, when it has nothing to evolve (`done` is not set): the others end.
function processes.give_up() gather { none = true } end

--- The other processes: wait for the task and evolve an island.
-- @return outcome, true if there was nothing to do; or nil and a message
function processes:follow()
  local task = gather({ rank = self.rank })[1]
  if task.none then return true end
  local problem, message = core.evo.problem(task.ports, task.alone, task.list)
  if not problem then return nil, message end
  local mute = checkpoint.new() -- the first process writes for all
  function mute.read() return task.saved end
  return evolve(self, problem, task, { checkpoint = mute, progress = function() end })
end

--- Leaves; no process may call anything after it.
function processes.close() core.evo.mpi.close() end

return processes
