-- `portolan chart`: one clear line for what is wrong with its arguments, and its budget; measuring itself is tested elsewhere.
local budget = require "portolan.budget"
local file = require "portolan.file"
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
    assert.same({ 90, 90, 600, 5400 }, { budget.duration "90", budget.duration "90s", budget.duration "10m", budget.duration "1.5h" })
    for _, text in ipairs { "", "m", ".", "-5", "10 m", "1d", "0x10", "inf" } do
      local seconds, message = budget.duration(text)
      assert.is_nil(seconds, text)
      assert.matches("is not a time", message)
    end
    assert.same({ "10 min", "1 h 30 min", "2 h", "45 s", "1 min 30 s", "5 s" }, { budget.words(600), budget.words(5400), budget.words(7200),
      budget.words(45), budget.words(90), budget.words(5) })
  end)

  it("grows with the set", function()
    assert.equal(600, budget.default(1))
    assert.equal(600, budget.default(114))
    assert.is_true(budget.default(2000) > 3000 and budget.default(2000) < 3600)
  end)
end)
