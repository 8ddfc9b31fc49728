-- A load that keeps an adder busy without an issue slot passes for a member of the loads' class; mixtures refute that, and floods find the uop.
local chart = require "portolan.infer.chart"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local simulated = require "portolan.processor.simulated"
local small = require "cores.small"

local extending = { "movsxd r64, m32", "movsx r32, m16", "movsx r32, m8" }

local function charted()
  local m = small.zen4()
  for _, name in ipairs(extending) do
    m.schemes[name] = { uops = { { { "x", "y", "z" }, 1 }, { { "a", "b", "c", "d" }, 1 } }, slots = 1, status = "explained" }
  end
  for _, name in ipairs { "mov r8, m8", "movzx r32, m16", "movzx r64, m8" } do m.schemes[name] = m.schemes["mov r64, m64"] end
  local p = assert(simulated.new { mapping = m, seed = 1, noise = { kind = "gaussian", width = 0.003, unit = "relative" } })
  local result = chart.run(p, { { name = "All", schemes = mapping.schemes(m) } }, { seed = 1, evaluate = 0 })
  return result, m
end

describe("members of classes that mixtures refuted", function()
  local result, truth = charted()

  it("are explained by the class's uop and the one that floods find, whose ports are assumed", function()
    for _, name in ipairs(extending) do
      local scheme = result.mapping.schemes[name]
      assert.equal("explained", scheme.status, name .. ": " .. tostring(scheme.note))
      assert.equal(2, #scheme.uops, name)
      local sizes = lists.map(scheme.uops, function(uop) return #uop[1] end)
      table.sort(sizes)
      assert.same({ 3, 4 }, sizes, name)
      assert.equal(7, #scheme.assumed, name)
    end
  end)

  it("leave the claims of others as they are", function()
    local function count(uops) return lists.sum(uops, function(uop) return uop[2] end) end
    for name, scheme in pairs(result.mapping.schemes) do
      if scheme.status == "explained" then assert.equal(count(truth.schemes[name].uops), count(scheme.uops), name) end
    end
    assert.equal("explained", result.mapping.schemes["mov r64, m64"].status)
  end)
end)
