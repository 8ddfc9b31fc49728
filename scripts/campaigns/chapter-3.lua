-- Chapter 3 of Ritter's dissertation on this machine: does the port mapping model stay accurate when more instructions are mixed (Figure 3.7), and
-- does the order of the instructions matter (Table 3.1)?
-- usage: portolan run chapter-3 figure-3.7 MAPPING [KEY=VALUE ...]
--        portolan run chapter-3 table-3.1 MAPPING [KEY=VALUE ...]
-- MAPPING is a port mapping of this processor, as charts/latest/mapping.json or llvm-mca-19:native. Schemes that it predicts wrong by more than 10%
-- on their own are left out. KEY is one of: out (directory, charts/chapter-3), oracle (hw), set (all), count (experiments of a length; 5000, or 500
-- with orders), orders (10), seed (1). The same command goes on where it was ended.
local accuracy, core, file = portolan.accuracy, portolan.core, portolan.support.file
local model, oracle, predictors, recording = portolan.model, portolan.processor.oracle, portolan.compared, portolan.recording
local experiments, sample, sequences = portolan.experiments, portolan.sample, portolan.processor.sequences

local worst_alone = 0.1 -- relative error of a scheme on its own

local studies = {
  ["figure-3.7"] = { lengths = { 1, 2, 3, 4, 5, 6, 10, 15, 20 }, count = 5000, orders = 1, published = { -- MAPE
    [2] = "2.89%", [6] = "7.74%", [10] = "10-15%", [15] = "10-15%", [20] = "10-15%" } },
  ["table-3.1"] = { lengths = { 2, 4, 6, 8, 10, 12, 14, 16, 18, 20 }, count = 500, orders = 10, published = { -- mean, max, share above 0.05 CPI
    [2] = "0.004  0.18  1.2%", [4] = "0.006  0.56  1.2%", [6] = "0.005  0.30  1.6%", [8] = "0.003  0.09  0.4%", [10] = "0.004  0.31  1.2%",
    [12] = "0.003  0.17  0.6%", [14] = "0.004  0.16  1.8%", [16] = "0.003  0.09  0.6%", [18] = "0.004  0.15  1.6%", [20] = "0.004  0.21  1.2%" } },
}

local function fail(message)
  io.stderr:write("chapter-3: ", message, "\n")
  os.exit(2)
end

-- The options of the command line over those of the study.
local function options_of(study, words)
  local o = { out = "charts/chapter-3", oracle = "hw", set = "all", count = study.count, orders = study.orders, seed = 1 }
  for _, word in ipairs(words) do
    local key, value = word:match "^(%l+)=(.+)$"
    if not key or o[key] == nil then fail(("'%s': write KEY=VALUE; the keys are out, oracle, set, count, orders, seed"):format(word)) end
    o[key] = type(o[key]) == "number" and (math.tointeger(tonumber(value)) or fail(word .. ": a whole number is expected")) or value
  end
  return o
end

-- The schemes of a set that the mapping explains.
local function explained(m, set)
  local groups, message = portolan.scheme_set.load(set)
  if not groups then fail(message) end
  local names = {}
  for _, group in ipairs(groups) do
    for _, name in ipairs(group.schemes) do names[#names + 1] = m:explains(name) and name or nil end
  end
  if #names == 0 then fail("the mapping explains no scheme of the set") end
  return names
end

-- Answers to records, in a file of this name; those that are there are not asked for again.
local function answers(o, processor, records, name)
  local path = ("%s/%s.jsonl"):format(o.out, name)
  local into, message = recording.open(path, o.oracle, "chapter-3")
  if not into then fail(message) end
  local whole, trouble = into:run(records, function(list) return sequences.measure(processor, list) end, function(_, done, of)
    io.stderr:write(("%s: %d of %d\n"):format(name, done, of))
  end)
  into:close()
  if trouble then fail(trouble) end
  if not whole then error "interrupted" end
  local asked, list = {}, {}
  for _, record in ipairs(records) do asked[recording.key(record)] = true end
  for _, record in ipairs(assert(experiments.load(path))) do list[#list + 1] = asked[recording.key(record)] and record or nil end
  return assert(accuracy.set(list))
end

-- The schemes whose times alone the mapping says.
local function fit(o, m, processor, names)
  local records, good = {}, {}
  for i, name in ipairs(names) do records[i] = { e = { [name] = 1 }, status = sample.status } end
  local set = answers(o, processor, records, "alone")
  for i, record in ipairs(set.records) do
    local cycles = m:throughput(record.e)
    if math.abs(cycles / set.cycles[i] - 1) <= worst_alone then good[#good + 1] = next(record.e) end
  end
  table.sort(good)
  print(("%d schemes explained by the mapping, %d measured alone, %d of them within %g%%"):format(#names, #set.records, #good, 100 * worst_alone))
  if #good == 0 then fail("no scheme is left to be mixed") end
  return good
end

local shows = {}

shows["figure-3.7"] = function(o, study, set, m, mapping)
  local result = accuracy.evaluate(set, { predictors.of_model(m, mapping) }, { unit = "cpi", by_length = true })
  print(("%6s %8s %8s %8s %8s   published MAPE (Skylake, uops.info)"):format("length", "n", "MAPE", "Pearson", "Kendall"))
  for k, class in ipairs(result.classes) do
    local s = result.models[1].by_length[k].summary
    local function number(x, form) return x and form:format(x) or "-" end
    print(("%6s %8d %8s %8s %8s   %s"):format(class.label, s.n, number(s.mape and 100 * s.mape, "%.2f%%"), number(s.pearson, "%.2f"),
      number(s.kendall, "%.2f"), study.published[class.least] or ""))
  end
  local page = portolan.report.accuracy { title = "Figure 3.7 on this machine", result = result, set = set, worst = 10, version = core.version,
    command = "portolan run chapter-3 figure-3.7 " .. mapping }
  assert(file.write(o.out .. "/figure-3.7.html", page))
  print("heat maps: " .. o.out .. "/figure-3.7.html")
end

shows["table-3.1"] = function(_, study, set)
  local spread = assert(portolan.orders.spread(set))
  if not spread then fail "no experiment was measured in two orders" end
  print(("%6s %6s %8s %8s %8s   published: mean, max, share above %g CPI (Skylake)"):format("length", "n", "mean", "max", "above",
    portolan.orders.threshold))
  for _, row in ipairs(spread.rows) do
    print(("%6s %6d %8.3f %8.2f %7.1f%%   %s"):format(row.label, row.n, row.mean, row.max, 100 * row.above,
      study.published[math.tointeger(tonumber(row.label))] or ""))
  end
end

local name, mapping = ...
local study = studies[name]
if not study or not mapping then fail "write figure-3.7 or table-3.1, and a port mapping of this processor; see the top of the script" end
local o = options_of(study, { select(3, ...) })
local m, message = model.load(mapping)
if not m then fail(message) end
local spec, strange = oracle.parse(o.oracle)
if not spec then fail(strange) end
local names = explained(m, o.set)
assert(file.make_directory(o.out))
local processor, trouble = oracle.open(spec, { seed = o.seed, waiting = function(_, why) io.stderr:write("waiting: ", why, "\n") end })
if not processor then fail(trouble) end
local good = fit(o, m, processor, names)
local records = sample.experiments(good, { lengths = study.lengths, count = o.count, orders = o.orders, seed = o.seed })
local set = answers(o, processor, records, name)
if processor.close then processor:close() end
shows[name](o, study, set, m, mapping)
