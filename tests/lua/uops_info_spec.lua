-- The algorithm of uops.info on simulated processors with per-port counters.
local core = require "portolan.core"
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local mapping = require "portolan.mapping"
local process = require "process"
local simulated = require "portolan.processor.simulated"
local uops_info = require "portolan.infer.uops_info"

-- { name = "01 + 2*5" }: ports of one character each.
local function cpu(ports, schemes, extra)
  local m = { format = "portolan-mapping", version = 1, processor = { name = "test" }, ports = {}, schemes = {} }
  for port in ports:gmatch "." do m.ports[#m.ports + 1] = port end
  for name, text in pairs(schemes) do
    local uops = {}
    for part in text:gmatch "[^+ ]+" do
      local n, on = part:match "^(%d+)%*(%w+)$"
      local set = {}
      for port in (on or part):gmatch "." do set[#set + 1] = port end
      uops[#uops + 1] = { set, math.tointeger(tonumber(n or 1)) }
    end
    m.schemes[name] = { uops = uops, status = "explained" }
  end
  for name, fields in pairs(extra or {}) do
    for key, value in pairs(fields) do m.schemes[name][key] = value end
  end
  return m
end

-- A usage in one form, whatever the order of uops and ports.
local function canonical(scheme)
  local parts = {}
  for i, uop in ipairs(scheme.uops or {}) do
    local ports = table.move(uop[1], 1, #uop[1], 1, {})
    table.sort(ports)
    parts[i] = ("%d*%s"):format(uop[2] or 1, table.concat(ports, ","))
  end
  table.sort(parts)
  return scheme.uops and table.concat(parts, " + ") or "?"
end

local function processor(m, options)
  options = options or {}
  return assert(simulated.new { mapping = m, counters = options.counters or { "uops", "ports" }, binder = options.binder, noise = options.noise,
    seed = options.seed })
end

local function infer(m, options, of_processor)
  local outcome = assert(uops_info.infer(processor(m, of_processor), mapping.schemes(m), options))
  assert(mapping.validate(outcome.mapping))
  return outcome
end

-- Names of schemes whose usage is not the truth's.
local function differing(truth, outcome)
  local list = {}
  for _, name in ipairs(mapping.schemes(truth)) do
    if canonical(truth.schemes[name]) ~= canonical(outcome.mapping.schemes[name]) then list[#list + 1] = name end
  end
  return list
end

local skylake = cpu("01234567", {
  ["add r64, r64"] = "0156", ["imul r64, r64"] = "1", ["shl r64, imm8"] = "06", ["vpermd ymm, ymm, ymm"] = "5", ["vaddpd ymm, ymm, ymm"] = "01",
  ["vpaddd ymm, ymm, ymm"] = "015", ["lea r64, m"] = "15", ["mov r64, m64"] = "23", ["mov m64, r64"] = "4 + 237", ["add r64, m64"] = "0156 + 23",
  ["add m64, r64"] = "0156 + 23 + 237 + 4", ["bswap r64"] = "06 + 15", ["vphaddw ymm, ymm, ymm"] = "2*5 + 015", ["vpmulld ymm, ymm, ymm"] = "2*01",
  ["xchg r64, r64"] = "3*0156", ["mov r64, r64"] = "", ["adc m64, r64"] = "2*0156 + 06 + 23 + 237 + 4",
})
skylake.rmax = 4

describe("the algorithm of uops.info", function()
  it("finds every port usage, with its blocking instructions", function()
    local outcome = infer(skylake)
    assert.same({}, differing(skylake, outcome))
    local found = {}
    for i, b in ipairs(outcome.blocking) do
      found[i] = ("%s %s%s"):format(table.concat(b.ports), b.scheme, b.improper and " improper" or "")
    end
    assert.same({ "1 imul r64, r64", "4 mov m64, r64 improper", "5 vpermd ymm, ymm, ymm", "01 vaddpd ymm, ymm, ymm", "06 shl r64, imm8",
      "15 lea r64, m", "23 mov r64, m64", "015 vpaddd ymm, ymm, ymm", "237 mov m64, r64 improper", "0156 add r64, r64" }, found)
    local schemes = outcome.mapping.schemes
    assert.equal("eliminated at rename", schemes["mov r64, r64"].status)
    assert.equal(4, outcome.mapping.rmax)
    assert.same({ 2, 1, 3 }, { schemes["add m64, r64"].slots, schemes["add r64, m64"].slots, schemes["xchg r64, r64"].slots })
    for name, scheme in pairs(schemes) do
      if name ~= "mov r64, r64" then assert.equal("explained", scheme.status, name) end
    end
  end)

  it("leaves a witness of each experiment, with the counts measured and expected", function()
    local outcome = infer(skylake)
    local says = {}
    for _, w in ipairs(outcome.mapping.schemes["vphaddw ymm, ymm, ymm"].witnesses) do
      assert.is_true(math.abs(w.count - w.expected_count) < 1e-9, w.experiment)
      says[#says + 1] = ("%s: %s"):format(w.role, w.says)
    end
    assert.equal("bounds: 3 uops alone, all counted on ports 0,1,5", says[1])
    assert.equal("bounds: evades ports 1", says[2])
    assert.equal("shows: 2 uops on ports 5", says[3])
    assert.equal("shows: 1 uop on ports 0,1,5, and 2 uops on a part of them", says[#says])
    local w = outcome.mapping.schemes["add r64, m64"].witnesses[2]
    assert.equal("add r64, m64 + 10*imul r64, r64", w.experiment) -- k of the implementation: at least 10
    local single = outcome.mapping.schemes["imul r64, r64"].witnesses[1]
    assert.same({ "shows", "imul r64, r64", 1 }, { single.role, single.experiment, single.expected_count })
  end)

  it("ends early when all uops are characterised, with the same result", function()
    local early, whole = infer(skylake), infer(skylake, { early = false })
    assert.same({}, differing(skylake, whole))
    assert.is_true(early.experiments < whole.experiments)
    local with = {}
    for _, w in ipairs(early.mapping.schemes["vphaddw ymm, ymm, ymm"].witnesses) do with[w.experiment] = true end
    local last = "16*add r64, r64 + vphaddw ymm, ymm, ymm" -- 0156 is after 015
    assert.is_nil(with[last])
    local again = {}
    for _, w in ipairs(whole.mapping.schemes["vphaddw ymm, ymm, ymm"].witnesses) do again[w.experiment] = w.says end
    assert.equal("no uop on ports 0,1,5,6, and 3 uops on a part of them", again[last])
  end)

  it("stands noise and disturbed counts", function()
    for seed = 1, 6 do
      local outcome = infer(skylake, nil, { seed = seed, noise = { kind = "gaussian", width = 0.005, unit = "relative", outliers = 0.03 } })
      assert.same({}, differing(skylake, outcome))
    end
  end)

  it("stands a greedy binder, or says that counts do not add up", function()
    local outcome = infer(skylake, nil, { binder = "recent" })
    for _, name in ipairs(differing(skylake, outcome)) do assert.equal("contradicting", outcome.mapping.schemes[name].status, name) end
    assert.is_true(#differing(skylake, outcome) <= 1)
    -- k blocking instructions alone are not enough: of three uops that could, one or so does not evade 015 in time
    local trusting = infer(skylake, { confirm = false }, { binder = "recent" })
    assert.equal("1*0,1,5 + 2*0,1,5,6", canonical(trusting.mapping.schemes["xchg r64, r64"]))
  end)

  it("is exact on Skylake's published mapping", function()
    local path
    for _, base in ipairs { "/../shared/data/", "/../../shared/data/" } do
      local candidate = os.getenv "PORTOLAN_SOURCE" .. base .. "pmevo-skl/mapping_uops_info.json"
      path = path or file.kind(candidate) and candidate
    end
    if not path then return pending("shared/data is not here") end
    local truth = assert(mapping.load(path))
    for _, options in ipairs { {}, { seed = 3, noise = { kind = "gaussian", width = 0.003, unit = "relative", outliers = 0.01 } } } do
      local outcome = infer(truth, nil, options)
      assert.same({}, differing(truth, outcome))
      local explained = 0
      for _, scheme in pairs(outcome.mapping.schemes) do explained = explained + (scheme.status == "explained" and 1 or 0) end
      assert.equal(310, explained)
    end
  end)
end)

describe("the number of blocking instructions", function()
  -- Appendix E.1: six blocking instructions are too few for six uops on two ports.
  local truth = cpu("012", { I = "1 + 01 + 4*02", B1 = "1", B01 = "01", B02 = "02", B12 = "12" },
    { I = { latency = 2 }, B1 = { latency = 1 }, B01 = { latency = 1 }, B02 = { latency = 1 }, B12 = { latency = 1 } })

  local function witness(outcome, experiment)
    for _, w in ipairs(outcome.mapping.schemes.I.witnesses) do
      if w.experiment == experiment then return w end
    end
  end

  it("of the paper is wrong in the counter-example of appendix E.1", function()
    local outcome = infer(truth, { k = "paper", early = false })
    assert.same({ "I" }, differing(truth, outcome))
    assert.equal(7, witness(outcome, "6*B1 + I").count)
    local w = witness(outcome, "6*B12 + I") -- eight uops on ports 1 and 2, where seven could not be elsewhere
    assert.is_true(math.abs(w.count - 8) < 1e-9)
    assert.equal("1 uop on ports 1,2, and 1 uop on a part of them", w.says)
  end)

  it("of the implementation is not", function()
    for _, early in ipairs { true, false } do
      local outcome = infer(truth, { early = early })
      assert.same({}, differing(truth, outcome))
    end
    assert.equal(13, math.floor(witness(infer(truth, { early = false }), "12*B12 + I").count + 0.5))
  end)

  it("is what the formulas say", function()
    local k = uops_info.k.implementation
    assert.equal(10, k({ cycles = 0.25, uops = 1 }, { "0" }))
    assert.equal(12, k({ cycles = 2, uops = 6 }, { "1", "2" }))       -- k2 = 2 * 6
    assert.equal(40, k({ cycles = 5.4, uops = 2 }, { 1, 2, 3, 4 }))   -- k1 = 2 * 4 * 5
    assert.equal(100, k({ cycles = 40, uops = 2 }, { 1, 2, 3, 4 }))
    assert.equal(6, uops_info.k.paper({ latency = 2 }, { 1, 2 }, 3))
    local none, message = uops_info.infer(processor(truth), { "I" }, { k = "guess" })
    assert.is_nil(none)
    assert.matches("'guess' is not implementation or paper", message)
  end)
end)

describe("what the algorithm cannot block", function()
  it("is found where two blocked sets overlap, and said to be assumed", function()
    -- nothing blocks port 0 alone: the uop is found on 01 and on 06
    local truth = cpu("01268", { a = "01", b = "06", c = "26", div = "0 + 5*8" })
    local outcome = infer(truth)
    assert.same({}, differing(truth, outcome))
    local div = outcome.mapping.schemes.div
    assert.equal("explained", div.status)
    assert.same({ "0", "8" }, div.assumed)
    assert.equal("1 uop on ports 0, as found both on 0,1 and on 0,6; no instruction blocks port 8: 5 uops counted there when it runs alone", div.note)
  end)

  it("is said to be missing", function()
    local truth = cpu("0123", { a = "01", x = "01 + 2*23" })
    local outcome = infer(truth)
    assert.same({ "x" }, differing(truth, outcome))
    local x = outcome.mapping.schemes.x
    assert.same({ "contradicting", "1 uop of 3 found: the others run on ports that no instruction blocks" }, { x.status, x.note })
    outcome = assert(uops_info.infer(processor(truth), { "x" }))
    assert.equal("0 uops of 3 found: the others run on ports that no instruction blocks", outcome.mapping.schemes.x.note)
    assert.same({}, outcome.blocking)
  end)

  it("is too much for a hundred blocking instructions in microcode", function()
    local truth = cpu("0123", { add = "0123", imul = "1", long = "30*0123 + 2*1" })
    local long = infer(truth).mapping.schemes.long
    assert.equal("microcoded", long.status)
    assert.equal("32 uops: more than 100 blocking instructions would be needed to flood 4 ports", long.note)
    assert.is_nil(long.uops)
  end)

  it("may be slower than its ports, and is no blocking instruction then", function()
    local truth = cpu("01", { add = "01", slow = "1", fast = "1", pair = "2*1" })
    local inner = processor(truth)
    local p = setmetatable({ measure = function(_, list, options)
      local results = inner:measure(list, options)
      for i, e in ipairs(list) do
        if e.slow or e.pair then results[i].cycles = results[i].cycles + 3 * (e.slow or 0) + (e.pair or 0) end
      end
      return results
    end }, { __index = inner })
    local outcome = assert(uops_info.infer(p, { "add", "slow", "fast", "pair" }))
    assert.equal("fast", outcome.blocking[1].scheme)
    for name, note in pairs { slow = "4%.00 cycles alone, where ports and front end explain 1%.00", pair = "3%.00 cycles alone, .* 2%.00" } do
      local scheme = outcome.mapping.schemes[name]
      assert.equal("slower than ports", scheme.status)
      assert.matches(note, scheme.note)
      assert.equal(canonical(truth.schemes[name]), canonical(scheme))
    end
    -- the only instruction for port 1 that there is, but at a quarter of its rate
    outcome = assert(uops_info.infer(p, { "add", "slow" }))
    assert.equal(1, #outcome.blocking)
  end)

  it("or measure gets a status of its own", function()
    local inner = processor(cpu("01", { add = "01", imul = "1", two = "01 + 1" }))
    local p = setmetatable({ measure = function(_, list, options)
      local results = inner:measure(list, options)
      for i, e in ipairs(list) do
        if e.two then results[i] = { status = "illegal instruction" } end
      end
      return results
    end }, { __index = inner })
    local schemes = assert(uops_info.infer(p, { "add", "imul", "two", "nosuch" })).mapping.schemes
    assert.same({ "unsupported here", "illegal instruction" }, { schemes.two.status, schemes.two.note })
    assert.same({ "unsupported here", "explained" }, { schemes.nosuch.status, schemes.add.status })
  end)
end)

describe("ports that share a counter", function()
  local golden_cove = cpu("0156b23a4978", { ["add r64, r64"] = "0156b", ["vpermd ymm, ymm, ymm"] = "5", ["vaddpd ymm, ymm, ymm"] = "15",
    ["blsr r64, r64"] = "15b", ["imul r64, r64"] = "1", ["vpaddd ymm, ymm, ymm"] = "015", ["shl r64, imm8"] = "06", ["mov r64, m64"] = "23a",
    ["vmulpd ymm, ymm, ymm"] = "01", ["mov m64, r64"] = "49 + 78", ["add r64, m64"] = "0156b + 23a", ["add m64, r64"] = "0156b + 23a + 49 + 78",
    ["vphaddw ymm, ymm, ymm"] = "2*5 + 015", ["bswap r64"] = "1 + 06" })
  golden_cove.rmax = 6
  local events = { "uops", "port:0", "port:1", "port:2/3/a", "port:4/9", "port:5/b", "port:6", "port:7/8" }

  it("are told apart by time, and named by the order of the counter", function()
    for _, options in ipairs { {}, { seed = 2, noise = { kind = "gaussian", width = 0.003, unit = "relative", outliers = 0.01 } } } do
      options.counters = events
      local outcome = infer(golden_cove, nil, options)
      assert.same({}, differing(golden_cove, outcome))
      local schemes = outcome.mapping.schemes
      assert.is_nil(schemes["add m64, r64"].assumed)
      assert.same({ "5" }, schemes["vpermd ymm, ymm, ymm"].assumed)
    end
  end)

  it("never make a wrong usage of a greedy binder's counts", function()
    local outcome = infer(golden_cove, nil, { counters = events, binder = "recent" })
    for _, name in ipairs(differing(golden_cove, outcome)) do
      assert.equal("contradicting", outcome.mapping.schemes[name].status, name)
    end
  end)
end)

describe("without counters", function()
  it("says what is missing", function()
    for _, case in ipairs { { {}, "this processor has none" }, { { "uops" }, "this processor has only uops" },
      { { "port:0" }, "this processor has only port:0" } } do
      local none, message = uops_info.infer(processor(skylake, { counters = case[1] }), { "add r64, r64" })
      assert.is_nil(none)
      assert.matches("^this strategy needs counters of uops, in all and per port; .*" .. case[2] .. "$", message)
    end
    assert.is_nil((uops_info.infer({ measure = function() end }, {})))
  end)

  it("gives the processor's message if it stops counting", function()
    local inner = processor(skylake)
    local p = setmetatable({ count = function(_, list, event, options)
      if event == "port:5" then return nil, "no performance counters here: all in use" end
      return inner:count(list, event, options)
    end }, { __index = inner })
    local none, message = uops_info.infer(p, { "add r64, r64" })
    assert.is_nil(none)
    assert.equal("no performance counters here: all in use", message)
  end)
end)

local function portolan(...)
  return process.run { args = { process.portolan, "infer", "uops-info", ... },
    env = { LANG = "C", LC_ALL = false, LC_CTYPE = false, NO_COLOR = "1" } }
end

describe("portolan infer uops-info", function()
  it("writes the mapping, and shows it", function()
    process.in_directory(function(d)
      assert(mapping.save(skylake, d .. "/truth.json"))
      local r = portolan("--oracle", "sim:" .. d .. "/truth.json,counters=uops+ports,noise=0.002,unit=relative,seed=4", "--out", d .. "/m.json")
      assert.equal(0, r.status, r.err)
      assert.matches("^16 explained, 1 eliminated at rename\n", r.out)
      assert.matches("\n  p237 +mov m64, r64  %(and a uop on other ports%)\n", r.out)
      assert.matches("\n  vphaddw ymm, ymm, ymm +2%*p5 %+ p015\n", r.out)
      local m = assert(mapping.load(d .. "/m.json"))
      assert.same({}, differing(skylake, { mapping = m }))
      assert.same({ "uops-info", "implementation" }, { m.provenance.method, m.provenance.k })
    end)
  end)

  it("infers chosen schemes, and prints JSON", function()
    process.in_directory(function(d)
      assert(mapping.save(skylake, d .. "/truth.json"))
      assert(file.write(d .. "/names", "add r64, r64\nmov r64, m64\n"))
      local r = portolan("--oracle", "sim:" .. d .. "/truth.json,counters=uops+ports", "--schemes", d .. "/names", "add r64, m64", "--json")
      assert.equal(0, r.status, r.err)
      local o = assert(json.decode(r.out))
      assert.same({ "add r64, m64", "add r64, r64", "mov r64, m64" }, mapping.schemes(o.mapping, true))
      assert.equal(2, #o.blocking)
    end)
  end)

  it("explains wrong options in one line", function()
    local function refused(words, ...)
      local r = portolan(...)
      assert.equal(2, r.status, r.out .. r.err)
      assert.equal("", r.out)
      assert.matches("^portolan infer: [^\n]+\n$", r.err)
      assert.matches(words, r.err)
    end
    process.in_directory(function(d)
      assert(mapping.save(skylake, d .. "/truth.json"))
      local sim = "sim:" .. d .. "/truth.json"
      refused("no counters; write sim:MAPPING,counters=uops%+ports", "--oracle", sim)
      refused("has only uops", "--oracle", sim .. ",counters=uops")
      refused("there is no counter 'uops_'", "--oracle", sim .. ",counters=uops_+ports")
      refused("'' is no value for counters", "--oracle", sim .. ",counters=")
      refused("knows no scheme 'div'", "--oracle", sim .. ",counters=uops+ports", "div")
      refused("cannot read /nosuch", "--oracle", sim .. ",counters=uops+ports", "--schemes", "/nosuch")
      refused("%-%-k", "--oracle", sim .. ",counters=uops+ports", "--k", "guess")
      refused("no counters", "--oracle", "replay:" .. d .. "/e.jsonl")
      if not core.bench.counter() then refused("no performance counters here: ", "--oracle", "hw") end
    end)
  end)
end)
