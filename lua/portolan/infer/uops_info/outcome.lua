--- From counts to a mapping: what was found of each scheme, whether it adds up, and the experiments that witness it.
-- @module portolan.infer.uops_info.outcome
local blockers = require "portolan.infer.uops_info.blockers"
local core = require "portolan.core"
local experiment = require "portolan.experiment"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local plural = require "portolan.support.plural"
local port_set = require "portolan.mapping.ports"
local sum = require "portolan.infer.uops_info.sum"

local outcome = {}

local slower, faster = 1.05, 0.97 -- than the ports explain

local function uops_text(n) return plural(n, "uop", nil, (math.type(n) == "integer" and "%d" or "%.2f"):format(n)) end

-- The scheme alone: on which ports it is counted, and on which it is not.
local function alone(run, i)
  local single, count, ports = run.singles[i], 0, {}
  for _, event in ipairs(run.meter.events) do
    local here = single.counts[event.name]
    count = count + here
    if blockers.is_used(here) then table.move(event.ports, 1, #event.ports, #ports + 1, ports) end
  end
  return { experiment = experiment.format { [i] = 1 }, count = count, expected_count = single.uops, ports = ports, role = "bounds",
    says = ("%s alone, all counted on ports %s"):format(uops_text(single.uops), port_set.text(ports)) }
end

-- One witness for each experiment: what it shows of the uops that were found.
local function witnesses(run, i, found)
  local list = { alone(run, i) }
  for _, x in ipairs(found.evidence) do
    local ports, confined, here = port_set.text(x.blocking.ports), 0, 0
    for _, u in ipairs(found.uops) do
      if port_set.within(u.ports, x.blocking.ports) then confined = confined + u.uops end
      if #u.ports == #x.blocking.ports and port_set.within(u.ports, x.blocking.ports) then here = u.uops end
    end
    local w = { experiment = experiment.format(x.e), count = x.count, expected_count = x.k + confined, ports = x.blocking.ports,
      role = here > 0 and "shows" or "bounds" }
    if math.type(here) ~= "integer" or math.type(confined) ~= "integer" or here < 0 then
      w.role, w.expected_count, w.says = "contradicts", nil, ("%.2f uops more on ports %s than on a part of them"):format(here, ports)
    elseif confined == 0 then
      w.says = ("evades ports %s"):format(ports)
    elseif here == confined then
      w.says = ("%s on ports %s"):format(uops_text(here), ports)
    else
      w.says = ("%s on ports %s, and %s on a part of them"):format(here > 0 and uops_text(here) or "no uop", ports, uops_text(confined - here))
    end
    list[#list + 1] = w
  end
  return list
end

-- The ports of both lists, each once.
local function both(list, more) return lists.distinct(lists.joined(list, more)) end

-- Mapping entries of what was found; what is assumed of them, and a note.
local function entries(run, i, found)
  local uops, assumed, notes = {}, {}, {}
  if found.rounded then notes[1] = "rounded down, as not all uops evaded that could" end
  for _, u in ipairs(found.uops) do
    if u.shared or u.blocking.assumed then assumed = both(assumed, u.ports) end
    if u.shared then
      notes[#notes + 1] = ("%s on ports %s, as found both on %s and on %s"):format(uops_text(u.uops), port_set.text(u.ports),
        table.concat(u.shared[1], ","), table.concat(u.shared[2], ","))
    end
    uops[#uops + 1] = { u.ports, u.uops }
  end
  local more = sum.beyond(run, i, found.uops)
  if more then
    uops[#uops + 1] = { more.ports, more.uops }
    assumed = both(assumed, more.ports)
    notes[#notes + 1] = ("no instruction blocks port %s: %s counted there when it runs alone"):format(more.ports[1], uops_text(more.uops))
  end
  return uops, #assumed > 0 and assumed or nil, #notes > 0 and table.concat(notes, "; ") or nil
end

-- A scheme of one uop: counts alone show its ports.
local function of_one(run, i)
  local single = run.singles[i]
  local ports, assumed = blockers.ports_used(run.meter, single)
  if #ports == 0 then return { status = "contradicting", note = "a uop is counted, but on no port" } end
  local witness = alone(run, i)
  witness.role, witness.says = "shows", "1 uop, counted on ports " .. port_set.text(ports)
  return { status = "explained", uops = { { ports, 1 } }, assumed = assumed and ports or nil, witnesses = { witness } }
end

local function total(uops) return lists.sum(uops, function(u) return u.uops end) end

local function negative(uops) return lists.any(uops, function(u) return u.uops < 0 end) end

-- The widest set that k copies of its blocking instruction cannot flood for this many uops (Constraint 6.1).
local function not_flooded(found, uops)
  local most = 0
  for _, x in ipairs(found.evidence) do
    if x.k < #x.blocking.ports * uops then most = math.max(most, #x.blocking.ports) end
  end
  return most > 0 and most or nil
end

local function of_several(run, i, found)
  local single = run.singles[i]
  if not found or found.trouble == "interrupted" then return { status = "not reached" } end
  if found.trouble then return { status = "unstable", note = "with blocking instructions: " .. found.trouble } end
  local scheme, most = { witnesses = witnesses(run, i, found) }, not_flooded(found, single.uops)
  if most and run.bounded then
    scheme.status = "microcoded"
    scheme.note = ("%d uops: more than 100 blocking instructions would be needed to flood %d ports"):format(single.uops, most)
  elseif found.adds_up then
    scheme.status, scheme.uops, scheme.assumed, scheme.note = "explained", entries(run, i, found)
  else
    scheme.status = "contradicting"
    scheme.note = ("%s found by blocking where %d are counted"):format(uops_text(total(found.uops)), single.uops)
    if total(found.uops) == single.uops then
      scheme.note = "what is found by blocking does not agree with the counts of the scheme alone"
    elseif total(found.uops) <= single.uops - 1 and not negative(found.uops) then
      scheme.note = ("%s of %d found: the others run on ports that no instruction blocks"):format(uops_text(total(found.uops)), single.uops)
    end
  end
  return scheme
end

local unsupported = { unsupported = true, ["illegal instruction"] = true, ["memory fault"] = true, ["arithmetic fault"] = true,
  trap = true, ["system call"] = true, timeout = true, derailed = true }

local function of(run, i, found)
  local single = run.singles[i]
  if single.trouble == "interrupted" then return { status = "not reached" } end
  if single.trouble then return { status = unsupported[single.trouble] and "unsupported here" or "unstable", note = single.trouble } end
  if not single.uops then return { status = "unstable", note = single.evidence } end
  if single.uops == 0 then return { status = "eliminated at rename", uops = {}, note = "no uop is executed" } end
  if single.uops == 1 then return of_one(run, i) end
  return of_several(run, i, found)
end

-- Do the ports explain how long the schemes take alone? If not, what was interpreted more freely is not believed.
local function check_times(m, found)
  local compiled = assert(mapping.compile(m))
  for name, scheme in pairs(m.schemes) do
    local cycles, predicted = scheme.tp, scheme.uops and compiled:throughput { [name] = 1 }
    if scheme.status == "explained" and cycles > slower * predicted + 0.005 then
      scheme.status = "slower than ports"
      scheme.note = ("%.2f cycles alone, where ports and front end explain %.2f"):format(cycles, predicted)
      if found[name] and found[name].interpreted then scheme.status, scheme.uops, scheme.assumed = "contradicting", nil, nil end
    elseif scheme.status == "explained" and cycles < faster * predicted - 0.005 then
      scheme.status, scheme.note = "contradicting", ("%.2f cycles alone, but its ports need %.2f"):format(cycles, predicted)
      scheme.uops, scheme.assumed = nil, nil
    end
  end
  return m
end

--- The outcome of a run.
-- @param run of portolan.infer.uops_info
-- @param names schemes
-- @param found scheme name -> what Algorithm 6.1 found
function outcome.of(run, names, found)
  local machine = run.processor.describe and run.processor:describe() or {}
  local m = { format = mapping.format, version = mapping.version, ports = run.meter.ports, rmax = run.width, schemes = {},
    processor = { name = machine.microarchitecture or machine.cpu or run.processor.name, cpu = machine.cpu, family = machine.family,
      model = machine.model, stepping = machine.stepping } }
  for _, i in ipairs(names) do
    local single, scheme = run.singles[i], of(run, i, found[i])
    scheme.tp, scheme.slots = not single.trouble and single.cycles or nil, single.slots
    m.schemes[i] = scheme
  end
  local list = lists.map(run.blockingInsns, function(b) return { scheme = b.name, ports = b.ports, improper = b.improper } end)
  return { mapping = check_times(m, found), blocking = list, experiments = run.meter.counted, seconds = core.base.now() - run.began,
    interrupted = core.base.interrupted() or nil }
end

return outcome
