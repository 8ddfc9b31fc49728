--- This module returns what stands behind the discoveries, as compact JSON that the report's script unfolds. Texts and blocks that recur, as
-- counterexamples and the lines of abstract blocks do from step to step, are there once.
--
-- `{ names: [A, B], absolute: bool, features: [names], commands: [[label, before], ...],
--    lines: [texts], blocks: [[hex, text, a, b], ...], of: { place: D } }`
--   a, b   cycles; null; or [text, kind], kind 0: no answer, 1: not supported, 2: crashed
--   D      `{ b: block, o: original block, w: [witnesses], c: [[counter-witness, step], ...], t: [steps], r: bool }`, blocks by index from 0, -1 for
--          none; r: the first step is the representation
--   step   `[kind, lane, from, samples, [lines], [expansions, as lines], [witnesses], [counter-witnesses], reason, failure]`, kind 0: spine,
--          1: rejected, 2: given up; samples, reason, failure: -1 if not known
local commands = require "portolan.report.campaign.commands"
local format = require "portolan.report.format"
local html = require "portolan.report.html"
local json = require "portolan.support.json"
local lists = require "portolan.support.lists"
local overview = require "portolan.report.campaign.overview"
local tree = require "portolan.report.campaign.tree"
local data = {}

local kind_numbers = { spine = 0, rejected = 1, ["given up"] = 2 }

-- A list of things, each once by its key, and a function (key, thing) -> index from 0, or -1 for nil.
local function dictionary(make)
  local list, index = json.array {}, {}
  return list, function(key, thing)
    if key == nil then return -1 end
    if not index[key] then
      list[#list + 1] = make(key, thing)
      index[key] = #list - 1
    end
    return index[key]
  end
end

local function answer(a)
  if not a then return json.null end
  if format.finite(a.cycles) then return tonumber(("%.6g"):format(a.cycles)) end
  return { html.plain(a.error or ""), a.crash and 2 or a.unsupported and 1 or 0 }
end

local function row_of(_, sample)
  return { html.plain(sample.hex or ""), html.plain(sample.text or ""), answer(sample.a), answer(sample.b) }
end

-- Answers may differ where a predictor is not deterministic.
local function key_of(sample)
  local function part(a) return a and (a.cycles and ("%.6g"):format(a.cycles) or a.error or "") or "" end
  return table.concat({ sample.hex or "", sample.text or "", part(sample.a), part(sample.b) }, "\0")
end

local function mapped(list, f)
  return json.array(lists.map(list or {}, f))
end

-- The counter-witnesses of all steps, each with the first step that it refuted: one of each step, then a second one of each, and so on.
local function counters(d, block)
  local list, seen, most = json.array {}, {}, 0
  for _, step in ipairs(d.tree or {}) do most = math.max(most, #(step.counter or {})) end
  for k = 1, most do
    for i, step in ipairs(d.tree) do
      local sample = not step.accepted and (step.counter or {})[k]
      local b = sample and block(sample)
      if b and not seen[b] then
        seen[b] = true
        list[#list + 1] = { b, i }
      end
    end
  end
  return list
end

local function encode(d, block, line)
  local steps = json.array {}
  local kinds, lanes = tree.kinds(d.tree or {}, d.text)
  for i, s in ipairs(d.tree or {}) do
    steps[i] = { kind_numbers[kinds[i]], lanes[i], s.from or 0, s.samples or -1, mapped(s.text, line), mapped(s.expansions, line),
      mapped(s.witnesses, block), mapped(s.counter, block), line(s.reason), line(s.failure) }
  end
  return { b = block(d.block), o = block(d.original), w = mapped(d.witnesses, block), c = counters(d, block), t = steps,
    r = tree.has_root(d.tree or {}) }
end

--- Returns what the script reads.
-- @tparam table result as of portolan.anica.discoveries_file
-- @treturn table see above
function data.of(result)
  local lines, line = dictionary(function(text) return html.plain(text) end)
  local blocks, block_index = dictionary(row_of)
  local function block(sample) return sample and block_index(key_of(sample), sample) or -1 end
  local all = { names = { html.plain(overview.name(result, "a")), html.plain(overview.name(result, "b")) }, lines = lines, blocks = blocks,
    absolute = result.campaign.interest ~= nil and result.campaign.interest.kind == "absolute", of = json.object {},
    features = mapped(result.campaign.domain and result.campaign.domain.features, html.plain),
    commands = mapped(commands.for_blocks(result), function(c) return { c.label, html.plain(c.before) } end) }
  for i, d in ipairs(result.discoveries) do all.of[tostring(i)] = encode(d, block, function(text) return line(text) end) end
  return all
end

--- The element that holds it.
function data.render(result)
  return html.data("campaign-data", data.of(result))
end

return data
