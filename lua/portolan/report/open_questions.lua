--- Section "Open": what the measurements leave undetermined, and how the inference went.
local html = require "portolan.report.html"
local format = require "portolan.report.format"
local section = require "portolan.report.section"
local scheme_usage = require "portolan.report.scheme_usage"
local witness = require "portolan.report.witness"
local h = html.tag
local open_questions = {}

local observations_shown = 400

local function question(entry)
  if type(entry) ~= "table" then return tostring(entry) end
  if entry.text then return tostring(entry.text) end
  if entry.a and entry.b and type(entry.overlaps) == "table" then
    return { h.code(entry.a), " and ", h.code(entry.b), " may share ", format.list(entry.overlaps):gsub(" and ([^ ]+)$", " or %1"),
      " ports", entry.chosen and (" (taken: %s)"):format(format.plain(entry.chosen)) or "", "." }
  end
  if entry.a and entry.b then
    return { "How ", h.code(entry.a), " and ", h.code(entry.b), " share ports is not determined." }
  end
  return "An alternative mapping could not be ruled out."
end

local most_named = 40 -- schemes in one line

-- Assumed memberships, one item for each set of assumed ports.
local function assumptions(chart, list)
  local order, names, items = {}, {}, {}
  for _, entry in ipairs(list) do
    local scheme = entry.scheme
    if type(scheme.assumed) == "table" and #scheme.assumed > 0 then
      local set = scheme_usage.set(scheme.assumed, chart.mapping.ports)
      if not names[set] then
        names[set] = {}
        order[#order + 1] = set
      end
      table.insert(names[set], { #names[set] > 0 and ", ", h.code(entry.name) })
    end
  end
  for i, set in ipairs(order) do
    local schemes = format.plural(#names[set], "scheme")
    items[i] = h.li { h.code(set), (" for %s, which no experiment shows or excludes%s"):format(schemes, #names[set] > most_named and "" or ": "),
      #names[set] > most_named and h.details { h.summary("all " .. schemes), names[set] } or names[set] }
  end
  return items
end

local function general(chart)
  local items = {
    h.li "Names of ports. Renaming ports changes no throughput: which number a port has here means nothing.",
  }
  local epsilon = chart.inference and chart.inference.epsilon
  if format.finite(epsilon) then
    items[2] = h.li { ("Differences below the resolution of %g cycles per instruction, and ports that no scheme of this "
      .. "set uses."):format(epsilon) }
  else
    items[2] = h.li "Ports that no scheme of this set uses."
  end
  return items
end

--- The section.
-- @tparam table chart
-- @tparam table list its catalog
function open_questions.render(chart, list)
  local inference = chart.inference or {}
  local open, items = inference.open, {}
  for i, entry in ipairs(open or {}) do items[i] = h.li { question(entry) } end
  local assumed = assumptions(chart, list)
  local rounds = section.facts {
    { "Experiments", format.finite(inference.experiments) and format.count(inference.experiments) },
    { "Rounds", format.finite(inference.rounds) and format.count(inference.rounds) },
    { "Inference", format.finite(inference.seconds) and format.duration(inference.seconds) },
    { "of this in the solver", format.finite(inference.solver_seconds) and format.duration(inference.solver_seconds) },
    { "Resolution", format.finite(inference.epsilon) and ("%g cycles per instruction"):format(inference.epsilon) },
  }
  local observations = witness.table(inference.observations, observations_shown)
  return section.new("open", "What stays open", {
    #items > 0 and { h.p "Left undetermined by the measurements:", h.ul(items) }
      or section.note(open and not chart.partial and "No other mapping with these ports explains the measurements at this resolution."
        or "The inference did not reach the point where it can say what is undetermined."),
    #assumed > 0 and { h.p "Assumed, not inferred:", h.ul(assumed) },
    h.p "Never determined by throughput:", h.ul(general(chart)),
    rounds and { h.h3 "How the inference went", rounds },
    observations and h.details { h.summary(format.plural(#inference.observations, "observation") .. " the mapping rests on"),
      h.div { class = "scroll", observations } },
  })
end

return open_questions
