--- Section "Open": what the measurements leave undetermined, and how the inference went.
-- @module portolan.report.open_questions
local html = require "portolan.report.html"
local format = require "portolan.report.format"
local section = require "portolan.report.section"
local schemes = require "portolan.report.schemes"
local usage = require "portolan.report.usage"
local witness = require "portolan.report.witness"
local h = html.tag
local open_questions = {}

local observations_shown = 400

local function alternatives(counts)
  local texts = {}
  for i, count in ipairs(counts) do texts[i] = format.plain(count) end
  if #texts < 2 then return texts[1] or "an unknown number of" end
  return table.concat(texts, ", ", 1, #texts - 1) .. " or " .. texts[#texts]
end

local function taken(entry)
  return format.finite(entry.chosen) and ("; the mapping takes %s."):format(format.plain(entry.chosen)) or "."
end

-- An open point of the inference (infer/settle.lua) in words.
local function question(entry)
  if type(entry) ~= "table" then return tostring(entry) end
  if entry.text then return tostring(entry.text) end
  if entry.a and entry.ports then
    return { h.code(entry.a), (" runs on %s ports"):format(alternatives(entry.ports)), taken(entry) }
  end
  if entry.a and entry.b and entry.overlaps then
    return { h.code(entry.a), " and ", h.code(entry.b), (" share %s ports"):format(alternatives(entry.overlaps)), taken(entry) }
  end
  if entry.a and entry.b then
    return { "The measurements do not tell apart ", h.code(entry.a), " and ", h.code(entry.b), "." }
  end
  return "An alternative mapping could not be ruled out."
end

-- Assumed memberships, one item for each set of assumed ports.
local function assumed_ports(chart)
  local order, names, items = {}, {}, {}
  for _, entry in ipairs(schemes.order(chart)) do
    local scheme = chart.mapping.schemes[entry.name]
    if scheme and type(scheme.assumed) == "table" and #scheme.assumed > 0 then
      local set = usage.set(scheme.assumed, chart.mapping.ports)
      if not names[set] then
        names[set] = {}
        order[#order + 1] = set
      end
      table.insert(names[set], { #names[set] > 0 and ", ", h.code(entry.name) })
    end
  end
  for i, set in ipairs(order) do
    items[i] = h.li { h.code(set), (" for %s, which no experiment shows or excludes: "):format(
      format.plural(#names[set], "scheme")), names[set] }
  end
  return items
end

-- What was taken for granted to choose among mappings that explain the measurements equally well.
local function assumptions(chart)
  local items = chart.mapping and chart.mapping.schemes and assumed_ports(chart) or {}
  for _, entry in ipairs(chart.inference and chart.inference.assumed or {}) do
    items[#items + 1] = h.li(type(entry) == "table" and (entry.text or entry.kind) or tostring(entry))
  end
  return items
end

local function general(chart)
  local epsilon = chart.inference and chart.inference.epsilon
  return {
    h.li "Names of ports. Renaming ports changes no throughput; names that look like the vendor's were picked to look so.",
    h.li "Ports that no scheme of this set uses.",
    format.finite(epsilon) and h.li(("Differences below the resolution of %s cycles per instruction."):format(
      format.plain(epsilon))),
  }
end

local function course(inference)
  local facts = section.facts {
    { "Outcome", inference.status },
    { "Experiments", format.finite(inference.experiments) and format.count(inference.experiments) },
    { "Rounds", format.finite(inference.rounds) and format.count(inference.rounds) },
    { "Inference", format.finite(inference.seconds) and format.duration(inference.seconds) },
    { "of this in the solver", format.finite(inference.solver_seconds) and format.duration(inference.solver_seconds) },
    { "Resolution", format.finite(inference.epsilon) and format.plain(inference.epsilon) .. " cycles per instruction" },
  }
  local observations = witness.table(inference.observations, observations_shown)
  return {
    facts and { h.h3 "How the inference went", facts },
    observations and h.details {
      h.summary(format.plural(#inference.observations, "observation") .. " the mapping rests on"),
      h.div { class = "scroll", observations },
    },
  }
end

local function undetermined(chart, inference)
  local items = {}
  for i, entry in ipairs(inference.open or {}) do items[i] = h.li { question(entry) } end
  if #items > 0 then return { h.p "Left undetermined by the measurements:", h.ul(items) } end
  if inference.open and not chart.partial and not inference.conflict then
    return section.note "No other mapping with these ports explains the measurements at this resolution."
  end
  return section.note "The inference did not reach the point where it can say what is undetermined."
end

--- The section.
function open_questions.render(chart)
  local inference = chart.inference or {}
  local assumed = assumptions(chart)
  local conflict = type(inference.conflict) == "table" and inference.conflict.text or inference.conflict
  return section.new("open", "What stays open", {
    conflict and h.p { class = "partial", h.b "The measurements contradict the model: ", tostring(conflict) .. "." },
    undetermined(chart, inference),
    #assumed > 0 and { h.p "Assumed, not inferred:", h.ul(assumed) },
    h.p "Never determined by throughput:", h.ul(general(chart)),
    course(inference),
  })
end

return open_questions
