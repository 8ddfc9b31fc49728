--- What the strategies print and write that know when they are done: `cegis` and `grow`.
-- @module portolan.cli.infer.outcome_output
local core = require "portolan.core"
local duration = require "portolan.support.duration"
local experiment = require "portolan.experiment"
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local one_uop = require "portolan.infer.one_uop"
local outcome_words = require "portolan.infer.outcome_words"
local plural = require "portolan.support.plural"
local printable = require "portolan.support.printable"

local outcome_output = {}

local function usage_lines(m)
  local lines, width = {}, 0
  for _, name in ipairs(mapping.schemes(m, true)) do width = math.max(width, #name) end
  for _, name in ipairs(mapping.schemes(m, true)) do
    lines[#lines + 1] = ("  %-" .. math.min(width, 60) .. "s  %s"):format(printable(name), printable(mapping.usage(m.schemes[name])))
  end
  return lines
end

local function show_list(context, title, lines)
  if #lines == 0 then return end
  context.out("\n%s:\n", title)
  for _, line in ipairs(lines) do context.out("  %s\n", printable(line)) end
end

-- The schemes without ports, and why, of strategies that say it of each.
local function unplaced(schemes)
  local list = {}
  for name, s in pairs(schemes) do
    if s.status == "contradicting" or s.status == "unmeasured" or s.status == "unfinished" then
      list[#list + 1] = ("%s: %s"):format(name, s.status)
    end
  end
  table.sort(list)
  return list
end

local colours = { unique = "green", contradiction = "red" }

--- Prints an outcome.
-- @tparam table outcome of `cegis.infer` or `grow.infer`
-- @tparam table args of the command line: `out`
-- @tparam table context of the command
function outcome_output.show(outcome, args, context)
  context.out("%s: %s\n", context.style(outcome.status, colours[outcome.status] or "yellow"), printable(outcome_words.ending(outcome)))
  if outcome.conflict and args.uops and one_uop.words(outcome.assumed) then
    context.out("if a scheme has several uops, say how many: --uops SCHEME=N; for a few schemes --find-uops MOST finds it out\n")
  end
  if outcome.mapping then
    context.out("\n%s\n", table.concat(usage_lines(outcome.mapping), "\n"))
  end
  show_list(context, "ports not known", unplaced(outcome.schemes or {}))
  show_list(context, "certain: the same ports, up to names, in every mapping that fits", outcome_words.certain(outcome))
  show_list(context, "open", outcome_words.open(outcome.open))
  show_list(context, "assumed, not inferred", outcome_words.assumed(outcome.assumed))
  show_list(context, "experiments that would decide", outcome_words.wanted(outcome.wanted))
  local failed = lists.map(outcome.failed, experiment.format)
  show_list(context, "not measured", failed)
  context.out("\n%s, %s, %s (%s of them the solver)\n", plural(#outcome.observations, "experiment"), plural(outcome.rounds, "round"),
    duration.text(outcome.seconds), duration.text(outcome.solver_seconds))
  if args.out and outcome.mapping then
    context.out("%s: the mapping%s\n", args.out, outcome.certificate and ", with a certificate" or "; without a certificate")
  end
end

--- Prints an outcome as JSON; experiments are tables scheme -> count.
-- @tparam table outcome of `cegis.infer` or `grow.infer`
-- @tparam table context of the command
function outcome_output.show_json(outcome, context)
  local o = lists.copy(outcome)
  o.question = nil
  for _, key in ipairs { "open", "assumed", "wanted", "failed", "observations" } do o[key] = json.array(o[key]) end
  for _, s in pairs(o.schemes or {}) do json.array(s.experiments) end
  context.write_json(o)
end

--- Writes the mapping, and the last question, where the command line names files for them.
-- @tparam table outcome of `cegis.infer` or `grow.infer`
-- @tparam table args of the command line: `out`, `smtlib`, `oracle`
-- @param processor that was measured
-- @tparam table spec of `oracle.parse`
-- @tparam string method name of the strategy
-- @treturn[1] boolean true
-- @return[2] nil, message, name of its status
function outcome_output.write(outcome, args, processor, spec, method)
  if args.smtlib and outcome.question then
    local ok, message, status = file.write(args.smtlib, outcome.question)
    if not ok then return nil, message, status end
  end
  if not (args.out and outcome.mapping) then return true end
  local m = outcome.mapping
  m.certificate = outcome.certificate
  m.provenance = { method = method, version = core.version, oracle = args.oracle, processor = processor.describe and processor:describe(),
    experiments = #outcome.observations, rounds = outcome.rounds, seconds = outcome.seconds, seed = outcome.seed, kind = spec.kind,
    uops = outcome.uops,
    core = outcome.core, partial = outcome.status ~= "unique" and outcome.certificate == nil or nil }
  return mapping.save(m, args.out)
end

return outcome_output
