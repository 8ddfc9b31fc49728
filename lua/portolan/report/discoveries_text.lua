--- The discoveries of a campaign as text: what was found, ranked, each with a witness and both predictions.
-- @module portolan.report.discoveries_text
local duration = require "portolan.support.duration"
local lists = require "portolan.support.lists"
local plural = require "portolan.support.plural"
local rank = require "portolan.anica.rank"

local discoveries_text = {}

local reasons = { discoveries = "as many discoveries as were asked for", seconds = "the time is up", dry = "no new discoveries any more",
  batches = "as many waves as were asked for", interrupted = "interrupted; the same command goes on from here" }

--- An answer of a predictor.
-- @param answer `{ cycles = }` or `{ error = }`
function discoveries_text.answer(answer)
  if answer.cycles then return ("%.2f"):format(answer.cycles) end
  return answer.crash and "crashes (" .. answer.error .. ")" or answer.error
end

--- A block and what both predictors say of it; once, if there is but one predictor.
-- @param block `{ text =, a =, b = }`
-- @param a name of the first predictor
-- @param b name of the second
function discoveries_text.block(block, a, b)
  local first, second = discoveries_text.answer(block.a), discoveries_text.answer(block.b)
  if a == b and first == second then return ("%s   %s: %s"):format(block.text, a, first) end
  return ("%s   %s: %s, %s: %s"):format(block.text, a, first, b, second)
end

local function thousands(n)
  local text = ("%d"):format(n):reverse():gsub("(%d%d%d)", "%1,"):reverse():gsub("^,", "")
  return text
end

local function percent(part, whole) return whole > 0 and ("%.0f%%"):format(100 * part / whole) or "-" end

local enough, common = 100, 0.5 -- blocks that tell; share of them that is interesting

--- A word on predictors that disagree about most code: a search for what sets it apart takes long and ends with what says nothing.
-- @param interesting number of random blocks
-- @param sampled of so many
-- @param threshold beyond which they are interesting
-- @return text; nil where that is not so
function discoveries_text.common(interesting, sampled, threshold)
  if sampled < enough or interesting <= common * sampled then return nil end
  return ("%s of random blocks are interesting: what is found may say little but that. A --threshold of more than %g asks for what stands out.")
    :format(percent(interesting, sampled), threshold)
end

local function head(result, standing, out)
  local f, c = result.figures, result.campaign
  out(("%s against %s: %s in %s (%s)."):format(c.a.name, c.b.name, plural(#standing, "discovery", "discoveries"), duration.text(f.seconds),
    reasons[result.reason] or result.reason))
  out(("%s sampled, %s interesting; %s."):format(plural(f.blocks_sampled, "block", nil, thousands(f.blocks_sampled)), thousands(f.interesting),
    plural(f.predictor_calls, "prediction", nil, thousands(f.predictor_calls))))
  local much = discoveries_text.common(f.interesting, f.blocks_sampled, c.interest.threshold)
  if much then out(much) end
  if result.failure then out("Not evaluated: " .. result.failure) end
  local k = result.coverage
  if not k then return end
  local best = lists.map(k.top, function(top) return ("%s by %d"):format(percent(top.covered, k.interesting), top.k) end)
  out(("Of %s other blocks %s are interesting; the discoveries cover %s of these%s."):format(thousands(k.blocks), thousands(k.interesting),
    percent(k.covered, k.interesting), #best > 0 and ": " .. table.concat(best, ", ") or ""))
end

-- Says how far a block's predictions are apart, or those of samples on average: a degree, cycles, or percent of the mean of both.
local function apart(difference, kind)
  if kind == "own" then return ("degree %.3g"):format(difference) end
  return kind == "absolute" and ("%.2f cycles apart"):format(difference) or ("%.0f%% of their mean apart"):format(100 * difference)
end

local function difference(d, kind)
  if d.infinite then return kind == "own" and "crashes" or "one crashes" end
  return apart(d.interestingness, kind) .. " on average of its samples"
end

local function one(d, place, campaign, out)
  out(("%3d. %s, %s, %s%s"):format(place, d.id, difference(d, campaign.interest.kind), plural(d.generality, "scheme", nil, thousands(d.generality)),
    d.covers and (", covers %d"):format(d.covers) or ""))
  for _, line in ipairs(d.text) do out("       " .. line) end
  local own = d.block.difference and (" (%s)"):format(apart(d.block.difference, campaign.interest.kind)) or ""
  out("     " .. discoveries_text.block(d.block, campaign.a.name, campaign.b.name) .. own)
end

--- The discoveries that no other one subsumes.
-- @param result as of discoveries.json
function discoveries_text.standing(result) return lists.where(result.discoveries, function(d) return not d.subsumed_by end) end

--- Writes the summary.
-- @param result as of discoveries.json
-- @tparam table options
-- @tparam[opt] string options.criterion of `portolan.anica.rank`; by default covers, without a test set generality
-- @tparam[opt=20] int options.most discoveries
-- @param write function(line)
function discoveries_text.write(result, options, write)
  local standing = discoveries_text.standing(result)
  head(result, standing, write)
  local criterion = options.criterion or (result.coverage and "covers" or "generality")
  local list, most = rank.sorted(standing, criterion), options.most or 20
  if #list == 0 then return end
  write("")
  write(("The first %d by %s:"):format(math.min(most, #list), criterion == "covers" and "blocks covered" or criterion))
  for i = 1, math.min(most, #list) do one(list[i], i, result.campaign, write) end
end

return discoveries_text
