-- What a person is told of a chart that failed, is partial or doubtful: what failed, why, what to do; and numbers that agree.
local catalog = require "portolan.report.catalog"
local chart = require "portolan.infer.chart"
local core = require "portolan.core"
local cpu = require "portolan.machine.cpu"
local file = require "portolan.support.file"
local mapping = require "portolan.mapping"
local port_count = require "portolan.report.port_count"
local process = require "process"
local report = require "portolan.report"
local show_summary = require("portolan.report.summary_text").show
local simulated = require "portolan.processor.simulated"
local small_core = require "support.small_core"

local function set_of(m) return { { name = "All", schemes = mapping.schemes(m) } } end

-- The summary as it is printed, in one line.
local function printed(result)
  local parts = {}
  show_summary({ out = function(format, ...) parts[#parts + 1] = format:format(...) end }, result)
  return table.concat(parts):gsub("%s+", " "), table.concat(parts)
end

local function says(text, ...)
  for _, words in ipairs { ... } do assert.truthy(text:find(words, 1, true), words .. " -- not in: " .. text) end
end

describe("a chart that ended early", function()
  local m = small_core.with_misfit("vsqrtps ymm, ymm", small_core.uops(2, "0", "5"), { busy = 7 })

  it("says first that the budget was spent, in which stage, and how to go on", function()
    local p = assert(simulated.new { mapping = m, bursts = 0.01 })
    local result = chart.run(p, set_of(m), { evaluate = 0, budget = -1 })
    local text, lines = printed(result)
    assert.matches("^  NO PORT MAPPING: ", lines)
    says(text, "the budget of time is spent (--budget)", "To do: Run the same command again", "give it more time: --budget",
      "What to distrust, by the stages that are missing:")
    assert.is_nil(text:find("0 ports", 1, true))
    assert.is_nil(text:find("?", 1, true))
    says(report.chart(result), "No port mapping.", "the budget of time is spent", "To do: ")
  end)

  it("says that it was interrupted, after the mapping was found", function()
    local p = assert(simulated.new { mapping = m })
    local result = chart.run(p, set_of(m), { evaluate = 0, progress = function(stage)
      if stage == "agreement" then core.base.set_interrupted(true) end
    end })
    core.base.set_interrupted(false)
    local text, lines = printed(result)
    assert.matches("^  PARTIAL: it ended in the stage \"agreement\": it was interrupted%.\n  To do: Run the same command again", lines)
    says(text, #result.mapping.ports .. " ports, at most")
    assert.equal("agreement", result.ending.stage)
    says(report.chart(result), "Partial result.", "it was interrupted")
  end)

  it("says what the processor said when it could not go on", function()
    local p = assert(simulated.new { mapping = m })
    p.issue_width = function() return nil, "the issue width cannot be measured: unstable" end
    local result = chart.run(p, set_of(m), { evaluate = 0 })
    says((printed(result)), "NO PORT MAPPING: it ended in the stage", "the issue width cannot be measured: unstable.", "To do: ")
  end)
end)

describe("a chart without ports", function()
  it("says why: the set, the noise, or the processor", function()
    local function ending(schemes, statuses)
      local order = {}
      for name in pairs(schemes) do order[#order + 1] = name end
      table.sort(order)
      local facts = {}
      for i, name in ipairs(order) do facts[name] = { status = statuses[i] } end
      return require("portolan.infer.chart.ending")({ order = order, facts = facts, ports = {},
        processor = { describe = function() return { accepted = 10, rejected = 990 } end } }, true)
    end
    local three = { a = 1, b = 1, c = 1 }
    local e = ending(three, { "unstable", "unstable", "explained" })
    says(e.why, "2 of 3 schemes could not be measured")
    says(e.mend, "portolan doctor", "1 % of samples pass")
    e = ending(three, { "unsupported here", "unsupported here", "unsupported here" })
    says(e.why, "does not have 3 of the 3 schemes")
    says(e.mend, "another set")
    says(ending(three, { "explained", "contradicting", "contradicting" }).mend, "--set all")
  end)

  it("is no result on the command line, either", function()
    process.in_directory(function(d)
      local m = mapping.two_level({ "0", "1" }, {}, { rmax = 4 })
      m.schemes["bswap r64"] = { uops = { { { "0" }, 1 }, { { "1" }, 1 } }, slots = 2, status = "explained" }
      assert(mapping.save(m, d .. "/m.json"))
      local r = process.run { args = { process.portolan, "infer", "explain", "--oracle", "sim:" .. d .. "/m.json", "--out", d .. "/out.json" } }
      assert.equal(1, r.status, r.out .. r.err)
      assert.matches("^  NO PORT MAPPING: no scheme of the set is a single uop with ports of its own%.\n  To do: Give a larger set", r.out)
      assert.is_nil(r.out:find("0 ports", 1, true))
      assert.is_nil(file.kind(d .. "/out.json"))
    end)
  end)
end)

describe("the schemes of a chart", function()
  it("are counted alike on the terminal and in the report: what was asked for, not what fills the front end", function()
    local m = small_core.with_misfit("vsqrtps ymm, ymm", small_core.uops(1, "0"), { busy = 7 })
    local names = mapping.schemes(m)
    local result = chart.run(assert(simulated.new { mapping = m }), { { name = "All", schemes = names } }, { evaluate = 0 })
    local list = catalog.of(result)
    assert.is_true(#list > #names) -- the filler
    local explained = 0
    for _, name in ipairs(names) do explained = explained + (result.mapping.schemes[name].status == "explained" and 1 or 0) end
    says((printed(result)), ("schemes: %d explained, "):format(explained))
    local page = report.chart(result)
    assert.matches(("Schemes explained</dt>%%s*<dd>%%s*<b>%d</b>%%s*<span>of %d</span>"):format(explained, #names), page)
    local eliminated = 0
    for _, name in ipairs(names) do
      eliminated = eliminated + (result.mapping.schemes[name].status == "eliminated at rename" and 1 or 0)
    end
    local classes = page:match('id="misfits".*$'):gsub("<[^>]+>", " "):gsub("%s+", " ")
    local found = 0
    for count in classes:gmatch("eliminated at rename (%d+) ") do -- in the table, and above the list of its schemes
      assert.equal(eliminated, tonumber(count))
      found = found + 1
    end
    assert.equal(2, found)
  end)
end)

describe("a number of ports", function()
  local function charted(ports, known, more)
    local m = mapping.two_level({}, {}, { rmax = 4 })
    for i = 1, ports do m.ports[i] = tostring(i) end
    for _, name in ipairs { "add r64, r64", "mov r64, m64", "mov m64, r64" } do
      m.schemes[name] = { uops = { { { "1" }, 1 } }, status = "explained" }
    end
    local result = { mapping = m, machine = { microarchitecture = "Imaginary", known_ports = known }, port_sets = {}, provenance = {} }
    for key, value in pairs(more or {}) do result[key] = value end
    return result
  end

  it("that a recognised core cannot have is flagged, on the terminal and in the report", function()
    local known = { least = 7, most = 8 }
    assert.is_nil(port_count.doubt(charted(7, known)))
    assert.is_nil(port_count.doubt(charted(8, known)))
    assert.is_nil(port_count.doubt(charted(5, nil)))
    assert.is_nil(port_count.doubt(charted(0, known)))
    says(port_count.doubt(charted(5, known)), "5 ports contradict what is known of Imaginary: a chart of it finds 7 to 8.")
    local more = charted(12, known)
    more.machine.hypervisor = true
    says(port_count.doubt(more), "12 ports contradict", "as hypervisors have it")
    says((printed(more)), "DOUBTFUL: 12 ports contradict")
    says(report.chart(more), "12 ports contradict what is known of Imaginary")
    assert.is_nil(report.chart(charted(8, known)):find("Doubtful", 1, true))
    assert.is_nil(port_count.doubt(charted(14, { least = 9 })))
    says(port_count.doubt(charted(1, { least = 9 })), "1 port contradicts", "at least 9")
  end)

  it("may be small in a chart that is partial, or of a few kinds of instructions", function()
    local known = { least = 7, most = 8 }
    assert.is_nil(port_count.doubt(charted(5, known, { partial = true })))
    local few = charted(5, known)
    few.mapping.schemes["mov m64, r64"] = nil
    assert.is_nil(port_count.doubt(few))
    assert.is_string(port_count.doubt(charted(9, known, { partial = true })))
  end)

  it("is known of cores by their model, or by what they execute where a hypervisor gives another model", function()
    local text = "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: %d\nstepping\t: 7\nflags\t\t: fpu %s\n\n"
    assert.same({ least = 7, most = 8 }, cpu.facts(text:format(0x55, "avx2")).ports)
    assert.same({ least = 9 }, cpu.facts(text:format(0x55, "avx2 amx_tile hypervisor")).ports)
    assert.same({ least = 9, most = 12 }, cpu.facts(text:format(0x8f, "avx2 amx_tile")).ports)
    assert.is_nil(cpu.facts(text:format(1, "avx2")).ports)
    for _, entry in ipairs(dofile(os.getenv("PORTOLAN_ARCH") .. "/x86_64/processors.lua")) do
      local p = entry.ports
      assert(not p or p.least > 0 and (not p.most or p.most >= p.least), entry.name)
    end
  end)
end)
