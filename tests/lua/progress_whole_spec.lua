-- Progress of a whole chart: one figure, a time left that shrinks, and news at least every five seconds.
local chart = require "portolan.infer.chart"
local core = require "portolan.core"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local memory_use = require "portolan.scheme.memory_use"
local pace = require "portolan.progress.pace"
local plan = require "portolan.infer.chart.plan"
local process = require "process"
local scheme_set = require "portolan.scheme.set"
local simulated = require "portolan.processor.simulated"
local whole = require "portolan.progress.whole"

-- A line with a stream and a clock that tests can look at and set.
local function rig(options)
  local written, time = {}, 0
  options.stream = {
    write = function(_, ...) for _, s in ipairs { ... } do written[#written + 1] = s end end,
    flush = function() end,
  }
  options.clock = function() return time end
  options.title = "chart"
  return whole.new(options), function(t) time = t end, function()
    local text = table.concat(written)
    written = {}
    return text
  end
end

local function two() return { { name = "first", seconds = 10, experiments = 100 }, { name = "second", seconds = 30, experiments = 300 } } end

describe("the pace", function()
  -- Runs stages of so many experiments, that take so many seconds each, ten looks a second; calls see(share, left, left in truth).
  local function run(stages, takes, numbers, see)
    local p, now, all = pace.new(stages, 0), 0, 0
    for _, seconds in ipairs(takes) do all = all + seconds end
    for i, seconds in ipairs(takes) do
      p:enter(i, now)
      local steps = math.floor(seconds * 10)
      for k = 1, steps do
        now = now + seconds / steps
        p:count(math.floor(k * numbers[i] / steps), numbers[i], now)
        local share, left = p:look(now)
        see(share, left, all - now)
      end
    end
    return p, now
  end

  it("counts down where all goes as usual", function()
    local last_share, last_left = 0, math.huge
    run(two(), { 10, 30 }, { 100, 300 }, function(share, left, truth)
      assert.is_true(share >= last_share and left <= last_left + 1)
      assert.is_true(math.abs(left - truth) < 0.1 * truth + 1, ("%g for %g"):format(left, truth))
      assert.is_true(math.abs(share - (1 - truth / 40)) < 0.02)
      last_share, last_left = share, left
    end)
    assert.is_true(last_share > 0.999 and last_left < 0.5)
  end)

  it("learns from what was slow, and says how many experiments a second there are", function()
    local last_share = 0
    local p, now = run(two(), { 50, 150 }, { 100, 300 }, function(share, left, truth)
      assert.is_true(share >= last_share)
      if truth < 180 then assert.is_true(math.abs(left - truth) < 0.15 * truth + 2, ("%g for %g"):format(left, truth)) end
      last_share = share
    end)
    local done, planned, rate = p:experiments(now)
    assert.same({ 400, 400 }, { done, planned })
    assert.is_true(math.abs(rate - 2) < 0.1, tostring(rate))
  end)

  -- The table is wrong: thrice as many experiments, of which nobody knew before the stage asked for them; or hardly any.
  it("goes on where more is asked for than was planned, and does not stand still until that has been made up for", function()
    local last_share, still, longest = 0, 0, 0
    local function three(seconds)
      local stages = { { seconds = 10, experiments = 100 }, { seconds = seconds, experiments = 10 * seconds } }
      stages[3] = stages[1]
      return stages
    end
    run(three(10), { 10, 90, 10 }, { 100, 900, 100 }, function(share, left, truth)
      assert.is_true(share >= last_share and share - last_share < 0.02)
      still = share - last_share < 1e-4 and still + 0.1 or 0
      longest, last_share = math.max(longest, still), share
      local settling = truth < 100 and 80 * math.exp((truth - 100) / 2) or 80
      assert.is_true(math.abs(left - truth) < 0.1 * truth + settling + 2, ("%g for %g"):format(left, truth))
    end)
    assert.is_true(longest < 1 and last_share > 0.999, tostring(longest))
    last_share = 0
    run(three(90), { 10, 1, 10 }, { 100, 10, 100 }, function(share, left, truth)
      if truth < 3 then assert.is_true(left < truth + 8, ("%g for %g"):format(left, truth)) end
      assert.is_true(share - last_share < 0.02)
      last_share = share
    end)
    assert.is_true(last_share > 0.999)
  end)

  it("learns nothing from stages that an earlier run has answered", function()
    local p = pace.new(two(), 0)
    p:count(nil, nil, 0, 500)
    p:enter(1, 0)
    p:count(100, 100, 0.05, 500)
    p:enter(2, 0.1)
    local _, left = p:look(0.1)
    assert.is_true(left > 25 and left <= 31, tostring(left))
  end)

  it("says more and more time where a stage does not end", function()
    local p = pace.new({ { seconds = 10 }, { seconds = 30 } }, 0)
    p:enter(2, 0)
    local longest = 0
    for t = 1, 300 do
      local share, left = p:look(t)
      assert.is_true(share < 1 and left >= 0)
      longest = math.max(longest, left)
    end
    local _, left = p:look(300)
    assert.is_true(left > 40, tostring(left))
  end)
end)

describe("progress of a whole", function()
  it("is a plain line every five seconds where there is no terminal, also while the stage says nothing", function()
    local line, at, read = rig { stages = two(), live = false }
    line:update("first", 0, 100)
    for t = 1, 4 do at(t) line:tick() end
    assert.equal("", read())
    at(5) line:update("first", 50, 100)
    assert.matches("^chart: stage 1 of 2, first, 12 %%, 3[45] s left, 50 of some 400 experiments, 10 a second\n$", read())
    at(9.9) line:tick()
    assert.equal("", read())
    at(10) line:tick()
    assert.matches("^chart: stage 1 of 2, first, [^\n]*\n$", read())
    at(11) line:update("second")
    assert.equal("chart: first took 11 s\n", read())
    at(12) line:finish()
    assert.equal("", read())
  end)

  it("is one live line on a terminal, which its end clears", function()
    local line, at, read = rig { stages = two(), live = true, columns = 40 }
    line:update("first", 1, 100)
    assert.matches("^\r\27%[Kchart: stage 1 of 2, first", read())
    at(0.1) line:update("first", 2, 100)
    assert.equal("", read())
    at(30) line:update("second")
    local text = read()
    assert.is_nil(text:find("\n", 1, true))
    assert.is_true(utf8.len(text) <= 4 + 40)
    line:finish()
    assert.equal("\r\27[K", read())
  end)

  it("does not go back to a stage that is over, nor to what is none", function()
    local line, at, read = rig { stages = two(), live = false }
    line:update("second")
    at(5) line:update("first", 1, 2)
    assert.matches("^chart: stage 2 of 2, second", read())
    at(10) line:update("something else", nil, nil, "a note")
    assert.matches("^chart: stage 2 of 2, second, .*a note\n$", read())
  end)

  it("says that it is noisy, and how few experiments a second there are", function()
    local line, at, read = rig { stages = two(), live = false, budget = 2000 }
    line:update("first", 0, 100)
    at(5) line:tick()
    assert.is_nil(read():find("noisy", 1, true))
    line:weather(true)
    at(60) line:update("first", 30, 100)
    assert.matches(" left, 30 of some 400 experiments, 0%.5 a second, noisy\n$", read())
    line:weather(false)
    at(80) line:update("first", 90, 100)
    assert.is_nil(read():find("noisy", 1, true))
  end)

  it("bounds the time left by the budget", function()
    local line, at, read = rig { stages = two(), live = false, budget = 200 }
    line:update("first", 0, 100)
    at(150) line:update("first", 40, 100)
    assert.matches("at most 50 s left %(its budget%), 40 of some 400 experiments, 0%.3 a second\n$", read())
    at(201) line:tick()
    assert.matches("left, over its budget of 3 min 20 s, [^\n]*\n$", read())
  end)

  it("says what stays above the live line", function()
    local line, at, read = rig { stages = two(), live = true, columns = 80 }
    line:update("first", 0, 100)
    read()
    at(1) line:say "noisy (%left)."
    assert.matches("^\r\27%[Kchart: noisy %(%d+ s left%)%.\n\r\27%[Kchart: stage 1 of 2", read())
  end)
end)

-- A chart of many schemes, on a processor that takes as long for every experiment, as a clock has it that tests set: the line every five seconds.
describe("progress of a chart", function()
  local sets = { { "0", "1", "5", "6" }, { "0", "6" }, { "0", "1", "5" }, { "1" }, { "5" }, { "0", "1" }, { "1", "5" } }

  -- Schemes of registers and loads, each on ports of its mnemonic; every third has a uop more.
  local function truth(most)
    local schemes, n, of = {}, 0, {}
    for _, name in ipairs(scheme_set.names(assert(scheme_set.load("avx2", "x86_64")))) do
      local scheme, use = core.isa.scheme(name), memory_use(name)
      if n < most and not use.writes and #scheme.operands > 0 and not name:find "^mov" then
        of[scheme.mnemonic] = of[scheme.mnemonic] or 1 + n % #sets
        local uops = { { sets[of[scheme.mnemonic]], 1 } }
        if use.reads then uops[2] = { { "2", "3" }, 1 } end
        if of[scheme.mnemonic] % 3 == 0 then uops[#uops + 1] = { sets[2], 1 } end
        schemes[name], n = { uops = uops, status = "explained", slots = #uops }, n + 1
      end
    end
    return { format = "portolan-mapping", version = 1, ports = { "0", "1", "2", "3", "5", "6" }, rmax = 6, schemes = schemes }
  end

  it("says what share is done, how long the rest takes and how many experiments a second there are", function()
    local m, cost = truth(500), 0.05
    local now, lines = 0, {}
    local processor = assert(simulated.new { mapping = m })
    local measure = processor.measure
    function processor:measure(list, options)
      return measure(self, list, { progress = function(...)
        now = now + cost
        options.progress(...)
      end })
    end
    processor.measure_other_inputs = processor.measure -- as hardware has it
    local set = { { name = "All", schemes = mapping.schemes(m) } }
    local silent = lists.set { "uop counts", "front end", "first cache", "forms", "stores", -- answered at once, or not at all
      "second opinion" } -- computing takes no time by this clock
    local stages = lists.where(plan.of(500, {}), function(stage) return not silent[stage.name] end)
    -- without noise, and without odd schemes, half of the floods of real cores tell all
    local floods = lists.first(stages, function(stage) return stage.name == "uops by blocking" end)
    floods.seconds, floods.experiments = floods.seconds / 2, floods.experiments // 2
    local line = whole.new { title = "chart", stages = stages, live = false, clock = function() return now end, stream = {
      write = function(_, _, text)
        if text:find "stage" then lines[#lines + 1] = { now = now, text = text } end
      end,
      flush = function() end } }
    local result = chart.run(processor, set, { evaluate = 200, progress = function(...) line:update(...) end })
    assert.is_nil(result.failure)
    assert.is_true(now > 150 and #lines > now / 6, ("%g seconds, %d lines"):format(now, #lines))
    local last, last_left, grew = 0, math.huge, 0
    for _, l in ipairs(lines) do
      local share, words = l.text:match "^chart: stage %d+ of %d+, [^,]+, (%d+) %%, ([^,]+) left, "
      local done, planned, rate = l.text:match "left, (%d+) of some (%d+) experiments, ([%d.]+) a second$"
      assert.truthy(share and done, l.text)
      local minutes, seconds = words:match "^(%d+) min (%d+) s$"
      local left, remains = minutes and 60 * minutes + seconds or tonumber(words:match "^([%d.]+) s$"), now - l.now
      assert.is_true(tonumber(share) >= last and math.abs(share - 100 * l.now / now) < 20, l.text)
      assert.is_true(math.abs(rate * cost - 1) < 0.05 and math.abs(done * cost - l.now) < 0.1 and tonumber(planned) >= tonumber(done), l.text)
      if l.now > 15 then assert.is_true(math.abs(left - remains) < 0.25 * remains + 0.4 * now, ("%s for %g"):format(l.text, remains)) end
      if l.now > 15 and left > last_left + 2 then grew = grew + 1 end
      last, last_left = tonumber(share), left
    end
    assert.is_true(grew <= #lines / 8, ("it grew %d times of %d"):format(grew, #lines))
  end)
end)

describe("the ticker", function()
  it("goes on while its caller computes, and ends with it", function()
    local code = [[
      local ticker = require "portolan.progress.ticker"
      local line = ticker.new { title = "chart", live = false, stages = { { name = "a 'stage'\n", seconds = 9 } } }
      line:update("a 'stage'\n", 1, 2, "note")
      local stop = os.time() + 7
      while os.time() < stop do end
      line:say "done %left"
      line:finish()
      line:update("after", 1)
      line:finish()
    ]]
    local r = process.run { args = { "lua5.4", "-e", code } }
    assert.same({ 0, "" }, { r.status, r.out })
    assert.matches("^chart: stage 1 of 1, a 'stage'\n?[^\n]*, %d+ %%, [%d.]+ s left[^\n]*, note\n", r.err)
    assert.matches("\nchart: done [%d.]+ s left\n", r.err)
  end)
end)

describe("the plan of a chart", function()
  it("has every stage once, with what to distrust without it", function()
    local seen = {}
    for _, stage in ipairs(plan.stages) do
      assert.is_nil(seen[stage.name])
      seen[stage.name] = true
      assert.is_true(#stage.without > 10 and stage.base + stage.each > 0, stage.name)
    end
    assert.equal(#plan.stages - 2, #plan.of(100, {}))
    assert.equal(#plan.stages, #plan.of(100, { reference = {}, latencies = true }))
  end)

  it("tells what is missing from the stage on in which a chart ended", function()
    local function stages(last, options)
      local names = {}
      for i, entry in ipairs(plan.unfinished(last, options or {})) do names[i] = entry.stage end
      return names
    end
    assert.same({ "calibration" }, stages(nil))
    assert.same({ "classes of equal ports" }, stages "classes of equal ports") -- no claims beyond
    assert.same({ "agreement", "fresh random experiments" }, stages "agreement")
    assert.same({ "fresh random experiments", "disagreements with the reference" }, stages("fresh random experiments", { reference = {} }))
  end)
end)
