--- This module prints and writes the results of `portolan eval --blocks`.
-- @module portolan.cli.eval_blocks_output
local core = require "portolan.core"
local file = require "portolan.support.file"
local format = require "portolan.report.format"
local heatmap_text = require "portolan.report.heatmap_text"
local json = require "portolan.support.json"
local lists = require "portolan.support.lists"
local printable = require "portolan.support.printable"
local report = require "portolan.report"
local terminal = require "portolan.support.terminal"
local text = require "portolan.report.accuracy_text"

local eval_blocks_output = {}

local function percent(part, whole) return ("%.1f%%"):format(whole > 0 and 100 * part / whole or 0) end

local function heading(set, args, rows)
  local list = { ("%s: %d of %d blocks measured (%s)"):format(printable(args.blocks:match "[^/]*$"), #set.records, set.total,
    percent(#set.records, set.total)) }
  if args.sample then list[1] = ("%s, drawn from %d with the seed %d"):format(list[1], rows, args.seed) end
  local statuses = lists.keys(set.unmeasured)
  table.sort(statuses, function(a, b) return set.unmeasured[a] > set.unmeasured[b] or set.unmeasured[a] == set.unmeasured[b] and a < b end)
  for _, status in ipairs(statuses) do
    list[#list + 1] = ("  %d %s (%s)"):format(set.unmeasured[status], printable(status), percent(set.unmeasured[status], set.total))
  end
  return list
end

local function speeds(list)
  local timed = lists.where(list, function(p) return p.asked > 0 and p.seconds > 0 end)
  return lists.map(timed, function(p)
    return ("%s: %d blocks in %.2f s, %.0f a second"):format(printable(p.name), p.asked, p.seconds, p.asked / p.seconds)
  end)
end

local function show_text(state, args, context)
  local unicode = terminal.utf8()
  local function lines(list) for _, line in ipairs(list) do context.out("%s\n", line) end end
  lines(heading(state.set, args, state.rows))
  context.out("\n%s\n", context.style(("the %d blocks that all predict"):format(state.common.common), "bold"))
  lines(text.models(state.common, context.style, unicode))
  context.out("\n%s\n", context.style("each on what it predicts", "bold"))
  lines(text.models(state.alone, context.style, unicode))
  local out = text.left_out(state.alone, state.set)
  if #out > 0 then context.out("\n") end
  lines(out)
  lines(text.by_category(state.common, context.style))
  if args.worst then lines(text.worst(state.common, state.set, args.worst, context.style)) end
  if args.heatmap then context.out("\n%s", heatmap_text.render(state.common.models, args.unit, unicode)) end
  context.out("\n")
  lines(speeds(state.predictors))
end

local function summary_json(model)
  local s = model.summary
  return { n = s.n, mape = s.mape, pearson = s.pearson, kendall = s.kendall, bias = s.bias, over = s.over, under = s.under }
end

local function model_json(state, k)
  local common, alone, p = state.common.models[k], state.alone.models[k], state.predictors[k]
  local o = { name = common.name, predictor = p.file, seconds = p.seconds, asked = p.asked, common = summary_json(common),
    alone = summary_json(alone), left_out = json.array(alone.left_out), by_kind = json.array {} }
  for i, part in ipairs(common.by_category) do
    o.by_kind[i] = summary_json(part)
    o.by_kind[i].kind = part.label
  end
  return o
end

local function show_json(state, args, context)
  local o = { file = args.blocks, oracle = args.oracle, total = state.set.total, measured = #state.set.records,
    unmeasured = json.object(state.set.unmeasured), unit = args.unit, covered_by_all = state.common.common, models = json.array {},
    blocks = json.array {} }
  for k in ipairs(state.predictors) do o.models[k] = model_json(state, k) end
  for i, record in ipairs(state.records) do
    local row = { block = record.hex, text = record.text, line = record.line, kind = record.kind, status = record.status,
      cycles = record.cycles, why = record.why, predictions = json.array {} }
    for k, p in ipairs(state.predictors) do
      local cycles = record.status == "ok" and p.predict(record)
      row.predictions[k] = cycles or json.null
    end
    o.blocks[i] = row
  end
  context.write_json(o)
end

-- The command line again, for the report.
local function command_line(args)
  local words = { "portolan", "eval", "--blocks", format.word(args.blocks), "--oracle", format.word(args.oracle) }
  local function option(name, value)
    if value then words[#words + 1] = name .. " " .. format.word(tostring(value)) end
  end
  for _, name in ipairs(args.predictor) do option("--predictor", name) end
  option("--sample", args.sample)
  if args.sample then option("--seed", args.seed) end
  option("--unit", args.unit)
  option("--worst", args.worst)
  option("--report", args.report)
  return table.concat(words, " ")
end

--- Prints what was found, as text or, if the command says so, as JSON.
-- @param state `set`, `records`, `rows`, `predictors`; `common` and `alone`, of portolan.prediction.accuracy: on what all predict, and each on what
-- it predicts
-- @param args of the command line
-- @param context of the command
function eval_blocks_output.show(state, args, context)
  if context.json then show_json(state, args, context) else show_text(state, args, context) end
end

--- Writes the report, if it was asked for.
-- @param state as of `show`
-- @param args of the command line
-- @return true; or nil, message, status
function eval_blocks_output.write(state, args)
  if args.report then
    local page = report.accuracy { title = args.blocks:match "[^/]*$", result = state.common, alone = state.alone, set = state.set,
      worst = args.worst, version = core.version, command = command_line(args) }
    local ok, message, status = file.write(args.report, page)
    if not ok then return nil, message, status end
  end
  return true
end

return eval_blocks_output
