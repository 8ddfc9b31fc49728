--- Section "Campaign": what was compared, how, how it ended, and the command that repeats it.
local commands = require "portolan.report.campaign.commands"
local format = require "portolan.report.format"
local html = require "portolan.report.html"
local lists = require "portolan.support.lists"
local overview = require "portolan.report.campaign.overview"
local section = require "portolan.report.section"
local h = html.tag
local settings = {}

local reasons = {
  discoveries = "as many discoveries as were wanted", dry = "one wave of samples after the other brought nothing new",
  seconds = "its time was over", batches = "as many waves as were wanted", interrupted = "interrupted", failure = "a failure",
}

local function predictor(result, side)
  local p = result.campaign[side]
  if not p then return nil end
  return { h.span { class = "chip " .. side, side:upper() }, " ", overview.name(result, side),
    p.version and p.version ~= "" and h.span { class = "about", p.version } }
end

--- Says in words when a block is interesting; nil if the campaign has no threshold.
function settings.interest(campaign)
  local i = campaign.interest
  if not i or not i.threshold then return nil end
  if i.kind == "own" then return ("what %s says, beyond %.14g"):format(i.name or "a function", i.threshold) end
  if i.kind == "absolute" then return ("predictions more than %s apart"):format(format.plural(i.threshold, "cycle")) end
  return ("predictions more than %s of their mean apart, or one of them crashes"):format(format.percent(i.threshold, 0))
end

local function sorted_words(map, separator)
  local words = lists.map(lists.keys(map or {}), function(name) return name .. separator .. map[name] end)
  return #words > 0 and table.concat(words, ", ") or nil
end

local function excluded(campaign)
  local items = lists.map(campaign.excluded or {}, function(e) return h.li(("%s: %s"):format(e.reason or "excluded", format.count(e.count))) end)
  return #items > 0 and h.ul { class = "excluded", items } or nil
end

local function domain(campaign)
  local d = campaign.domain
  if not d then return nil end
  return { d.file or "default", d.features and #d.features > 0 and h.span { class = "about", table.concat(d.features, ", ") } }
end

local function count(x) return x and format.count(x) end

--- The section.
function settings.render(result)
  local c, f = result.campaign, result.figures
  return section.new("campaign", "The campaign", {
    h.div { class = "columns",
      h.div { h.h3 "What was compared", section.facts {
        { "Predictors", predictor(result, "a") }, { "", predictor(result, "b") },
        { "Interesting", settings.interest(c) },
        { "Abstract domain", domain(c) },
        { "Schemes sampled", count(c.schemes) },
        { "Left out", excluded(c) },
        { "Filters", sorted_words(c.filters, ": ") },
      } or section.missing "Nothing is recorded about the predictors." },
      h.div { h.h3 "How", section.facts {
        { "Seed", c.seed },
        { "Samples for a decision", count(c.samples) },
        { "Length of blocks", c.length and "up to " .. format.plural(c.length, "instruction") },
        { "Orders of expansion", count(c.orders) },
        { "Limits", sorted_words(c.limits, " ") },
        { "Waves of samples", count(f.batches) },
        { "Blocks sampled", f.blocks_sampled and format.count(f.blocks_sampled)
          .. (f.interesting and (", %s interesting"):format(format.count(f.interesting)) or "") },
        { "Left unexplained", f.unlike and f.unlike > 0 and format.plural(f.unlike, "block") .. ": not all blocks like it are interesting" },
        { "Ended by", result.reason and (reasons[result.reason] or result.reason) },
      } },
    },
    h.h3 "To repeat it",
    h.pre(h.code(commands.campaign(result))),
    section.note("The same seed, predictors and options find the same discoveries. In the same directory the campaign goes on where it ended; --out ",
      "gives it another one."),
  })
end

return settings
