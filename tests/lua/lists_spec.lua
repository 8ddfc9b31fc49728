-- Lists and tables: what support/lists and sets of ports offer beyond loops.
local lists = require "portolan.support.lists"
local port_set = require "portolan.ports"

local function even(n) return n % 2 == 0 end

describe("lists", function()
  it("are asked whether a test holds for any item, or for all", function()
    assert.is_true(lists.any({ 1, 2 }, even))
    assert.is_false(lists.any({ 1, 3 }, even))
    assert.is_false(lists.any({}, even))
    assert.is_true(lists.all({ 2, 4 }, even))
    assert.is_false(lists.all({ 2, 3 }, even))
    assert.is_true(lists.all({}, even))
  end)

  it("are filtered and mapped in their order", function()
    assert.same({ 4, 2 }, lists.where({ 4, 1, 2 }, even))
    assert.same({ true, false, true }, lists.map({ 4, 1, 2 }, even))
    assert.same({ [2] = "x" }, lists.map({ 1, 2 }, function(n) return n == 2 and "x" or nil end))
  end)

  it("are summed up, and asked for the largest number", function()
    local function double(n) return 2 * n end
    assert.equal(14, lists.sum({ 4, 1, 2 }, double))
    assert.equal("integer", math.type(lists.sum({}, double)))
    assert.equal(8, lists.largest({ 1, 4, 2 }, double, 0))
    assert.equal(9, lists.largest({ 1, 4, 2 }, double, 9))
    assert.equal(-1, lists.largest({}, double, -1))
  end)

  it("become sets, and the keys of tables lists", function()
    assert.same({ a = true, b = true }, lists.set { "b", "a" })
    assert.same({ "a", "b" }, lists.keys { b = 1, a = 2 })
    assert.same({ "b", "a" }, lists.keys({ b = 1, a = 2 }, function(x, y) return x > y end))
  end)

  it("are copied one level deep", function()
    local inner = {}
    local t = { 1, x = inner }
    local copy = lists.copy(t)
    assert.same(t, copy)
    assert.is_false(t == copy)
    assert.is_true(copy.x == inner)
  end)
end)

describe("sets of ports", function()
  it("have ports in common, in the order of the first", function()
    assert.same({ "5", "1" }, port_set.common({ "5", "0", "1" }, { "1", "5", "6" }))
    assert.same({}, port_set.common({ "0" }, {}))
  end)

  it("get further names, the least numbers that are free", function()
    assert.same({ "1", "3" }, port_set.further({ "0", "2", "x" }, 2))
    assert.same({}, port_set.further({ "0" }, -1))
  end)
end)
