-- `portolan chart`: one clear line for what is wrong with its arguments, and its budget; measuring itself is tested elsewhere.
local plan = require "portolan.infer.chart.plan"
local duration = require "portolan.support.duration"
local file = require "portolan.support.file"
local process = require "process"

local function refused(message, ...)
  local r = process.run { args = { process.portolan, "chart", ... } }
  assert.same({ 2, "" }, { r.status, r.out })
  assert.matches("^portolan chart: [^\n]*" .. message .. "[^\n]*\n$", r.err)
end

describe("portolan chart", function()
  it("refuses sets that are none", function()
    process.in_directory(function(d)
      local function set(text)
        assert(file.write(d .. "/set.lua", text))
        return d .. "/set.lua"
      end
      local out = d .. "/out"
      refused("no instruction set 'nosuch'", "--set", "nosuch", "--out", out)
      refused("no groups", "--set", set "return {}", "--out", out)
      refused("must return a list of groups", "--set", set "return 7", "--out", out)
      refused("set.lua:1: attempt to call", "--set", set "print()", "--out", out)
      refused("group 1: no such instruction scheme", "--set", set "return { { name = 'x', schemes = { 'add rax' } } }", "--out", out)
      refused("%-%-seed must be a whole number, not 'x'", "--seed", "x")
      refused("%-%-budget: 'soon' is not a time; write 90s, 10m or 2h", "--budget", "soon")
      refused("%-%-budget: '0m' leaves no time", "--budget", "0m")
      refused("%-%-budget: '1.2.3' is not a time", "--budget", "1.2.3")
      refused("file already exists", "--out", set "")
    end)
  end)
end)

describe("a budget", function()
  it("is written as people do", function()
    assert.same({ 90, 90, 600, 5400 }, { duration.seconds "90", duration.seconds "90s", duration.seconds "10m", duration.seconds "1.5h" })
    for _, text in ipairs { "", "m", ".", "-5", "10 m", "1d", "0x10", "inf" } do
      local seconds, message = duration.seconds(text)
      assert.is_nil(seconds, text)
      assert.matches("is not a time", message)
    end
    assert.same({ "10 min", "1 h 30 min", "2 h", "45 s", "1 min 30 s", "5 s" }, { duration.given(600), duration.given(5400), duration.given(7200),
      duration.given(45), duration.given(90), duration.given(5) })
  end)

  it("grows with the set", function()
    assert.equal(600, plan.budget(1))
    assert.equal(600, plan.budget(114))
    assert.is_true(plan.budget(2000) > 3000 and plan.budget(2000) < 3600)
  end)
end)
