-- Campaigns on the toy domain: they find what was planted, are the same again, and go on after they were cut short.
local campaign = require "portolan.anica.campaign"
local core = require "portolan.core"
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local process = require "process"
local toy = require "anica_toy"

local domain = toy.domain()

-- Inconsistencies of which no union makes a larger one.
local function planted()
  return {
    toy.abstract(domain, { { group = 2 } }),
    toy.abstract(domain, { { tags = "xy" }, { group = 0 } }, { ["1~2"] = "must" }),
    toy.abstract(domain, { { size = 0 }, { group = 1, size = 1 } }, { ["1~2"] = "must not" }),
  }
end

local function options_of(more)
  local a, b = toy.planted(domain, planted())
  local options = { a = a, b = b, domain = domain, predict = toy.predict, seed = 3, length = 3, batch = 30, concurrent = 12,
    limits = { dry = 3 }, coverage = { blocks = 200, length = 3, top = { 1, 2, 3 } } }
  for name, value in pairs(more or {}) do options[name] = value end
  return options
end

local function run(more) return assert(assert(campaign.new(options_of(more))):run()) end

local function standing(result)
  local list = {}
  for _, d in ipairs(result.discoveries) do
    if not d.subsumed_by then list[#list + 1] = d end
  end
  return list
end

-- Everything but times.
local function timeless(result)
  local copy = assert(json.decode(assert(json.encode(result)), "result"))
  copy.figures.seconds, copy.figures.predictor_calls, copy.campaign.limits = nil, nil, nil
  return assert(json.encode(copy))
end

local function read(path) return assert(file.read(path)) end

describe("a campaign", function()
  it("finds exactly the planted inconsistencies", function()
    -- of which no union holds a larger product
    local all = { toy.abstract(domain, { { group = 2 }, { group = 2 } }, { ["1~2"] = "must" }),
      toy.abstract(domain, { { group = 0 }, { group = 1 } }, { ["1~2"] = "must" }),
      toy.abstract(domain, { { group = 1, tags = "x" }, { group = 1, tags = "none" } }, { ["1~2"] = "must not" }) }
    for seed = 1, 4 do
      local a, b = toy.planted(domain, all)
      local result = run { seed = seed, a = a, b = b, limits = { dry = 10 } }
      assert.equal("dry", result.reason)
      for _, p in ipairs(all) do
        local found = false
        for _, d in ipairs(standing(result)) do
          local A = domain:decode(d.abstract)
          found = found or A:subsumes(p) and p:subsumes(A)
        end
        assert.is_true(found, table.concat(p:text(), "; "))
      end
      assert.equal(#all, #standing(result))
      assert.equal(result.coverage.interesting, result.coverage.covered)
      assert.equal(200, result.coverage.blocks)
    end
  end)

  it("finds what is interesting and nothing else where inconsistencies overlap", function()
    for seed = 1, 4 do
      local result = run { seed = seed, limits = { dry = 10 } }
      local o = options_of {}
      local function interesting(block) return o.a:predict({ block })[1].cycles ~= o.b:predict({ block })[1].cycles end
      local check = toy.ideal(toy.memo(interesting))
      for _, d in ipairs(standing(result)) do
        local A = domain:decode(d.abstract)
        assert.is_true(check:check(A), table.concat(d.text, "; "))
        for _, e in ipairs(A:expansions()) do assert.is_false(check:check(A:expand(e)), table.concat(d.text, "; ") .. e.text) end
      end
      for _, p in ipairs(planted()) do
        local covered = false
        for _, d in ipairs(standing(result)) do covered = covered or domain:decode(d.abstract):subsumes(p) end
        assert.is_true(covered, table.concat(p:text(), "; "))
      end
    end
  end)

  it("keeps evidence of every decision", function()
    local result = run()
    for _, d in ipairs(standing(result)) do
      local A = domain:decode(d.abstract)
      assert.same(A:text(), d.text)
      assert.is_true(#d.witnesses > 0)
      for _, w in ipairs(d.witnesses) do assert.is_true(A:contains(w.text)) end
      assert.is_true(d.block.a.cycles * 10 == d.block.b.cycles)
      assert.is_true(math.abs(d.interestingness - 2 * 9 / 11) < 1e-9)
      assert.equal(0, d.tree[1].from)
      local confirmed = 0
      for i, step in ipairs(d.tree) do
        assert.is_true(step.from < i)
        assert.is_true(step.accepted or #step.counter > 0 or step.failure ~= nil)
        assert.equal(#step.expansions, #step.keys)
        confirmed = math.max(confirmed, step.accepted and step.samples or 0)
      end
      assert.equal(100, confirmed)
      assert.is_truthy(d.rank.generality and d.rank.interestingness and d.rank.covers)
    end
  end)

  it("is the same again for the same seed, not for another", function()
    local first = timeless(run())
    assert.equal(first, timeless(run()))
    assert.not_equal(first, timeless(run { seed = 4 }))
  end)

  it("ends at its limits", function()
    assert.equal("discoveries", run { limits = { discoveries = 1 } }.reason)
    assert.equal(1, #standing(run { limits = { discoveries = 1 } }))
    local result = run { limits = { batches = 2 } }
    assert.same({ "batches", 2, 60 }, { result.reason, result.figures.batches, result.figures.blocks_sampled })
    assert.equal("seconds", run { limits = { seconds = 0 } }.reason)
  end)

  -- Predictors that take 10 ms for a block: a round asks about some hundred, the test set about 200, which takes 4 s more if no time is left for it.
  -- A busy machine adds a second or two.
  it("ends with its time however slow its predictors are, and leaves some of it for the test set", function()
    local function slow(p)
      return toy.predictor(p.name, function(block)
        local ends = core.base.now() + 0.01
        while core.base.now() < ends do end
        return p:predict({ block })[1]
      end)
    end
    local a, b = toy.planted(domain, planted())
    local began = core.base.now()
    local result = run { a = slow(a), b = slow(b), limits = { seconds = 4 } }
    assert.equal("seconds", result.reason)
    assert.is_true(core.base.now() - began < 8, tostring(core.base.now() - began))
    assert.is_true(result.coverage.blocks > 10 and result.coverage.blocks < 200, tostring(result.coverage.blocks))
  end)

  it("finds crashes, which are infinitely interesting", function()
    local function crashes(block) return block:find "[i-l]0" and { error = "crashed", crash = true } or 1 end
    local result = run { a = toy.predictor("a", function() return 1 end), b = toy.predictor("b", crashes), limits = { batches = 2 } }
    assert.is_true(#result.discoveries >= 0)
    local both = run { a = toy.predictor("a", crashes), b = toy.predictor("b", crashes), limits = { batches = 1 } }
    assert.equal(0, #both.discoveries)
    local whole = toy.predictor("b", function(block) return block:find "[i-l]" and { error = "crashed", crash = true } or 1 end)
    result = run { a = toy.predictor("a", function() return 1 end), b = whole, limits = { dry = 2 } }
    local list = standing(result)
    assert.equal(1, #list)
    assert.is_true(list[1].infinite)
    assert.is_nil(list[1].interestingness)
    assert.same({ "1. group 2, size any, tags any" }, list[1].text)
  end)

  it("leaves blocks without a verdict out", function()
    local lacks = toy.predictor("b", function(block) return block:find "[i-l]" and { error = "unknown", unsupported = true } or 1 end)
    local result = run { a = toy.predictor("a", function() return 5 end), b = lacks, limits = { dry = 2 } }
    for _, d in ipairs(result.discoveries) do
      assert.is_nil(d.infinite)
      assert.is_nil(d.block.text:find "[i-l]")
    end
    assert.is_true(#result.discoveries > 0)
    assert.is_true(result.coverage.blocks < 200) -- those with a verdict
  end)

  it("compares further predictors", function()
    local third = toy.predictor("third", function(block) return #block / 2 end)
    local result = run { heat = { third }, limits = { batches = 1 } }
    assert.same({ "honest", "wrong", "third" }, result.heat.predictors)
    for i = 1, 3 do assert.equal(0, result.heat.share[i][i]) end
    assert.equal(result.heat.share[1][2], result.heat.share[2][3])
    assert.equal(0, result.heat.share[1][3])
    assert.is_true(math.abs(result.heat.share[1][2] - result.coverage.interesting / 200) < 1e-12)
  end)

  it("says what is wrong with its options", function()
    for _, more in ipairs { { samples = 0 }, { kind = "tea" }, { strategy = "tea" }, { tea = 1 }, { limits = { tea = 1 } }, { length = 1.5 },
      { threshold = 3 }, { limits = 30 }, { limits = { seconds = math.huge } }, { a = 5 }, { coverage = 500 }, { coverage = { block = 5 } },
      { coverage = { length = 40 } }, { coverage = { top = 5 } }, { coverage = { top = { "x" } } }, { coverage = { files = "b.csv" } },
      { coverage = { files = { "/nosuch.csv" } } }, { heat = "hw" }, { domain = 3 } } do
      local c, message = campaign.new(options_of(more))
      assert.is_nil(c)
      assert.matches("^[^\n]+$", message)
    end
    assert.is_nil(campaign.new { a = "tea" })
    assert.is_nil(campaign.new(nil))
  end)
end)

describe("a campaign in a directory", function()
  local function files(directory) return { read(directory .. "/journal.jsonl"), read(directory .. "/discoveries.json") } end

  it("goes on after its journal was cut at any line, with the same discoveries", function()
    process.in_directory(function(directory)
      local out = directory .. "/c"
      local whole = timeless(run { out = out })
      local journal = files(out)[1]
      local ends, tried = {}, 0
      for at in journal:gmatch "\n()" do ends[#ends + 1] = at - 1 end
      assert.is_true(#ends >= 6)
      for i = 0, #ends do
        local cut = i == 0 and 0 or ends[i]
        for _, torn in ipairs { 0, 7 } do -- also within a line
          assert(file.write(out .. "/journal.jsonl", journal:sub(1, cut + torn)))
          assert.equal(whole, timeless(run { out = out }), ("cut behind line %d"):format(i))
          tried = tried + 1
        end
      end
      assert.is_true(tried >= 14)
    end)
  end)

  it("says so where two campaigns without a lock have written", function()
    process.in_directory(function(directory)
      local out = directory .. "/c"
      run { out = out }
      local journal = files(out)[1]
      assert(file.write(out .. "/journal.jsonl", journal .. journal))
      local result, message = assert(campaign.new(options_of { out = out })):run()
      assert.is_nil(result)
      assert.matches("journal%.jsonl: discoveries%[%d+%]%.id: 'd1' is there twice; move the directory away to begin anew$", message)
      assert.is_nil(file.kind(out .. "/.lock"))
    end)
  end)

  it("runs no wave twice", function()
    process.in_directory(function(directory)
      local first = run { out = directory .. "/c" }
      local o = options_of { out = directory .. "/c" }
      assert(assert(campaign.new(o)):run())
      assert.is_true(o.a.calls > 150 and o.a.calls <= 200) -- the test set alone, each block once
      local more = run { out = directory .. "/c", limits = { batches = first.figures.batches + 2 } }
      assert.equal(first.figures.batches + 2, more.figures.batches)
    end)
  end)

  it("that goes on in the same object counts every prediction once", function()
    process.in_directory(function(directory)
      local o = options_of { out = directory .. "/c", coverage = { blocks = 0 }, limits = { batches = 1 } }
      local c, whole = assert(campaign.new(o)), run { coverage = { blocks = 0 }, limits = { batches = 3 } }
      for batches = 1, 3 do
        c.settings.limits.batches = batches
        local result = assert(c:run())
        if batches == 3 then assert.equal(whole.figures.predictor_calls, result.figures.predictor_calls) end
      end
    end)
  end)

  it("ends with what is known on Ctrl-C, and goes on from there", function()
    process.in_directory(function(directory)
      local whole = timeless(run { out = directory .. "/whole" })
      local o, asked = options_of { out = directory .. "/c" }, 0
      o.predict = function(...)
        asked = asked + 1
        if asked == 12 then core.base.set_interrupted(true) end
        return toy.predict(...)
      end
      local result = assert(assert(campaign.new(o)):run())
      core.base.set_interrupted(false)
      assert.equal("interrupted", result.reason)
      assert.is_true(file.kind(directory .. "/c/discoveries.json") == "file")
      assert.equal(whole, timeless(run { out = directory .. "/c" }))
    end)
  end)

  it("is not mistaken for another campaign", function()
    process.in_directory(function(directory)
      run { out = directory .. "/c", limits = { batches = 1 } }
      for _, more in ipairs { { seed = 9 }, { samples = 50 }, { threshold = 0.7 } } do
        more.out = directory .. "/c"
        local result, message = assert(campaign.new(options_of(more))):run()
        assert.is_nil(result)
        assert.matches("another campaign", message)
      end
      assert(file.write(directory .. "/c/campaign.json", "{"))
      assert.is_nil(assert(campaign.new(options_of { out = directory .. "/c" })):run())
    end)
  end)

  it("fails when a predictor does, and can go on later", function()
    process.in_directory(function(directory)
      local o, asked = options_of { out = directory .. "/c" }, 0
      o.predict = function(...)
        asked = asked + 1
        if asked == 12 then return nil, "the tool is gone" end
        return toy.predict(...)
      end
      local result, message, status = assert(campaign.new(o)):run()
      assert.same({ nil, "the tool is gone", 1 }, { result, message, status })
      assert.equal(timeless(run()), timeless(run { out = directory .. "/c" }))
    end)
  end)
end)
