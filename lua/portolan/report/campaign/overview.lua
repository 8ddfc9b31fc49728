--- The head of a campaign's report: who was compared, and what came of it at one glance.
local answers = require "portolan.report.campaign.answers"
local discoveries_text = require "portolan.report.discoveries_text"
local html = require "portolan.report.html"
local format = require "portolan.report.format"
local lists = require "portolan.support.lists"
local section = require "portolan.report.section"
local h = html.tag
local overview = {}

--- Tells whether a discovery is about a crash.
function overview.crash(d) return d.infinite == true or answers.crashed(d.block) end

local function share(part, whole)
  return part and whole and whole > 0 and part / whole or nil
end

-- The best choice of up to ten discoveries: the one that covers most, and of several such the smallest.
local function best_few(coverage)
  local found
  for _, top in ipairs(coverage and coverage.top or {}) do
    if top.k and top.covered and top.k <= 10 then
      local more = top.covered - (found and found.covered or -1)
      if more > 0 or more == 0 and top.k < found.k then found = top end
    end
  end
  return found
end

local numbers = { "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten" }

local function covered(result, count)
  local c = result.coverage
  if not c or not c.covered or (c.interesting or 0) == 0 then return nil end
  local whole = c.covered == c.interesting
  local text = ("%s for %s %s in a test set"):format(count == 1 and "It accounts" or "They account",
    whole and "all" or format.percent(c.covered / c.interesting, 0) .. " of the", format.plural(c.interesting, "disagreement"))
  local few = best_few(c)
  if not few or few.k >= count or not numbers[few.k] then return text .. "." end
  local who = few.k == 1 and "one of them" or "the best " .. numbers[few.k]
  if few.covered == c.covered then return ("%s; %s alone %s."):format(text, who, few.k == 1 and "does" or "do") end
  return ("%s, %s alone for %s."):format(text, who, format.percent(few.covered / c.interesting, 0))
end

local function verdict(result)
  local f, count = result.figures, #discoveries_text.standing(result)
  local interesting = share(f.interesting, f.blocks_sampled)
  local text = interesting and ("Of %s, the two disagree on %s."):format(format.plural(f.blocks_sampled, "random block"),
    format.percent(interesting, interesting < 0.1 and 1 or 0)) or nil
  if count == 0 then return (text and text .. " " or "") .. "No class of blocks was found on which they disagree throughout." end
  local list = { format.plural(count, "abstract block describes", "abstract blocks describe") .. " where.", covered(result, count) }
  if text then table.insert(list, 1, text) end
  return table.concat(list, " ")
end

local function figures(result)
  local f, c = result.figures, result.coverage or {}
  local standing, crashes = discoveries_text.standing(result), 0
  for _, d in ipairs(standing) do crashes = crashes + (overview.crash(d) and 1 or 0) end
  local subsumed = #result.discoveries - #standing
  local all, few = share(c.covered, c.interesting), best_few(c)
  return h.dl { class = "figures",
    section.figure("Discoveries", format.count(#standing), crashes > 0 and format.plural(crashes, "crash", "crashes")
      or subsumed > 0 and format.count(subsumed) .. " more subsumed"),
    section.figure("Interesting", format.percent(share(f.interesting, f.blocks_sampled)),
      f.blocks_sampled and "of " .. format.plural(f.blocks_sampled, "block")),
    section.figure("Covered", format.percent(all, 0), c.interesting and "of " .. format.count(c.interesting) .. " in the test set"),
    section.figure(few and few.k > 1 and "By the best " .. numbers[few.k] or "By the best one",
      format.percent(few and share(few.covered, c.interesting), 0)),
    section.figure("Time", format.duration(f.seconds)),
    section.figure("Predictions", format.count(f.predictor_calls), f.expansions and format.plural(f.expansions, "step")),
  }
end

--- The name of one of the two predictors.
-- @tparam table result
-- @tparam string side "a" or "b"
function overview.name(result, side)
  local p = result.campaign[side]
  return p and p.name or "predictor " .. side:upper()
end

--- The header element.
function overview.render(result)
  local byline = lists.where({ result.date or "", result.version and "Portolan " .. result.version or "" },
    function(text) return text ~= "" end)
  local title = h.h1 { class = "versus", h.span { class = "chip a", "A" }, " ", overview.name(result, "a"), h.br {},
    h.span { class = "chip b", "B" }, " ", overview.name(result, "b") }
  return section.header("Where predictors of throughput disagree", title, {
    #byline > 0 and h.p { class = "byline", table.concat(byline, " · ") },
    (result.partial or result.reason == "interrupted") and h.p { class = "partial", role = "status", h.b "Partial result. ",
      "The campaign has not come to its end. What is shown was found so far; the same command goes on." },
    result.failure and h.p { class = "partial", role = "status", h.b "Incomplete. ", result.failure },
    h.p { class = "verdict", verdict(result) },
    figures(result),
  })
end

return overview
