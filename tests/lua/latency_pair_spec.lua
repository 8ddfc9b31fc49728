-- What is decided of a pair of places from the rounds that were measured, and which pairs are measured for others.
local all_pairs = require "portolan.infer.latency.pairs"
local constants = require "portolan.infer.latency.constants"
local cost = require "portolan.infer.latency.cost"
local decide = require "portolan.infer.latency.decide"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local refine = require "portolan.infer.latency.refine"
local system = require "portolan.infer.latency.system"

describe("a pair of places", function()
  -- A state in which connectors have these latencies: { by the gauge, at least, at most }.
  local function state_of(connectors)
    local gauge = {}
    for name, c in pairs(connectors) do gauge[name] = c[1] end
    local sums = { has = function(_, name) return connectors[name] ~= nil end,
      range = function(_, terms) return connectors[next(terms)][2], connectors[next(terms)][3] end }
    return { system = sums, gauge = gauge, ranges = {}, mapping = { schemes = {} } }
  end

  local function decided(connectors, rounds)
    local p = { scheme = "add r64, r64", from = "1", to = "1", rounds = rounds }
    for _, r in ipairs(rounds) do r.status, r.bound = "ok", 0.5 end
    decide.pair(state_of(connectors), p)
    return p
  end

  it("has its cycles within its interval, whatever the other rounds say", function()
    local p = decided({ x = { 2, 1, 3 }, y = { 2, 2, 2 } }, {
      { others = { x = 1 }, time = 5, low = 4.5, high = 5.5, waits = true },
      { others = { y = 1 }, time = 5.3, low = 5.2, high = 5.9, waits = true },
    })
    assert.equal("interval", p.status)
    assert.near(3, p.cycles, 1e-9)
    assert.is_true(p.low <= p.cycles and p.cycles <= p.high)
    assert.near(3.9, p.high, 1e-9)
  end)

  it("has a bound alone where another flag comes along, unless that is the least that there can be", function()
    local function of(least)
      local r = { others = { x = 1 }, status = "ok", bound = 0.5, time = 2, low = 2, high = 2, exact = true, together = true, waits = false }
      local p, state = { scheme = "cmovl r64, r64", from = "sf", to = "1", rounds = { r } }, state_of { x = { 1, 1, 1 } }
      state.cost = { least = function() return least end }
      decide.pair(state, p)
      return { p.status, p.low, p.high, p.cycles }
    end
    assert.same({ "at most", 0, 1, nil }, of(0))
    assert.same({ "determined", 1, 1, 1 }, of(1))
  end)

  it("takes no less than nothing", function()
    local p = decided({ x = { 2.3, 2.3, 2.3 } }, { { others = { x = 1 }, time = 2.1, low = 1.8, high = 2, uneven = true } })
    assert.is_true(2.3 - 2 < constants.broken)
    assert.same({ "at most", 0, 0 }, { p.status, p.low, p.high })
  end)
end)

describe("flags of a group", function()
  local grouped = { flags = { cf = "cf", pf = "cf", zf = "cf", sf = "cf", of = "cf" },
    network = { flags = { alone = { "cf", "pf", "zf", "sf", "of" }, unread = { "af", "df" } } } }

  local function outputs(name)
    local list = {}
    for _, p in ipairs(all_pairs.of(grouped, name)) do
      if p.to:find "^%l" and p.from == "1" and not p.same then list[#list + 1] = p.to end
    end
    return table.concat(list, " ")
  end

  it("stand for each other where a scheme has all of them, otherwise each is measured", function()
    assert.equal("cf", outputs "add r64, r64")
    assert.equal("cf of", outputs "rcl r64, 1")
    assert.equal("cf pf sf of", outputs "bt r64, r64")
    assert.same({ cf = "cf", pf = "cf", zf = "cf", sf = "cf", of = "cf" },
      all_pairs.measured_for(grouped, { "1", "cf", "pf", "af", "zf", "sf", "of" }))
    assert.same({ zf = "zf", of = "of" }, all_pairs.measured_for(grouped, { "1", "zf", "of" }))
  end)
end)

-- Rounds of `vpaddd`, beside one connector that takes 4 cycles, as a state that has measured them.
describe("what rounds say of a pair", function()
  local names = { "vpaddd xmm, xmm, xmm", "vdivpd ymm, ymm, ymm" }

  local function decided(name, ...)
    local sums = system.new()
    sums:unknown("back", 4)
    sums:fix("back", 4)
    local s = { system = sums, gauge = { back = 4 }, ranges = {}, mapping = { schemes = { [names[1]] = { status = "explained" },
      [names[2]] = { status = "slower than ports" } } } }
    local p = all_pairs.new { scheme = name, from = "2", to = "1", written = "vector", read = "vector" }
    for i, r in ipairs { ... } do
      p.rounds[i] = { status = "ok", bound = 1, time = r.time, low = r.time, high = r.time, exact = true, waits = not r.bound_by_ports,
        others = { back = 1 }, domain = r.domain }
    end
    decide.pair(s, p)
    return p
  end

  it("is a broken chain where it is as fast as its ports, or far faster than its connectors", function()
    assert.equal("waits for nothing", decided(names[1], { time = 3, bound_by_ports = true }).status)
    assert.equal("waits for nothing", decided(names[1], { time = 2 }).status)
  end)

  it("is nothing where it waits and is a cycle faster than its connectors", function()
    local p = decided(names[1], { time = 3 })
    assert.equal("no chain", p.status)
    assert.matches("faster than its connectors", p.why)
    p = decided(names[1], { time = 3 }, { time = 5 })
    assert.same({ "determined", 1 }, { p.status, p.cycles })
  end)

  it("is a bypass, unless values may keep the unit busy for longer", function()
    assert.same({ fp = 2 }, decided(names[1], { time = 5 }, { time = 7, domain = "fp" }).bypass)
    assert.is_nil(decided(names[2], { time = 17 }, { time = 22, domain = "fp" }).bypass)
  end)
end)

describe("what a chain needs", function()
  local function needs(first_cache, cuts, ...)
    local two = { "0", "1" }
    local m = mapping.two_level(two, { ["mov r64, m64"] = two, ["mov m64, r64"] = two, ["add m64, r64"] = two, ["inc m64"] = two,
      ["adc m64, r64"] = two, ["test r64, r64"] = two }, { rmax = 8, first_cache = first_cache })
    local links = {}
    for i, text in ipairs { ... } do
      local scheme, from, to = text:match "^(.*) %[(%S+) > (%S+)%]$"
      links[i] = { scheme = scheme, from = from, to = to }
    end
    return assert(cost.of(m)):needs(links, cuts)
  end
  local load, store = "mov r64, m64 [2 > 1]", "mov m64, r64 [2 > 1]"

  it("has its stores to many lines in it, as the first cache takes them", function()
    assert.near(1, needs(nil, {}, load, store), 1e-9)
    assert.near(4, needs({ scattered_lines = 0.25 }, {}, load, store), 1e-9)
    assert.near(8, needs({ scattered_lines = 0.25 }, {}, load, store, load, store), 1e-9)
    assert.near(2, needs({ stored_lines = 0.5 }, {}, load, store), 1e-9)
    assert.near(1, needs({ scattered_lines = 4 }, {}, load, store), 1e-9) -- ports take longer
  end)

  it("has no line for what is updated in place, whatever cuts dependencies beside it", function()
    for cuts, links in pairs { [{}] = { "add m64, r64 [1 > 1]" }, [{ ["test r64, r64"] = 1 }] = { "adc m64, r64 [1 > 1]" },
      [{ ["mov r64, r64"] = 0 }] = { "add m64, r64 [1 > 1]", "inc m64 [1 > 1]" } } do
      assert.near(needs(nil, cuts, table.unpack(links)), needs({ scattered_lines = 0.25 }, cuts, table.unpack(links)), 1e-9)
    end
    assert.near(4, needs({ scattered_lines = 0.25 }, {}, "add m64, r64 [2 > 1]", load), 1e-9) -- from a register to a line
  end)
end)

describe("second readings of chains", function()
  -- Pairs with witnesses of these kinds; the meter says of so many of those that it reads that they differ. Returns which are read, in order.
  local function read(kinds, differ)
    local asked, state = {}, { pairs = {}, meter = {} }
    local function pair(witness) return { scheme = "mov m64, r64", from = "1.base", to = "1", witness = witness } end
    for i, kind in ipairs(kinds) do state.pairs[i] = pair { exact = kind == "whole", number = i } end
    state.pairs[#state.pairs + 1] = pair(state.pairs[1].witness)
    state.pairs[#state.pairs + 1] = pair(nil)
    function state.meter.confirm(_, rounds)
      asked[#asked + 1] = lists.map(rounds, function(r) return r.number end)
      return table.remove(differ, 1)
    end
    refine.confirm(state)
    return asked
  end

  local many = {}
  for i = 1, 2 * constants.confirm_sample do many[i] = "whole" end

  it("are of a sample of those that take whole numbers of cycles, and of all others", function()
    local kinds = table.move(many, 1, #many, 2, { "other" })
    local asked = read(kinds, { 0, 0 })
    assert.same({ constants.confirm_sample, 1 }, { #asked[1], #asked[2] })
    assert.same({ 1 }, asked[2])
    assert.same({ 2, 4, 6 }, table.move(asked[1], 1, 3, 1, {}))
  end)

  it("are of all where more than a few of the sample differ", function()
    local few = math.floor(constants.confirm_differ * constants.confirm_sample)
    assert.same({}, read(many, { few, 0 })[2])
    assert.equal(#many - constants.confirm_sample, #read(many, { few + 1, 0 })[2])
  end)
end)
