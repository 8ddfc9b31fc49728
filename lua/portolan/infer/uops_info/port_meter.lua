--- Counts uops on sets of ports with a processor's per-port counters, for many instructions in lock step.
--
-- Some cores have one counter for several ports ("port:5/11"). Uops on a set of ports are the sum of counters where whole counters
-- make up the set. Otherwise there are two upper bounds, of which the lower counts: the counters that have ports of the set, and
-- time, as a flooded set of ports takes 1/|Q| of a cycle for each uop that cannot evade it (dissertation section 6.2.2), and more
-- where the core is slower than the model.
-- @module portolan.infer.uops_info.port_meter
local core = require "portolan.core"
local experiment = require "portolan.experiment"
local lists = require "portolan.support.lists"
local stop = require "portolan.infer.stop"
local samples = require("portolan.measuring.policy").counts.samples
local values = require "portolan.measuring.values"

local meter = {}
meter.__index = meter

--- Makes a meter.
-- @param processor with `measure`, `counters` and `count`
-- @param[opt] progress function(stage, done, total)
-- @return meter with `events` (list of `{ name =, ports = }`) and `ports` (all names, in order); or nil and a message
function meter.new(processor, progress)
  local events, ports, uops = {}, {}, false
  local names, reason
  if processor.counters then names, reason = processor:counters() end
  for _, name in ipairs(names or {}) do
    uops = uops or name == "uops"
    local text, of = name:match("^port:(.+)$"), {}
    for port in (text or ""):gmatch("[^/]+") do of[#of + 1], ports[#ports + 1] = port, port end
    if text then events[#events + 1] = { name = name, ports = of } end
  end
  if not uops or #events == 0 then
    local has = names and #names > 0 and "this processor has only " .. table.concat(names, ", ") or "this processor has none"
    return nil, "this strategy needs counters of uops, in all and per port; " .. (reason or has)
  end
  return setmetatable({ processor = processor, events = events, ports = ports, progress = progress or function() end,
    readings = {}, counted = 0 }, meter)
end

-- The counters that count uops on these ports; whether they count none on others.
local function events_on(self, ports)
  local wanted, list, exact = lists.set(ports), {}, true
  for _, event in ipairs(self.events) do
    local inside = lists.count(event.ports, function(port) return wanted[port] end)
    if inside > 0 then list[#list + 1] = event.name end
    exact = exact and (inside == 0 or inside == #event.ports)
  end
  return list, exact
end

-- Takes one more reading of an event (or of cycles: event = "") of each experiment, and remembers it. Returns whether these were
-- single samples.
local function read_more(self, experiments, event, again)
  local single = false
  local function ask(options)
    if event == "" then return self.processor:measure(experiments, options) end
    return self.processor:count(experiments, event, options)
  end
  local results = stop.need(ask { again = again })
  self.counted = self.counted + #experiments
  for i, result in ipairs(results) do
    local where = experiment.key(experiments[i]) .. "\0" .. event
    self.readings[where] = self.readings[where] or {}
    self.readings[where].status = result.status
    if result.status == "ok" then table.insert(self.readings[where], event == "" and result.cycles or result.count) end
    single = single or (result.n or 1) < samples
  end
  return single
end

-- The range of readings, without the quarter at each end.
local function spread(list)
  local sorted, cut = table.move(list, 1, #list, 1, {}), #list // 4
  table.sort(sorted)
  return sorted[#sorted - cut] - sorted[1 + cut]
end

-- The median of all readings, and their spread; or nil and a status.
local function known(self, e, event)
  local list = self.readings[experiment.key(e) .. "\0" .. event]
  if #list == 0 then return nil, list.status end
  return values.middle(list), spread(list)
end

-- One more reading of each, or as many as make a median where they are of few samples; list of medians of all readings, or statuses.
local function read(self, experiments, event, again)
  local single = read_more(self, experiments, event, again)
  for _ = 1, single and not again and samples - 1 or 0 do read_more(self, experiments, event, true) end
  local medians = {}
  for i, e in ipairs(experiments) do
    local value, why = known(self, e, event)
    medians[i] = value or why
  end
  return medians
end

--- Cycles of experiments.
-- @param experiments list
-- @return list of numbers, or of statuses where there is none
function meter:cycles(experiments) return read(self, experiments, "") end

--- Counts of one event.
-- @param experiments list
-- @param event name
-- @param[opt] again one reading more
-- @return list of numbers (medians of all readings), or of statuses where there is none
function meter:counts(experiments, event, again) return read(self, experiments, event, again) end

-- The value of a request by all readings so far: `{ uops =, at_most =, spread = }`; or nil and a status.
local function value(self, request)
  local uops, wide = 0, 0
  for _, event in ipairs(request.events) do
    local count, more = known(self, request.e, event)
    if not count then return nil, more end
    uops, wide = uops + count, wide + more
  end
  if request.exact then return { uops = uops, at_most = false, spread = wide } end
  local cycles, more = known(self, request.e, "")
  if not cycles then return nil, more end
  return { uops = math.min(uops, cycles * #request.ports), at_most = true, spread = math.max(wide, more * #request.ports) }
end

--- A task calls this to count uops on ports: line 5 of Algorithm 6.1.
-- @param e experiment
-- @param ports list of names
-- @return `{ uops = on these ports per experiment, by the medians of all readings so far, at_most = (there may be less), spread = of the
-- readings }`; or nil and a status
function meter.uops_on_ports(e, ports) return coroutine.yield { e = e, ports = ports } end

-- One reading more of all that the requests need, event by event.
local function answer(self, requests, again)
  local wanted, events, asked = {}, {}, {}
  for _, request in ipairs(requests) do
    request.events, request.exact = events_on(self, request.ports)
    for _, event in ipairs(request.exact and request.events or { "", table.unpack(request.events) }) do
      if not wanted[event] then wanted[event], events[#events + 1] = {}, event end
      local where = experiment.key(request.e) .. "\0" .. event
      if not asked[where] then table.insert(wanted[event], request.e) end
      asked[where] = true
    end
  end
  for _, event in ipairs(events) do read_more(self, wanted[event], event, again) end
end

--- Runs tasks in lock step: what all of them ask for in one round is one batch for the processor.
-- @param tasks list of functions, which call `meter.uops_on_ports`
-- @param[opt] again count anew even what a store has
-- @return list of what they return; after Ctrl-C those that did not end are missing
function meter:run(tasks, again)
  local results, open, done = {}, {}, 0
  for i, task in ipairs(tasks) do open[i] = { number = i, thread = coroutine.create(task) } end
  while #open > 0 and not core.base.interrupted() do
    local waiting, requests = {}, {}
    for _, task in ipairs(open) do
      local ok, said = coroutine.resume(task.thread, table.unpack(task.answer or {}, 1, 2))
      if not ok then error(debug.traceback(task.thread, said), 0) end
      if coroutine.status(task.thread) == "dead" then
        results[task.number], done = said, done + 1
      else
        waiting[#waiting + 1], requests[#requests + 1], task.request = task, said, said
      end
    end
    answer(self, requests, again)
    for _, task in ipairs(waiting) do task.answer = { value(self, task.request) } end
    self.progress(done, #tasks)
    open = waiting
  end
  return results
end

return meter
