-- Progress of a whole chart: one figure, a time left that shrinks, and news at least every five seconds.
local pace = require "portolan.progress.pace"
local plan = require "portolan.infer.chart.plan"
local process = require "process"
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

local function two() return { { name = "first", seconds = 10, counted = true }, { name = "second", seconds = 30 } } end

describe("the pace", function()
  -- Runs stages that take so many seconds each, looking ten times a second; calls see(share, left, longer, left in truth).
  local function run(stages, takes, see)
    local p, now, all = pace.new(stages, 0), 0, 0
    for _, seconds in ipairs(takes) do all = all + seconds end
    for i, seconds in ipairs(takes) do
      p:enter(i, now)
      local steps = math.floor(seconds * 10)
      for k = 1, steps do
        now = now + seconds / steps
        p:count(k, steps)
        local share, left, longer = p:look(now)
        see(share, left, longer, all - now)
      end
    end
  end

  it("counts down where all goes as usual", function()
    local last_share, last_left = 0, math.huge
    run(two(), { 10, 30 }, function(share, left, longer, truth)
      assert.is_true(share >= last_share and left <= last_left + 1e-6)
      assert.is_false(longer)
      if truth > 8 then assert.is_true(math.abs(left - truth) < 0.3 * truth + 2, ("%g for %g"):format(left, truth)) end
      last_share, last_left = share, left
    end)
    assert.is_true(last_share > 0.8) -- a stage that does not count might go on
  end)

  it("learns from what was slow, says that it is longer, and never goes back in its share", function()
    local last_share, last_left, said, grew_unsaid = 0, math.huge, false, false
    run(two(), { 50, 150 }, function(share, left, longer, truth)
      assert.is_true(share >= last_share)
      grew_unsaid = grew_unsaid or left > last_left + 1e-6 and not longer
      said = said or longer
      if truth < 140 and truth > 40 then assert.is_true(left > 0.5 * truth and left < 2 * truth, ("%g for %g"):format(left, truth)) end
      last_share, last_left = share, left
    end)
    assert.is_true(said)
    assert.is_false(grew_unsaid)
  end)

  it("learns nothing from stages that an earlier run has answered", function()
    local p = pace.new(two(), 0)
    p:count(nil, nil, 500)
    p:enter(1, 0)
    p:count(100, 100, 500)
    p:enter(2, 0.1)
    local _, left = p:look(0.1)
    assert.is_true(left > 25 and left <= 31, tostring(left))
  end)

  it("says more and more time where a stage does not end", function()
    local p = pace.new(two(), 0)
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
    assert.matches("^chart: stage 1 of 2, first, %d+ %%, %d+ s left\n$", read())
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

  it("says why it takes longer", function()
    local line, at, read = rig { stages = two(), live = false, budget = 2000 }
    line:update("first", 0, 100)
    line:weather(true)
    at(5) line:tick()
    assert.is_nil(read():find("longer", 1, true))
    at(60) line:update("first", 30, 100)
    assert.matches("longer than thought: noisy\n$", read())
    at(80) line:update("first", 90, 100)
    assert.is_nil(read():find("longer", 1, true))
  end)

  it("bounds the time left by the budget", function()
    local line, at, read = rig { stages = two(), live = false, budget = 200 }
    line:update("first", 0, 100)
    at(150) line:update("first", 40, 100)
    assert.matches("at most 50 s left %(its budget%)\n$", read())
    at(201) line:tick()
    assert.matches("left, over its budget of 3 min 20 s\n$", read())
  end)

  it("says what stays above the live line", function()
    local line, at, read = rig { stages = two(), live = true, columns = 80 }
    line:update("first", 0, 100)
    read()
    at(1) line:say "noisy (%left)."
    assert.matches("^\r\27%[Kchart: noisy %(%d+ s left%)%.\n\r\27%[Kchart: stage 1 of 2", read())
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
