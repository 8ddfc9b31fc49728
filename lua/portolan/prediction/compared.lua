--- This module makes what `portolan eval` compares: models from files, and the predictions of other tools that an experiments file carries.
--
-- A predictor is `{ name =, predict = function(record) -> cycles | nil, reason[, scheme] }`; one of a model also has `file`, `method`, `model` (it
-- answers `throughput`, `predict` and `explains`) and `rests_on(record)` (portolan.mapping.best_known); one of recorded predictions `recorded =
-- true`.
-- @module portolan.prediction.compared
local best_known = require "portolan.mapping.best_known"
local experiment = require "portolan.experiment"
local file = require "portolan.support.file"
local lists = require "portolan.support.lists"
local model = require "portolan.prediction.model"

local predictors = {}

--- A mapping can predict in these ways (`portolan.prediction.model`).
predictors.methods = model.methods

-- The names of tools as their authors write them, by the letters and digits of a file's name.
local spelling = { uopsinfo = "uops.info", pmevo = "PMEvo", palmed = "Palmed", iaca = "IACA", osaca = "OSACA", ithemal = "Ithemal",
  llvmmca = "llvm-mca", facile = "Facile", portolan = "Portolan" }

-- Names that say nothing: the directory says more.
local plain = { [""] = true, mapping = true, port_mapping = true, portmapping = true, model = true }

--- The name of a model for tables: that of its file without the words that all such files have; or its directory; or its processor.
-- @param path of the file
-- @param[opt] m mapping table, for the name of its processor
function predictors.name(path, m)
  local directory, base = path:match("([^/]*)/+([^/]*)$")
  local stem = (base or path):gsub("%.%w+$", "")
  if not plain[stem:lower()] then stem = stem:gsub("^[Mm]apping[-_. ]+", ""):gsub("[-_. ]+[Mm]apping$", "") end
  if plain[stem:lower()] then
    local processor = m and type(m.processor) == "table" and m.processor.name
    stem = (directory or ""):find("%w") and directory or type(processor) == "string" and processor or "mapping"
  end
  return spelling[stem:lower():gsub("[^%w]", "")] or stem
end

--- Splits `NAME=FILE`; a file whose own name holds the sign is taken whole.
-- @return path, name (nil if none is given)
function predictors.split(text)
  local name, path = text:match("^([^=]+)=(.+)$")
  if not name or file.kind(text) then return text end
  return path, name
end

-- Returns why a model says nothing about an experiment, and the first scheme that it does not explain, if there is one.
local function reason_of(m, e, message)
  for _, name in ipairs(experiment.schemes(e)) do
    if not m:explains(name) then return "schemes that it does not explain", name end
  end
  return message
end

--- A predictor of a model.
-- @param m object that answers `throughput(experiment)`, `explains(scheme)`
-- @param name for tables
-- @param path of its file, optional
function predictors.of_model(m, name, path)
  return {
    name = name, file = path, method = m.method, model = m,
    rests_on = function(record) return m.mapping and best_known.rests_on(m, record.e) end,
    predict = function(record)
      local cycles, message = m:throughput(record.e)
      if cycles then return cycles end
      return nil, reason_of(m, record.e, message)
    end,
  }
end

--- A predictor that repeats what `others` of the records say.
-- @param name of the tool
function predictors.recorded(name)
  return {
    name = name, recorded = true,
    predict = function(record)
      local others = record.others
      local cycles = type(others) == "table" and others[name]
      if math.type(cycles) then return cycles end
      return nil, "no prediction of it in the file"
    end,
  }
end

--- The predictors whose predictions records carry, sorted by name.
function predictors.all_recorded(records)
  local names = {}
  for _, record in ipairs(records) do
    for name in pairs(type(record.others) == "table" and record.others or {}) do
      if type(name) == "string" then names[name] = true end
    end
  end
  return lists.map(lists.keys(names, function(a, b)
    if a:lower() ~= b:lower() then return a:lower() < b:lower() end
    return a < b
  end), predictors.recorded)
end

-- Resources of a conjunctive mapping hold what its front end can do.
local function with_rmax(m, method, rmax)
  if not rmax or not m.mapping then return m end
  local copy = lists.copy(m.mapping)
  copy.rmax = rmax
  return model.of(copy, method)
end

--- Reads a model and makes a predictor of each method of it.
-- @param text FILE or NAME=FILE
-- @param methods list of `predictors.methods`; empty: the first
-- @param rmax overrides that of a port mapping, optional; a conjunctive one has none
-- @return list of predictors; or nil and a message
function predictors.load(text, methods, rmax)
  local path, name = predictors.split(text)
  local list = {}
  for i = 1, math.max(1, #methods) do
    local m, message = model.load(path, methods[i])
    if not m then return nil, message end
    m, message = with_rmax(m, methods[i], rmax)
    if not m then return nil, ("%s: %s"):format(path, message) end
    local label = name or predictors.name(path, m.mapping)
    if methods[i] and methods[i] ~= predictors.methods[1] then label = ("%s (%s)"):format(label, methods[i]) end
    list[i] = predictors.of_model(m, label, path)
  end
  return list
end

local function repeated(list)
  return lists.tally(lists.map(list, function(p) return p.name end))
end

--- Gives predictors of equal names different ones: with the directory of their files, and with numbers where that is not enough.
-- @param list predictors; their `name` is changed
function predictors.distinguish(list)
  local counts = repeated(list)
  for _, p in ipairs(list) do
    local directory = p.file and p.file:match("([^/]+)/+[^/]*$")
    if counts[p.name] > 1 and directory then p.name = directory .. "/" .. p.name end
  end
  local seen = {}
  for _, p in ipairs(list) do
    local name, k = p.name, 1
    while seen[p.name] do
      k = k + 1
      p.name = ("%s (%d)"):format(name, k)
    end
    seen[p.name] = true
  end
end

return predictors
