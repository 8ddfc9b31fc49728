--- The head of a chart's report: what was charted, and the verdict at one glance.
local catalog = require "portolan.report.catalog"
local filling = require "portolan.report.filling"
local format = require "portolan.report.format"
local html = require "portolan.report.html"
local mappings = require "portolan.mapping"
local port_count = require "portolan.report.port_count"
local section = require "portolan.report.section"
local trial = require "portolan.report.trial"
local h = html.tag
local overview = {}

local good = { explained = true, ["partly explained"] = true } -- the latter in older charts

--- Schemes that are explained, and schemes that were to be charted: what `portolan chart` prints, too.
-- @tparam table list the chart's catalog
-- @treturn number explained
-- @treturn number total
function overview.counts(list)
  local explained, charted = 0, catalog.charted(list)
  for _, entry in ipairs(charted) do
    if good[entry.status] then explained = explained + 1 end
  end
  return explained, #charted
end

local function verdict(chart, explained, total)
  local ports = chart.mapping and chart.mapping.ports or {}
  if #ports == 0 or total == 0 then return "No port mapping was inferred." end
  local found = ("%s account for the throughput of %s of %s measured."):format(format.plural(#ports, "port"),
    format.count(explained), format.plural(total, "scheme"))
  local evaluation = chart.evaluation
  if not evaluation or not format.finite(evaluation.mape) then
    return found .. " The mapping was not checked against fresh experiments."
  end
  local count = evaluation.list and #evaluation.list or 0
  return ("%s On %s%s the mapping is off by %s on average."):format(found,
    count > 0 and format.plural(count, evaluation.recorded and "recorded experiment" or "fresh random experiment") or "fresh random experiments",
    evaluation.recorded and ", which it was inferred from," or "", format.percent(evaluation.mape))
end

-- Shows what failed, why and what to do, and what to distrust in a chart that ended early: by the stages that are missing.
local function partial(chart)
  local items, ending = {}, chart.ending or {}
  local ports = chart.mapping and chart.mapping.ports or {}
  for i, entry in ipairs(chart.provenance and chart.provenance.unfinished or {}) do
    items[i] = h.li { h.b(format.plain(entry.stage)), ": ", format.plain(entry.distrust) }
  end
  local first = #items > 0 and format.plain(chart.provenance.unfinished[1].stage)
  return h.div { class = "partial", role = "status",
    h.p { h.b(#ports > 0 and "Partial result. " or "No port mapping. "),
      first and ("The run ended in the stage \u{201c}%s\u{201d}"):format(first) or chart.partial and "The run ended before it was done"
        or "The run came to its end",
      ending.why and ": " .. format.plain(ending.why) or "", ". ",
      "What is shown was measured as it says; what was not reached is named as missing." },
    ending.mend and h.p { h.b "To do: ", format.plain(ending.mend) },
    first and { h.p "What to distrust, by the stages that are missing:", h.ul(items) },
  }
end

-- Shows what contradicts what is known of the core, or makes all counts doubtful.
local function doubtful(text)
  return text and h.div { class = "partial", role = "status", h.p { h.b "Doubtful. ", text } }
end

local function figures(chart, explained, total)
  local mapping, evaluation, noise = chart.mapping or {}, chart.evaluation or {}, chart.noise or {}
  local rmax = chart.rmax or mapping.rmax
  local ports = mapping.ports and #mapping.ports or 0
  return h.dl {
    class = "figures",
    section.figure("Ports", ports > 0 and format.count(ports) or format.absent),
    section.figure("Schemes explained", format.count(explained), "of " .. format.count(total)),
    section.figure("Mean error (MAPE)", format.percent(evaluation.mape),
      evaluation.list and #evaluation.list > 0 and format.plural(#evaluation.list, "experiment")),
    section.figure("Front end (R_max)", format.finite(rmax) and ("%.4g"):format(rmax) or format.absent, "per cycle"),
    section.figure("Time", format.duration(chart.seconds)),
    section.figure("Quiet samples", format.percent(noise.quiet_share, 0),
      format.finite(noise.unstable) and format.count(noise.unstable) .. " unstable"),
  }
end

--- The header element.
-- @tparam table chart
-- @tparam table list its catalog
function overview.render(chart, list)
  local explained, total = overview.counts(list)
  local machine = chart.machine or {}
  local name = machine.cpu or (chart.mapping and chart.mapping.processor and chart.mapping.processor.name)
    or "an unnamed processor"
  local byline = {}
  local function add(text)
    if text then byline[#byline + 1] = tostring(text) end
  end
  add(machine.microarchitecture)
  add(chart.mapping and chart.mapping.schemes and mappings.architecture(chart.mapping))
  add(chart.date)
  add(chart.version and "Portolan " .. tostring(chart.version))
  return section.header(chart.title or "Chart of the execution ports of", h.h1(name), {
    h.p { class = "byline", table.concat(byline, " · ") },
    (chart.partial or chart.ending) and partial(chart),
    doubtful(port_count.doubt(chart)), doubtful(filling.doubt(chart.filling)), doubtful(trial.doubt(chart.trial)),
    h.p { class = "verdict", verdict(chart, explained, total) },
    trial.differs(chart.opinion) and h.p { trial.differs(chart.opinion) },
    figures(chart, explained, total),
  })
end

return overview
