-- Counters of simulated processors, and what can be tested of hardware counters where there are none.
local core = require "portolan.core"
local cpu = require "portolan.machine.cpu"
local experiment = require "portolan.experiment"
local hardware_counters = require "portolan.processor.hardware_counters"
local loop_body = require "portolan.experiment.loop_body"
local mapping = require "portolan.mapping"
local oracle = require "portolan.processor.oracle"
local paths = require "portolan.support.paths"
local process = require "process"
local random_mapping = require "support.random_mapping"
local simulated = require "portolan.processor.simulated"

local skylake = { format = "portolan-mapping", version = 1, rmax = 4, ports = { "0", "1", "2", "3", "4", "5", "6", "7" }, schemes = {
  ["add r64, r64"] = { uops = { { { "0", "1", "5", "6" }, 1 } } },
  ["add r64, m64"] = { uops = { { { "0", "1", "5", "6" }, 1 }, { { "2", "3" }, 1 } } },
  ["mov r64, m64"] = { uops = { { { "2", "3" }, 1 } } },
  ["mov m64, r64"] = { uops = { { { "2", "3", "7" }, 1 }, { { "4" }, 1 } } },
  ["add m64, r64"] = { uops = { { { "0", "1", "5", "6" }, 1 }, { { "2", "3" }, 1 }, { { "2", "3", "7" }, 1 }, { { "4" }, 1 } } },
  ["vpaddd ymm, ymm, m256"] = { uops = { { { "0", "1", "5" }, 2 }, { { "2", "3" }, 2 } } },
  ["bswap r64"] = { uops = { { { "0", "6" }, 1 }, { { "1", "5" }, 1 } } },
  ["xchg r64, r64"] = { uops = { { { "0", "1", "5", "6" }, 3 } }, slots = 2, macro_ops = 5, latency = 2 },
  ["mov r64, r64"] = { uops = {} },
} }

local function count_one(p, e, event) return assert(p:count({ e }, event))[1].count end

describe("a simulated processor counts", function()
  it("uops on ports as they are in the optimal schedule, each port or several together", function()
    local truth = random_mapping.three_level { ports = 6, schemes = 8, seed = 3 }
    local p = assert(simulated.new { mapping = truth, counters = { "uops", "ports", "port:1/4" } })
    assert.same({ "uops", "port:0", "port:1", "port:2", "port:3", "port:4", "port:5", "port:1/4" }, p:counters())
    local list = random_mapping.experiments(mapping.schemes(truth), 40, { seed = 2 })
    local compiled = assert(mapping.compile(truth))
    for _, e in ipairs(list) do
      local model, sum = compiled:predict(e), 0
      for port, load in pairs(model.load) do
        assert.equal(load, count_one(p, e, "port:" .. port))
        sum = sum + load
      end
      assert.is_true(math.abs(sum - model.uops) < 1e-9)
      assert.equal(model.uops, count_one(p, e, "uops"))
      assert.is_true(math.abs(model.load["1"] + model.load["4"] - count_one(p, e, "port:1/4")) < 1e-9)
    end
  end)

  it("what a greedy binder does, which need not be even", function()
    local p = assert(simulated.new { mapping = skylake, counters = { "uops", "ports" }, binder = "recent" })
    local compiled, uneven = assert(mapping.compile(skylake)), 0
    for swaps = 1, 4 do
      local e, on, sum = { ["add r64, r64"] = 3, ["bswap r64"] = swaps }, {}, 0
      local even = compiled:predict(e).load
      for _, port in ipairs(skylake.ports) do
        on[port] = count_one(p, e, "port:" .. port)
        sum, uneven = sum + on[port], math.max(uneven, math.abs(on[port] - even[port]))
      end
      assert.is_true(math.abs(sum - 3 - 2 * swaps) < 1e-9)
      assert.equal(3 + 2 * swaps, count_one(p, e, "uops"))
      assert.same({ 0, 0, 0, 0 }, { on["2"], on["3"], on["4"], on["7"] })
    end
    assert.is_true(uneven > 0.01)
  end)

  it("macro-ops by Postulate 6.5, or as the mapping says", function()
    local p = assert(simulated.new { mapping = skylake, counters = { "macro-ops" } })
    local expected = { ["add r64, r64"] = 1, ["add r64, m64"] = 1, ["mov r64, m64"] = 1, ["mov m64, r64"] = 1, ["add m64, r64"] = 3,
      ["vpaddd ymm, ymm, m256"] = 2, ["bswap r64"] = 2, ["xchg r64, r64"] = 5, ["mov r64, r64"] = 1 }
    for name, n in pairs(expected) do assert.equal(n, count_one(p, { [name] = 1 }, "macro-ops"), name) end
    assert.equal(2 * 5 + 3, count_one(p, { ["xchg r64, r64"] = 2, ["add m64, r64"] = 1 }, "macro-ops"))
  end)

  it("with relative noise, whatever its unit, and anew each time", function()
    for _, unit in ipairs { "cpi", "relative" } do
      local p = assert(simulated.new { mapping = skylake, counters = { "uops" }, seed = 4, noise = { kind = "uniform", width = 0.02, unit = unit } })
      local most, e = 0, { ["add r64, r64"] = 50 }
      for _ = 1, 100 do most = math.max(most, math.abs(count_one(p, e, "uops") - 50)) end
      assert.is_true(most <= 1 and most > 0.9, most)
    end
    local p = assert(simulated.new { mapping = skylake, counters = { "ports" }, noise = { outliers = 0.3 } })
    local off = 0
    for _ = 1, 100 do
      local n = count_one(p, { ["mov m64, r64"] = 1 }, "port:4")
      assert.is_true(n == 1 or n >= 1.1 and n <= 2)
      if n > 1 then off = off + 1 end
    end
    assert.is_true(off > 15 and off < 45, off)
    assert.equal(0, count_one(p, { ["mov m64, r64"] = 1 }, "port:0"))
  end)

  it("nothing that it has no counter for, and nothing of what it does not know", function()
    local p = assert(simulated.new { mapping = skylake, counters = { "uops" } })
    local counts, message = p:count({ { ["add r64, r64"] = 1 } }, "port:1")
    assert.is_nil(counts)
    assert.equal("the simulated processor has no counter 'port:1'", message)
    local results = p:count({ { nosuch = 1 }, {}, { ["add r64, r64"] = 1 } }, "uops")
    assert.same({ "unsupported", "unsupported", "ok" }, { results[1].status, results[2].status, results[3].status })
    assert.same({}, assert(simulated.new { mapping = skylake }):counters())
    for word, says in pairs { cycles = "there is no counter 'cycles'", ["port:9"] = "there is no port '9'", ["port:0/9"] = "there is no port '9'" } do
      local none, why = simulated.new { mapping = skylake, counters = { word } }
      assert.is_nil(none)
      assert.matches(says, why)
    end
  end)

  it("as the command line's word for the oracle says", function()
    local spec = assert(oracle.parse "sim:m.json,counters=uops+ports,seed=2")
    assert.same({ counters = { "uops", "ports" }, seed = 2 }, spec.options)
    assert.is_nil((oracle.parse "sim:m.json,counters="))
  end)
end)

describe("issue slots of a simulated processor", function()
  local names, slots = {}, { ["add r64, r64"] = 1, ["add r64, m64"] = 1, ["mov r64, m64"] = 1, ["mov m64, r64"] = 1, ["add m64, r64"] = 2,
    ["vpaddd ymm, ymm, m256"] = 3, ["bswap r64"] = 2, ["xchg r64, r64"] = 2, ["mov r64, r64"] = 1 }
  for name in pairs(slots) do names[#names + 1] = name end
  table.sort(names)
  local list = {}
  for i, name in ipairs(names) do list[i] = { name = name } end

  it("are measured by padding: uops, but for those that share one by micro-fusion; or what the mapping says", function()
    for i, n in ipairs(assert(simulated.new { mapping = skylake }):issue_slots(list, 4)) do
      assert.is_true(math.abs(n - slots[names[i]]) < 1e-9, names[i])
    end
  end)

  it("limit the throughput, too", function()
    local p = assert(simulated.new { mapping = skylake })
    assert.equal(0.75, p:measure({ { ["mov r64, r64"] = 3 } })[1].cycles)
    assert.equal(1.5, p:measure({ { ["mov r64, r64"] = 4, ["xchg r64, r64"] = 1 } })[1].cycles) -- 6 slots; 3 uops on 4 ports
  end)

  it("are noisy, and below the truth rather than above, as the least counts", function()
    local below, apart = 0, 0
    for seed = 1, 20 do
      local p = assert(simulated.new { mapping = skylake, seed = seed, noise = { kind = "gaussian", width = 0.005, unit = "relative" } })
      for i, n in ipairs(p:issue_slots(list, 4)) do
        local off = n - slots[names[i]]
        apart = math.max(apart, math.abs(off))
        if off < 0 then below = below + 1 end
      end
    end
    assert.is_true(apart > 0.02 and apart < 0.4, apart)
    assert.is_true(below > 0.8 * 20 * #names and below < 20 * #names, below)
  end)

  it("cannot be measured of unknown schemes, nor where the front end has no limit", function()
    local p = assert(simulated.new { mapping = skylake })
    local measured = p:issue_slots { { name = "nosuch" }, { name = "add r64, r64" } } -- R_max where no width is given
    assert.same({ false, 1 }, { measured[1], math.floor(measured[2] + 0.5) })
    p = assert(simulated.new { mapping = { format = skylake.format, version = 1, ports = skylake.ports, schemes = skylake.schemes } })
    assert.same({ false, false }, p:issue_slots { list[1], list[2] })
  end)
end)

-- The facts of a processor with these numbers.
local function facts(vendor, family, model, stepping)
  local text = "processor\t: 0\nvendor_id\t: %s\ncpu family\t: %d\nmodel\t\t: %d\nmodel name\t: x\nstepping\t: %d\nflags\t\t: fpu\n"
  return assert(cpu.facts(text:format(vendor, family, model, stepping)))
end

describe("hardware counters", function()
  it("are listed for processors by their numbers", function()
    local pmu = function(...) return hardware_counters.counters_of(facts(...)) end
    assert.equal("clx", pmu("GenuineIntel", 6, 85, 7).pmu)
    assert.equal("skx", pmu("GenuineIntel", 6, 85, 4).pmu)
    assert.equal("spr", pmu("GenuineIntel", 6, 0x8f, 8).pmu)
    assert.same({ "amd64_fam17h_zen1", 128 }, { pmu("AuthenticAMD", 0x17, 8, 2).pmu, pmu("AuthenticAMD", 0x17, 8, 2).memory_bits })
    assert.same({ "amd64_fam17h_zen2", 256 }, { pmu("AuthenticAMD", 0x17, 0x71, 0).pmu, pmu("AuthenticAMD", 0x17, 0x71, 0).memory_bits })
    assert.equal("amd64_fam19h_zen3", pmu("AuthenticAMD", 0x19, 0x21, 0).pmu)
    assert.equal("amd64_fam19h_zen4", pmu("AuthenticAMD", 0x19, 0x61, 2).pmu)
    assert.is_nil(pmu("GenuineIntel", 6, 60, 3))
    local none, reason = hardware_counters.counters { facts = facts("GenuineIntel", 6, 60, 3) }
    assert.same({}, none)
    assert.equal("no performance counters here: arch/x86_64/counters.lua does not list this processor", reason)
  end)

  it("have names that libpfm4 knows for each of these processors", function()
    if core.isa.host ~= "x86_64" then pending "libpfm4 knows x86-64's counters only on such machines" return end
    local code = [[
      local core, events = require "portolan.core", {}
      for _, entry in ipairs(dofile(require("portolan.support.paths").arch "x86_64/counters.lua")) do
        if entry.pmu == os.getenv "LIBPFM_FORCE_PMU" then
          for _, port in ipairs(entry.ports or {}) do events[#events + 1] = port[2] end
          events[#events + 1] = entry.uops
          events[#events + 1] = entry.macro_ops
          for _, event in ipairs(events) do
            local kind, config = core.bench.event(event)
            print(event, kind, kind and ("%x"):format(config) or config)
          end
        end
      end]]
    local looked_up = 0
    for _, entry in ipairs(dofile(paths.arch "x86_64/counters.lua")) do
      local r = process.run { args = { process.portolan, "repl", "-e", code }, env = { LIBPFM_FORCE_PMU = entry.pmu } }
      assert.equal(0, r.status, r.err)
      local seen = {}
      for event, kind, config in r.out:gmatch("([^\t\n]+)\t([^\t\n]+)\t([^\n]+)\n") do
        assert.equal("4", kind, entry.pmu .. " " .. event .. ": " .. config) -- PERF_TYPE_RAW
        assert.is_true(not seen[config] or seen[config] == event, entry.pmu .. ": two names of " .. config)
        seen[config], looked_up = event, looked_up + 1
      end
      assert.is_truthy(next(seen), r.out)
      if entry.macro_ops then assert.is_truthy(seen.c1) end -- PMCx0C1
      if entry.uops then assert.equal(entry.uops, seen["1b1"]) end
    end
    assert.equal(3 * 9 + 3 * 8 + 4, looked_up)
  end)

  it("are there, or the reason why not is said in one line", function()
    local list, reason = hardware_counters.available()
    if #list > 0 then return assert.is_true(list[1] == "uops" or list[1] == "macro-ops") end
    assert.matches("^no performance counters here: [^\n]+$", reason)
    local none, message = hardware_counters.count(setmetatable({ facts = cpu.facts() }, { __index = hardware_counters }), {}, "uops")
    assert.is_nil(none)
    assert.equal(reason, message)
  end)

  it("do not know events by other names", function()
    local kind, message, status = core.bench.event "uops_of_mine"
    assert.is_nil(kind)
    assert.matches("libpfm4: .*uops_of_mine", message)
    assert.equal("unsupported", status)
  end)

  -- A session that counts as a Skylake would: NOPs nothing, the loop's jump one uop on port 6, and of the code what the test says.
  local policy = core.isa.policy(assert(loop_body.declared "x86_64"))
  local function fake(counted)
    local session = { describe = function() return { accepted = 1, rejected = 0 } end, close = function() end }
    function session:count(events)
      self.events = events
      return true
    end
    local p = setmetatable({ facts = facts("GenuineIntel", 6, 0x5e, 3), session = session, readings = {}, wait = 0, key = "k", policy = policy },
      { __index = require "portolan.processor.hardware" })
    function p.counters(self)
      self.event_names = { uops = "UOPS_EXECUTED:THREAD" }
      return { "uops" }
    end
    function p.kernels(_, e) return { { bytes = "x", copies = 3, e = experiment.format(e) } } end
    function p.run(_, lists)
      local results = {}
      for i, kernels in ipairs(lists) do
        local k = kernels[1]
        local per_copy = counted[k.e]
        if not k.e then per_copy = 0 end
        results[i] = { status = "ok", variant = 1, n = 9, cycles = 1, counts = per_copy and { per_copy + 1 / k.copies } or nil }
      end
      assert.same({ "UOPS_EXECUTED:THREAD" }, session.events)
      return results, "ok"
    end
    return p
  end

  it("do not count the loop's own instructions", function()
    local p = fake { a = 2, ["2*b"] = 0.5 }
    local counts = assert(p:count({ { a = 1 }, { b = 2 } }, "uops"))
    assert.is_true(math.abs(counts[1].count - 2) < 1e-9 and math.abs(counts[2].count - 0.5) < 1e-9)
    assert.same({ "ok", 9 }, { counts[1].status, counts[1].n })
    assert.same({}, p.session.events) -- what follows is not counted
    assert.is_nil((p:count({ { a = 1 } }, "port:1")))
  end)

  it("say so where the counter was not on the processor", function()
    local p = fake { a = false }
    p.loop_shares = { uops = 1 }
    local counts = assert(p:count({ { a = 1 } }, "uops"))
    assert.same({ "not counted" }, { counts[1].status, counts[1].count })
  end)
end)
