-- Habits of a simulated core as a whole: cycles of experiments that can be counted by hand.
local core_habits = require "cores.simulated_habits"
local simulated = require "portolan.processor.simulated"

local function scheme(slots, ...)
  local uops = {}
  for i, set in ipairs { ... } do
    uops[i] = { {}, 1 }
    for port in set:gmatch "." do table.insert(uops[i][1], port) end
  end
  return { uops = uops, slots = slots, status = "explained" }
end

local function processor(habits, rmax)
  local schemes = { all = scheme(1, "abcd"), ab = scheme(1, "ab"), a = scheme(1, "a"), three = scheme(3, "abcd", "abcd", "abcd"),
    five = scheme(5, "abcd"), move = scheme(1, "ab") }
  return simulated.new { mapping = { format = "portolan-mapping", version = 1, ports = { "a", "b", "c", "d" }, rmax = rmax or 4, schemes = schemes },
    habits = core_habits.of(habits) }
end

local function takes(cycles, e, habits, rmax)
  local t = assert(processor(habits, rmax)):cycles(e)
  assert.is_true(math.abs(t - cycles) < 1e-6, ("%.6f cycles, not %.6f"):format(t, cycles))
end

describe("instructions of many slots", function()
  it("take whole dispatch groups, and what the group before has left is lost", function()
    takes(0.75, { three = 1 })
    takes(1, { three = 1 }, { whole_groups = 2 })
    takes(2, { five = 1 }, { whole_groups = 2 })
    takes(1.25, { three = 1, nop = 2 })
    takes(2, { three = 1, nop = 2 }, { whole_groups = 2 }) -- a group of two NOPs between two of the other
    takes(2, { three = 1, nop = 4 }, { whole_groups = 2 })
    takes(3, { three = 1, nop = 5 }, { whole_groups = 2 })
  end)

  it("are no others: of as many slots and fewer", function() takes(1.25, { three = 1, nop = 2 }, { whole_groups = 3 }) end)
end)

describe("a dispatch group", function()
  local habits = { group_rules = { { most = 1, uses = { all = 1 } } } }

  it("is closed where it has room for no more uops of a kind", function()
    takes(0.25, { all = 1 })
    takes(1, { all = 1 }, habits)
    takes(1, { all = 1, nop = 3 }, habits)
    takes(1, { all = 2, nop = 2 }, nil)
    takes(2, { all = 2, nop = 2 }, habits)
  end)
end)

describe("what there is beside ports", function()
  it("limits the sum of all that use it", function()
    local habits = { units = { { most = 2, uses = { all = 1, nop = 2 } } } }
    takes(1, { all = 2, ab = 2 }, habits)
    takes(2, { all = 2, nop = 1, ab = 1 }, habits)
  end)

  it("limits retirement", function()
    takes(2, { nop = 4 }, { retires = 2 })
    takes(0.75, { three = 1 }, { retires = 2 })
  end)
end)

describe("moves of which so many a cycle are eliminated", function()
  local habits = { eliminates = { most = 2, moves = { move = true } } }

  it("run at what is eliminated and executed together", function()
    takes(0.5, { move = 1 }, nil, 6)
    takes(0.25, { move = 1 }, habits, 6)
  end)

  it("cost no port where few are about", function()
    takes(4, { a = 4, move = 2 }, habits, 6)
    takes(4.5, { ab = 8, move = 1 }, nil, 6)
    takes(4, { ab = 8, move = 1 }, habits, 6)
  end)
end)

describe("schedulers that get uops in turn", function()
  local habits = { steers = { share = 0.5, schedulers = { { "a", "b" }, { "c", "d" } } } }

  it("are busy with what others could have executed", function()
    takes(2, { all = 2, ab = 4 })
    takes(2.25, { all = 2, ab = 4 }, habits)
    takes(1.5, { all = 4, ab = 2 }, habits)
  end)
end)

describe("habits that cannot be", function()
  it("are refused by name", function()
    local function fault(habits) return select(2, processor(habits)) end
    assert.matches("no habit 'lazy'", fault { lazy = 1 })
    assert.matches("habits.units uses%['sub'%]", fault { units = { { most = 1, uses = { sub = 1 } } } })
    assert.matches("habits.retires", fault { retires = 0 })
    assert.matches("habits.whole_groups", fault { whole_groups = 1.5 })
    assert.matches("habits.steers", fault { steers = { share = 2, schedulers = {} } })
    assert.matches("habits.eliminates", fault { eliminates = { most = 1 } })
  end)
end)
