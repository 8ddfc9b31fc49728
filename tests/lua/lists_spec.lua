-- Lists and tables: what support/lists and sets of ports offer beyond loops.
local lists = require "portolan.support.lists"
local port_set = require "portolan.mapping.ports"

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

  it("are counted, found and numbered by what passes a test", function()
    assert.equal(2, lists.count({ 1, 2, 4 }, even))
    assert.equal(1, lists.count({ a = 1, b = 2 }, even))
    assert.equal(2, lists.first({ 1, 2, 4 }, even))
    assert.same({ 1, 3, 5 }, lists.spread({ 1, 2, 3, 4, 5, 6 }, 3))
    assert.same({ 1, 2 }, lists.spread({ 1, 2 }, 3))
    assert.same({}, lists.spread({}, 3))
    assert.is_nil(lists.first({ 1 }, even))
    assert.equal(2, lists.index({ 1, 2, 4 }, even))
    assert.is_nil(lists.index({}, even))
    assert.same({ 2, 3 }, lists.indices({ 1, 2, 4 }, even))
    assert.equal(3, lists.size { 1, 2, x = false })
  end)

  it("are split into the first ones of each kind, and the others", function()
    local function length(text) return #text end
    local first, others, first_of = lists.firsts({ "ab", "c", "cd", "ef" }, length)
    assert.same({ { "ab", "c" }, { "cd", "ef" } }, { first, others })
    assert.same({ ab = "ab", c = "c", cd = "ab", ef = "ab" }, first_of)
    first, others, first_of = lists.firsts({ "ab", "c", "cd", "ef" }, length, { ef = true })
    assert.same({ { "ab", "c", "ef" }, { "cd" }, "ab" }, { first, others, first_of.ef })
  end)

  it("give free names, which are taken then", function()
    local taken = { a = true, ["a-2"] = true }
    assert.same({ "a-3", "b", "b-2" }, { lists.free_name("a", taken, "-"), lists.free_name("b", taken, "-"), lists.free_name("b", taken, "-") })
    assert.is_true(taken["a-3"] and taken["b-2"])
  end)
  it("are joined, and stand without repetitions in the order in which they come first", function()
    local a = { 3, 1 }
    assert.same({ 3, 1, 1, 2 }, lists.joined(a, { 1, 2 }))
    assert.same({ 3, 1 }, a)
    assert.same({ 3, 1, 2 }, lists.distinct { 3, 1, 3, 2, 1 })
    assert.same({ "ab", "c" }, lists.distinct({ "ab", "cd", "c" }, function(text) return #text end))
    assert.same({ x = 2, y = 1 }, lists.tally { "x", "y", "x" })
    local groups = {}
    for _, word in ipairs { "ab", "c", "de" } do lists.into(groups, #word, word) end
    assert.same({ { "c" }, { "ab", "de" } }, groups)
  end)

  it("are made of texts and of the fields of tables", function()
    assert.same({ "a", "bc" }, lists.found(":a::bc:", "[^:]+"))
    assert.same({ "a=1", "b=2" }, lists.of_fields({ b = 2, a = 1, c = 3 }, function(k, v) return v < 3 and k .. "=" .. v or nil end))
  end)

  it("are put in order by two fields, and keys by their values", function()
    local list = { { n = 1, name = "b" }, { n = 2, name = "c" }, { n = 1, name = "a" } }
    local function names() return table.concat(lists.map(list, function(item) return item.name end)) end
    table.sort(list, lists.least_first("n", "name"))
    assert.equal("abc", names())
    table.sort(list, lists.most_first("n", "name"))
    assert.equal("cab", names())
    assert.same({ "y", "x", "z" }, lists.keys({ x = 1, y = 2, z = 1 }, lists.by_value { x = 1, y = 2, z = 1 }))
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
