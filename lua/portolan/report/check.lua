--- Is this a chart, as `chart.json` holds it? A field that is there must be of its kind (docs/report.md), and any field may be missing.
local experiment = require "portolan.experiment"
local json = require "portolan.support.json"
local mapping = require "portolan.mapping"
local shape = require "portolan.support.shape"
local check = {}

local text, plain, boolean, amount, any = shape.text, shape.plain, shape.boolean, shape.amount, shape.any
local object, list, map, either = shape.object, shape.list, shape.map, shape.either

local count = shape.whole

-- The text of an experiment, or counts by scheme, which become its text.
local function experiment_text(value, place)
  if type(value) ~= "table" then return text(value, place) end
  return experiment.format(map(count)(value, place))
end

local function witness_object(value, place)
  return object {
    experiment = experiment_text, e = experiment_text, cycles = amount, measured = amount, expected = amount, modelled = amount, says = text,
    text = text, status = text, role = text,
  }(value, place)
end

local witnesses = list(either("an experiment's text or an object", text, witness_object))

local function uop(value, place)
  if not json.is_list(value) then error({ refused = place .. " must be a list of ports and a number" }, 0) end
  return { list(text)(value[1] == nil and {} or value[1], place .. "[1]"), value[2] ~= nil and amount(value[2], place .. "[2]") or nil }
end

local usage = either("a usage in words, or a list of uops", text, list(uop), object { uops = list(uop) })

local metrics = { mape = amount, pearson = shape.number, kendall = shape.number, kendall_resolved = shape.number }

local function with(fields, more)
  for name, of in pairs(more) do fields[name] = of end
  return fields
end

local evaluation = object(with({
  list = list(object { experiment = experiment_text, measured = amount, modelled = amount, binder = amount }), metric = text,
  resolution = amount, unstable = count, binder = object(metrics),
  others = list(object(with({ name = plain, cycles = list(either("a number or false", amount, boolean)) }, metrics))),
}, metrics))

local machine = object {
  cpu = plain, vendor = plain, family = plain, model = plain, stepping = plain, microarchitecture = plain, cores = plain, os = plain,
  counters = boolean, hypervisor = either("a name, true or false", boolean, text), tsc_hz = amount, frequency_hz = amount,
  known_ports = object { least = count, most = count },
}

local noise = object {
  accepted = amount, rejected = amount, quiet_share = amount, unstable = amount, sentinel = amount, text = text,
  timeline = list(object { t = amount, quiet = amount }),
}

local disagreement = object {
  scheme = text, usage = usage, reference_usage = usage, experiment = experiment_text, ours = amount, theirs = amount, measured = amount,
  verdict = text,
}

local open_point = either("a text or an object", text, object {
  a = text, b = text, text = text, chosen = plain, overlaps = list(plain), usages = list(plain),
})

local latency = object({
  from = text, to = text, cycles = amount, low = amount, high = amount, other = amount, same = amount, independent = boolean, as = text,
  bypass = map(amount), in_place = amount,
}, true)

-- This is the form of what an inference of latencies found (portolan.infer.latency.outcome).
local latency_summary = object({
  schemes = count, pairs = count, chains = count, seconds = amount, noise = amount, counts = map(count),
  reasons = list(object { why = text, pairs = count }), unfinished = text, failure = text,
}, true)

local scheme = object({
  uops = list(uop), status = text, tp = amount, busy = amount, unit = text, slots = amount,
  breakers = amount, companions = list(text), assumed = list(text),
  witnesses = witnesses, note = text,
  class = text, latencies = list(latency), taken = boolean, kinds = list(object { values = text, bytes = amount, cycles = amount }),
}, true)

-- A run that ended early has a mapping without ports, which is none by itself.
local function checked_mapping(value, place)
  if type(value) == "table" and json.is_list(value.ports) and #value.ports > 0 then
    local ok, message = mapping.validate(value)
    if not ok then error({ refused = place .. ": " .. message }, 0) end
  end
  return object({ ports = list(text), schemes = map(scheme), rmax = amount,
    front_end = mapping.parts.front_end.shape, first_cache = mapping.parts.first_cache.shape, forms = mapping.parts.forms.shape,
    processor = object { name = plain },
    provenance = any })(value, place)
end

local chart = object {
  title = plain, date = plain, version = plain, seconds = amount, partial = boolean, rmax = amount, machine = machine, noise = noise,
  mapping = checked_mapping, evaluation = evaluation, ending = object { stage = plain, why = plain, mend = plain },
  port_sets = list(object { ports = list(text), representative = text, members = list(text), witnesses = witnesses, assumed = list(text) }),
  groups = list(object { name = text, schemes = list(text) }),
  misfits = list(object { scheme = text, status = text, evidence = text, experiments = witnesses }),
  disagreements = object { reference = plain, renaming = either("a text or an object of names", text, map(plain)), list = list(disagreement) },
  filling = object({ name = text, per_slot = count, sure = boolean, candidates = list(object({ name = text, width = amount, tried = count,
    fits = count, least = amount, too_slow = boolean }, true)) }, true),
  trial = object({ mixtures = count, claims = count, refuted = count, sure = boolean }, true),
  opinion = object({ schemes = count, experiments = count, chart = count, opinion = count, neither = count,
    examples = list(object { experiment = experiment_text, measured = amount, chart = amount, opinion = amount }) }, true),
  counting = object { source = plain, says = plain },
  agreement = object { runs = amount, agree = amount,
    disagree = list(either("a name or an object", text, object { scheme = text, usages = list(usage), text = text })) },
  latency = latency_summary,
  inference = object { experiments = amount, rounds = amount, seconds = amount, solver_seconds = amount, epsilon = amount,
    open = list(open_point), observations = witnesses },
  provenance = object({ seed = plain, command = text, unfinished = list(object { stage = plain, distrust = plain }) }, true),
}

--- Checks and copies.
-- @param value anything
-- @treturn table|nil what a report needs of it, without nulls; or nil and a message
function check.chart(value)
  if type(value) ~= "table" or json.is_list(value) then return nil, "not a chart: an object of its parts is expected" end
  if value.format == mapping.format then return nil, "a mapping, not a chart: give the directory that 'portolan chart' wrote" end
  local copy, message = shape.read(chart, value, "chart")
  if not copy then return nil, (message:gsub("^chart%.", "")) end
  return copy
end

return check
