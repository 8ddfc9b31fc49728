local algebra = require "portolan.mapping.algebra"
local core = require "portolan.core"
local mapping = require "portolan.mapping"
local random_mapping = require "support.random_mapping"

local function uops_of(schemes, rmax)
  local m = { format = "portolan-mapping", version = 1, ports = { "0", "1", "5", "6" }, rmax = rmax, schemes = {} }
  for name, uops in pairs(schemes) do m.schemes[name] = { uops = uops } end
  return m
end

-- The mapping with its ports' names permuted at random.
local function shuffled(m, seed)
  local order, renaming = {}, {}
  for i = 1, #m.ports do order[i] = i end
  core.base.rng(seed):shuffle(order)
  for i, port in ipairs(m.ports) do renaming[port] = m.ports[order[i]] end
  return assert(algebra.rename(m, renaming)), renaming
end

local function usages(m)
  local list = {}
  for name, scheme in pairs(m.schemes) do list[name] = mapping.usage(scheme) or false end
  return list
end

describe("restriction", function()
  local m = random_mapping.three_level { ports = 4, schemes = 10, seed = 1, rmax = 4 }
  it("keeps the named or chosen schemes, ports and limits, and says so", function()
    local part = assert(algebra.restrict(m, { "s3", "s1", "s3" }))
    assert.same({ "s1", "s3" }, mapping.schemes(part))
    assert.same(m.ports, part.ports)
    assert.equal(4, part.rmax)
    assert.same({ kept = 2, of = 10 }, part.provenance.restricted)
    assert.equal(1, part.provenance.seed)
    assert.same(part, algebra.restrict(m, function(name, scheme) return scheme.uops and (name == "s1" or name == "s3") end))
    assert.is_true(mapping.validate(part))
  end)
  it("leaves its argument as it is", function()
    local before = assert(mapping.encode(m))
    local part = algebra.restrict(m, { "s1" })
    part.schemes.s1.uops[1][2], part.ports[1], part.processor.name = 9, "x", "x"
    assert.equal(before, mapping.encode(m))
  end)
  it("refuses names that are not there", function()
    local part, message = algebra.restrict(m, { "s1", "nop" })
    assert.is_nil(part)
    assert.equal("the mapping has no scheme 'nop'", message)
  end)
end)

describe("renaming", function()
  it("changes names everywhere, and predictions nowhere", function()
    local m = random_mapping.three_level { ports = 6, schemes = 8, seed = 2, rmax = 4 }
    m.schemes.s0.assumed = { "0", "1" }
    local n = assert(algebra.rename(m, { ["0"] = "a", ["1"] = "0" }))
    assert.same({ "a", "0", "2", "3", "4", "5" }, n.ports)
    assert.same({ "a", "0" }, n.schemes.s0.assumed)
    assert.is_true(mapping.validate(n))
    local x, y = mapping.compile(m), mapping.compile(n)
    for _, e in ipairs(random_mapping.experiments(mapping.schemes(m), 50, { seed = 3 })) do
      assert.equal(x:throughput(e), y:throughput(e))
    end
  end)
  it("can be undone, and remembers the first names", function()
    local m = random_mapping.two_level { ports = 5, schemes = 8, seed = 3 }
    local n, renaming = shuffled(m, 4)
    local back = {}
    for old, new in pairs(renaming) do back[new] = old end
    local again = assert(algebra.rename(n, back))
    assert.same(usages(m), usages(algebra.match(again, m)))
    for old, new in pairs(again.provenance.renamed_ports) do assert.equal(old, new) end
  end)
  it("refuses what would not be a renaming", function()
    local m = random_mapping.two_level { ports = 3, schemes = 2 }
    assert.matches("no port 'x'", select(2, algebra.rename(m, { x = "0" })))
    assert.matches("both be called '1'", select(2, algebra.rename(m, { ["0"] = "1" })))
    assert.matches("no name", select(2, algebra.rename(m, { ["0"] = "" })))
  end)
end)

describe("volume", function()
  it("counts every uop for each of its ports", function()
    local m = uops_of { a = { { { "0", "1" }, 2 }, { { "5" }, 1 } }, b = {}, c = { { { "0", "1", "5", "6" } } } }
    m.schemes.d = { status = "unstable" }
    assert.equal(2 * 2 + 1 + 4, algebra.volume(m))
    assert.equal(algebra.volume(m), algebra.volume(algebra.canonical(m)))
  end)
end)

describe("congruence", function()
  local schemes = { a = { { { "0" } }, { { "1" } } }, b = { { { "1" } }, { { "0" } } }, c = { { { "0", "1" }, 2 } }, d = {} }
  it("puts schemes of equal usage into a class", function()
    assert.same({ { "a", "b" }, { "c" }, { "d" } }, algebra.congruence(uops_of(schemes)))
  end)
  it("heeds issue slots only where there is a limit on them", function()
    local m = uops_of(schemes)
    m.schemes.b.slots = 2
    assert.equal(3, #algebra.congruence(m))
    m.rmax = 4
    assert.same({ { "a" }, { "b" }, { "c" }, { "d" } }, algebra.congruence(m))
  end)
  it("lets one stand for the other in every experiment", function()
    local m = random_mapping.three_level { ports = 3, schemes = 30, uops = 2, seed = 5 }
    local compiled, tried = mapping.compile(m), 0
    for _, class in ipairs(algebra.congruence(m)) do
      for i = 2, #class do
        for _, e in ipairs(random_mapping.experiments(mapping.schemes(m), 5, { seed = i })) do
          local f = {}
          for name, count in pairs(e) do f[name] = count end
          e[class[1]], f[class[i]] = (e[class[1]] or 0) + 2, (f[class[i]] or 0) + 2
          assert.equal(compiled:throughput(e), compiled:throughput(f))
          tried = tried + 1
        end
      end
    end
    assert.is_true(tried > 20)
  end)
end)

describe("canonical form", function()
  it("does not depend on the names of ports", function()
    for seed = 1, 30 do
      local m = random_mapping.three_level { ports = 1 + seed % 10, schemes = 12, seed = seed }
      local c, key, digest = algebra.canonical(m)
      local d, other_key, other_digest = algebra.canonical((shuffled(m, seed)))
      assert.equal(key, other_key)
      assert.equal(digest, other_digest)
      assert.matches("^%x+$", digest)
      assert.same(c.ports, d.ports)
      assert.same(c.schemes, d.schemes)
      assert.is_true(mapping.validate(c))
      assert.is_true(core.model.relate(mapping.compile(m), mapping.compile(c)).equal)
    end
  end)
  it("differs where usage does", function()
    local a = uops_of { x = { { { "0" } }, { { "1" } } }, y = { { { "0", "5" } } } }
    local b = uops_of { x = { { { "0" }, 2 } }, y = { { { "0", "5" } } } }
    assert.is_true(select(2, algebra.canonical(a)) ~= select(2, algebra.canonical(b)))
    assert.is_true(select(3, algebra.canonical(a)) ~= select(3, algebra.canonical(b)))
  end)
  it("merges equal uops", function()
    local c = algebra.canonical(uops_of { x = { { { "5" } }, { { "5" } }, { { "6", "5" } } } })
    local uops = c.schemes.x.uops
    assert.equal(2, #uops)
    assert.equal(1, #uops[1][1]) -- which of the two ports is "0" is up to the engine
    assert.equal(2, uops[1][2])
    assert.same({ { "0", "1" }, 1 }, uops[2])
    assert.same({ "0", "1", "2", "3" }, c.ports)
  end)
end)

describe("match", function()
  it("gives the ports the names of the second mapping", function()
    for seed = 1, 20 do
      local m = random_mapping.three_level { ports = 8, schemes = 20, seed = seed }
      local n = shuffled(m, seed + 100)
      assert.same(usages(m), usages(algebra.match(n, m)))
    end
  end)
  it("keeps names apart where the first has more ports", function()
    local a = mapping.two_level({ "0", "1", "2" }, { x = { "0" }, y = { "1" }, z = { "2" } })
    local b = mapping.two_level({ "1", "2" }, { x = { "1" }, y = { "2" } })
    local m, renaming = algebra.match(a, b)
    assert.same({ ["0"] = "1", ["1"] = "2", ["2"] = "2'" }, renaming)
    assert.same({ "1", "2", "2'" }, m.ports)
    assert.same({ x = "p1", y = "p2", z = "p2'" }, usages(m))
  end)
  it("keeps the names of ports that nothing uses where it can", function()
    local a = mapping.two_level({ "0", "1", "7" }, { x = { "0" }, y = { "0", "1" } })
    local b = mapping.two_level({ "0", "1", "7" }, { x = { "1" }, y = { "0", "1" } })
    assert.same({ ["0"] = "1", ["1"] = "0", ["7"] = "7" }, select(2, algebra.match(a, b)))
  end)
end)

describe("difference", function()
  local base = {
    add = { { { "0", "1", "5", "6" } } }, imul = { { { "1" } } }, shl = { { { "0", "6" } } }, mov = {},
    load = { { { "0", "1" } }, { { "5" } } }, div = { { { "0" }, 4 } }, shuffle = { { { "5" } } },
  }
  -- The lines for some schemes changed.
  local function lines(changes, rmax_first, rmax_second)
    local changed = {}
    for name, uops in pairs(base) do changed[name] = uops end
    for name, uops in pairs(changes) do changed[name] = uops end
    return algebra.words(assert(algebra.diff(uops_of(base, rmax_first), uops_of(changed, rmax_second))))
  end
  it("is empty between mappings that are equal up to port names", function()
    local m = uops_of(base)
    local diff = assert(algebra.diff(m, (shuffled(m, 7))))
    assert.is_true(diff.equal)
    assert.equal(0, #diff.kinds)
    assert.same({}, algebra.words(diff))
  end)
  it("says which ports are added, dropped, exchanged", function()
    assert.equal("imul: the second adds port 5 (p1 -> p15)", lines { imul = { { { "1", "5" } } } }[1])
    assert.equal("load: the second drops port 1 (p01 -> p0)", lines { load = { { { "0" } }, { { "5" } } } }[1])
    assert.equal("shuffle: p1 instead of p5", lines { shuffle = { { { "1" } } } }[1])
    assert.equal("div: the second adds ports 1, 6 to 4 uops (4*p0 -> 4*p016)", lines { div = { { { "0", "1", "6" }, 4 } } }[1])
  end)
  it("says which uops are more or fewer", function()
    assert.equal("shl: one uop more: 2*p06 instead of p06", lines { shl = { { { "0", "6" }, 2 } } }[1])
    assert.equal("div: 2 uops fewer: 2*p0 instead of 4*p0", lines { div = { { { "0" }, 2 } } }[1])
    assert.equal("load: one uop fewer: no p5", lines { load = { { { "0", "1" } } } }[1])
    assert.equal("imul: one uop more: p06", lines { imul = { { { "1" } }, { { "0", "6" } } } }[1])
    assert.equal("div: the second adds port 6 (p0 -> p06); one uop fewer on p0", lines { div = { { { "0" }, 2 }, { { "0", "6" } } } }[1])
    assert.equal("imul: the second eliminates it at rename, the first executes p1", lines { imul = {} }[1])
    assert.equal("mov: the second executes p06, the first eliminates it at rename", lines { mov = { { { "0", "6" } } } }[1])
  end)
  it("gives whole usages where much has changed", function()
    assert.equal("load: 2*p06 + p1 + p6 instead of p01 + p5",
      lines { load = { { { "0", "6" }, 2 }, { { "6" } }, { { "1" } } } }[1])
  end)
  it("groups schemes that differ alike", function()
    local changes = {}
    for i = 1, 5 do base["x" .. i], changes["x" .. i] = { { { "1" } } }, { { { "1", "5" } } } end
    base.y, changes.y = { { { "1" } }, { { "0" } } }, { { { "1", "5" } }, { { "0" } } }
    local text = lines(changes)[1]
    for name in pairs(changes) do base[name] = nil end
    assert.equal("6 schemes: the second adds port 5 (p1 -> p15): x1; x2; x3; 3 more", text)
  end)
  it("speaks of limits, volumes and schemes of one only", function()
    local all = lines({ extra = { { { "0" } } } }, nil, 4)
    assert.same({ "R_max: none in the first, 4 in the second", "1 scheme that only the second explains: extra" }, all)
    all = lines { imul = { { { "1", "5" } } } }
    assert.equal("uop volume of the common schemes: 15 in the first, 16 in the second", all[2])
  end)
  it("is a table for programs, too", function()
    local changed = {}
    for name, uops in pairs(base) do changed[name] = uops end
    changed.imul = { { { "1", "5" } } }
    local diff = algebra.diff(uops_of(base), uops_of(changed))
    assert.equal(6, diff.matching)
    assert.equal(7, diff.common)
    assert.equal(1, #diff.kinds)
    local change = diff.kinds[1].changes[1]
    assert.same({ "5" }, { table.unpack(change.added) })
    assert.same({ "1" }, change.first)
    assert.equal(0, #change.removed)
    assert.same({ first = 15, second = 16 }, diff.volume)
  end)
  it("cuts what is too long", function()
    local a, b = { z = { { { "6" } } } }, { z = { { { "6" } } } }
    for i = 1, 9 do a["s" .. i], b["s" .. i] = { { { "0" }, i } }, { { { "0" }, 2 * i } } end
    local all = algebra.words(algebra.diff(uops_of(a), uops_of(b)), { lines = 2, names = 1 })
    assert.equal(4, #all)
    assert.equal("and 7 more kinds of difference", all[3])
  end)
  it("is reported as a failure where nothing is in common", function()
    local diff, message = algebra.diff(uops_of(base), uops_of { other = {} })
    assert.is_nil(diff)
    assert.matches("no scheme in common", message)
    assert.is_nil(algebra.diff(uops_of(base), {}))
  end)
end)
