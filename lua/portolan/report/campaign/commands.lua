--- Command lines that repeat a campaign, or ask for one of its blocks again.
local format = require "portolan.report.format"
local commands = {}

local quote = format.word

-- The name that opens a predictor.
local function opened_by(predictor) return predictor and (predictor.spec or predictor.name) end

--- The commands for blocks in hexadecimal, which they end with: both predictors, and measuring.
-- @tparam table result
-- @treturn table list of { label =, before = }
function commands.for_blocks(result)
  local list, predict, seen = {}, "portolan predict", {}
  for _, side in ipairs { "a", "b" } do
    local name = opened_by(result.campaign[side])
    if name and not name:find "%c" and not seen[name] then
      seen[name] = true
      predict = predict .. " --predictor " .. quote(name)
    end
  end
  if next(seen) then list[1] = { label = "predict", before = predict .. " --hex " } end
  list[#list + 1] = { label = "bench", before = "portolan bench --hex " }
  return list
end

-- Options of `portolan campaign` by the field that they set: of campaign.json itself, of its filters, of its limits.
local options = { { "seed", "--seed" }, { "samples", "--samples" }, { "length", "--length" }, { "orders", "--orders" } }
local filters = { { "schemes", "--schemes" }, { "exclude", "--exclude" } }
local limits = { { "discoveries", "--discoveries" }, { "dry", "--dry" }, { "seconds", "--time" } }

--- The command that repeats a campaign.
-- @tparam table result
-- @treturn string
function commands.campaign(result)
  if result.command then return result.command end
  local c, words = result.campaign, { "portolan campaign" }
  local function add(option, value) words[#words + 1] = option .. " " .. quote(value) end
  local function add_all(list, values)
    for _, entry in ipairs(list) do
      if values and values[entry[1]] then add(entry[2], values[entry[1]]) end
    end
  end
  for _, side in ipairs(c.alone and { "a" } or { "a", "b" }) do add("--" .. side, opened_by(c[side]) or side:upper()) end
  if c.interest and c.interest.kind == "own" then
    add("--interesting", c.interest.name or "FILE")
  elseif c.interest and c.interest.threshold then
    add(c.interest.kind == "absolute" and "--absolute" or "--threshold", ("%.14g"):format(c.interest.threshold))
  end
  add_all(options, c)
  if c.strategy == "plain" then words[#words + 1] = "--plain" end
  if c.domain and c.domain.file then add("--domain", c.domain.file) end
  if c.domain and c.domain.mapping then add("--mapping", c.domain.mapping) end
  add_all(filters, c.filters)
  add_all(limits, c.limits)
  for i = 3, #(result.heat and result.heat.predictors or {}) do add("--heat", result.heat.predictors[i]) end
  return table.concat(words, " ")
end

return commands
