--- This module says in words what the noise of a machine means for measuring: what to expect, and what would help.
-- `portolan doctor` and `portolan chart` say the same.
--
-- Facts are `{ clean = share of samples accepted, length = cycles of a sample, by_length = list of { cycles =, share = of windows of so many
-- cycles that pass undisturbed }, shared = share of samples rejected since somebody else ran on the core, waited = seconds,
-- quietest = true where no other processor is quieter }`; all but `clean` may be missing.
-- @module portolan.machine.weather_words
local weather_words = {}

-- From which share of accepted samples on the weather is called so.
local kinds = {
  { least = 0.5, name = "quiet", expect = "measuring takes no longer than it must" },
  { least = 0.2, name = "unsettled", expect = "measuring takes some %d times as long as where it is quiet" },
  { least = 0.03, name = "noisy", expect = "measuring takes some %d times as long as where it is quiet" },
  { least = 0, name = "stormy", expect = "measuring hardly gets on, and some experiments may stay unstable" },
}

local usual = 0.8 -- share of samples accepted where it is quiet
local often_shared, rarely = 0.3, 0.2 -- shares of samples; of windows

--- Says what the weather is called.
-- @param facts `clean`
-- @return "quiet", "unsettled", "noisy" or "stormy"; what to expect
function weather_words.kind(facts)
  for _, kind in ipairs(kinds) do
    if facts.clean >= kind.least then
      return kind.name, kind.expect:format(math.max(2, math.floor(usual / math.max(facts.clean, 1e-3) + 0.5)))
    end
  end
end

--- Is it worth a warning?
function weather_words.is_noisy(facts) return facts.clean < kinds[2].least end

local function percent(share)
  return share > 0 and share < 0.01 and "less than 1 %" or ("%.0f %%"):format(100 * share)
end

local function grouped(cycles)
  local text = ("%d"):format(math.floor(cycles + 0.5))
  return (text:reverse():gsub("(%d%d%d)", "%1,"):reverse():gsub("^,", ""))
end

--- One line: how it is, and what to expect.
-- @param facts see above
function weather_words.verdict(facts)
  local name, expect = weather_words.kind(facts)
  return ("%s: %s of samples pass; %s"):format(name, percent(facts.clean), expect)
end

--- Shares by length as a line: `1,000 cycles 98 %, 8,000 cycles 70 %`; nil if they are not known.
-- @param by_length list of `{ cycles =, share = }`
function weather_words.windows(by_length)
  if not by_length or #by_length == 0 then return nil end
  local parts = {}
  for i, window in ipairs(by_length) do parts[i] = ("%s cycles %s"):format(grouped(window.cycles), percent(window.share)) end
  return table.concat(parts, ", ")
end

-- The share of windows as long as a sample, or as the shortest that is longer.
local function at_length(facts)
  for _, window in ipairs(facts.length and facts.by_length or {}) do
    if window.cycles >= facts.length then return window.share end
  end
end

--- Lists what would help, a sentence each; nothing where it is quiet.
-- @param facts see above
-- @return list of texts
function weather_words.advice(facts)
  if facts.clean >= kinds[1].least then return {} end
  local list, windows = {}, at_length(facts)
  if facts.shared and facts.shared >= often_shared then
    list[1] = "Somebody else runs on the same core: close other programs, or measure on another processor (--cpu N)."
  else
    list[1] = "Close other programs" .. (facts.quietest and "." or "; if one processor is quieter (portolan doctor), measure there (--cpu N).")
  end
  if weather_words.is_noisy(facts) then
    list[#list + 1] = (windows and windows < rarely or facts.clean < kinds[3].least)
      and "Against a noisy host there is no remedy but another hour, or a longer --budget."
      or "Otherwise it only takes patience: a longer --budget gives it more time."
  end
  return list
end

--- All of it for someone who waits.
-- @param facts see above
-- @param[opt] left time left in words
-- @return one line
function weather_words.warning(facts, left)
  local parts = { weather_words.verdict(facts) .. (left and " (" .. left .. ")" or "") .. "." }
  table.move(weather_words.advice(facts), 1, 9, 2, parts)
  return table.concat(parts, " ")
end

return weather_words
