--- Section "Discoveries": the abstract blocks that were found, with a witness each. What stands behind a discovery, its samples and the steps of
-- its generalization, is unfolded by the script from compact JSON (report/campaign/data.lua).
local abstract_block = require "portolan.report.campaign.abstract_block"
local answers = require "portolan.report.campaign.answers"
local format = require "portolan.report.format"
local html = require "portolan.report.html"
local lists = require "portolan.support.lists"
local overview = require "portolan.report.campaign.overview"
local section = require "portolan.report.section"
local h = html.tag
local discoveries = {}

--- The keys that the table can be sorted by: attribute of its rows, heading, note.
discoveries.keys = {
  { "interestingness", "mean difference", "of both predictions, as a share of their mean or in cycles, averaged over the samples of the "
    .. "abstract block: that of the block beside it may be another" },
  { "generality", "generality", "the least number of schemes that one of its instructions stands for" },
  { "covers", "covers", "interesting blocks of the test set that it subsumes" },
}

local function value(d, key)
  if key == "interestingness" and d.infinite then return math.huge end
  return d[key]
end

--- Discoveries in the order in which they are listed: those that stand before those that are subsumed; by coverage, or by generality where
-- nothing was covered.
-- @treturn table list of { d = discovery, place = its number in the file }
-- @treturn string the key
function discoveries.ordered(result)
  local list, key = {}, "generality"
  for i, d in ipairs(result.discoveries) do
    list[i] = { d = d, place = i }
    if (d.covers or 0) > 0 then key = "covers" end
  end
  table.sort(list, function(x, y)
    local down_x, down_y = x.d.subsumed_by ~= nil, y.d.subsumed_by ~= nil
    if down_x ~= down_y then return down_y end
    local value_x, value_y = value(x.d, key) or -1, value(y.d, key) or -1
    if value_x ~= value_y then return value_x > value_y end
    return x.place < y.place
  end)
  return list, key
end

--- The instructions of a block, a line each.
function discoveries.code(text)
  local lines = {}
  for line in ((text or "") .. ";"):gmatch "%s*(.-)%s*;" do lines[#lines + 1] = line ~= "" and h.span { class = "line", line } or nil end
  return h.code { class = "asm", lines }
end

-- One prediction: its predictor, a bar, the number.
local function prediction(side, answer, most)
  local word, whole = answers.word(answer)
  local cycles = answer and format.finite(answer.cycles) and answer.cycles
  return h.div { class = "prediction", title = whole, h.span { class = "chip " .. side, side:upper() },
    cycles and h.span { class = "gauge", h.span { class = "bar " .. side, style = ("width:%.1f%%"):format(most > 0 and 100 * cycles / most or 0) } }
      or h.span { class = "gauge" },
    h.span { class = answer and answer.crash and "crash" or "cycles", word } }
end

--- Both predictions of a block.
function discoveries.predictions(sample)
  local a, b = sample.a or {}, sample.b or {}
  local most = math.max(a.cycles or 0, b.cycles or 0)
  return h.div { class = "predictions", prediction("a", sample.a, most), prediction("b", sample.b, most) }
end

local function number_cell(result, d, key)
  local x = value(d, key)
  local text = key ~= "interestingness" and format.count(x) or x and answers.apart(result.campaign.interest, x) or format.absent
  return h.td { class = "number " .. key, ["data-value"] = x == math.huge and "Infinity" or x and ("%.14g"):format(x), text }
end

local function row(result, entry)
  local d, cells = entry.d, {}
  for i, key in ipairs(discoveries.keys) do cells[i] = number_cell(result, d, key[1]) end
  local crash = overview.crash(d)
  return { h.tr {
    id = "discovery-" .. entry.place, ["data-place"] = tostring(entry.place), ["data-crash"] = crash and "1",
    ["data-subsumed"] = d.subsumed_by and "1",
    h.td { class = "which", ["data-value"] = tostring(entry.place), h.span { class = "id", d.id }, crash and h.span { class = "crash", "crash" },
      d.subsumed_by and h.span { class = "about", "subsumed by " .. d.subsumed_by } },
    h.td { class = "what", abstract_block.render(d.text) },
    h.td { class = "example", d.block and { discoveries.code(d.block.text), discoveries.predictions(d.block) } or format.absent },
    cells,
  }, "\n" }
end

local function head()
  local cells = lists.map(discoveries.keys, function(key)
    return h.th { scope = "col", class = "number " .. key[1], title = key[3], ["data-key"] = key[1], key[2] }
  end)
  return h.thead(h.tr { h.th { scope = "col", class = "which", title = "in the order in which they were found", ["data-key"] = "place", "found" },
    h.th { scope = "col", "abstract block" }, h.th { scope = "col", "shortest witness, cycles" }, cells })
end

local function controls(result)
  local options, crashes, subsumed = { h.option { value = "place", "found" } }, 0, 0
  for i, key in ipairs(discoveries.keys) do options[i + 1] = h.option { value = key[1], key[2] } end
  for _, d in ipairs(result.discoveries) do
    crashes = crashes + (overview.crash(d) and 1 or 0)
    subsumed = subsumed + (d.subsumed_by and 1 or 0)
  end
  local function check(id, text, n) return n > 0 and h.label { h.input { type = "checkbox", id = id }, (" %s (%d)"):format(text, n) } end
  return h.form { class = "controls", id = "discovery-controls", hidden = true,
    h.label { "Search ", h.input { type = "search", id = "discovery-search", placeholder = "mnemonic, feature, register" } },
    h.label { "Sort by ", h.select { id = "discovery-sort", options } },
    check("discovery-crash", "only crashes", crashes), check("discovery-subsumed", "with subsumed ones", subsumed),
    h.span { id = "discovery-count", role = "status" },
  }
end

--- The section.
function discoveries.render(result)
  if #result.discoveries == 0 then
    return section.new("discoveries", "Discoveries", section.missing "None: on no class of blocks do the predictors disagree throughout.")
  end
  local list, key = discoveries.ordered(result)
  local rows = lists.map(list, function(entry) return row(result, entry) end)
  local function who(side) return { h.span { class = "chip " .. side, side:upper() }, " ", overview.name(result, side) } end
  return section.new("discoveries", "Discoveries", {
    section.note("On all sampled blocks that an abstract block describes, the predictions of ", who "a", " and ", who "b", " differ. ",
      "First come those that ", key == "covers" and "subsume most interesting blocks of the test set" or "are most general", "."),
    h.noscript(h.p { class = "note", "The samples behind each discovery and the steps of its generalization are in discoveries.json; this page ",
      "shows them by a script." }),
    controls(result),
    h.table { class = "discoveries", id = "discovery-table", ["data-sorted"] = key, head(), h.tbody { rows } },
  })
end

return discoveries
