-- Palmed's inference: cores whose resources are known, noise, limits, and the command.
local conjunctive = require "portolan.mapping.conjunctive"
local core = require "portolan.core"
local evaluate = require "portolan.infer.pmevo.evaluate"
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local mapping = require "portolan.mapping"
local model = require "portolan.prediction.model"
local palmed = require "portolan.infer.palmed"
local process = require "process"
local program = require "portolan.support.linear_program"
local quadratic = require "portolan.infer.palmed.quadratic"
local replay = require "portolan.processor.replay"
local simulated = require "portolan.processor.simulated"
local small_core = require "support.small_core"
local temporary = require "portolan.support.temporary"
local tiny_mapping = require "support.tiny_mapping"

local function processor(m, noise)
  return assert(simulated.new { mapping = m, seed = 3, noise = noise and { kind = "gaussian", width = noise, unit = "relative" } or nil })
end

-- The largest and the mean relative error of a mapping on random experiments of the core.
local function errors(found, m, names)
  local predicts, sum, most, list = assert(model.of_conjunctive(found)), 0, 0, evaluate.experiments(names, 300, 7)
  for i, result in ipairs(processor(m):measure(list)) do
    local error = math.abs(assert(predicts:throughput(list[i])) / result.cycles - 1)
    sum, most = sum + error, math.max(most, error)
  end
  return most, sum / #list
end

local function infer(m, noise, options)
  options = options or { epsilon = not noise and 0.005 or nil }
  local names = mapping.schemes(m, true)
  return assert(palmed.infer(processor(m, noise), names, options)), names
end

describe("a program of linear inequalities", function()
  it("is solved, with duals", function()
    local p = program.new { maximise = true }
    local x, y = p:column { cost = 1 }, p:column { cost = 1 }
    p:row({ x, y }, { 1, 2 }, nil, 4)
    p:row({ x, y }, { 3, 1 }, nil, 6)
    local answer = assert(p:solve())
    assert.equal("optimal", answer.status)
    assert.near(2.8, answer.objective, 1e-9)
    assert.near(0.4, answer.duals[1], 1e-9)
    p.columns[1].whole = true
    answer = assert(p:solve())
    assert.equal(1, answer.values[1])
    assert.near(1.5, answer.values[2], 1e-9)
  end)

  it("may have no answer", function()
    local p = program.new()
    local x = p:column()
    p:row({ x }, { 1 }, 2)
    p:row({ x }, { 1 }, nil, 1)
    assert.same({ status = "infeasible", nodes = 0 }, (p:solve()))
    local free = program.new { maximise = true }
    free:column { cost = 1 }
    assert.equal("unbounded", free:solve().status)
  end)

  it("is refused if it is none", function()
    local p = program.new()
    local answer, message, status = p:solve()
    assert.is_nil(answer)
    assert.matches("needs a column", message)
    assert.equal("bad input", status)
    p:column()
    p:row({ 2 }, { 1 }, 1)
    assert.matches("row 1", (select(2, p:solve())))
    p.rows = { { columns = { 1 }, values = {} } }
    assert.has_error(function() p:solve() end)
    assert.has_error(function() core.model.solve { columns = 5, rows = {} } end)
  end)
end)

describe("the counts of a pair", function()
  it("balance the times of both", function()
    assert.same({ 4, 1 }, { quadratic.ratio(0.25, 1) })
    assert.same({ 2, 3 }, { quadratic.ratio(0.5, 1 / 3) })
    assert.same({ 1, 1 }, { quadratic.ratio(1, 1.02) })
    assert.same({ 39, 1 }, { quadratic.ratio(0.25, 100) }) -- no more than that
  end)
end)

describe("Palmed's inference", function()
  it("finds the resources of disjoint ports", function()
    local m = tiny_mapping(nil, "012", { a = "0", b = "12", c = "12" })
    local outcome = infer(m)
    assert.equal("complete", outcome.status)
    assert.equal(2, #outcome.mapping.resources)
    assert.equal(2, outcome.classes)
    assert.same(outcome.mapping.schemes.b, outcome.mapping.schemes.c)
    local most = errors(outcome.mapping, m, { "a", "b", "c" })
    assert.is_true(most < 1e-6, most)
  end)

  it("finds what three schemes show together, and no two of them", function()
    local m = tiny_mapping(nil, "0123", { a = "01", b = "12", c = "23" })
    local outcome, names = infer(m)
    local most = errors(outcome.mapping, m, names)
    assert.is_true(most < 1e-6, most)
    assert.near(5 / 4, assert(model.of_conjunctive(outcome.mapping)):throughput { a = 2, b = 1, c = 2 }, 1e-6)
  end)

  it("takes the front end for a resource", function()
    local m = tiny_mapping(3, "01234", { a = "0", b = "12", c = "34" })
    local outcome, names = infer(m)
    local predicts = assert(model.of_conjunctive(outcome.mapping))
    assert.near(5 / 3, predicts:throughput { a = 1, b = 2, c = 2 }, 1e-6)
    assert.is_true((errors(outcome.mapping, m, names)) < 1e-6)
  end)

  it("maps a core with schemes of several uops, and a divider", function()
    local m = small_core.mapping { ["div r32"] = small_core.uops(1, "0", "0", "0", "0", "0", "0"),
      ["bound r64, m128"] = small_core.uops(2, "4", "7") }
    local outcome, names = infer(m)
    local most = errors(outcome.mapping, m, names)
    assert.is_true(most < 1e-6, most)
    assert.equal(0, outcome.unexplained)
  end)

  it("gets along with noise of 1%", function()
    local m = small_core.mapping()
    local outcome, names = infer(m, 0.01)
    local _, mean = errors(outcome.mapping, m, names)
    assert.is_true(mean < 0.03, mean)
  end)

  it("gives the same mapping for the same seed", function()
    local m = small_core.mapping()
    local first, second = infer(m, 0.01, { seed = 5 }), infer(m, 0.01, { seed = 5 })
    assert.equal(assert(conjunctive.encode(first.mapping)), assert(conjunctive.encode(second.mapping)))
  end)

  it("ends at its limits", function()
    local m = small_core.mapping()
    local names = mapping.schemes(m, true)
    local outcome, message = palmed.infer(processor(m), names, { experiment_limit = 20 })
    assert.is_nil(outcome)
    assert.equal("limit", message)
    local all = infer(m).experiments
    outcome = assert(palmed.infer(processor(m), names, { experiment_limit = all - 1 }))
    assert.equal("limit", outcome.status)
    assert.equal(all - 1 >= outcome.experiments, true)
    assert.is_nil((palmed.infer(processor(m), names, { time_limit = 0 })))
  end)

  it("ends when it is interrupted", function()
    core.base.set_interrupted(true)
    local outcome, message = palmed.infer(processor(small_core.mapping()), { "imul r64, r64" })
    core.base.set_interrupted(false)
    assert.is_nil(outcome)
    assert.equal("interrupted", message)
  end)

  it("leaves out what cannot be measured, and says so", function()
    local m = tiny_mapping(nil, "012", { a = "0", b = "12" })
    local outcome = assert(palmed.infer(processor(m), { "a", "b", "zz" }))
    assert.equal("unsupported here", outcome.failed.zz)
    assert.is_nil(outcome.mapping.schemes.zz)
    outcome = { palmed.infer(processor(m), { "zz" }) }
    assert.is_nil(outcome[1])
    assert.matches("could be measured alone", outcome[2])
  end)

  it("needs a scheme that runs once a cycle", function()
    local m = tiny_mapping(nil, "0", {})
    m.schemes.slow = small_core.uops(1, "0", "0")
    local outcome, message = palmed.infer(processor(m), { "slow" })
    assert.is_nil(outcome)
    assert.matches("no basic instructions", message)
  end)

  it("replays a record that holds its experiments", function()
    local m = small_core.mapping()
    local names, seen, inner = mapping.schemes(m, true), {}, processor(m)
    local recording = setmetatable({ measure = function(_, list, ...)
      local results = inner:measure(list, ...)
      for i, result in ipairs(results) do seen[#seen + 1] = { e = list[i], cycles = result.cycles, status = result.status } end
      return results
    end }, { __index = inner })
    local live = assert(palmed.infer(recording, names))
    local replayed = assert(palmed.infer(assert(replay.new { records = seen }), names))
    assert.same(live.mapping, replayed.mapping)
    local few = assert(palmed.infer(assert(replay.new { records = { seen[1], seen[2] } }), names))
    assert.is_true(next(few.failed) ~= nil)
    assert.equal(0, replayed.unanswered)
    local pairs_only = {}
    for i, record in ipairs(seen) do
      local second = next(record.e, next(record.e))
      if not second or not next(record.e, second) then pairs_only[#pairs_only + 1] = seen[i] end
    end
    assert.is_true(#pairs_only < #seen)
    assert.is_true(assert(palmed.infer(assert(replay.new { records = pairs_only }), names)).unanswered > 0)
  end)
end)

describe("portolan infer palmed", function()
  local function portolan(...)
    return process.run { args = { process.portolan, ... }, env = { LANG = "C", LC_ALL = false, LC_CTYPE = false, NO_COLOR = "1" } }
  end

  it("writes a mapping that predict and eval take", function()
    temporary.directory(function(d)
      assert(mapping.save(small_core.mapping(), d .. "/truth.json"))
      local r = portolan("infer", "palmed", "--oracle", "sim:" .. d .. "/truth.json", "--evaluate", "100", "--out", d .. "/out.json")
      assert.equal(0, r.status, r.out .. r.err)
      assert.matches("^complete; %d+ experiments", r.out)
      assert.matches("100 random experiments: MAPE 0.00%%, Pearson 1.000, Kendall tau%-b 1.000", r.out)
      local t = assert(json.decode(assert(file.read(d .. "/out.json"))))
      assert.equal("palmed", t.provenance.method)
      assert.is_nil(t.provenance.partial)
      r = portolan("predict", "--mapping", d .. "/out.json", "2*imul r64, r64 + shl r64, imm8")
      assert.equal(0, r.status, r.err)
      assert.matches("2.000 cycles", r.out)
      assert(file.write(d .. "/e.jsonl", '{"e":{"imul r64, r64":2},"cycles":2.0}\n'))
      r = portolan("eval", d .. "/e.jsonl", "--mapping", d .. "/out.json")
      assert.equal(0, r.status, r.err)
      r = portolan("infer", "palmed", "--oracle", "sim:" .. d .. "/truth.json", "--json", "--evaluate", "0", "imul r64, r64", "shl r64, imm8")
      assert.equal(2, #assert(json.decode(r.out)).basics)
    end)
  end)

  it("says what is wrong with its options in one line", function()
    temporary.directory(function(d)
      assert(mapping.save(small_core.mapping(), d .. "/truth.json"))
      local sim = "sim:" .. d .. "/truth.json"
      for _, case in ipairs {
        { "no scheme 'nonsense'", "--oracle", sim, "nonsense" }, { "%-%-epsilon", "--oracle", sim, "--epsilon", "2" },
        { "%-%-basic", "--oracle", sim, "--basic", "0" }, { "no such directory", "--oracle", sim, "--out", d .. "/none/out.json" },
        { "oracle", "--oracle", "junk:1" },
      } do
        local r = portolan("infer", "palmed", table.unpack(case, 2))
        assert.equal(2, r.status, r.out .. r.err)
        assert.equal("", r.out)
        assert.matches(case[1], r.err)
      end
      local r = portolan("infer", "palmed", "--oracle", sim, "--experiments", "5", "--out", d .. "/out.json")
      assert.equal(1, r.status)
      assert.matches("allow more\n$", r.err)
      assert.is_nil(file.kind(d .. "/out.json"))
    end)
  end)
end)
