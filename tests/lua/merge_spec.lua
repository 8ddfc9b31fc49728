-- Mappings of one processor joined: portolan.mapping.union, portolan merge.
local mapping = require "portolan.mapping"
local mapping_union = require "portolan.mapping.union"
local process = require "process"

local function portolan(...)
  return process.run { args = { process.portolan, ... }, env = { LANG = "C", LC_ALL = false, LC_CTYPE = false, NO_COLOR = "1" } }
end

local ports = { "0", "1", "2", "3" }
local scalar = { add = { "0", "1", "3" }, imul = { "1" }, shift = { "0", "3" }, load = { "2" } }

-- The same schemes with their ports called otherwise, and more of them.
local function other(more)
  local names, schemes = { ["0"] = "3", ["1"] = "0", ["2"] = "1", ["3"] = "2" }, {}
  for name, list in pairs(scalar) do
    schemes[name] = {}
    for i, port in ipairs(list) do schemes[name][i] = names[port] end
  end
  for name, list in pairs(more or {}) do schemes[name] = list end
  return mapping.two_level(ports, schemes)
end

describe("the union of two mappings", function()
  it("has the schemes of both, on the ports of the first", function()
    local a = mapping.two_level(ports, scalar, { rmax = 6 })
    local u, note = assert(mapping_union.of(a, other { addps = { "0", "3" } })) -- its 0 is the first one's 1; its 2 and 3 are 0 and 3
    assert.equal(6, u.rmax)
    assert.same({ added = 1, common = 4, differing = {}, undecided = {} }, note)
    local usage = mapping.usage(u.schemes.addps)
    assert.is_true(usage == "p01" or usage == "p13", usage) -- 0 and 3 are alike in all that both explain, and in the first mapping
    assert.is_nil(a.schemes.addps)
    assert.equal("p1", mapping.usage(u.schemes.imul))
    assert.same({ note }, u.provenance.merged)
  end)
  it("calls a unit that common schemes keep busy by the first one's name", function()
    local a, b = mapping.two_level(ports, scalar), other { addps = { "0" }, subps = { "0" } }
    a.schemes.add.unit, a.schemes.imul.unit = "imul", "imul"
    b.schemes.add.unit, b.schemes.addps.unit, b.schemes.subps.unit = "add", "add", "subps"
    local u = assert(mapping_union.of(a, b))
    assert.same({ "imul", "imul", "subps" }, { u.schemes.imul.unit, u.schemes.addps.unit, u.schemes.subps.unit })
  end)
  it("says of the core what either does; where both speak, the first is believed", function()
    local a, b = mapping.two_level(ports, scalar), other()
    a.first_cache, b.first_cache = { bank_loads = 2 }, { bank_loads = 3, blocked = 17 }
    a.forms, b.forms = { high = { later = 2 } }, { high = { later = 3 }, flags = { later = 1 } }
    b.front_end = { width = 4 }
    local u = assert(mapping_union.of(a, b))
    assert.same({ { bank_loads = 2, blocked = 17 }, { high = { later = 2 }, flags = { later = 1 } }, { width = 4 } },
      { u.first_cache, u.forms, u.front_end })
  end)
  it("takes what the first one has, but cannot explain, from the second", function()
    local a = mapping.two_level(ports, scalar)
    a.schemes.addps = { status = "unstable", latencies = { { from = "1", to = "1", cycles = 3 } } }
    local u, note = assert(mapping_union.of(a, other { addps = { "1" } }))
    assert.equal(1, note.added)
    assert.equal("p2", mapping.usage(u.schemes.addps))
    assert.same(a.schemes.addps.latencies, u.schemes.addps.latencies) -- the second one has none
  end)
  it("names the ports that nothing in common tells apart", function()
    local a = mapping.two_level(ports, { add = { "0", "1" }, load = { "2" }, mine = { "0" } })
    local b = mapping.two_level(ports, { add = { "0", "1" }, load = { "2" }, yours = { "1" } })
    local _, note = assert(mapping_union.of(a, b))
    assert.same({ { "0", "1" } }, note.undecided)
  end)
  it("names ports that only exchange places together with others", function()
    local function of(more)
      local m = mapping.two_level(ports, {})
      m.schemes.both = { uops = { { { "0", "1" }, 1 }, { { "2", "3" }, 1 } } }
      m.schemes[more] = { uops = { { { "0", "1" }, 1 } } } -- of the second mapping it may be the others
      return m
    end
    local _, note = assert(mapping_union.of(of "mine", of "yours"))
    assert.same({ { "0", "2" }, { "0", "3" }, { "1", "2" }, { "1", "3" } }, note.undecided)
    note = select(2, assert(mapping_union.of(of "mine", of "mine")))
    assert.same({}, note.undecided)
    local plain = of "mine"
    plain.schemes.mine = nil
    note = select(2, assert(mapping_union.of(plain, of "yours"))) -- whichever it is, the names of ports alone differ
    assert.same({}, note.undecided)
  end)
  it("names ports that no common scheme uses, where both mappings have such", function()
    local common = { add = { "0", "1" }, load = { "2" } }
    local a = mapping.two_level(ports, { add = { "0", "1" }, load = { "2" }, mine = { "3" } })
    local b = mapping.two_level({ "0", "1", "2", "7" }, { add = { "0", "1" }, load = { "2" }, yours = { "7" } })
    local u, note = assert(mapping_union.of(a, b))
    assert.same({ { "3" }, { mapping.usage(u.schemes.yours):sub(2) } }, note.unmatched)
    note = select(2, assert(mapping_union.of(a, mapping.two_level(ports, common))))
    assert.is_nil(note.unmatched)
  end)
  it("keeps the first one's usage where the two differ, and names the schemes", function()
    local many = {}
    for i = 1, 40 do many["s" .. i] = { tostring(i % 4) } end
    local a, b = mapping.two_level(ports, many), mapping.two_level(ports, many)
    b.schemes.s1.uops = { { { "1", "2" }, 1 } }
    local u, note = assert(mapping_union.of(a, b))
    assert.same({ "s1" }, note.differing)
    assert.equal("p1", mapping.usage(u.schemes.s1))
  end)
  it("is refused for mappings that are of other processors, or have nothing in common", function()
    local a = mapping.two_level(ports, scalar)
    local b = mapping.two_level(ports, { add = { "0" }, imul = { "1", "2" }, shift = { "0" }, load = { "2", "3" } })
    assert.matches("^%d of the 4 schemes that both mappings explain differ, '%a+' among them; are they of one processor%?$",
      select(2, mapping_union.of(a, b)))
    assert.matches("explain no scheme in common", select(2, mapping_union.of(a, mapping.two_level(ports, { x = { "0" } }))))
  end)
end)

describe("portolan merge", function()
  it("writes the union, and says what it is of", function()
    process.in_directory(function(d)
      assert(mapping.save(mapping.two_level(ports, scalar), d .. "/a.json"))
      assert(mapping.save(other { addps = { "1" } }, d .. "/b.json"))
      local r = portolan("merge", d .. "/a.json", d .. "/b.json", "--out", d .. "/u.json")
      assert.equal(0, r.status, r.err)
      assert.matches("b.json: 1 scheme added; 4 in common\n.-u.json: 5 schemes explained, 4 ports\n$", r.out)
      assert.equal("p2", mapping.usage(assert(mapping.load(d .. "/u.json")).schemes.addps))
      assert(mapping.save(mapping.two_level(ports, { imul = { "1" }, mine = { "2" } }), d .. "/c.json"))
      assert(mapping.save(mapping.two_level(ports, { imul = { "1" }, yours = { "3" } }), d .. "/d.json"))
      r = portolan("merge", d .. "/c.json", d .. "/d.json", "--out", d .. "/u.json")
      assert.matches("\n  ports that no common scheme uses: 2 of the first and 3 of the second; nothing says whether they are the same\n", r.out)
      local noted = mapping.two_level(ports, scalar)
      for _, scheme in pairs(noted.schemes) do
        scheme.note, scheme.latencies = "why", { { from = "1", to = "1", cycles = 3, as = "2 > 1" } }
      end
      assert(mapping.save(noted, d .. "/n.json"))
      assert.equal(0, portolan("merge", d .. "/n.json", d .. "/b.json", "--bare", "--out", d .. "/u.json").status)
      local bare = assert(mapping.load(d .. "/u.json")).schemes.imul
      assert.same({ nil, { { from = "1", to = "1", cycles = 3 } } }, { bare.note, bare.latencies })
      for _, case in ipairs {
        { "give %-%-out", d .. "/a.json", d .. "/b.json" },
        { "cannot read", d .. "/a.json", d .. "/none", "--out", d .. "/v" },
      } do
        r = portolan("merge", table.unpack(case, 2))
        assert.equal(2, r.status)
        assert.matches("^portolan merge: [^\n]*" .. case[1] .. "[^\n]*\n$", r.err)
      end
      assert.is_nil(io.open(d .. "/v"))
    end)
  end)
end)
