-- The line below readings that disturbances make larger.
local lower_line = require "portolan.measuring.lower_line"

local function points(list)
  local all = {}
  for i, y in ipairs(list) do all[i] = { x = 100 * i, y = y } end
  return all
end

describe("the line below readings", function()
  it("goes through points of a line", function()
    local slope, at = lower_line.of(points { 250, 350, 450, 550 })
    assert.near(1, slope, 1e-12)
    assert.near(150, at, 1e-9)
  end)

  it("leaves out what is too large, wherever that is", function()
    for k = 1, 5 do
      local list = { 150, 250, 350, 450, 550 }
      list[k] = list[k] + 120
      local all = points(list)
      local slope, at = lower_line.of(all)
      assert.near(1, slope, 1e-9)
      local on_it, distance = lower_line.on(all, slope, at, 5)
      assert.equal(4, on_it)
      assert.near(0, distance, 1e-9)
    end
  end)

  it("counts few points where readings agree on nothing", function()
    local all = points { 150, 390, 350, 700, 560 }
    local slope, at = lower_line.of(all)
    assert.is_true(lower_line.on(all, slope, at, 5) <= 3)
  end)

  it("tells how far those points are from it that are near", function()
    local on_it, distance = lower_line.on(points { 153, 250, 346, 650 }, 1, 50, 5)
    assert.equal(3, on_it)
    assert.near(4, distance, 1e-9)
  end)

  it("is none of a single point", function() assert.is_nil(lower_line.of(points { 1 })) end)
end)
