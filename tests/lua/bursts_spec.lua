-- A noisy hour costs time, not correctness; and a simulated processor with a store answers as hardware does.
local faint = require "portolan.measuring.faint"
local policy = require "portolan.measuring.policy"
local core = require "portolan.core"
local chart = require "portolan.infer.chart"
local mapping = require "portolan.mapping"
local oracle = require "portolan.processor.oracle"
local process = require "process"
local simulated = require "portolan.processor.simulated"
local small_core = require "support.small_core"
local store = require "portolan.experiment.store"

local function truth() return small_core.with_misfit("vsqrtps ymm, ymm", small_core.uops(2, "0", "5"), { busy = 7 }) end

local function charted(options)
  options.mapping = truth()
  local p = assert(simulated.new(options))
  local result = chart.run(p, { { name = "All", schemes = mapping.schemes(truth()) } }, { evaluate = 0 })
  return result.mapping, p:describe().session
end

local function statuses(m)
  local list = {}
  for name, scheme in pairs(m.schemes) do list[name] = scheme.status end
  return list
end

describe("bursts of noise", function()
  it("cost readings, and change nothing", function()
    local disturbed, more = 0, 0
    for seed = 1, 4 do
      local quiet = charted { seed = seed }
      local noisy, session = charted { seed = seed, bursts = 0.5 }
      assert.same(statuses(quiet), statuses(noisy))
      assert.is_true(assert(core.model.compare(mapping.compile(quiet), mapping.compile(noisy), { epsilon = 0.02 })).equal)
      disturbed = disturbed + (session.rejected > 0 and 1 or 0)
      more = more + session.readings - quiet.provenance.experiments
    end
    assert.is_true(disturbed >= 2)
    assert.is_true(more > 100, "no more readings than in quiet")
  end)

  it("make some readings unstable and some slow, and pass", function()
    local p = assert(simulated.new { mapping = truth(), bursts = 0.6, seed = 3 })
    local list, seen = {}, { ok = 0, unstable = 0, slow = 0, noisy = 0 }
    for i = 1, 1200 do list[i] = { ["imul r64, r64"] = i } end
    p.session.patience.seconds, policy.undecided.tries = 0, 1 -- no patience: what is unstable stays so
    finally(function() policy.undecided.tries = 2 end)
    for i, r in ipairs(p:measure(list)) do
      seen[r.status] = seen[r.status] + 1
      if r.status == "ok" then
        assert.is_true(r.cycles >= i - 1e-6 and r.cycles <= 1.5 * i + 1e-6)
        if r.cycles > 1.05 * i then
          seen.slow = seen.slow + 1
          assert.is_true(faint.is(r)) -- its samples tell
        end
        if faint.is(r) then seen.noisy = seen.noisy + 1 end
      end
    end
    assert.is_true(seen.unstable > 50 and seen.slow > 10 and seen.noisy > 2 * seen.slow and seen.ok > 600)
    p.session.patience.seconds = 60
    for _, r in ipairs(p:measure(list)) do
      if r.status ~= "ok" then seen.left = (seen.left or 0) + 1 end
    end
    assert.is_true((seen.left or 0) < seen.unstable)
  end)

  it("must be a share of the time", function()
    for _, bad in ipairs { -0.1, 1, 0 / 0, "x" } do assert.is_nil((simulated.new { mapping = truth(), bursts = bad })) end
    assert.truthy(select(2, oracle.parse "sim:m.json,bursts=x"):find("no value for bursts", 1, true))
    assert.equal(0.3, oracle.parse("sim:m.json,bursts=0.3").options.bursts)
  end)
end)

describe("readings taken in noise", function()
  local function result(cycles, n) return { status = "ok", cycles = cycles, n = n, rejected = 10 - n } end
  -- Confirms one result; the further readings are given.
  local function confirmed(first, more)
    local results, asked = { first }, 0
    faint.confirm({ {} }, results, function()
      asked = asked + 1
      return { more[asked] or { status = "unstable" } }
    end)
    return results[1].cycles, asked
  end

  it("are believed if a quiet one says so, or the fastest three agree", function()
    assert.same({ 1, 0 }, { confirmed(result(1, 5), {}) })
    assert.same({ 1, 1 }, { confirmed(result(1.3, 1), { result(1, 8) }) })
    assert.same({ 1.01, 4 }, { confirmed(result(1.3, 1), { result(1, 1), result(1.31, 1), result(1.01, 1), result(1.015, 1) }) })
    assert.same({ 1, 3 }, { confirmed(result(1, 1), { { status = "unstable" }, result(1, 1), result(1, 1) }) })
  end)

  it("count as fast as the fastest if they never agree", function()
    local cycles, asked = confirmed(result(5, 1), { result(2, 1), result(3, 1), result(4, 1), result(6, 1) })
    assert.same({ 2, 9 }, { cycles, asked })
  end)
end)

describe("a simulated processor's binder", function()
  it("may be named by its kind", function()
    local e, of = { ["vpaddd ymm, ymm, ymm"] = 7, ["shl r64, imm8"] = 5, ["imul r64, r64"] = 3, ["vpermd ymm, ymm, ymm"] = 2 }, {}
    local compiled = assert(mapping.compile(truth()))
    for _, binder in ipairs { "optimal", "greedy", "recent", "late", "pending" } do
      local p = assert(simulated.new { mapping = truth(), binder = binder })
      of[binder] = p:measure({ e })[1].cycles
    end
    assert.equal(compiled:throughput(e), of.optimal)
    assert.equal(of.greedy, of.pending)
    for _, kind in ipairs { "recent", "late", "pending" } do assert.equal(compiled:bind(e, { kind = kind }), of[kind]) end
    assert.truthy(select(2, simulated.new { mapping = truth(), binder = "clever" }):find("pending, recent or late", 1, true))
  end)
end)

describe("a simulated processor with a store", function()
  it("does not measure again what the store has, and files repeated readings one by one", function()
    process.in_directory(function(d)
      local list, noise = { { ["imul r64, r64"] = 1 }, { ["shl r64, imm8"] = 2 } }, { kind = "gaussian", width = 0.01 }
      local function run(seed)
        local p = assert(simulated.new { mapping = truth(), noise = noise, seed = seed or 1, store = assert(store.open(d .. "/m.db")) })
        local values = {}
        for _, options in ipairs { {}, {}, { again = true }, { again = true } } do
          for _, r in ipairs(p:measure(list, options)) do values[#values + 1] = r.cycles end
        end
        local taken = p:describe().session.readings
        p:close()
        return values, taken
      end
      local first, taken = run()
      assert.equal(6, taken)
      assert.same({ first[1], first[2] }, { first[3], first[4] })
      assert.not_equal(first[1], first[5])
      assert.not_equal(first[5], first[7])
      local second, more = run()
      assert.same(first, second)
      assert.equal(0, more)
      assert.not_same(first, (run(2))) -- another processor
      local m = truth()
      m.schemes["imul r64, r64"].uops[1][2] = 2
      local p = assert(simulated.new { mapping = m, noise = noise, seed = 1, store = assert(store.open(d .. "/m.db")) })
      assert.is_true(p:measure(list)[1].cycles > 1.5)
      p:close()
    end)
  end)

  it("answers as one without, but for the noise", function()
    process.in_directory(function(d)
      local list = { { ["imul r64, r64"] = 1, ["shl r64, imm8"] = 2 }, { ["no such"] = 1 } }
      local p = assert(simulated.new { mapping = truth(), store = assert(store.open(d .. "/m.db")) })
      local q = assert(simulated.new { mapping = truth() })
      local a, b = p:measure(list), q:measure(list)
      assert.equal(b[1].cycles, a[1].cycles)
      assert.equal("unsupported", a[2].status)
      assert.equal(b[2].message, a[2].message)
      p:close()
    end)
  end)
end)
