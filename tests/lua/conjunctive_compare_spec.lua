-- Comparing mappings that have resources in the place of ports.
local conjunctive = require "portolan.mapping.conjunctive"
local conjunctive_compare = require "portolan.mapping.conjunctive_compare"
local file = require "portolan.support.file"
local mapping = require "portolan.mapping"
local model = require "portolan.prediction.model"
local process = require "process"
local random_mapping = require "support.random_mapping"
local temporary = require "portolan.support.temporary"
local tiny_mapping = require "support.tiny_mapping"

local function resources(m) return assert(conjunctive.of(m)) end

describe("two conjunctive mappings", function()
  it("are the same if one is the other", function()
    for seed = 1, 5 do
      local m = resources(random_mapping.three_level { ports = 5, schemes = 8, seed = seed, rmax = 3 })
      local result = assert(conjunctive_compare.of(m, m, 0.01))
      assert.near(0, result.gap, 1e-6)
      assert.is_false(result.distinguishable)
      assert.equal(8, result.common)
    end
  end)

  it("are the same if resources only have other names, or one more that decides nothing", function()
    local m = resources(tiny_mapping(2, "012", { a = "0", b = "12", c = { "0", "12" } }))
    local other = { resources = { "z" }, schemes = {} }
    for name, loads in pairs(m.schemes) do
      other.schemes[name] = { z = 0.001 }
      for resource, load in pairs(loads) do other.schemes[name]["x" .. resource] = load end
    end
    for _, resource in ipairs(m.resources) do table.insert(other.resources, "x" .. resource) end
    assert.near(0, assert(conjunctive_compare.of(m, other, 0.01)).gap, 1e-6)
  end)

  it("are told apart by an experiment, on which both predict what is said", function()
    for seed = 1, 5 do
      local a = resources(random_mapping.three_level { ports = 4, schemes = 6, seed = seed })
      local b = resources(random_mapping.three_level { ports = 4, schemes = 6, seed = seed + 100 })
      local result = assert(conjunctive_compare.of(a, b, 0.01))
      assert.is_true(result.distinguishable)
      assert.near(result.a, assert(model.of_conjunctive(a)):throughput(result.experiment), 1e-9)
      assert.near(result.b, assert(model.of_conjunctive(b)):throughput(result.experiment), 1e-9)
      assert.is_true(result.gap > 0.02)
    end
  end)

  it("may have nothing in common", function()
    local a, b = resources(tiny_mapping(nil, "0", { a = "0" })), resources(tiny_mapping(nil, "0", { b = "0" }))
    assert.same({ common = 0, gap = 0, distinguishable = false }, conjunctive_compare.of(a, b, 0.01))
  end)
end)

describe("portolan compare", function()
  local function compare(...)
    return process.run { args = { process.portolan, "compare", ... }, env = { LANG = "C", LC_ALL = false, LC_CTYPE = false, NO_COLOR = "1" } }
  end

  it("takes conjunctive mappings and port mappings alike", function()
    temporary.directory(function(d)
      local m, other = tiny_mapping(nil, "012", { a = "0", b = "12" }), tiny_mapping(nil, "012", { a = "1", b = "12" })
      assert(mapping.save(m, d .. "/m.json"))
      assert(mapping.save(other, d .. "/other.json"))
      assert(file.write(d .. "/r.json", assert(conjunctive.encode(resources(m)))))
      local r = compare(d .. "/r.json", d .. "/m.json")
      assert.equal(0, r.status, r.err)
      assert.matches("No experiment tells them apart at a resolution of 0.02 CPI", r.out)
      r = compare(d .. "/other.json", d .. "/r.json")
      assert.equal(1, r.status, r.err)
      assert.matches("told apart by: ", r.out)
      r = compare(d .. "/other.json", d .. "/r.json", "--only", "a")
      assert.equal(0, r.status, r.err)
      for words, case in pairs {
        ["%-%-rename: a conjunctive"] = { d .. "/m.json", d .. "/r.json", "--rename", d .. "/x.json" },
        ["no scheme is explained by both"] = { d .. "/m.json", d .. "/r.json", "--only", "zz" },
        ["is not a Lua pattern"] = { d .. "/m.json", d .. "/r.json", "--only", "/(/" },
        ["no such file"] = { d .. "/r.json", d .. "/none.json" },
      } do
        r = compare(table.unpack(case))
        assert.equal(2, r.status, r.out .. r.err)
        assert.matches(words, r.err)
        assert.equal("", r.out)
      end
    end)
  end)
end)
