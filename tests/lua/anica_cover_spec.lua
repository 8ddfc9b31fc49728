-- The best k of many sets, ranking, coverage.
local core = require "portolan.core"
local coverage = require "portolan.anica.coverage"
local file = require "portolan.support.file"
local heat = require "portolan.anica.heat"
local interest = require "portolan.anica.interest"
local process = require "process"
local rank = require "portolan.anica.rank"
local toy = require "anica_toy"

-- Elements as lists of the sets that cover them; each of `kinds` random such lists several times.
local function random_rows(rng, sets, elements, density)
  local rows = {}
  for j = 1, elements do
    rows[j] = {}
    for i = 1, sets do
      if rng:unit() < density then table.insert(rows[j], i) end
    end
  end
  return rows
end

local function covered_by(rows, chosen)
  local set, n = {}, 0
  for _, i in ipairs(chosen) do set[i] = true end
  for _, row in ipairs(rows) do
    local hit = false
    for _, i in ipairs(row) do hit = hit or set[i] end
    n = n + (hit and 1 or 0)
  end
  return n
end

-- The most that k sets cover, by trying all.
local function brute_force(rows, sets, k)
  local most, chosen = 0, {}
  local function go(from)
    most = math.max(most, covered_by(rows, chosen))
    if #chosen == k then return end
    for i = from, sets do
      chosen[#chosen + 1] = i
      go(i + 1)
      chosen[#chosen] = nil
    end
  end
  go(1)
  return most
end

describe("the best k sets", function()
  it("are those that brute force finds", function()
    for seed = 1, 150 do
      local rng = core.base.rng(seed)
      local sets, k = 1 + rng:below(9), rng:below(5)
      local rows = random_rows(rng, sets, rng:below(40), 0.1 + 0.3 * rng:unit())
      local best = assert(coverage.best(sets, rows, k))
      assert.equal(brute_force(rows, sets, k), best.covered, "seed " .. seed)
      assert.equal(best.covered, covered_by(rows, best.chosen))
      assert.is_true(#best.chosen <= k)
      assert.is_true(best.proven)
    end
  end)

  it("are better than a greedy choice where greed misleads", function()
    local rows = {} -- set 1 covers half of 2 and half of 3 and is the largest alone
    for j = 1, 12 do rows[j] = { j <= 6 and 2 or 3 } end
    for j = 3, 10 do table.insert(rows[j], 1, 1) end
    assert.same({ chosen = { 2, 3 }, covered = 12, proven = true }, coverage.best(3, rows, 2))
  end)

  it("are found among 150 for 10,000 blocks", function()
    -- as blocks are: some hundred kinds, few sets large, most small
    local rng = core.base.rng(1)
    local kinds, rows = {}, {}
    for kind = 1, 300 do
      kinds[kind] = {}
      for i = 1, 150 do
        if rng:unit() < 0.5 / i then table.insert(kinds[kind], i) end
      end
    end
    for j = 1, 10000 do rows[j] = kinds[1 + rng:below(1 + rng:below(300))] end
    local best = assert(coverage.best(150, rows, 10, { seconds = 20 }))
    assert.equal(best.covered, covered_by(rows, best.chosen))
    assert.is_true(best.proven)
    -- no worse than by choosing the largest sets
    local sizes, largest = {}, {}
    for i = 1, 150 do sizes[i] = { i = i, n = 0 } end
    for _, row in ipairs(rows) do
      for _, i in ipairs(row) do sizes[i].n = sizes[i].n + 1 end
    end
    table.sort(sizes, function(x, y) return x.n > y.n end)
    for i = 1, 10 do largest[i] = sizes[i].i end
    assert.is_true(best.covered >= covered_by(rows, largest))
  end)

  it("are none of none", function()
    assert.same({ chosen = {}, covered = 0, proven = true }, coverage.best(0, {}, 3))
    assert.same({ chosen = {}, covered = 0, proven = true }, coverage.best(2, { {}, {} }, 3))
    assert.same({ chosen = {}, covered = 0, proven = true }, coverage.best(2, { { 1 } }, 0))
  end)

  it("refuse what is no problem", function()
    assert.has_error(function() core.model.cover(2, { { 3 } }, 1) end)
    assert.has_error(function() core.model.cover(2, { { 0 } }, 1) end)
    assert.has_error(function() core.model.cover(2, { 1 }, 1) end)
    assert.has_error(function() core.model.cover(-1, {}, 1) end)
    assert.has_error(function() core.model.cover(1, {}, -1) end)
    assert.has_error(function() core.model.cover(100000, {}, 1) end)
  end)
end)

describe("ranks", function()
  it("are by each criterion, equal ones equal", function()
    local list = { { id = "d1", interestingness = 1, generality = 5, covers = 0 }, { id = "d2", infinite = true, generality = 5, covers = 9 },
      { id = "d10", interestingness = 2, generality = 7, covers = 3 } }
    rank.all(list)
    assert.same({ interestingness = 3, generality = 2, covers = 3 }, list[1].rank)
    assert.same({ interestingness = 1, generality = 2, covers = 1 }, list[2].rank)
    assert.same({ interestingness = 2, generality = 1, covers = 2 }, list[3].rank)
    local ids = {}
    for i, d in ipairs(rank.sorted(list, "generality")) do ids[i] = d.id end
    assert.same({ "d10", "d1", "d2" }, ids)
  end)
end)

describe("coverage", function()
  local domain = toy.domain()
  local discoveries = { { id = "d1", abstract = toy.abstract(domain, { { group = 2 } }) },
    { id = "d2", abstract = toy.abstract(domain, { { group = 1 }, { group = 1 } }, { ["1~2"] = "must" }) } }

  it("counts the blocks that discoveries subsume", function()
    local c = assert(coverage.of(domain, discoveries, { "a0", "i0", "a0l1", "e0f0", "e0f1", "e0i0f0" }, 10, { 1, 2, 3 }))
    assert.same({ blocks = 10, interesting = 6, covered = 4, top = { { k = 1, covered = 3, discoveries = { "d1" }, proven = true },
      { k = 2, covered = 4, discoveries = { "d1", "d2" }, proven = true } } }, c)
    assert.equal(3, discoveries[1].covers)
    assert.equal(2, discoveries[2].covers)
  end)

  it("reads blocks of BHive's files, each once, without those that the domain does not know", function()
    process.in_directory(function(directory)
      assert(file.write(directory .. "/b.csv", "613062,1\n6130,2\n6130,3\n7a30,4\n,5\n"))
      local blocks, left_out = assert(coverage.of_files(domain, { directory .. "/b.csv" }))
      assert.same({ { "a0b", "a0" }, 2 }, { blocks, left_out })
      assert.is_nil(coverage.of_files(domain, { directory .. "/none.csv" }))
    end)
  end)
end)

describe("a heat map", function()
  it("has the shares of blocks on which pairs of predictors differ", function()
    local answers = { { { cycles = 1 }, { cycles = 1 }, { cycles = 1 }, { error = "x" } },
      { { cycles = 1 }, { cycles = 9 }, { error = "x", crash = true }, { cycles = 1 } } }
    local map = heat.of_answers({ "a", "b" }, answers, assert(interest.new()))
    assert.same({ { 0, 2 / 3 }, { 2 / 3, 0 } }, map.share)
    assert.equal(4, map.blocks)
  end)
end)
