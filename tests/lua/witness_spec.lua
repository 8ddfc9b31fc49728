-- Witnesses: what is one, how far readings may be off, and the argument that is read from them.
local argument = require "portolan.argument"
local mapping = require "portolan.mapping"
local witness = require "portolan.experiment.witness"
local wrap = require "portolan.support.wrap"

-- Three ports; the flood of port 0 is "a", of 0 and 1 "b".
local function toy(schemes)
  local m = mapping.two_level({ "0", "1", "2" }, { a = { "0" }, b = { "0", "1" }, c = { "1", "2" } }, { rmax = 4 })
  for name, scheme in pairs(schemes or {}) do m.schemes[name] = scheme end
  return m
end

describe("a witness", function()
  it("is an experiment with finite cycles, a text and one of three roles", function()
    assert.is_nil(witness.fault "2*a + b")
    assert.is_nil(witness.fault { experiment = "a", cycles = 1, expected = 1.5, says = "so", role = "bounds", more = {} })
    for field, bad in pairs {
      experiment = { {}, { experiment = 5 }, { experiment = "0*a" }, { experiment = "" }, { experiment = { a = 2 } } },
      cycles = { { experiment = "a", cycles = "1" }, { experiment = "a", cycles = math.huge }, { experiment = "a", cycles = 0 / 0 },
        { experiment = "a", cycles = -1 } },
      expected = { { experiment = "a", expected = {} } },
      says = { { experiment = "a", says = 1 } },
      role = { { experiment = "a", role = "show" }, { experiment = "a", role = 1 } },
    } do
      for _, w in ipairs(bad) do
        local where, what = witness.fault(w)
        assert.equal(field, where)
        assert.is_string(what)
      end
    end
    assert.equal("", (witness.fault(7)))
  end)

  it("is checked as part of a mapping, with the path to what is wrong", function()
    local m = toy()
    m.schemes.a.witnesses = { "a + b", { experiment = "a", cycles = 1 }, { experiment = "a", role = "proves" } }
    local ok, message = mapping.validate(m)
    assert.is_nil(ok)
    assert.truthy(message:find('schemes."a".witnesses[3].role', 1, true), message)
    m.schemes.a.witnesses[3].role = "contradicts"
    assert.is_true(mapping.validate(m))
    m.schemes.a.witnesses[1] = 5
    assert.truthy(select(2, mapping.validate(m)):find('schemes."a".witnesses[1])', 1, true))
  end)

  it("can be written in one line, without control characters", function()
    assert.equal("shows: 8*a + b takes 9.000 cycles, 8.500 expected: one uop",
      witness.line { experiment = "b + 8*a", cycles = 9, expected = 8.5, says = "one uop", role = "shows" })
    assert.equal("a: 1.000 expected", witness.line { experiment = "a", expected = 1 })
    assert.equal("a\t: x?y", witness.line({ experiment = "a", says = "x\27y" }):gsub("^a", "a\t"))
  end)
end)

describe("readings", function()
  it("may be slower than expected by more than they may be faster", function()
    assert.equal("agrees", witness.compare(1.09, 1, 1))
    assert.equal("slower", witness.compare(1.11, 1, 1))
    assert.equal("agrees", witness.compare(0.981, 1, 1))
    assert.equal("faster", witness.compare(0.97, 1, 1))
  end)

  it("may be as slow as ports chosen greedily, or 25% where sets of ports must be balanced", function()
    assert.equal("agrees", witness.compare(1.3, 1, 1, nil, 1.2))
    assert.equal("slower", witness.compare(1.33, 1, 1, nil, 1.2))
    assert.equal("agrees", witness.compare(1.24, 1, 4, "balanced"))
    assert.equal("slower", witness.compare(1.26, 1, 4, "balanced"))
    assert.equal("agrees", witness.compare(1.5, 1, 4, "balanced", 1.4))
    assert.equal("faster", witness.compare(0.95, 1, 4, "balanced", 1.4))
  end)

  it("tell one uop more or less on the ports that are kept busy", function()
    for ports = 1, 8 do
      local k = 6 * ports
      for uops = 0, 3 do
        local expected = (k + uops) / ports
        assert.equal("agrees", witness.compare(expected, expected, k + 1, ports))
        assert.equal("slower", witness.compare((k + uops + 1) / ports, expected, k + 1, ports))
        if uops > 0 then assert.equal("faster", witness.compare((k + uops - 1) / ports, expected, k + 1, ports)) end
      end
    end
  end)
end)

describe("the argument for a scheme", function()
  local m = toy { x = { uops = { { { "0", "1" }, 1 }, { { "2" }, 2 } }, status = "explained", slots = 3, tp = 2, assumed = { "2" }, witnesses = {
    { experiment = "6*a + x", cycles = 6.01, expected = 6, role = "bounds", says = "it evades" },
    { experiment = "12*b + x", cycles = 6.52, expected = 6.5 },
    { experiment = "12*c + x", cycles = 7.5, expected = 7 },
    { experiment = "x", cycles = 2.02 },
    { experiment = "8*a + 2*x", role = "shows", cycles = 8, expected = 8 },
  } } }
  local a = argument.of(m, assert(mapping.compile_ports(m)), "x")

  it("sorts witnesses to the uops that they are about, and says what they mean", function()
    assert.equal("2*p2 + p01", a.usage)
    local first = a.uops[1]
    assert.same({ "0", "1" }, first.ports)
    assert.equal("12*b + x", first.shows[1].text)
    assert.equal("12*b + 1 of it", first.shows[1].about)
    assert.equal(6, first.shows[1].without)
    assert.equal("one uop cannot evade p01", first.shows[1].means)
    assert.equal("6*a + x", first.bounds[1].text)
    assert.equal("it evades p0", first.bounds[1].means)
    assert.equal(2, a.predicted)
    assert.equal("as long as its ports and issue slots need", a.alone.means)
    assert.same({ "2" }, a.assumed)
  end)

  it("takes what is off for a contradiction, and doubts a witness whose cycles do not bear out its role", function()
    assert.equal(1, #a.contradicts)
    assert.equal("12*c + x", a.contradicts[1].text)
    assert.equal("3 uops cannot evade p12", a.contradicts[1].means)
    local doubtful = 0
    for _, list in ipairs { a.further, a.uops[1].shows, a.uops[2].shows } do
      for _, r in ipairs(list) do
        if r.text == "8*a + 2*x" then
          doubtful = doubtful + 1
          assert.equal("its cycles do not show a uop there", r.doubt)
        end
      end
    end
    assert.equal(1, doubtful)
  end)

  it("says when the mapping itself does not say what its witness expects", function()
    local changed = toy { x = { uops = { { { "0" }, 1 } }, status = "explained", witnesses = {
      { experiment = "6*a + x", cycles = 6, expected = 6, role = "bounds" } } } }
    local r = argument.of(changed, assert(mapping.compile_ports(changed)), "x").uops[1].bounds[1]
    assert.equal("the mapping predicts 7.000", r.doubt)
  end)

  it("is there for schemes that nothing is known of", function()
    local empty = toy { y = {}, z = { status = "contradicting", witnesses = { { experiment = "6*a + z", cycles = 6.6, role = "contradicts" } } } }
    local compiled = assert(mapping.compile_ports(empty))
    local y, z = argument.of(empty, compiled, "y"), argument.of(empty, compiled, "z")
    assert.equal("not measured", y.status)
    assert.is_nil(y.usage)
    assert.equal("0.60 uops stay on p0: no whole number", z.contradicts[1].means)
  end)
end)

describe("lines", function()
  it("break at spaces, and keep their indent", function()
    assert.equal("ab: one two\n    three", wrap("one two three", 11, "ab: "))
    assert.equal("toolongaword\nb", wrap("toolongaword b", 5))
    assert.equal("é é\né", wrap("é é é", 3))
  end)
end)
