local intervals = require "support.intervals"
local core = require "portolan.core"
local domain = require "portolan.anica.domain"
local feature = require "portolan.anica.feature"
local file = require "portolan.support.file"
local lattice = require "portolan.anica.lattice"
local process = require "process"

local names = { "add m64, r64", "add r64, r64", "imul r64, r64", "nop", "sub r64, r64", "vaddps ymm, ymm, ymm" }

local function with_file(text, f)
  process.in_directory(function(directory)
    local path = directory .. "/domain.lua"
    assert(file.write(path, text))
    f(path, directory)
  end)
end

describe("a lattice of one's own", function()
  it("becomes part of a domain", function()
    with_file([[
      local l = { represent = function(v) return v end, leq = function(a, b) return a <= b end,
        expansions = function(a) return a < 3 and { a + 1 } or { top } end,
        concretize = function(a, v) return v <= a end, text = function(a) return "at most " .. a end }
      return { { name = "operands", lattice = l, value = function(s) return #s.operands end },
        { name = "mnemonic", lattice = "edit", value = function(s) return s.mnemonic end } }
    ]], function(path)
      local D = assert(domain.load(path, { schemes = { "nop", "neg r64", "not r64", "mov r64, r64" } }))
      local a = assert(D:represent(core.isa.assemble("not rax").bytes))
      assert.are.equal("  1. operands: at most 1; mnemonic: not", a:text()[2])
      local e = a:expansions()[1]
      assert.are.same({ "1:operands:>at most 2", "instruction 1: operands at most 1 -> at most 2" }, { e.key, e.text })
      local b = assert(D:decode { instructions = { { operands = "at most 1" } } })
      assert.are.same({ "nop", "not r64" }, b:schemes(1))
      local E = assert(D:restrict { "nop", "mov r64, r64" })
      local c = assert(E:decode { instructions = { { operands = "at most 2", mnemonic = { base = "nop", edits = 1 } } } })
      assert.are.same({ "nop" }, c:schemes(1))
      assert.matches("instructions%[1%], operands", (select(2, D:decode { instructions = { { operands = "at most 7" } } })))
    end)
  end)

  it("is refused if its expansions have a gap", function()
    local graph, message = lattice.compile(intervals.feature { expansions = function(x) return { nil, { x[1], x[2] + 1 } } end }.lattice, { { 1 } })
    assert.is_nil(graph)
    assert.matches("expansions%({1, 1}%) gives a list with a gap", message)
  end)

  it("is refused if it is too large", function()
    local graph, message = lattice.compile(intervals.feature { expansions = function(x) return { { x[1], x[2] + 1 } } end }.lattice, { { 1 }, false })
    assert.is_nil(graph)
    assert.matches("more than 4096 elements .* make it coarser", message)
  end)
end)

describe("domain files", function()
  local function refused(text, pattern)
    with_file(text, function(path)
      local D, message = domain.load(path, { schemes = names })
      assert.is_nil(D)
      assert.matches(pattern, message)
      assert.is_nil(message:find "\n")
    end)
  end

  it("are refused with what, where and how to mend it", function()
    refused("return {", "domain.lua:1: ")
    refused("return 5", "must return a list of features")
    refused("return { 5 }", "feature 1: a feature is")
    refused("return { { name = '1x' } }", "feature 1: 'name' must be")
    refused("return { { name = 'x' } }", "feature 1 %(x%): 'value' must be a function")
    refused("return { { name = 'x', value = print } }", "'value' must be a function")
    refused("return { { name = 'x', value = function() end } }", "'lattice' must be")
    refused("return { { name = 'x', value = function() end, lattice = {} } }", "no function 'represent'")
    refused("return { { name = 'x', value = function() end, lattice = 'log', bound = 31 } }", "'bound' must be a whole number in 0 ... 30")
    refused("return { { name = 'x', value = function() end, lattice = 'subset', bound = 3 } }", "only edit and log")
    refused("return { 'default', { name = 'memory', value = function() end, lattice = 'log' } }", "of this name is there already")
    refused("return { 'nosuch' }", "nosuch.lua: no such file")
    refused("return { './domain.lua' }", "does it name itself")
    refused("return { { name = 'x', lattice = 'log', value = function(s) return s.name end } }",
      "value' for 'add m64, r64' is a string; it must be a whole number")
    refused("return { { name = 'x', lattice = 'subset', value = function(s) return { a = 1 } end } }", "must be a list of strings")
    refused("return { { name = 'x', lattice = 'log', value = function(s) return s.nosuch.field end } }", "'value' fails for 'add m64, r64'")
    refused("return { { name = 'aliasing', lattice = 'log', value = function(s) end } }", "this name is taken")
    refused("os.exit(1)", "global 'os'")
    refused("return { { name = 'x', lattice = 'log', value = function() return io.open('/etc/passwd') end } }", "'io'")
  end)

  it("see their own libraries only", function()
    local text = "string.upper = nil; table.concat = nil; return { { name = 'x', lattice = 'singleton', value = function() return true end } }"
    with_file(text, function(path)
      assert(domain.load(path, { schemes = names }))
      assert.is_function(string.upper)
      assert.is_function(table.concat)
    end)
  end)

  it("compute each value once", function()
    local calls = 0
    local one = { name = "x", where = "test", lattice = "singleton", bound = 0, known = {}, value = function() calls = calls + 1 return "v" end }
    for _ = 1, 3 do assert.are.equal("v", feature.value(one, { name = "nop" })) end
    assert.are.equal(1, calls)
  end)
end)
