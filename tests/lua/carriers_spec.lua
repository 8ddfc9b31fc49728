-- Moves from vectors that keep an adder busy without a slot pass for a part of the adders: what else has the uop of their class says otherwise.
local chart = require "portolan.infer.chart"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local port_set = require "portolan.mapping.ports"
local simulated = require "portolan.processor.simulated"
local small = require "cores.small"

local moves = { "vmovd r32, xmm", "vmovmskps r32, ymm", "vpmovmskb r32, ymm" }
local narrower = { "shl r64, imm8", "sar r64, imm8", "bt r64, r64", "imul r64, r64", "imul r32, r32", "imul r64, m64" }
local blends = { "vpblendvb ymm, ymm, ymm, ymm", "vblendvps ymm, ymm, ymm, ymm" }

-- As on a Zen 5: what moves to general registers, blends and stores of vectors have two ports of their own. The chart, and what it measured.
local function charted(with_blends)
  local m = small.zen5()
  for _, name in ipairs(moves) do
    m.schemes[name] = { uops = { { { "u", "v" }, 1 }, { { "a", "b", "c", "d", "e", "f" }, 1 } }, slots = 1, status = "explained" }
  end
  for _, name in ipairs(with_blends and blends or {}) do m.schemes[name] = { uops = { { { "u", "v" }, 1 } }, slots = 1, status = "explained" } end
  for _, name in ipairs(with_blends and {} or narrower) do m.schemes[name] = nil end -- beside which the moves are fast
  local p = assert(simulated.new { mapping = m, seed = 1, noise = { kind = "gaussian", width = 0.001, unit = "relative" } })
  return chart.run(p, { { name = "All", schemes = mapping.schemes(m) } }, { seed = 1, evaluate = 0 })
end

-- The ports of a scheme's uops.
local function ports_of(result, name)
  return port_set.union(lists.map(result.mapping.schemes[name].uops or {}, function(uop) return uop[1] end))
end

local function assert_apart(result)
  local class = lists.first(result.port_sets, function(set) return lists.index(set.members, function(name) return name == moves[1] end) ~= nil end)
  assert.equal(0, #port_set.common(class.ports, ports_of(result, "cmp r64, r64")))
  for _, name in ipairs { "vmovups m256, ymm", "vmovaps m256, ymm" } do
    assert.equal("explained", result.mapping.schemes[name].status, name)
    assert.equal(2, #port_set.common(class.ports, ports_of(result, name)), name)
  end
end

describe("a class whose representative has a uop more", function()
  it("has the ports that its fastest members say", function() assert_apart(charted(true)) end)

  it("has the ports that floods of other schemes say, where all members have the uop more", function() assert_apart(charted(false)) end)
end)
