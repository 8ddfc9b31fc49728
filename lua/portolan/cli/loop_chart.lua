--- The chart of `portolan loop`: mappings in a folder that grow with every loop that is asked about, and the measurements behind them.
-- @module portolan.cli.loop_chart
local chart_progress = require "portolan.cli.chart_progress"
local core = require "portolan.core"
local cpu = require "portolan.machine.cpu"
local duration = require "portolan.support.duration"
local file = require "portolan.support.file"
local hardware = require "portolan.processor.hardware"
local lists = require "portolan.support.lists"
local lock = require "portolan.support.lock"
local mapping = require "portolan.mapping"
local mapping_union = require "portolan.mapping.union"
local met_cores = require "portolan.predictor.met_cores"
local on_demand = require "portolan.loop.on_demand"
local open_processor = require "portolan.cli.open_processor"
local paths = require "portolan.support.paths"
local plural = require "portolan.support.plural"
local scheme_set = require "portolan.scheme.set"
local store = require "portolan.experiment.store"
local terminal = require "portolan.support.terminal"

local loop_chart = {}
loop_chart.__index = loop_chart
loop_chart.__close = function(self) self:close() end

local inferences_of = "inferences" -- what outcomes are filed under, where measurements are under the key of their machine
local calibration_patience = 5 -- seconds; then the person who waits hears of it

-- The folder of this processor's charts: what was measured on another one says nothing here.
local function folder_of()
  local facts, message = cpu.facts()
  if not facts then return nil, message end
  return paths.cache("loops/" .. facts.key:gsub("[^%w.-]+", "-"))
end

local function path_of(self, base) return ("%s/%s.json"):format(self.folder, base) end

--- The mapping of this processor that knows most of some schemes: what loops left in the user's cache, or the chart of its core that ships.
-- @param names of schemes
-- @return path of its file, or its name, what it is, and how many it does not know; nil if there is none
function loop_chart.nearest(names)
  local folder = folder_of()
  local path = folder and path_of({ folder = folder }, on_demand.base(names))
  local best, what, least = nil, nil, math.huge
  local function look(where, words)
    local m = mapping.load(where)
    local lacking = m and #on_demand.lacking(m, names) or math.huge
    if lacking < least then best, what, least = where, words, lacking end
  end
  if path and file.kind(path) then look(path, "the chart of this processor's loops, " .. path) end
  if met_cores.here() then
    look("core:" .. met_cores.here(), ("the chart of a %s that ships with Portolan"):format(cpu.facts().microarchitecture))
  end
  if best then return best, what, least end
end

--- Opens the folder, which is locked until it is closed.
-- @param args of the command line: `chart`, a folder, if it is not to be the one in the user's cache; `budget`, `cpu`, `again`; `command` that asks
-- @return object to close; or nil, message, status
function loop_chart.open(args)
  local folder, trouble = args.chart, nil
  if not folder then folder, trouble = folder_of() end
  if not folder then return nil, trouble end
  local made, message, status = file.make_directory(folder)
  if not made then return nil, message, status end
  local writer, why, kind = lock.folder(folder, args.command)
  if not writer then return nil, why, kind end
  local measurements, fault, state = store.open(folder .. "/measurements.db")
  if not measurements then
    writer:release()
    return nil, fault, state
  end
  return setmetatable({ folder = folder, args = args, writer = writer, store = measurements, began = core.base.now(),
    processor = nil, said = false }, loop_chart)
end

local function left(self) return math.max(1, self.args.budget - (core.base.now() - self.began)) end

--- The processor of this machine, opened when it is first asked for.
-- @param[opt] update function(stage, done, total, note) of what shows progress
-- @return processor; or nil, message, status
function loop_chart:open_processor(update)
  if self.processor then return self.processor end
  local line <close> = not update and chart_progress.new(0, { budget = self.args.budget }) or nil
  update = update or line.update
  update("calibration")
  local processor, why, status = hardware.open_within(left(self) / 2, { store = self.store, patience = calibration_patience,
    wait = self.args.budget, cpu = self.args.cpu, again = self.args.again }, open_processor.update(update, "calibration"))
  self.processor = processor
  return processor, why, status
end

-- The mapping that the folder has beside a base; nil if it has none.
local function kept(self, base)
  local path = path_of(self, base)
  if not file.kind(path) then return nil end
  return mapping.load(path)
end

-- Outcomes of inferences, kept beside the measurements. One that cannot be kept is made again.
local function inferences(self)
  local measurements = self.store
  return { get = function(key) return (measurements:get(inferences_of, key)) end,
    put = function(key, outcome) measurements:put(inferences_of, { { key = key, result = outcome } }) end }
end

-- Charts these schemes beside a base; `tried`: names of schemes that were charted before.
local function chart(self, base, names, tried)
  local set, message = on_demand.set(base, names)
  if not set then return nil, message end
  local count = scheme_set.count(set)
  local line <close> = chart_progress.new(count, { budget = self.args.budget, latencies = true })
  line:say(("charting %s, %s of them of the code; kept in %s"):format(plural(count, "scheme"), #names, self.folder))
  local processor, why, status = self:open_processor(line.update)
  if not processor then return nil, why, status end
  line:follow(processor)
  return on_demand.chart(processor, set, { budget = left(self), progress = line.update, kept = inferences(self), tried = tried,
    command = self.args.command })
end

-- Names of schemes that a mapping explains.
local function explained(m)
  return lists.where(lists.keys(m.schemes), function(name) return m.schemes[name].uops ~= nil end)
end

-- The two mappings joined; nil where they do not go together, or nothing says which port is which. What an earlier chart could not explain, or found
-- to be refuted, is not explained by one that did not try it.
local function joined(m, added)
  local rest = lists.copy(added)
  rest.schemes = {}
  for name, scheme in pairs(added.schemes) do
    if not m.schemes[name] or m.schemes[name].uops then rest.schemes[name] = scheme end
  end
  local whole, note = mapping_union.of(m, rest)
  return whole and #note.undecided == 0 and not note.unmatched and whole or nil
end

-- A mapping that knows these schemes, too: what is charted of them is joined with what is there. Where that cannot be, all is charted together. Or
-- nil, message, status.
local function grown(self, base, m, names)
  local result, message, status = chart(self, base, names, m and explained(m))
  if not result then return nil, message, status end
  if core.base.interrupted() then return nil, "interrupted; what was measured is kept, and the same command goes on from it", "interrupted" end
  if result.failure then return nil, ("%s. %s"):format(result.failure, result.ending.mend), "limit reached" end
  if result.partial then
    return nil, ("the chart did not end within %s; what was measured is kept, and the same command goes on from it"):format(
      duration.text(self.args.budget)), "limit reached"
  end
  local whole = m and joined(m, result.mapping)
  if m and not whole then return grown(self, base, nil, lists.distinct(lists.joined(lists.keys(m.schemes), names))) end
  return whole or result.mapping
end

-- The chart of this processor's core that ships, if it knows all of some schemes, and whoever asks wants no chart of their own.
local function shipped(self, names)
  local name = not self.args.chart and not self.args.again and met_cores.here()
  if not name then return nil end
  local m = mapping.load("core:" .. name)
  return m and #on_demand.lacking(m, names) == 0 and m or nil
end

--- A mapping that knows what can be known of some schemes, where nothing is to be charted: the one that is there, or one of this kind of core that
-- ships.
-- @param names of schemes
-- @return mapping, and whether it ships; or nil, false, the mapping that is there, if there is one that lacks some
function loop_chart:known(names)
  local m = not self.args.again and kept(self, on_demand.base(names)) or nil
  if m and #on_demand.lacking(m, names) == 0 then return m, false end
  local other = shipped(self, names)
  return other, other ~= nil, m
end

--- The mapping that knows what can be known of some schemes: one that is known, or one that is charted now.
-- @param names of schemes
-- @param further names of schemes that are charted, too, if something is, and they go with the others
-- @return mapping; or nil, message, status
function loop_chart:mapping_of(names, further)
  local m, ships, there = self:known(names)
  if ships and not self.said then
    terminal.say(("%s: by the chart of a %s that ships with Portolan; --chart DIR charts this processor"):format(self.args.command,
      cpu.facts().microarchitecture))
    self.said = true
  end
  if m then return m end
  local base = on_demand.base(names)
  local with = lists.where(further, function(name) return on_demand.base(lists.joined(names, { name })) == base end)
  local whole, message, status = grown(self, base, there, on_demand.lacking(there, lists.joined(names, with)))
  if not whole then return nil, message, status end
  local ok, why, kind = mapping.save(whole, path_of(self, base))
  if not ok then return nil, why, kind end
  return whole
end

--- Closes it.
function loop_chart:close()
  if self.processor then self.processor:close() end
  self.store:close()
  self.writer:release()
  self.processor = nil
end

return loop_chart
