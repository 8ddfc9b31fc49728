-- The chart report: well-formed, escaped, complete, self-contained; and readable from whatever part of a chart there is.
local report = require "portolan.report"
local html = require "portolan.report.html"
local format = require "portolan.report.format"
local scheme_usage = require "portolan.report.scheme_usage"
local matrix = require "portolan.report.matrix"
local heatmap = require "portolan.report.heatmap"
local timeline = require "portolan.report.timeline"
local accuracy = require "portolan.report.accuracy"
local catalog = require "portolan.report.catalog"
local overview = require "portolan.report.overview"
local lxp = require "lxp"

local hostile = [[<script>alert("1")</script> & 'x' ]] .. "\0\27\xff\u{FFFE}]]>"

-- A made-up machine with four ports, every part of a chart present. Fields are laid out as docs/report.md says.
local function sample()
  local points = {}
  for i = 1, 200 do
    local cycles = 0.5 + (i % 25) * 0.1
    points[i] = { experiment = ("%d*add + mul"):format(i), measured = cycles * (1 + (i % 7) * 0.01), modelled = cycles,
      binder = cycles * 1.01 }
  end
  return {
    title = "Chart of the execution ports of", date = "2024-01-02", seconds = 102, version = "0.1", rmax = 4,
    machine = { cpu = "Made-up 1000", family = 6, model = 1, stepping = 2, microarchitecture = "Imaginary", cores = 2,
      hypervisor = "KVM", counters = false, tsc_hz = 2e9, frequency_hz = 3.1e9, os = "Linux" },
    noise = { accepted = 12345, rejected = 678, quiet_share = 0.8, unstable = 1, sentinel = 0.25, text = "A burst.",
      timeline = { { t = 0, quiet = 1 }, { t = 5, quiet = 0.2 }, { t = 9, quiet = 0.9 } } },
    mapping = {
      format = "portolan-mapping", version = 1, ports = { "0", "1", "2", "3" }, rmax = 4,
      schemes = {
        add = { uops = { { { "0", "1" }, 1 } }, tp = 0.5, status = "explained", witnesses = {
          { experiment = "3*mul + add", cycles = 3.01, expected = 3, says = "evades port 1" } } },
        mul = { uops = { { { "1" }, 1 } }, tp = 1, status = "explained" },
        store = { uops = { { { "2", "3" }, 1 }, { { "3" }, 2 } }, tp = 2.5, status = "explained", assumed = { "2" }, slots = 2 },
        inc = { tp = 0.25, status = "eliminated at rename" },
      },
    },
    port_sets = {
      { ports = { "0", "1" }, representative = "add", members = { "add" },
        witnesses = { { experiment = "3*mul + add", cycles = 3.01, expected = 3, says = "evades port 1" } } },
      { ports = { "1" }, representative = "mul", members = { "mul" }, witnesses = {} },
    },
    groups = { { name = "Integer", schemes = { "add", "mul", "inc" } }, { name = "Memory", schemes = { "store" } } },
    misfits = { { scheme = "inc", status = "eliminated at rename", evidence = "As fast as a NOP.", experiments = { "inc" } } },
    evaluation = { list = points, mape = 0.031, pearson = 0.99, kendall = 0.95,
      binder = { mape = 0.02, pearson = 0.99, kendall = 0.96 } },
    inference = { experiments = 40, rounds = 5, seconds = 20, solver_seconds = 1.5, epsilon = 0.02,
      open = { { a = "add", b = "mul", text = "Port 0 or 2?" } },
      observations = { { experiment = { add = 2, mul = 1 }, cycles = 1.5, modelled = 1.5 } } },
    provenance = { seed = 42, unroll = { 40, 80 }, set = "starter" },
  }
end

-- Parses the page and counts its elements by name, and those with a class.
local function parse(text)
  local seen = { classes = {}, content = {} }
  local parser = lxp.new {
    StartElement = function(_, name, attributes)
      seen[name] = (seen[name] or 0) + 1
      for class in (attributes.class or ""):gmatch "%S+" do
        seen.classes[class] = (seen.classes[class] or 0) + 1
      end
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

local function count(text, pattern)
  local _, n = text:gsub(pattern, "")
  return n
end

describe("elements", function()
  local h = html.tag

  it("escape text and attributes", function()
    assert.equal('<p class="&lt;a&gt; &quot;b&quot;">&lt;i&gt; &amp; &#39;</p>',
      html.render(h.p { class = '<a> "b"', "<i> & '" }))
  end)

  it("leave out nil and false, flatten lists, sort attributes", function()
    assert.equal('<p a="1" b="b">xyz</p>', html.render(h.p { b = true, a = 1, c = false, "x", nil, { "y", false, { "z" } } }))
    assert.equal("<br />", html.render(h.br {}))
  end)

  it("replace what XML cannot hold", function()
    assert.equal("a\u{FFFD}b\u{FFFD}\u{FFFD}c\u{FFFD}", html.escape("a\0b\xff\xfec\u{FFFF}"))
    assert.equal("Größe\n→", html.escape("Größe\n→"))
  end)
end)

describe("quantities", function()
  it("are written with fitting precision", function()
    assert.equal("0.333", format.cycles(1 / 3))
    assert.equal("12.50", format.cycles(12.5))
    assert.equal("6.2%", format.percent(0.0617))
    assert.equal("+1.0%", format.deviation(1.01, 1))
    assert.equal("−50.0%", format.deviation(1, 2))
    assert.equal("1\u{202F}234\u{202F}567", format.count(1234567))
    assert.equal("123", format.count(123))
    assert.equal("1 min 42 s", format.duration(102))
    assert.equal("a, b and c", format.list { "a", "b", "c" })
  end)

  it("that are not known are a dash", function()
    for _, name in ipairs { "cycles", "percent", "coefficient", "count", "duration", "frequency" } do
      assert.equal(format.absent, format[name](nil))
      assert.equal(format.absent, format[name](0 / 0))
      assert.equal(format.absent, format[name]("7"))
    end
    assert.equal(format.absent, format.deviation(1, 0))
  end)
end)

describe("port usage", function()
  local scheme = { uops = { { { "1", "0" }, 1 }, { { "1" }, 2 } } }

  it("has a compact notation", function()
    assert.equal("1*p01 + 2*p1", scheme_usage.notation(scheme, { "0", "1" }))
    assert.equal("1*p{0,1} + 2*p{1}", scheme_usage.notation(scheme, { "0", "1", "10" }))
    assert.is_nil(scheme_usage.notation({ status = "unstable" }, { "0" }))
  end)

  it("sums to the number of uops", function()
    assert.same({ ["0"] = 0.5, ["1"] = 2.5 }, scheme_usage.shares(scheme))
  end)
end)

describe("the matrix", function()
  it("has a row per scheme and a coloured cell per port used", function()
    local chart = sample()
    local node, rows = matrix.render(chart.mapping, chart.groups)
    local page = parse("<x>" .. html.render(node) .. "</x>")
    assert.equal(4, rows)
    assert.equal(4, page.classes.row)
    assert.equal(2, page.svg) -- one per group
    assert.equal(2 + 1 + 2, page.classes.use)
    assert.equal(1, page.classes.hatch)
    assert.equal(1, page.classes.blank)
  end)

  it("draws schemes that no group names, and splits long groups", function()
    local mapping = { ports = { "a", "bb" }, schemes = {} }
    for i = 1, 100 do mapping.schemes["scheme " .. i] = { uops = { { { "bb" }, 1 } }, status = "explained" } end
    local node, rows = matrix.render(mapping, nil)
    local page = parse(html.render(node))
    assert.equal(100, rows)
    assert.equal(100, page.classes.row)
    assert.is_true(page.svg > 1)
  end)

  it("orders colours by share", function()
    local last = ""
    for _, share in ipairs { 1 / 6, 1 / 4, 1 / 3, 1 / 2, 1, 2 } do
      local class = matrix.class(share)
      assert.is_true(class > last)
      last = class
    end
  end)
end)

describe("the heat map", function()
  it("puts every experiment into one bin", function()
    local list = sample().evaluation.list
    local grid = heatmap.histogram(list)
    local sum = 0
    for _, row in pairs(grid.counts) do
      for _, n in pairs(row) do sum = sum + n end
    end
    assert.equal(#list, sum)
    assert.equal(#list, grid.inside + grid.outside)
  end)

  it("says how many lie beyond the axes, and skips what is no number", function()
    local list = { { measured = 0 / 0, modelled = 1 }, { measured = "1", modelled = 1 }, { measured = 1 } }
    for _ = 1, 99 do list[#list + 1] = { measured = 1, modelled = 1 } end
    list[#list + 1] = { measured = 500, modelled = 1 }
    local grid = heatmap.histogram(list)
    assert.equal(99, grid.inside)
    assert.equal(1, grid.outside)
    assert.is_true(grid.max < 10)
  end)

  it("puts a value on the axis' end into the last bin", function()
    local grid = heatmap.histogram({ { measured = 2, modelled = 2 } }, 10)
    assert.equal(2, grid.max)
    assert.equal(1, grid.counts[10][10])
  end)

  it("is nothing without points", function()
    assert.is_nil((heatmap.render { points = {} }))
    assert.is_nil((heatmap.render {}))
  end)

  it("draws zero cycles too", function()
    assert.is_truthy((heatmap.render { points = { { measured = 0, modelled = 0 } } }))
  end)
end)

describe("a close-up", function()
  it("is offered only where a few points stretch the axes", function()
    local points = {}
    for i = 1, 90 do points[i] = { measured = 1 + i / 90, modelled = 1 } end
    assert.is_nil(heatmap.close_up(points))
    for _ = 1, 10 do points[#points + 1] = { measured = 12, modelled = 11 } end
    assert.equal(2, heatmap.close_up(points))
    assert.is_nil(heatmap.close_up {})
  end)
end)

describe("the timeline", function()
  it("needs two moments", function()
    assert.is_nil(timeline.render(nil))
    assert.is_nil(timeline.render { { t = 1, quiet = 1 } })
    assert.is_nil(timeline.render { { t = 1, quiet = 1 }, { t = 1, quiet = 0 } })
    parse(html.render(timeline.render { { t = 3, quiet = 2 }, { t = 1, quiet = -1 }, { t = 2, quiet = 0 / 0 } }))
  end)
end)

describe("the worst experiments", function()
  it("come first by relative deviation", function()
    local worst = accuracy.worst({ { measured = 1, modelled = 1 }, { measured = 2, modelled = 1 },
      { measured = 1, modelled = 1.7 }, { measured = 0, modelled = 1 }, { measured = 1 } }, 2)
    assert.equal(2, #worst)
    assert.equal(1.7, worst[1].point.modelled)
    assert.equal(0.5, worst[2].deviation)
  end)
end)

describe("a chart's report", function()
  it("is well-formed and complete", function()
    local chart = sample()
    local text = report.chart(chart)
    local page = parse(text)
    assert.equal(8, page.section)
    assert.equal(4, count(text, '<tr data%-ports=')) -- one row per scheme in the table
    assert.equal(4, page.classes.row) -- and in the picture
    assert.equal(#chart.port_sets, page.classes["port-set"])
    assert.equal(2, page.classes.heatmap) -- best schedule, and greedy binder
    assert.equal(1, page.classes.timeline)
    assert.truthy(page.content:find("3.1%", 1, true))
    assert.truthy(page.content:find("1*p23 + 2*p3", 1, true))
    assert.truthy(page.content:find("evades port 1", 1, true))
    assert.truthy(page.content:find("--seed 42", 1, true))
    assert.is_nil(page.classes.partial)
  end)

  it("marks measurements that do not agree with what was expected", function()
    local table = require("portolan.report.witness").table { { experiment = "add", cycles = 1.3, expected = 1 }, { experiment = "add", cycles = 1.05,
      expected = 1 }, { experiment = "add", cycles = 0.95, expected = 1 }, { experiment = { mul = 8 }, cycles = 8.6, expected = 8, ports = { "0" } } }
    local marks = {}
    for class, text in html.render(table):gmatch '<td class="(number[^"]*)">([^<]*%%)</td>' do marks[#marks + 1] = class .. " " .. text end
    assert.same({ "number off +30.0%", "number +5.0%", "number off −5.0%", "number off +7.5%" }, marks)
  end)

  it("counts what is explained", function()
    local chart = sample()
    local function counts() return { overview.counts(catalog.of(chart)) } end
    assert.same({ 3, 4 }, counts()) -- not the eliminated increment
    for _, status in ipairs { "contradicting", "ambiguous", "not pipelined" } do
      chart.mapping.schemes.add.status = status
      assert.same({ 2, 4 }, counts())
    end
    chart.mapping.schemes.filler = { uops = {}, status = "explained" } -- nobody asked for it
    assert.same({ 2, 4 }, counts())
    chart.groups = nil
    assert.same({ 3, 5 }, counts())
  end)

  it("refers to nothing outside, and every link inside has its target", function()
    local text = report.chart(sample())
    assert.is_nil(text:find("://", 1, true))
    assert.is_nil(text:find("@import", 1, true))
    assert.is_nil(text:find("url(", 1, true))
    assert.is_nil(text:find(" src=", 1, true))
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

  it("is the same text for the same chart", function()
    assert.equal(report.chart(sample()), report.chart(sample()))
  end)

  it("escapes hostile names wherever a name may stand", function()
    local plain = report.chart(sample())
    local chart = sample()
    -- Every string of the chart, and every scheme name, becomes hostile.
    local function spoil(value, depth)
      if type(value) == "string" then return value .. hostile end
      if type(value) ~= "table" then return value end
      local copy = {}
      for key, inner in pairs(value) do
        local spoiled_key = depth == 2 and key == "schemes" and true
        if spoiled_key and not inner[1] then
          local schemes = {}
          for name, scheme in pairs(inner) do schemes[name .. hostile] = spoil(scheme, depth + 2) end
          copy[key] = schemes
        else
          copy[key] = spoil(inner, depth + 1)
        end
      end
      return copy
    end
    local text = report.chart(spoil(chart, 1))
    local page = parse(text)
    assert.equal(1, page.script)
    assert.equal(count(plain, "<script"), count(text, "<script"))
    assert.equal(4, page.classes.row)
    assert.is_nil(text:find("alert(\"", 1, true))
  end)

  it("says what is missing, whatever is missing", function()
    local page = parse(report.chart {})
    assert.equal(8, page.section)
    assert.truthy(page.content:find("No port mapping was inferred", 1, true))
    assert.is_nil(report.chart({ noise = { accepted = 1 }, inference = {} }):find("<dd></dd>", 1, true))
    for part in pairs(sample()) do
      local chart = sample()
      chart[part] = nil
      assert.equal(8, parse(report.chart(chart)).section, part)
    end
    -- One level deeper: each field of each part.
    for part, fields in pairs(sample()) do
      for field in pairs(type(fields) == "table" and fields or {}) do
        local chart = sample()
        chart[part][field] = nil
        assert.equal(8, parse(report.chart(chart)).section, part .. "." .. tostring(field))
      end
    end
  end)

  it("says that it is partial", function()
    local chart = sample()
    chart.partial = true
    local page = parse(report.chart(chart))
    assert.equal(1, page.classes.partial)
    assert.truthy(page.content:find("Partial result", 1, true))
  end)

  it("says what to distrust when it is partial", function()
    local chart = sample()
    chart.partial = true
    chart.provenance.unfinished = { { stage = "agreement", distrust = "rests on single <readings>" }, { stage = "fresh", distrust = "unknown" } }
    local page = parse(report.chart(chart))
    assert.equal(1, page.classes.partial)
    assert.truthy(page.content:find("ended in the stage \u{201c}agreement\u{201d}", 1, true))
    assert.truthy(page.content:find("rests on single <readings>", 1, true))
    assert.is_nil(page.content:find("distrust = ", 1, true)) -- nor among the settings
    chart.provenance.unfinished = {}
    assert.truthy(parse(report.chart(chart)).content:find("ended before it was done", 1, true))
  end)
end)
