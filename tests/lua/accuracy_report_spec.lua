-- The accuracy report: well-formed, escaped, self-contained, and complete whatever there is to show.
local accuracy = require "portolan.prediction.accuracy"
local errors = require "portolan.report.models.errors"
local heatmap = require "portolan.report.heatmap"
local heatmap_text = require "portolan.report.heatmap_text"
local lxp = require "lxp"
local mapping = require "portolan.mapping"
local orders = require "portolan.experiment.orders"
local overview = require "portolan.report.models.overview"
local predictors = require "portolan.prediction.compared"
local report = require "portolan.report"

local hostile = [[<script>alert("1")</script> & 'x' ]] .. "\27\xff\u{FFFE}]]>"

local function records(tail)
  local list = {}
  for i = 1, 120 do
    local e = { ["add" .. tail] = 1 + i % 3, ["mul" .. tail] = i % 2 == 0 and 1 or nil }
    local cycles = 0.5 * (1 + i % 3) + (i % 7) * 0.05
    list[i] = { e = e, cycles = cycles, status = "ok", others = { ["tool" .. tail] = cycles * (1 + (i % 5) * 0.1) } }
  end
  list[121] = { e = { ["div" .. tail] = 1 }, cycles = 20, status = "ok" }
  return list
end

local function page_of(tail, options)
  local set = assert(accuracy.set(records(tail)))
  local path = os.tmpname()
  assert(mapping.save(mapping.two_level({ "0", "1" }, { add = { "0", "1" }, mul = { "1" } }), path))
  local list = assert(predictors.load(path, {}))
  os.remove(path)
  list[1].name, list[1].file = "toy" .. tail, "toy.json" .. tail
  if tail ~= "" then -- the mapping's schemes are spoilt, too
    local m = list[1].model
    m.mapping = mapping.two_level({ "0" .. tail, "1" }, { ["add" .. tail] = { "0" .. tail, "1" }, ["mul" .. tail] = { "1" } })
    m.compiled = assert(mapping.compile(m.mapping))
  end
  list[2] = predictors.all_recorded(set.records)[1]
  local result = accuracy.evaluate(set, list, { unit = options and options.unit or "cycles", by_length = true })
  return { title = "some.jsonl" .. tail, result = result, set = set, spread = orders.spread(set) or nil, version = "0.1" .. tail,
    command = "portolan eval some.jsonl\0" .. tail }
end

local function parse(text)
  local seen = { classes = {}, content = {} }
  local parser = lxp.new {
    StartElement = function(_, name, attributes)
      seen[name] = (seen[name] or 0) + 1
      for class in (attributes.class or ""):gmatch "%S+" do seen.classes[class] = (seen.classes[class] or 0) + 1 end
    end,
    CharacterData = function(_, data) seen.content[#seen.content + 1] = data end,
  }
  local ok, message, line, column = parser:parse(text)
  if ok then ok, message, line, column = parser:parse() end
  assert(ok, ("not well-formed: %s at %s:%s"):format(tostring(message), tostring(line), tostring(column)))
  parser:close()
  seen.content = table.concat(seen.content)
  return seen
end

describe("an accuracy report", function()
  it("is well-formed and complete in every unit", function()
    for _, unit in ipairs(accuracy.units) do
      local page = parse(report.accuracy(page_of("", { unit = unit })))
      assert.equal(7, page.section)
      assert.equal(2 + 2 * 4, page.classes.heatmap) -- one per model, one per model and length
      assert.equal(2, page.classes.errors)
      assert.truthy(page.content:find("toy leaves out 1 of 121: schemes that it does not explain; div in 1.", 1, true))
      assert.truthy(page.content:find("portolan eval some.jsonl\u{FFFD}", 1, true))
      assert.truthy(page.content:find("ports 0, 1", 1, true))
    end
  end)

  it("refers to nothing outside, and every link inside has its target", function()
    local text = report.accuracy(page_of "")
    for _, word in ipairs { "://", "@import", "url(", " src=", "<script" } do assert.is_nil(text:find(word, 1, true), word) end
    for target in text:gmatch 'href="([^"]*)"' do
      assert.equal("#", target:sub(1, 1))
      assert.truthy(text:find('id="' .. target:sub(2) .. '"', 1, true), target)
    end
    local ids = {}
    for id in text:gmatch '[%s]id="([^"]*)"' do
      assert.is_nil(ids[id], id)
      ids[id] = true
    end
  end)

  it("is the same text for the same result", function()
    assert.equal(report.accuracy(page_of ""), report.accuracy(page_of ""))
  end)

  it("escapes hostile names wherever a name may stand", function()
    local plain, spoilt = parse(report.accuracy(page_of "")), parse(report.accuracy(page_of(hostile)))
    for _, element in ipairs { "script", "section", "svg", "table", "tr", "td", "figure" } do
      assert.equal(plain[element], spoilt[element], element)
    end
  end)

  it("says so if there is nothing to show", function()
    local set = assert(accuracy.set(records ""))
    local silent = { name = "silent", file = "x", method = "bottleneck", predict = function() return nil, "it is silent" end }
    for _, list in ipairs { {}, { silent } } do
      local page = parse(report.accuracy { result = accuracy.evaluate(set, list, { by_length = true }), set = set })
      assert.truthy(page.content:find("No model covers any of these experiments", 1, true))
      assert.is_nil(page.classes.heatmap)
    end
  end)

  it("leaves out lengths and orders where there is one", function()
    local list = {}
    for i = 1, 20 do list[i] = { e = { ["s" .. i] = 2 }, cycles = 1 + i / 10, others = { tool = 1 } } end
    local set = assert(accuracy.set(list))
    local result = accuracy.evaluate(set, predictors.all_recorded(list), { by_length = true })
    local page = parse(report.accuracy { result = result, set = set })
    assert.equal(5, page.section)
    assert.equal(1, page.classes.heatmap)
  end)
end)

describe("the verdict's winners", function()
  it("err least, correlate best, rank best", function()
    local function model(name, mape, pearson, kendall) return { name = name, summary = { mape = mape, pearson = pearson, kendall = kendall } } end
    local least, linear, ranked = overview.best { model("a", 0.1, 0.5, 0.2), model("b", 0.05, 0.4, nil), model("c", 0.2, nil, 0.9) }
    assert.same({ "b", "a", "c" }, { least.name, linear.name, ranked.name })
    assert.is_nil((overview.best {}))
  end)
end)

describe("error strips", function()
  it("count every experiment once, what is far off in the last bin", function()
    local model = { measured = { 1, 1, 1, 1, 1, 1 }, modelled = { 1, 1.02, 0.97, 0, 9, 1.5 } }
    local bins, sum = errors.bins(model), 0
    for _, count in ipairs(bins) do sum = sum + count end
    assert.equal(6, sum)
    assert.same({ 1, 2, 1, 1, 1 }, { bins[1], bins[21], bins[20], bins[#bins], bins[31] })
    assert.equal(0.5, errors.within(model, 0.031))
    assert.is_nil(errors.within({ measured = {}, modelled = {} }, 1))
  end)
end)

describe("heat maps that are compared", function()
  it("share thresholds that reach the largest count", function()
    for _, most in ipairs { 1, 63, 64, 1000, 100000, 1e9 } do
      local list = heatmap.thresholds(most)
      assert.equal(6, #list)
      for i = 2, 6 do assert.is_true(list[i] > list[i - 1]) end
    end
    assert.same({ 1, 2, 4, 8, 16, 32 }, heatmap.thresholds(50))
    assert.same({ 1, 10, 100, 1000, 10000, 100000 }, heatmap.thresholds(999999))
  end)

  it("share axes that hold all, but for stragglers", function()
    local few, many = { measured = { 1, 2 }, modelled = { 1, 2 } }, { measured = {}, modelled = {} }
    for i = 1, 100 do many.measured[i], many.modelled[i] = 1, 4.9 end
    assert.equal(5, (heatmap.axis { few, many }))
    many.modelled[50] = 900
    assert.is_true((heatmap.axis { few, many }) < 10)
    assert.equal(1, (heatmap.axis { { measured = {}, modelled = {} } }))
  end)

  it("look the same from lists as from points", function()
    local series, points = { measured = {}, modelled = {} }, {}
    for i = 1, 300 do
      series.measured[i], series.modelled[i] = i % 17 / 3, i % 13 / 2
      points[i] = { measured = series.measured[i], modelled = series.modelled[i] }
    end
    assert.same(heatmap.histogram(points), heatmap.histogram(series))
  end)
end)

describe("a heat map as text", function()
  local function model(name, modelled)
    local m = { name = name, index = {}, measured = {}, modelled = modelled }
    for i in ipairs(modelled) do m.index[i], m.measured[i] = i, i / 10 end
    return m
  end
  local list = {}
  for i = 1, 50 do list[i] = i / 10 end

  it("fits into 80 columns, two maps in a row", function()
    for _, unicode in ipairs { false, true } do
      local text = heatmap_text.render({ model(("long"):rep(20), list), model("b", list), model("\u{e9}t\u{e9}", list) }, "ipc", unicode)
      for line in text:gmatch("[^\n]+") do assert.is_true((utf8.len(line)) <= 80, line) end
      local _, corners = text:gsub(unicode and "└" or "%+%-%-", "")
      assert.equal(3, corners)
      assert.matches("measured IPC; upwards", text)
    end
  end)

  it("has straight edges, whatever the axes end at", function()
    for _, size in ipairs { 1e-9, 0.00123, 0.1, 7, 999.7, 1234, 99999.7, 123456, 999950, 1234567, 1.5e17, 1e25 } do
      local large = {}
      for i = 1, 9 do large[i] = size * i / 9 end
      local edges, labels = heatmap_text.render({ model("a", large), model("b", large) }, "cycles", false), 0
      for line in edges:gmatch("[^\n]+") do
        assert.is_true(#line <= 80, line)
        if line:find("|", 1, true) then assert.equal(7, line:find("|", 1, true), line) end
        labels = labels + (line:find("^ *[%d.eE+-]+%a? |") and 1 or 0)
      end
      assert.equal(1, labels, edges)
    end
  end)

  it("is nothing without points", function()
    assert.equal("", heatmap_text.render({ model("none", {}) }, "cycles", false))
    assert.equal("", heatmap_text.render({}, "cycles", false))
  end)
end)
