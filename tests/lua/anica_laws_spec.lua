local intervals = require "support.intervals"
local core = require "portolan.core"
local domain = require "portolan.anica.domain"
local lattice = require "portolan.anica.lattice"
local laws = require "portolan.anica.laws"
local view = require "portolan.anica.view"

local names = { "add m64, r64", "add r64, r64", "imul r64, r64", "nop", "sub r64, r64", "vaddps ymm, ymm, ymm" }

local root = os.getenv "PORTOLAN_SOURCE"

local function check(one)
  local schemes = {}
  for i, name in ipairs(names) do schemes[i] = assert(core.isa.scheme(name)) end
  return laws.check(assert(view.of(one, schemes, names)), 1)
end

describe("the laws", function()
  it("hold for a sound lattice of one's own", function()
    local result = check(intervals.feature())
    assert.is_nil(result.law, result.example)
    assert.is_true(result.all and result.nodes > 60)
  end)

  local broken = {
    ["the order is reflexive"] = { leq = function(x, y) return y[1] <= x[1] and x[2] <= y[2] and not (x[1] == y[1] and x[2] == y[2]) end },
    ["the order is antisymmetric"] = { leq = function(x, y) return x[2] - x[1] <= y[2] - y[1] end },
    ["the order is transitive"] = {
      leq = function(x, y) return y[1] <= x[1] and x[2] <= y[2] and (y[2] - y[1]) - (x[2] - x[1]) <= 3 end,
      join = false },
    ["expansions are strictly ascending"] = {
      expansions = function(x) return x[1] < 15 and { { x[1] + 1, 15 } } or {} end },
    ["no infinite ascending chains"] = { expansions = function(x) return { { x[1], x[2] + 1 } } end },
    ["expansions are complete"] = { expansions = function(x) return { x[2] < 15 and { x[1], x[2] + 1 } or nil } end },
    ["concretization is monotone"] = { concretize = function(x, n) return x[1] == n or x[1] == x[2] - 1 and x[2] == n end },
    ["what is represented is contained"] = { represent = function(n) return { n + 1, n + 1 } end },
    ["join is the least upper bound"] = {
      join = function(x, y) return { math.max(1, math.min(x[1], y[1]) - 1), math.max(x[2], y[2]) } end },
  }
  for law, changes in pairs(broken) do
    it("are seen to be violated: " .. law, function()
      if changes.join == false then changes.join = function() return lattice.top end end
      local result = check(intervals.feature(changes))
      -- An order that is not transitive has too small a reach: whichever of its consequences is met first counts.
      local also = law == "the order is transitive" and result.law == "join is the least upper bound"
      assert.is_true(result.law == law or also, ("%s: %s (%s)"):format(law, result.law, result.example))
      assert.matches("%d", result.example)
    end)
  end

  it("hold for expansions that go round only if they do not", function()
    local result = check(intervals.feature { expansions = function(x) return { { x[1] % 15 + 1, x[1] % 15 + 1 } } end })
    assert.are.equal("no infinite ascending chains", result.law)
    assert.matches(" %-> ", result.example)
  end)

  it("hold for all features of the default domain and of the examples", function()
    local ports = { "0", "1", "11" }
    local mapping = { format = "portolan-mapping", version = 1, ports = ports,
      schemes = { ["add r64, r64"] = { uops = { { ports, 1 } } }, ["nop"] = { uops = {} },
        ["add m64, r64"] = { uops = { { { "0" }, 2 }, { { "1" }, 1 } } } } }
    local examples = root .. "/scripts/examples/features/"
    for _, path in ipairs { "default", examples .. "port_usage.lua", examples .. "encoding.lua" } do
      local features, universe = domain.parts(path, { schemes = names, mapping = mapping })
      assert(features, universe)
      for _, one in ipairs(features) do
        local result = laws.check(assert(view.of(one, universe.schemes, universe.names)), 1)
        assert.is_nil(result.law, one.name)
      end
      local D = assert(domain.load(path, { schemes = names, mapping = mapping }))
      local blocks = assert(D:top(3):sample(core.base.rng(2), 30))
      for _, block in ipairs(blocks) do assert.is_true(assert(D:represent(block)):contains(block)) end
    end
  end)
end)
