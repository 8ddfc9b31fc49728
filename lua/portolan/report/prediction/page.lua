--- The page of `portolan predict --report`: the predictions of pieces of code, each with its pictures. One HTML file that needs nothing else.
-- @module portolan.report.prediction.page
local block_text = require "portolan.report.block_text"
local block_words = require "portolan.report.block_words"
local bounds = require "portolan.report.prediction.bounds"
local format = require "portolan.report.format"
local html = require "portolan.report.html"
local listing = require "portolan.report.prediction.listing"
local lists = require "portolan.support.lists"
local loop_text = require "portolan.report.loop_text"
local more_style = require "portolan.report.prediction.style"
local prediction_text = require "portolan.report.prediction_text"
local section = require "portolan.report.section"
local style = require "portolan.report.style"
local timeline = require "portolan.report.prediction.timeline"
local h = html.tag

local page = {}

local function caption(title, ...) return h.figcaption { h.b(title .. ". "), { ... } } end

local function gains_table(p, ports)
  local list = block_words.gains(p, ports)
  if #list == 0 then return h.p { class = "note", "No second port and no further issue slot alone would make it faster." } end
  local rows = {}
  for i, gain in ipairs(list) do
    rows[i] = h.tr { h.td("with " .. gain.what), h.td { class = "number", ("%.3f"):format(gain.cycles) },
      h.td { class = "number less", ("%+.0f%%"):format(100 * (gain.cycles / p.cycles - 1)) } }
  end
  return h.table { class = "gains", h.thead { h.tr { h.th "Change of the core", h.th { class = "number", "Cycles" }, h.th { class = "number" } } },
    h.tbody(rows) }
end

-- A table of cycles beside those of the loop as it is: rows of { what, cycles, further words }.
local function beside_table(title, list, own)
  local rows = lists.map(list, function(row)
    local gain = row.cycles / own - 1
    local words = math.abs(gain) <= block_words.same and "same" or ("%+.0f%%"):format(100 * gain)
    return h.tr { h.td(row.what), h.td { class = "number", ("%.3f"):format(row.cycles) },
      h.td { class = gain < -block_words.same and "number less" or "number", words }, row.words and h.td(row.words) }
  end)
  return h.table { class = "gains", h.thead { h.tr { h.th(title), h.th { class = "number", "Cycles" }, h.th { class = "number" } } }, h.tbody(rows) }
end

-- Shows what changes of a loop that was measured give (portolan.loop.times); nothing if there are none.
local function changes_figure(p)
  local m = p.measured
  if not m or not m.cycles or #m.changes == 0 then return nil end
  return h.figure { caption("Changed, measured", ("As it is, an iteration takes %.3f cycles on this CPU."):format(m.cycles)),
    beside_table("Change of the loop", m.changes, m.cycles) }
end

-- Shows what of a loop the prediction is wrong about (portolan.loop.times); nothing where it is right, or nothing was found.
local function difference_figure(p)
  local m = p.measured
  if not m then return nil end
  local w, words = m.witness, lists.map(loop_text.further(m), function(text) return text:gsub("^%l", string.upper) .. ". " end)
  if not w then return words[1] and h.figure { caption("Where the difference is", words) } or nil end
  local which = loop_text.witness_words(p):gsub("^%l", string.upper)
  words[#words + 1] = ("%s: measured %.3f, predicted %.3f cycles."):format(which, w.cycles, w.predicted)
  local rows = lists.map(w.left_out > 0 and w.instructions or {}, function(i)
    return h.tr { h.td { class = "number", i }, h.td { h.code(p.instructions[i].text) } }
  end)
  return h.figure { caption("Where the difference is", words), #rows > 0 and h.table { h.tbody(rows) } }
end

-- Shows what mappings of other processors say; nothing if none was asked.
local function elsewhere_figure(p)
  local list = lists.where(p.elsewhere or {}, function(other) return other.prediction.instructions ~= nil end)
  if #list == 0 or p.cycles == 0 then return nil end
  return h.figure { caption("On other processors", "As their mappings predict it, beside this mapping's prediction."),
    beside_table("Mapping", lists.map(list, function(other)
      local q = other.prediction
      return { what = other.name, cycles = q.cycles, words = table.concat({ block_words.limits(q), block_words.without_what(q) }, "; ") }
    end), p.cycles) }
end

-- Lists what the prediction leaves out or takes for something else.
local function doubts(p)
  local lines, path = lists.map(prediction_text.doubts(p), h.li), prediction_text.path_words(p)
  return {
    p.ignores and section.note("The mapping has no latencies: dependencies between instructions are ignored, so that this is a bound."),
    #lines > 0 and h.ul { class = "note", lines },
    #path > 0 and section.note(("It is predicted %s."):format(table.concat(path, "; "))),
  }
end

local function as_text(p, ports)
  local out = {}
  local context = { out = function(form, ...) out[#out + 1] = form:format(...) end, style = function(text) return text end }
  block_text.show(p, ports, context)
  return h.details { h.summary "As text", h.pre(table.concat(out)) }
end

local function pictures(p, ports)
  local what = p.loop and "iteration" or "run"
  return {
    h.div { class = "beside",
      h.figure { caption("Bounds", "Cycles per " .. what .. " that no schedule can beat, as far as the mapping is right."), bounds.render(p) },
      h.figure { caption "A larger core", gains_table(p, ports) }, difference_figure(p), changes_figure(p),
      elsewhere_figure(p) },
    h.figure { caption("Instructions, ports, critical cycle",
      "Arrows: what waits for what, with the cycles that pass from one to the other; dashed: the result of an earlier iteration. ",
      "Cells: uops that the port executes of the instruction, per " .. what .. ", if all are spread as well as possible. ",
      "On the right: the time without this instruction. Marked rows limit."), h.div { class = "wide", listing.render(p, ports) } },
    p.timeline and h.figure { caption("Simulated, from an empty core",
      "A stroke: issued. A box: a uop begins, on the port with this number. Lighter: until its results are there. ",
      ("Later %ss take %s%.3f cycles each."):format(what, (p.unknown or p.lacking_latency) and "at least " or "", p.simulated_cycles)),
      h.div { class = "wide", timeline.render(p, p.timeline) } },
  }
end

local function sentence(p)
  local measured = p.measured and p.measured.cycles and (" Measured: %.3f."):format(p.measured.cycles) or ""
  return (block_words.time_line(p):gsub("^%l", string.upper)) .. "." .. measured
end

local function piece_section(p, id, ports, alone)
  if p.trouble then return section.new(id, p.title, section.missing("No prediction: " .. p.trouble)) end
  return { h.section { id = id, class = "piece", h.h2(p.title or p.text), not alone and h.p { class = "verdict", sentence(p) }, doubts(p),
    #p.instructions > 0 and pictures(p, ports), as_text(p, ports) }, "\n" }
end

local function verdict(list)
  if #list == 1 then return list[1].trouble and "There is no prediction." or sentence(list[1]) end
  local lacking = lists.count(list, function(p) return p.trouble end)
  return format.plural(#list, "piece") .. " of code" .. (lacking > 0 and (", %d without a prediction."):format(lacking) or ".")
end

local function overview_table(list)
  local rows = {}
  for i, p in ipairs(list) do
    local words = p.trouble and "no prediction" or block_words.time_line(p)
    local least = p.unknown or p.lacking_latency or p.ignores
    rows[i] = h.tr { h.td { h.a { href = "#piece-" .. i, p.title or p.text } },
      h.td { class = "number", p.trouble and "–" or ("%s%.3f"):format(least and "≥ " or "", p.cycles) }, h.td(words) }
  end
  return h.section { id = "pieces", h.h2 "Pieces", h.table { h.thead { h.tr { h.th "Code", h.th { class = "number", "Cycles" }, h.th "Why" } },
    h.tbody(rows) } }
end

--- Writes the page.
-- @tparam table given
-- @tparam table given.predictions list, as of `portolan.prediction`, with `title`, `timeline` (rows, or nil), `ignores` (true where the
-- mapping has no latencies); or `{ title =, trouble = }`
-- @tparam table given.ports names of all ports
-- @tparam string given.title what was predicted: the name of a file
-- @tparam string given.mapping name of the mapping
-- @tparam[opt] string given.version
-- @treturn string HTML5 that is also well-formed XML
function page.render(given)
  local list, sections, links = given.predictions, {}, {}
  local function short(p) return (p.title or p.text):match "^[^:]*" end
  local times = lists.tally(lists.map(list, short))
  for i, p in ipairs(list) do
    sections[i] = piece_section(p, "piece-" .. i, given.ports, #list == 1)
    links[i] = h.a { href = "#piece-" .. i, times[short(p)] == 1 and short(p) or p.title or p.text }
  end
  return html.page {
    title = "Portolan: prediction of " .. given.title,
    style = style.text .. more_style.page,
    body = {
      section.header("Prediction of code", h.h1(given.title),
        { h.p { class = "byline", "by the mapping " .. given.mapping }, h.p { class = "verdict", verdict(list) } }), "\n",
      #list > 1 and h.nav { ["aria-label"] = "Pieces", links }, "\n",
      h.main { #list > 1 and overview_table(list), sections },
      h.footer { h.p("Predicted by Portolan" .. (given.version and " " .. given.version or "") .. ".") },
    },
  }
end

return page
