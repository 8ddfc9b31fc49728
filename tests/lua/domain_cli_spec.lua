local file = require "portolan.support.file"
local json = require "portolan.support.json"
local process = require "process"

local function with_file(text, f)
  process.in_directory(function(directory)
    local path = directory .. "/domain.lua"
    assert(file.write(path, text))
    f(path, directory)
  end)
end

describe("portolan domain", function()
  local function portolan(...) return process.run { args = { process.portolan, "domain", ... }, seconds = 300 } end

  it("checks the default domain", function()
    local r = portolan("check", "default", "--json")
    assert.are.same({ 0, "" }, { r.status, r.err })
    local found = json.decode(r.out)
    assert.is_true(found.ok)
    assert.are.equal("mnemonic", found.features[1].feature)
  end)

  it("prints a line for every feature", function()
    with_file([[return { { name = "n", lattice = "log", bound = 4, value = function(s) return #s.operands end } }]], function(path)
      local r = portolan("check", path)
      assert.are.same({ 0, "" }, { r.status, r.err })
      assert.matches("^feature +lattice +values +nodes\nn +log 4 +%d+ +%d+  ok\n$", r.out)
    end)
  end)

  it("ends with 1 and a counter-example for a law that does not hold, with 2 for bad files", function()
    with_file([[return { { name = "n", value = function(s) return #s.operands end, lattice = {
      represent = function(v) return v end, leq = function(a, b) return a <= b end, concretize = function(a, v) return a == v end,
      expansions = function(a) return a < 9 and { a + 1 } or {} end } } }]], function(path)
      local r = portolan("check", path)
      assert.are.equal(1, r.status)
      assert.matches("\nn +own +%d+ +%d+  violated: concretization is monotone\n +%d is below %d, but only the former contains '", r.out)
    end)
    with_file([[return { { name = "n", value = function(s) return 1 end, lattice = {
      represent = function(v) return v end, leq = error, concretize = error, expansions = error } } }]], function(path)
      local r = portolan("check", path)
      assert.are.same({ 2, "" }, { r.status, r.out })
      assert.matches("^portolan domain: [^\n]*feature 1 %(n%): [^\n]*\n$", r.err)
    end)
    local r = portolan("check", "default", "--seed", "x")
    assert.are.equal(2, r.status)
    assert.matches("%-%-seed must be a whole number, not 'x'", r.err)
    r = portolan("check", "/nonexistent.lua")
    assert.are.equal(2, r.status)
    assert.matches("cannot read /nonexistent.lua", r.err)
  end)

  it("shows the features, and what the universe leaves out", function()
    local r = portolan("show", "default")
    assert.are.same({ 0, "" }, { r.status, r.err })
    assert.matches("\nmnemonic +edit 3\n", r.out)
    assert.matches("\nimmediate +singleton\n", r.out)
    assert.matches("\nuniverse predicted: %d+ schemes, %d+ with each kind of immediate on its own\nleft out:\n +%d+  [^\n]+, such as ", r.out)
    r = portolan("show", "default", "--universe", "measurable", "--json")
    local t = json.decode(r.out)
    assert.are.same({ "measurable", false }, { t.universe.name, t.universe.immediates })
    assert.is_true(#t.universe.left_out > 3)
    r = portolan("show", "default", "--universe", "tea")
    assert.are.same({ 2, "" }, { r.status, r.out })
    assert.matches("^portolan domain: cannot read [^\n]*universes/tea.lua[^\n]*\n$", r.err)
  end)

  it("shows the abstract block of any block", function()
    local r = portolan("show", "default", "lock add [rax], rbx; fxrstor [rbx]")
    assert.are.same({ 0, "" }, { r.status, r.err })
    assert.matches("\n  1. mnemonic: add; .*lock: lock; .*\n  2. mnemonic: fxrstor; ", r.out)
    assert.matches("\n  operand 1 of instruction 1 must not alias with operand 1 of instruction 2\n$", r.out)
    assert.are.equal(2, portolan("show", "default", "nonsense").status)
  end)
end)
