-- `portolan chart`: one clear line for what is wrong with its arguments; measuring itself is tested elsewhere.
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
      refused("not a list of groups", "--set", set "return 7", "--out", out)
      refused("set.lua:1: attempt to call", "--set", set "print()", "--out", out)
      refused("group 1: no such instruction scheme", "--set", set "return { { name = 'x', schemes = { 'add rax' } } }", "--out", out)
      refused("%-%-seed must be a whole number, not 'x'", "--seed", "x")
      refused("file already exists", "--out", set "")
    end)
  end)
end)
