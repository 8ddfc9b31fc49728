-- Who may be eliminated though it cannot be chained (portolan.infer.chart.stages.rename, portolan.infer.chart.stages.elimination).
local memory_use = require "portolan.scheme.memory_use"
local rename = require "portolan.infer.chart.stages.rename"

describe("what does nothing", function()
  local function does_nothing(name) return rename.does_nothing(name, memory_use(name)) end

  it("writes nothing, reads no memory and does not jump", function()
    for _, name in ipairs { "nop", "nop r16", "nop m32, r32", "nop r64, r64" } do assert.is_true(does_nothing(name), name) end
    for _, name in ipairs { "cmp r32, r32", "jz rel8", "mov r32, m32", "mov m32, r32", "clc", "push r64" } do
      assert.is_false(does_nothing(name), name)
    end
  end)
end)
