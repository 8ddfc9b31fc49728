-- Failures of the machine, told from defects of the program.
local failure = require "portolan.support.failure"

describe("a failure of the machine", function()
  it("is too little memory, in the words of every library", function()
    for _, message in ipairs {
      "not enough memory", -- Lua
      "input.lua:49: Failure to allocate buffer", "Can't allocate luv handle", "Problem allocating luv request", -- luv
      "LuaSQL: out of memory", "init.lua:3: get_dir realloc() failed", "no memory to store base", -- luasql, lfs, lxp
      "std::bad_alloc", "x.so: failed to map segment from shared object", "x.so: cannot allocate memory in static TLS block", -- the loader
    } do
      assert.is_true(failure.no_memory(message), message)
    end
    assert.is_true(failure.no_memory "module 'portolan.support.file' not found: no field", "a module that is there could not be opened")
  end)

  it("is no defect", function()
    for _, message in ipairs { "attempt to index a nil value (local 'memory')", "module 'portolan.nowhere' not found:", "bad argument #1" } do
      assert.is_false(failure.no_memory(message), message)
    end
  end)

  it("has a status of its own", function()
    assert.equal(failure.system, failure.status "ENOSPC")
    assert.is_nil(failure.status "ENOENT")
    assert.same({ 1, 1, 2, 130, 7 }, { failure.exit_status(failure.system), failure.exit_status "out of memory", failure.exit_status(nil),
      failure.exit_status "interrupted", failure.exit_status(7) })
    assert.equal(1, failure.exit_status(nil, "no memory for a lattice"))
    assert.equal(2, failure.exit_status(nil, "no such file"))
  end)
end)
