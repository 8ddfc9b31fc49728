-- The report of a chart of 2,000 schemes: small enough, well-formed, with every witness in it; and its sections for comparisons.
local catalog = require "portolan.report.catalog"
local check = require "portolan.report.check"
local disagreements = require "portolan.report.disagreements"
local experiment = require "portolan.experiment"
local file = require "portolan.support.file"
local html = require "portolan.report.html"
local json = require "portolan.support.json"
local lxp = require "lxp"
local process = require "process"
local report = require "portolan.report"
local rivals = require "portolan.report.rivals"
local synthetic_chart = require "synthetic_chart"
local usage_map = require "portolan.report.usage_map"
local witness = require "portolan.experiment.witness"
local witness_data = require "portolan.report.witness_data"

-- Parses a page; counts elements and classes, collects text.
local function parse(text)
  local seen, content = { classes = {}, elements = {} }, {}
  local parser = lxp.new {
    StartElement = function(_, name, attributes)
      seen.elements[name] = (seen.elements[name] or 0) + 1
      for class in (attributes.class or ""):gmatch "%S+" do seen.classes[class] = (seen.classes[class] or 0) + 1 end
    end,
    CharacterData = function(_, data) content[#content + 1] = data end,
  }
  local ok, message, line, column = parser:parse(text)
  if ok then ok, message, line, column = parser:parse() end
  assert(ok, ("not well-formed: %s at %s:%s"):format(tostring(message), tostring(line), tostring(column)))
  parser:close()
  seen.content = table.concat(content)
  return seen
end

-- The JSON that the script reads.
local function data_of(text) return assert(json.decode((assert(text:match('<script id="witness%-data" type="application/json">(.-)</script>'))))) end

-- An experiment as the script puts it together.
local function unfold(data, row)
  local e = {}
  for i = 6, #row, 2 do e[data.names[row[i + 1] + 1]] = math.tointeger(row[i]) end
  return e
end

describe("the report of 2,000 schemes", function()
  local chart = synthetic_chart.of "all"
  local list = catalog.of(chart)
  local text = report.chart(chart)
  local page = parse(text)

  it("is smaller than 6 MB, and has a row for each", function()
    assert.is_true(#list > 2000)
    assert.is_true(#text < 6e6, #text)
    local _, rows = text:gsub("<tr data%-", "")
    assert.equal(#list, rows)
    assert.equal(1, page.elements.noscript)
  end)

  it("holds every witness, to four digits", function()
    local data, count = data_of(text), 0
    for _, entry in ipairs(list) do
      local rows = data.of[tostring(entry.place)] or {}
      assert.equal(#(entry.scheme.witnesses or {}), #rows)
      for i, w in ipairs(entry.scheme.witnesses or {}) do
        local row = rows[i]
        count = count + 1
        assert.equal(w.experiment, experiment.format(unfold(data, row)))
        assert.equal(w.role, data.roles[row[1] + 1])
        assert.is_true(math.abs(row[2] - w.cycles) <= 1e-3 * w.cycles and math.abs(row[3] - w.expected) <= 1e-3 * w.expected)
        assert.equal(w.says, data.says[row[4] + 1])
        assert.equal(witness.compare(w.cycles, w.expected, experiment.length(unfold(data, row)), w.ports and #w.ports) == "agrees" and 0 or 1, row[5])
      end
    end
    assert.is_true(count > 15000)
  end)

  it("draws a row for each port usage, with the number of its schemes", function()
    local usages, without = {}, {}
    for _, entry in ipairs(list) do
      local key = entry.usage and entry.usage ~= "none" and entry.usage
      if key then usages[key] = (usages[key] or 0) + 1 else without[entry.status] = true end
    end
    local drawn, total = 0, 0
    for label, count in text:gmatch '<a data%-usage="([^"]+)" href="#schemes"><text [^>]+>[^<]+</text></a>.-× (%d+)</text>' do
      assert.equal(usages[label], tonumber(count), label)
      drawn, total = drawn + 1, total + tonumber(count)
    end
    local expected = 0
    for _, count in pairs(usages) do expected = expected + count end
    assert.is_true(drawn > 40)
    assert.equal(expected, total)
    for status in pairs(without) do assert.truthy(text:find(('data-status="%s" href="#schemes"'):format(status), 1, true)) end
  end)

  it("shows the mean uops of each kind of instruction", function()
    local panels = usage_map.panels(list)
    local row
    for _, panel in ipairs(panels) do
      for _, r in ipairs(panel.rows) do
        if panel.name == "FMA" then row = r end
      end
    end
    local sum, n = 0, 0
    for _, entry in ipairs(list) do
      if entry.extension == "FMA" and entry.category == row.label and entry.usage then
        n = n + 1
        for _, uop in ipairs(entry.scheme.uops) do
          for _, port in ipairs(uop[1]) do sum = sum + (port == "5" and uop[2] / #uop[1] or 0) end
        end
      end
    end
    assert.equal("× " .. n, row.count)
    assert.is_true(math.abs(row.shares["5"] - sum / n) < 1e-9)
  end)

  it("tells each class with its count and how it is recognised", function()
    local counts = {}
    for _, entry in ipairs(list) do counts[entry.status] = (counts[entry.status] or 0) + 1 end
    for status, count in pairs(counts) do
      assert.truthy(text:find(('<option value="%s">%s (%d)</option>'):format(status, status, count), 1, true), status)
      if status ~= "explained" then
        assert.truthy(text:find(('%s</span> <span class="count">%d</span></h3>'):format(status, count), 1, true), status)
      end
    end
    assert.truthy(page.content:find("a chain of dependent instances takes less than a cycle a link", 1, true))
  end)

  it("refers to nothing outside, and every link inside has its target", function()
    for _, outside in ipairs { "://", "@import", "url(", " src=" } do assert.is_nil(text:find(outside, 1, true), outside) end
    local ids = {}
    for id in text:gmatch '[%s]id="([^"]*)"' do
      assert.is_nil(ids[id], id)
      ids[id] = true
    end
    for target in text:gmatch 'href="#([^"]*)"' do assert.is_true(ids[target], target) end
  end)

  it("is the same text for the same chart", function()
    assert.equal(report.chart(synthetic_chart.of "scalar"), report.chart(synthetic_chart.of "scalar"))
  end)
end)

describe("compact witnesses", function()
  it("cannot end their script, and are XML, whatever names they have", function()
    local name = "</script><b>&\0\xff\u{FFFE}]]>"
    local entry = { place = 1, scheme = { witnesses = { { experiment = { [name] = 2 }, cycles = 0 / 0, says = name }, "a + 2*b" } } }
    local text = html.render(witness_data.render { entry })
    assert.equal(1, parse(text).elements.script)
    local data = data_of(text)
    assert.is_nil(text:find("</script><b>", 1, true))
    assert.truthy(data.names[1]:find("</script><b>&", 1, true))
    assert.equal(json.null, data.of["1"][1][2])
    assert.same({ a = 1, b = 2 }, unfold(data, data.of["1"][2]))
  end)
end)

describe("sections for comparisons", function()
  local list = catalog.of { mapping = { ports = { "0", "1" }, schemes = { x = { uops = { { { "0" }, 1 } } } } } }

  it("group disagreements by the pair of usages, and quote for shells", function()
    local groups = disagreements.pairs({
      { scheme = "x", usage = "p0", reference_usage = "p1" },
      { scheme = "y", usage = { { { "0", "1" }, 1 } }, reference_usage = "p1" },
      { scheme = "z", usage = "p0", reference_usage = "p1" } }, list.ports)
    assert.equal(2, #groups)
    assert.same({ "p0", "p1", 2 }, { groups[1].ours, groups[1].theirs, #groups[1].entries })
    assert.equal("1*p01", groups[2].ours)
    assert.equal("portolan bench --experiment '2*a + it'\\''s'", disagreements.command "2*a + it's")
    assert.is_nil(disagreements.command "a\nb")
    assert.is_nil(disagreements.command(nil))
  end)

  it("are left out where nothing was compared, and say so where nothing differs", function()
    assert.is_nil(disagreements.render({}, list))
    local text = html.render(disagreements.render({ disagreements = { reference = "r<1>" } }, list))
    assert.truthy(text:find("r&lt;1&gt;", 1, true))
    assert.truthy(text:find("No scheme is known to be used differently", 1, true))
  end)

  it("show who is right, with the first experiment that was decided", function()
    local page = parse(report.chart { mapping = { ports = { "0", "1" }, schemes = {} }, disagreements = { reference = "r",
      renaming = { a = "0" }, list = {
      { scheme = "x", usage = "p0", reference_usage = "p1", experiment = "u + x", ours = 2, theirs = 1, verdict = "undecided" },
      { scheme = "y", usage = "p0", reference_usage = "p1", experiment = "v + y", ours = 2, theirs = 1, measured = 2.01, verdict = "ours" } } } })
    assert.truthy(page.content:find("portolan bench --experiment 'v + y'", 1, true))
    assert.truthy(page.content:find("the mapping: 1, undecided: 1", 1, true))
    assert.truthy(page.content:find("a = 0", 1, true))
    assert.equal(1, page.classes.pair)
  end)

  it("show other models next to the mapping, in IPC if the metrics are", function()
    local evaluation = { mape = 0.1, pearson = 0.9, kendall = 0.8, metric = "IPC", others = { { name = "mca", mape = 0.3, pearson = 0.95,
      cycles = { 2, false, 4 } } }, list = { { experiment = "2*a", measured = 1, modelled = 1 }, { experiment = "3*a", measured = 2, modelled = 1.5 },
      { experiment = "4*a", measured = 4, modelled = 4 } } }
    local page = parse(report.chart { evaluation = evaluation })
    assert.truthy(page.content:find("modelled (IPC)", 1, true))
    assert.truthy(page.content:find("mca30.0%0.950", 1, true))
    assert.equal(3, page.classes.heatmap)
    assert.same({ "this mapping", "mca" }, { rivals.models(evaluation)[1].name, rivals.models(evaluation)[2].name })
    evaluation.metric, evaluation.others = nil, {}
    assert.truthy(parse(report.chart { evaluation = evaluation }).content:find("modelled (cycles)", 1, true))
  end)

  it("tell where numbers of uops come from, and how runs agree", function()
    local page = parse(report.chart { counting = { source = "issue slots", says = "why" }, agreement = { runs = 3, agree = 8,
      disagree = { "x", { scheme = "y", usages = { "p0", { { { "1" }, 2 } } } } } } })
    assert.truthy(page.content:find("Sourceissue slotswhy", 1, true))
    assert.truthy(page.content:find(
      "3 runs, or one and a mixture that needs these uops, give 8 of 10 schemes the same ports (80.0%), and differ on 2.", 1, true))
    assert.truthy(page.content:find("y: p0 / 2*p1", 1, true))
    assert.truthy(parse(report.chart { agreement = { runs = 2, agree = 5 } }).content:find("(100.0%); none differs.", 1, true))
  end)
end)

describe("portolan report", function()
  local function run(...) return process.run { args = { process.portolan, "report", ... } } end

  it("writes the report of a directory anew", function()
    process.in_directory(function(d)
      local chart = synthetic_chart.of "starter"
      assert(file.write(d .. "/chart.json", assert(json.encode(chart))))
      local r = run(d)
      assert.equal(0, r.status, r.err)
      assert.equal(report.chart(assert(json.decode(assert(file.read(d .. "/chart.json"))))), (file.read(d .. "/report.html")))
      assert.equal(0, run(d, "--out", d .. "/other.html").status)
      assert.equal(file.read(d .. "/report.html"), (file.read(d .. "/other.html")))
    end)
  end)

  it("refuses what is no chart, and says where it is not one", function()
    process.in_directory(function(d)
      assert.matches("cannot read .*give a directory that 'portolan chart' wrote", run(d).err)
      for text, words in pairs { ["[1]"] = "not a chart", ["{"] = "chart.json:1:",
        ['{"noise":[1]}'] = "noise must be an object",
        ['{"format":"portolan-mapping"}'] = "a mapping, not a chart", ['{"misfits":[{},5]}'] = "misfits[2] must be an object",
        ['{"groups":[{"schemes":[1]}]}'] = "groups[1].schemes[1]", ['{"evaluation":{"list":{"a":1}}}'] = "evaluation.list must be a list",
        ['{"mapping":{"ports":["0"],"schemes":{}}}'] = "mapping: field 'format'",
        ['{"mapping":{"ports":[],"schemes":{"a":1}}}'] = 'schemes.a must be an object' } do
        assert(file.write(d .. "/chart.json", text))
        local r = run(d)
        assert.equal(2, r.status, text)
        assert.truthy(r.err:find(words, 1, true), r.err)
        assert.is_nil(file.kind(d .. "/report.html"))
      end
      -- What JSON has of nothing, and experiments as counts, are as if they were not there, and as text.
      local named = '{"noise":null,"machine":{"family":null},"mapping":{"format":"portolan-mapping","version":1,"ports":["0"],'
        .. '"schemes":{"add r64, r64":{"uops":[[["0"],1]]}}},"evaluation":%s}'
      for _, text in ipairs { "{}", named:format "null",
        named:format '{"list":[{"experiment":{"add r64, r64":2},"measured":2,"predicted":2}]}' } do
        assert(file.write(d .. "/chart.json", text))
        local r = run(d)
        assert.equal(0, r.status, r.err)
        local before = file.read(d .. "/report.html")
        assert.equal(report.chart(assert(check.chart(assert(json.decode(text))))), before)
      end
    end)
    assert.is_truthy(check.chart(synthetic_chart.of "starter"))
  end)
end)
