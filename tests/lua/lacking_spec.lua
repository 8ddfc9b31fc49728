-- Charts of records (`portolan infer chart --oracle replay:`): the same as of the processor where nothing is missing, open where something is, and
-- never guessed. Blocking instructions by hand.
local algebra = require "portolan.mapping.algebra"
local chart = require "portolan.infer.chart"
local core = require "portolan.core"
local experiments = require "portolan.experiment.list"
local file = require "portolan.support.file"
local mapping = require "portolan.mapping"
local process = require "process"
local random_mapping = require "portolan.processor.random_mapping"
local recorded = require "portolan.processor.recorded"
local replay = require "portolan.processor.replay"
local simulated = require "portolan.processor.simulated"
local small = require "cores.small"

local usages = {
  ["add r64, r64"] = "0156", ["sub r64, r64"] = "0156", ["xor r32, r32"] = "0156", ["imul r64, r64"] = "1", ["popcnt r64, r64"] = "1",
  ["pdep r64, r64, r64"] = "1", ["shl r64, imm8"] = "06", ["shr r64, imm8"] = "06", ["sar r64, imm8"] = "06", ["vpaddd ymm, ymm, ymm"] = "015",
  ["vpsubd ymm, ymm, ymm"] = "015", ["vpor ymm, ymm, ymm"] = "015", ["vpshufb ymm, ymm, ymm"] = "5", ["vpermd ymm, ymm, ymm"] = "5",
  ["vpunpcklbw ymm, ymm, ymm"] = "5", ["vaddps ymm, ymm, ymm"] = "01", ["vmulps ymm, ymm, ymm"] = "01", ["vsubps ymm, ymm, ymm"] = "01",
  ["mov r64, m64"] = "23", ["mov r32, m32"] = "23", ["vmovups ymm, m256"] = "23", ["add r64, m64"] = "0156+23",
  ["imul r64, m64"] = "1+23", ["vpaddd ymm, ymm, m256"] = "015+23", ["vpshufb ymm, ymm, m256"] = "5+23", ["vhaddps ymm, ymm, ymm"] = "01+5+5",
}

local function truth()
  local m = mapping.two_level({ "0", "1", "2", "3", "5", "6" }, {}, { rmax = 4 })
  for name, text in pairs(usages) do
    local uops, of = {}, {}
    for set in text:gmatch "%d+" do
      if not of[set] then
        local ports = {}
        for port in set:gmatch "%d" do ports[#ports + 1] = port end
        of[set] = { ports, 0 }
        uops[#uops + 1] = of[set]
      end
      of[set][2] = of[set][2] + 1
    end
    m.schemes[name] = { uops = uops, status = "explained" }
  end
  return m
end

local names = {}
for name in pairs(usages) do names[#names + 1] = name end
table.sort(names)
local set = { { name = "all", schemes = names } }

local function of_simulation(options)
  local processor = assert(simulated.new { mapping = truth(), counters = { "uops" } })
  options.evaluate, options.record = 0, true
  return chart.run(processor, set, options)
end

local whole, record = of_simulation {}

local function of_record(list, options)
  local processor = assert(recorded.new(assert(replay.new { records = list }), { rmax = 4, uops = options and options.uops }))
  return chart.run(processor, set, { evaluate = 100 })
end

local function explained(m)
  local known, count = {}, 0
  for name, scheme in pairs(m.schemes) do
    if scheme.status == "explained" then known[name], count = true, count + 1 end
  end
  return known, count
end

-- The mapping of some schemes, compiled.
local function part(m, known)
  return assert(mapping.compile(algebra.restrict(m, function(name) return known[name] or false end)))
end

describe("a chart of a record", function()
  it("that has all that the chart asks for is the chart of the processor", function()
    local again = of_record(record)
    for _, name in ipairs(names) do
      assert.same(whole.mapping.schemes[name].status, again.mapping.schemes[name].status, name)
      assert.same(mapping.usage(whole.mapping.schemes[name]), mapping.usage(again.mapping.schemes[name]), name)
    end
    assert.same({}, again.open)
    assert.is_true(again.evaluation.recorded)
    assert.is_true(again.evaluation.mape < 1e-6)
  end)
  it("that has all asks for what the processor was asked, so that nothing else decides", function()
    local processor = assert(recorded.new(assert(replay.new { records = record }), { rmax = 4 }))
    assert.equal(whole.mapping.provenance.experiments, chart.run(processor, set, { evaluate = 0 }).mapping.provenance.experiments)
  end)
  it("leaves open what it lacks, and claims nothing that is not so", function()
    for seed = 1, 6 do
      local rng, list, share = core.base.rng(seed), {}, ({ 0.01, 0.03, 0.1 })[(seed - 1) % 3 + 1]
      for _, one in ipairs(record) do
        if rng:unit() >= share then list[#list + 1] = one end
      end
      local c = of_record(list)
      local known, count = explained(c.mapping)
      if count > 0 then
        assert.is_true(core.model.compare(part(c.mapping, known), part(truth(), known)).equal, ("seed %d, %d explained"):format(seed, count))
      end
      for _, open in ipairs(c.open) do assert.equal("not recorded", c.mapping.schemes[open.scheme].status) end
      local statuses = {}
      for _, name in ipairs(names) do statuses[c.mapping.schemes[name].status] = true end
      statuses.explained, statuses["not recorded"] = nil, nil
      assert.same({}, statuses, "seed " .. seed)
    end
  end)
  it("says which experiment a scheme needs that was not measured alone", function()
    local list = {}
    for _, one in ipairs(record) do
      if one.e["imul r64, m64"] == nil or next(one.e, next(one.e)) then list[#list + 1] = one end
    end
    local c = of_record(list, { uops = { ["imul r64, m64"] = 2 } })
    assert.same({ { scheme = "imul r64, m64", experiments = { "imul r64, m64" } } }, c.open)
    assert.equal("the record lacks 1 experiment that decides it, such as imul r64, m64", c.mapping.schemes["imul r64, m64"].note)
  end)
  it("does not guess numbers of uops", function()
    local list = {}
    for i, one in ipairs(record) do list[i] = { e = one.e, cycles = one.cycles, status = one.status } end
    local c = of_record(list)
    assert.same({}, (explained(c.mapping)))
    assert.matches("does not tell how many uops it has; give their number: %-%-uops", c.mapping.schemes["add r64, r64"].note)
  end)
  it("without schemes alone claims what all its experiments decide together", function()
    local list, compiled = {}, assert(mapping.compile(truth()))
    local some = { "imul r64, r64", "shl r64, imm8", "vaddps ymm, ymm, ymm", "vpshufb ymm, ymm, ymm" }
    for i, a in ipairs(some) do
      for j = i, #some do
        for n = 1, 3 do
          local e = i == j and { [a] = 2, ["mov r64, m64"] = n } or { [a] = n, [some[j]] = 2 }
          list[#list + 1] = { e = e, cycles = compiled:throughput(e), uops = n + 2, status = "ok" }
        end
      end
    end
    local processor = assert(recorded.new(assert(replay.new { records = list }), { rmax = 4 }))
    table.insert(some, "mov r64, m64")
    local c = chart.run(processor, { { name = "all", schemes = some } }, { evaluate = 0 })
    local known, count = explained(c.mapping)
    assert.is_true(count >= 3, count)
    assert.is_true(core.model.compare(part(c.mapping, known), part(truth(), known)).equal)
    assert.equal(5 - count, #c.open)
  end)
  it("knows by the recorded issue slots where the front end, and no port, is the limit", function()
    for _, seed in ipairs { 2, 7, 18 } do
      local m = random_mapping.three_level { ports = 4, schemes = 5, uops = 2, most = 3, rmax = 2, seed = seed, slots = true }
      local simulation, some, list = assert(simulated.new { mapping = m }), mapping.schemes(m, true), {}
      for i, a in ipairs(some) do
        list[#list + 1] = { e = { [a] = 1 }, status = "unstable", slots = m.schemes[a].slots }
        for j = i + 1, #some do
          for _, n in ipairs { { 1, 1 }, { 1, 2 }, { 2, 1 }, { 1, 3 }, { 3, 1 } } do
            local e = { [a] = n[1], [some[j]] = n[2] }
            list[#list + 1] = { e = e, cycles = simulation:measure({ e })[1].cycles, status = "ok",
              uops = n[1] * m.schemes[a].slots + n[2] * m.schemes[some[j]].slots }
          end
        end
      end
      local uops = {}
      for _, name in ipairs(some) do uops[name] = m.schemes[name].slots end
      local processor = assert(recorded.new(assert(replay.new { records = list }), { rmax = 2, uops = uops }))
      local c = chart.run(processor, { { name = "all", schemes = some } }, { evaluate = 0 })
      local known, count = explained(c.mapping)
      assert.is_true(count == 0 or core.model.compare(part(c.mapping, known), part(m, known)).equal, "seed " .. seed)
      for i, name in ipairs(some) do assert.equal(uops[name], processor.replay:issue_slots({ { name = name } })[1], i) end
    end
  end)
  it("needs to know how many instructions the core issues", function()
    local processor, message = recorded.new(assert(replay.new { records = record }), {})
    assert.is_nil(processor)
    assert.matches("give it: %-%-rmax N", message)
  end)
end)

describe("blocking instructions by hand", function()
  it("may be any of those with the same mnemonic", function()
    local m = small.golden_cove()
    for _, name in ipairs { "mov r64, m64", "mov m64, r64" } do
      local p = assert(simulated.new { mapping = m, seed = 1 })
      local found = chart.run(p, { { name = "All", schemes = mapping.schemes(m) } }, { evaluate = 0, blocking = { name } })
      assert.is_true(found.blocking[1].used, found.blocking[1].why)
    end
  end)
  local verdicts = of_simulation { blocking = { "sar r64, imm8", "sub r64, r64", "add r64, m64", "xor r32, r32" } }
  it("represent their classes", function()
    local of = {}
    for _, entry in ipairs(verdicts.port_sets) do of[entry.representative] = true end
    assert.is_true(of["sar r64, imm8"] and of["sub r64, r64"])
    for _, name in ipairs(names) do
      assert.equal(mapping.usage(whole.mapping.schemes[name]):gsub("%d+", ""), mapping.usage(verdicts.mapping.schemes[name]):gsub("%d+", ""), name)
    end
  end)
  it("that are unfit, or one too many, are not used, and the chart says why", function()
    assert.same({ { scheme = "sar r64, imm8", used = true }, { scheme = "sub r64, r64", used = true },
      { scheme = "add r64, m64", used = false, why = "it has 2 uops" },
      { scheme = "xor r32, r32", used = false, why = "it has the same ports as sub r64, r64, which represents them" } }, verdicts.blocking)
  end)
end)

describe("portolan infer chart", function()
  local function run(...) return process.run { args = { process.portolan, "infer", "chart", ... }, env = { LANG = "C", NO_COLOR = "1" } } end
  it("writes a record, and charts it", function()
    process.in_directory(function(d)
      assert(mapping.save(truth(), d .. "/truth.json"))
      local r = run("--oracle", "sim:" .. d .. "/truth.json,counters=uops", "--evaluate", "0", "--record", d .. "/r.jsonl", "--blocking",
        "add r64, m64")
      assert.equal(0, r.status, r.err)
      assert.matches("add r64, m64: not used: it has 2 uops", r.out)
      r = run("--oracle", "replay:" .. d .. "/r.jsonl", "--rmax", "4", "--out", d .. "/m.json")
      assert.equal(0, r.status, r.err)
      assert.matches("26 explained", r.out)
      local list = assert(experiments.load(d .. "/r.jsonl"))
      for i = #list, 1, -1 do
        if list[i].e["vpermd ymm, ymm, ymm"] == 1 and not next(list[i].e, next(list[i].e)) then table.remove(list, i) end
      end
      assert(experiments.save(list, d .. "/r.jsonl"))
      r = run("--oracle", "replay:" .. d .. "/r.jsonl", "--rmax", "4")
      assert.equal(0, r.status, r.err)
      assert.matches("not recorded", r.out)
      assert.matches("open, as the record lacks what would decide:\n", r.out)
      assert.matches("vpermd ymm, ymm, ymm: 1 experiment, such as vpermd ymm, ymm, ymm", r.out)
    end)
  end)
  local function gives_the_same_chart_again(counters)
    process.in_directory(function(d)
      local m = truth()
      m.schemes["bsf r64, r64"] = { uops = { { { "1" }, 1 } }, status = "explained", misfit = { large_inputs = 3 } }
      m.schemes["vdivps ymm, ymm, ymm"] = { uops = { { { "0" }, 1 } }, slots = 1, tp = 5, status = "slower than ports" }
      m.schemes["adc r64, r64"] = { tp = 1.5, slots = 2, status = "contradicting" }
      assert(mapping.save(m, d .. "/truth.json"))
      local given, groups = mapping.schemes(m), {}
      core.base.rng(5):shuffle(given) -- the order of a set decides which schemes are asked about
      for i = 1, #given, 9 do
        groups[#groups + 1] = ("{ name = 'From %d', schemes = { '%s' } },"):format(i, table.concat(given, "', '", i, math.min(i + 8, #given)))
      end
      assert(file.write(d .. "/set.lua", "return {" .. table.concat(groups, "\n") .. "}"))
      local charts = {}
      for i, arguments in ipairs {
        { "sim:" .. d .. "/truth.json" .. counters, "--set", d .. "/set.lua", "--record", d .. "/r.jsonl" },
        { "replay:" .. d .. "/r.jsonl", "--rmax", "4" },
      } do
        local r = run("--evaluate", "0", "--out", d .. "/m.json", "--oracle", table.unpack(arguments))
        assert.equal(0, r.status, r.err)
        charts[i] = assert(mapping.load(d .. "/m.json"))
        charts[i].sets = r.out:match "\n\n(.-)\n\n" or r.out:match "\n\n(.*)"
      end
      for name, scheme in pairs(charts[1].schemes) do
        local again = charts[2].schemes[name]
        assert.same({ scheme.status, scheme.note, mapping.usage(scheme) }, { again.status, again.note, mapping.usage(again) }, name)
      end
      assert.equal("input-dependent", charts[2].schemes["bsf r64, r64"].status)
      assert.equal(charts[1].sets, charts[2].sets)
      local processor = assert(recorded.new(assert(replay.new { path = d .. "/r.jsonl" }), { rmax = 4 }))
      local found = {}
      for _, group in ipairs(processor:set()) do
        assert.equal("From " .. #found + 1, group.name)
        table.move(group.schemes, 1, #group.schemes, #found + 1, found)
      end
      assert.same(given, found)
    end)
  end
  it("gives the same chart again from a record, whatever the set, its groups and what depends on values", function()
    gives_the_same_chart_again ",counters=uops"
  end)
  it("does so where issue slots stand for numbers of uops, and units that stay busy for ports", function() gives_the_same_chart_again "" end)
  it("refuses what does not go together in one line", function()
    process.in_directory(function(d)
      assert(file.write(d .. "/r.jsonl", assert(experiments.encode { { e = { a = 1 }, cycles = 1, uops = 1, status = "ok" } })))
      assert(mapping.save(truth(), d .. "/truth.json"))
      assert(file.write(d .. "/none", ""))
      assert(file.write(d .. "/set.jsonl", '{"cycles":1,"e":{"a":1},"set":[{"name":"G","schemes":"a"}]}'))
      for name, set_of_one in pairs { foreign = '[{"name":"A","schemes":["add x, x, x"]}]', empty = "[]", hollow = '[{"name":"A","schemes":[]}]',
        unknown = '[{"name":"A","schemes":["nope"]}]' } do
        assert(file.write(("%s/%s.jsonl"):format(d, name), '{"cycles":1,"e":{"add r64, r64":1},"set":' .. set_of_one .. "}"))
      end
      assert(mapping.save({ format = "portolan-mapping", version = 1, ports = { "0" }, rmax = 4, schemes = {} }, d .. "/bare.json"))
      for message, arguments in pairs {
        ["foreign.jsonl:1: .*x86_64.*aarch64"] = { "--oracle", "replay:" .. d .. "/foreign.jsonl", "--rmax", "4" },
        ["empty.jsonl:1: field 'set' is empty"] = { "--oracle", "replay:" .. d .. "/empty.jsonl", "--rmax", "4" },
        ["hollow.jsonl:1: field 'set' is empty"] = { "--oracle", "replay:" .. d .. "/hollow.jsonl", "--rmax", "4" },
        ["unknown.jsonl: field 'set': .*nope"] = { "--oracle", "replay:" .. d .. "/unknown.jsonl", "--rmax", "4" },
        ["no scheme to chart: the set is empty"] = { "--oracle", "sim:" .. d .. "/bare.json" },
        ["none: a record without experiments"] = { "--oracle", "replay:" .. d .. "/none", "--rmax", "4" },
        ["give it: %-%-rmax N"] = { "--oracle", "replay:" .. d .. "/r.jsonl" },
        ["set.jsonl:1: set%[1%].schemes must be a list"] = { "--oracle", "replay:" .. d .. "/set.jsonl" },
        ["%-%-rmax, %-%-epsilon and %-%-uops are about records"] = { "--oracle", "sim:" .. d .. "/truth.json", "--rmax", "4" },
        ["'nonsense' is not one of the schemes to chart"] = { "--oracle", "sim:" .. d .. "/truth.json", "--blocking", "nonsense" },
      } do
        local r = run(table.unpack(arguments))
        assert.equal(2, r.status, message)
        assert.matches("^portolan infer: [^\n]*" .. message .. "[^\n]*\n$", r.err)
      end
    end)
  end)
end)
