-- Cores that nobody has met, and how charts of them are judged (tests/bench/chimeras.lua).
local chimera = require "cores.chimera"
local core = require "portolan.core"
local core_habits = require "cores.simulated_habits"
local json = require "portolan.support.json"
local judge = require "cores.judge"
local lists = require "portolan.support.lists"
local shows = require "cores.shows"
local simulated = require "portolan.processor.simulated"
local small = require "cores.small"

local function copy(m) return assert(json.decode((assert(json.encode(m))))) end

describe("a chimera", function()
  it("is the same for the same seed, and another one for another", function()
    local one, other = chimera(3), chimera(3)
    one.options.habits, other.options.habits = nil, nil -- functions of `whole_core`
    assert.same(one, other)
    assert.not_same(chimera(3).mapping, chimera(4).mapping)
  end)

  it("can be simulated, and answers for all schemes of its set", function()
    for seed = 1, 40 do
      local c = chimera(seed)
      local p = assert(simulated.new(c.options))
      for _, result in ipairs(p:measure(lists.map(c.names, function(name) return { [name] = 1 } end))) do
        assert(result.status ~= "unsupported", result.message)
      end
    end
  end)

  it("is one of many kinds", function()
    local words = {}
    for seed = 1, 150 do
      for _, word in ipairs(chimera(seed).habits) do words[word:gsub("[%d.]+", "N")] = true end
    end
    for _, word in ipairs { "NOPs fuse", "moves eliminated N a cycle", "moves eliminated in part", "no micro-fusion", "N bits split",
      "retires N a cycle", "whole groups beyond N slots", "N vector results a cycle", "binds late, N entries", "N schedulers, N% in turn",
      "storm" } do
      assert(words[word], "no core of 150 has it: " .. word)
    end
  end)
end)

describe("the judge", function()
  local function judged(change)
    local truth = small.zen4()
    for _, scheme in pairs(truth.schemes) do scheme.witnesses = {} end
    truth.schemes["imul r64, r64"].status, truth.schemes["imul r64, r64"].tp = "slower than ports", 2
    truth.schemes["mov r64, r64"].uops = { { { "a", "b", "c", "d" }, 1 } }
    local found = copy(truth)
    change(found.schemes)
    return judge(found, truth, lists.keys(truth.schemes)).of
  end

  it("wants what is held up beside its ports told, and takes its uops for no mistake", function()
    local name = "imul r64, r64"
    assert.equal("right", judged(function() end)[name])
    assert.equal("right", judged(function(s) s[name].uops = { { { "a" }, 1 } } end)[name])
    assert.equal("unclaimed", judged(function(s) s[name].status = "explained" end)[name])
    assert.equal("unclaimed", judged(function(s) s[name].status, s[name].uops = "contradicting", nil end)[name])
    assert.equal("wrong", judged(function(s) s[name].status, s[name].uops = "explained", { { { "a", "b" }, 1 } } end)[name])
    assert.equal("wrong", judged(function(s) s[name].status, s[name].uops = "eliminated at rename", {} end)[name])
  end)

  it("takes the uops of what is eliminated now and then for no mistake", function()
    local name = "mov r64, r64"
    assert.equal("right", judged(function(s) s[name].uops = {} end)[name])
    assert.equal("unclaimed", judged(function(s) s[name].status = "explained" end)[name])
    assert.equal("wrong", judged(function(s) s[name].status, s[name].uops = "explained", { { { "a" }, 1 } } end)[name])
  end)
end)

describe("a wrong claim", function()
  local function shown(change, habits)
    local truth = small.zen4()
    for _, scheme in pairs(truth.schemes) do scheme.witnesses = {} end
    local found = copy(truth)
    change(found.schemes)
    local p = assert(simulated.new { mapping = truth, habits = core_habits.of(habits) })
    return shows(found, truth, p, judge(found, truth, lists.keys(truth.schemes)).of, core.base.rng(1))
  end

  it("shows where an experiment refutes it", function()
    local s = shown(function(schemes) schemes["vmulpd ymm, ymm, ymm"].uops = { { { "0", "1", "2" }, 1 } } end)
    assert.same({ "vmulpd ymm, ymm, ymm" }, lists.keys(s))
    local one = s["vmulpd ymm, ymm, ymm"]
    assert.is_true(math.abs(one.found / one.cycles - 1) > 0.05 and math.abs(one.truth / one.cycles - 1) <= 0.05)
  end)

  it("does not where something beside ports hides what it says", function()
    local uses, name = {}, "vpand ymm, ymm, ymm"
    for other in pairs(small.zen4().schemes) do uses[other] = other:find "^v" and 1 or nil end
    local function twice(schemes) schemes[name].uops = { { { "0", "1", "2", "3" }, 2 } } end
    assert.same({ name }, lists.keys(shown(twice)))
    assert.same({}, shown(twice, { units = { { most = 1, uses = uses } } }))
  end)
end)
