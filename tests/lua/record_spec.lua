-- Records refuse fields that are not declared.
local record = require "portolan.support.record"

local methods = {}
local point = record.kind("point", { x = "cycles, its maker", y = "cycles, its maker" }, methods)
function methods:sum() return self.x + self.y end

describe("a record", function()
  it("has the fields that are declared, nil until they are written", function()
    local p = point { x = 1 }
    assert.is_nil(p.y)
    p.y = 2
    assert.equal(2, p.y)
    p.x = nil
    p.x = 3
    assert.equal(5, p:sum())
    assert.same({ x = 3, y = 2 }, p)
    assert.is_nil(point().x)
  end)

  it("names itself and the field that is read or written without a declaration", function()
    local p = point { x = 1 }
    local wrong = { function() return p.z end, function() p.z = 1 end, function() point { x = 1, z = 2 } end }
    for _, f in ipairs(wrong) do
      local ok, message = pcall(f)
      assert.is_false(ok)
      assert.matches("record_spec.lua:%d+: a point has no field 'z'$", message)
    end
    assert.has_error(function() return p[1] end, "a point has no field '1'")
  end)
end)
