-- When to ask again, when to believe, when to give up.
local ask = require "portolan.measuring.ask"
local chart = require "portolan.infer.chart"
local core = require "portolan.core"
local cpu = require "portolan.machine.cpu"
local faint = require "portolan.measuring.faint"
local mapping = require "portolan.mapping"
local policy = require "portolan.measuring.policy"
local simulated = require "portolan.processor.simulated"
local slots = require "portolan.measuring.slots"
local small_core = require "support.small_core"
local undecided = require "portolan.measuring.undecided"
local values = require "portolan.measuring.values"

local function ok(cycles, n, rejected) return { status = "ok", cycles = cycles, n = n or 20, rejected = rejected or 0 } end

describe("what the machine leaves undecided", function()
  -- Questions whose results are the entries of lists, one after the other; how often each was asked.
  local function settle(answers, patience, deadline)
    local questions, results, asked = {}, {}, {}
    for i = 1, #answers do questions[i], asked[i] = { number = i }, 0 end
    assert(undecided.settle(questions, function(batch)
      for _, q in ipairs(batch) do
        asked[q.number] = asked[q.number] + 1
        local list = answers[q.number]
        results[q.number] = list[math.min(asked[q.number], #list)]
      end
      return true
    end, function(q) return results[q.number] end, patience, deadline))
    return results, asked
  end
  local noisy, unsteady = { status = "unstable" }, { status = "unstable", unsteady = true }

  it("is asked again, and nothing else", function()
    local results, asked = settle({ { ok(1) }, { noisy, ok(2) }, { unsteady }, { { status = "timeout" } } }, { seconds = 0 })
    assert.same({ 1, 2, 1, 1 }, asked)
    assert.equal(2, results[2].cycles)
  end)

  it("is given up after some tries when there is no time to wait", function()
    local results, asked = settle({ { noisy } }, { seconds = 0 })
    assert.same({ policy.undecided.tries }, asked)
    assert.equal("unstable", results[1].status)
  end)

  it("is asked as long as there is time, but not beyond a deadline", function()
    local answers = {}
    for i = 1, 30 do answers[i] = noisy end
    answers[31] = ok(3)
    local results, asked = settle({ answers }, { seconds = 60 })
    assert.same({ 31 }, asked)
    assert.equal(3, results[1].cycles)
    local _, late = settle({ answers }, { seconds = 60 }, core.base.now() - 1)
    assert.same({ 1 }, late)
  end)

  it("ends with a failure to ask", function()
    local none, message = undecided.settle({ {} }, function() return nil, "no worker" end, function() return {} end, { seconds = 9 })
    assert.same({ n = 2, nil, "no worker" }, table.pack(none, message))
  end)
end)

describe("answers that rest on hardly any reading", function()
  it("are told from others", function()
    assert.is_true(faint.is(ok(1, 1, 9)))
    assert.is_false(faint.is(ok(1, 1, 0)))
    assert.is_false(faint.is(ok(1, 40, 4000)))
    assert.is_false(faint.is { status = "unstable", n = 1, rejected = 9 })
  end)

  it("are replaced by the first firm one, or by the middle of three that agree", function()
    local list, results = { "a", "b" }, { ok(1.4, 1, 9), ok(2.8, 1, 9) }
    local more = { a = { ok(1) }, b = { ok(2.02, 1, 9), ok(2, 1, 9), ok(2.01, 1, 9) } }
    faint.confirm(list, results, function(some)
      local answers = {}
      for i, name in ipairs(some) do answers[i] = table.remove(more[name], 1) end
      return answers
    end)
    assert.equal(1, results[1].cycles)
    assert.equal(2.01, results[2].cycles)
  end)
end)

describe("asking in bulk", function()
  it("takes one reading of each where noise allows, and as many as a median needs where not", function()
    local asked = 0
    local function read(list)
      asked = asked + #list
      local results = {}
      for i, e in ipairs(list) do results[i] = ok(e) end
      return results
    end
    assert.equal(3, ask.all(read, { 1, 2, 3 }, 0)[3].cycles)
    assert.equal(3, asked)
    ask.all(read, { 1, 2, 3 }, 2 * policy.precise.deviation)
    assert.equal(3 + 3 * 7, asked) -- 1.57 * 4 readings
    ask.all(read, { 1, 2 }, 0.01, { precision = { 0.01, 0.005 } })
    assert.equal(24 + 1 + 7, asked)
  end)

  it("knows the middle, and the noise of repeated readings", function()
    assert.equal(2, values.middle { 3, 1, 2 })
    assert.equal(2.5, values.middle { 4, 1, 2, 3 })
    assert.equal(0, values.noise { { readings = { 1 } }, {} })
    assert.is_true(values.noise { { readings = { 1, 1.01 } }, { readings = { 1, 1.01 } } } > 0.01)
  end)
end)

describe("issue slots", function()
  -- Counts schemes whose readings are lists, false for none; returns the counts, and how often each was read.
  local function count(readings, least)
    local names, asked = {}, {}
    for name in pairs(readings) do names[#names + 1], asked[name] = name, 0 end
    table.sort(names)
    return slots.count(names, function(open)
      local counts = {}
      for i, name in ipairs(open) do
        asked[name] = asked[name] + 1
        counts[i] = readings[name][math.min(asked[name], #readings[name])]
      end
      return counts
    end, least or 1, 0.25), asked
  end

  it("are read until the middle of their readings is near a whole number", function()
    local counts, asked = count { sure = { 2.1 }, late = { 2.5, 2.9, 3 }, never = { 1.5, 1.3, 1.6, 1.4, 1.7, 1.5, 1.3, 1.6, 1.5 }, little = { 0.4 } }
    assert.same({ sure = 2.1, late = 2.9, never = 1.5, little = 0.4 }, counts)
    assert.same({ sure = 1, late = 3, never = policy.slots.most, little = 1 }, asked)
  end)

  it("are not read again where several readings say the same", function()
    local counts, asked = count { between = { 1.5, 1.52, 1.48 } }
    assert.same({ { between = 1.5 }, { between = policy.slots.steady } }, { counts, asked })
  end)

  it("are read as often as noise demands", function()
    local counts, asked = count({ sure = { 2.1, 1.9, 2 } }, 3)
    assert.same({ { sure = 2 }, { sure = 3 } }, { counts, asked })
  end)

  it("are given up where there is no reading at all", function()
    local counts, asked = count { none = { false }, third = { false, false, 1 } }
    assert.same({ { third = 1 }, { none = policy.slots.tries + 1, third = 3 } }, { counts, asked })
  end)

  it("are at least one", function()
    assert.same({ 1, 1, 2 }, { slots.nearest(0.2), slots.nearest(1.4), slots.nearest(1.6) })
    assert.is_true(slots.is_near(0.5, 0.1))
    assert.is_false(slots.is_near(1.5, 0.4))
  end)
end)

describe("a chart's budget", function()
  it("ends it with what is known, and says so", function()
    local m = small_core.with_misfit("vsqrtps ymm, ymm", small_core.uops(2, "0", "5"), { busy = 7 })
    local p = assert(simulated.new { mapping = m, bursts = 0.01 })
    local result = chart.run(p, { { name = "All", schemes = mapping.schemes(m) } }, { evaluate = 0, budget = -1 })
    assert.is_true(result.partial)
    assert.is_truthy(result.failure:find("--budget", 1, true))
    assert.same({}, result.mapping.ports)
  end)
end)

describe("processors", function()
  local hybrid = { ["/sys/devices/cpu_core/cpus"] = "0-3,8\n", ["/sys/devices/cpu_atom/cpus"] = "4-7\n" }
  local function read(path) return hybrid[path] end

  it("of a hybrid kind are measured on one kind of core, never on both", function()
    assert.same({ 0, 1, 2, 3, 8 }, select(2, cpu.kind_of(nil, read)))
    local kind, cpus = cpu.kind_of(5, read)
    assert.equal("atom", kind)
    assert.same({ 4, 5, 6, 7 }, cpus)
  end)

  it("whose cores are alike are not told apart", function()
    assert.is_nil(cpu.kind_of(nil, function() end))
    assert.is_nil(cpu.kind_of(1, function(path) return path:find "core" and "0-3" or nil end))
  end)

  it("that may be used are listed", function() assert.is_true(#cpu.allowed() > 0) end)
end)
