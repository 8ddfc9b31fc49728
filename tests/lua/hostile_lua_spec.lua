-- Lua files of data and filters that somebody else wrote: they end, take a bounded share of memory, change nothing and know nothing.
local core = require "portolan.core"
local feature = require "portolan.anica.feature"
local file = require "portolan.support.file"
local isa = require "portolan.scheme.isa"
local limits = require "portolan.support.limits"
local lua_file = require "portolan.support.lua_file"
local process = require "process"
local scheme_filter = require "portolan.scheme.filter"
local scheme_set = require "portolan.scheme.set"
local universe = require "portolan.anica.universe"

local function is_line(expected, value, message)
  assert.is_nil(value)
  assert.is_truthy(message:find(expected, 1, true), message)
  assert.is_nil(message:find("\n", 1, true))
end

local function with_file(text, f)
  process.in_directory(function(d)
    assert(file.write(d .. "/f.lua", text))
    f(d .. "/f.lua")
  end)
end

local scheme = assert(isa.scheme "add r64, m64")
local seconds

setup(function() limits.lua.seconds, seconds = 0.2, limits.lua.seconds end)
teardown(function() limits.lua.seconds = seconds end)

describe("a set", function()
  it("with fields of a wrong kind is refused", function()
    for text, expected in pairs {
      ["return { { name = 'x', filter = 5 } }"] = "group 1: 'filter' must be an expression",
      ["return { { name = 'x', filter = {} } }"] = "group 1: 'filter' must be an expression",
      ["return { { name = 'x', schemes = {{}} } }"] = "group 1: schemes[1] must be the name of a scheme, not a table",
      ["return { { name = 'x', schemes = 5 } }"] = "group 1: 'schemes' must be a list of names",
      ["return { { name = {}, schemes = { 'add r64, r64' } } }"] = "group 1: 'name' must be a text",
      ["return { 5 }"] = "group 1: a group is", ["return"] = "must return a list of groups", ['error {}'] = "attempt to call a nil value",
      ["while true do end"] = "it takes too long", ["local s = 'x' while true do s = s .. s end"] = "it needs more than 256 MiB",
      ["while true do f() end"] = "attempt to call a nil value", ["return {" .. ("{"):rep(300)] = "f.lua",
      ["return { './f.lua' }"] = "no instruction set './f.lua'",
    } do
      with_file(text, function(path) is_line(expected, scheme_set.load(path)) end)
    end
  end)

  it("that names others again and again is given up", function()
    with_file("", function(path)
      assert(file.write(path, ("return { %s }"):format(("%q, "):format(path):rep(20))))
      is_line("sets within sets", scheme_set.load(path))
    end)
  end)
end)

describe("a universe", function()
  it("with fields of a wrong kind is refused", function()
    for text, expected in pairs {
      ["return { leaves_out = 5 }"] = "'leaves_out' must be a table", ["return { leaves_out = { 5 } }"] = "rule 1: a rule is",
      ["return { leaves_out = { { reason = 'x', when = { 5 } } } }"] = "rule 1, filter 1: it must be a text",
      ["return { leaves_out = { { reason = 'x', when = { 'tea' } } } }"] = "unknown name 'tea'",
      ["return { leaves_out = { { reason = 'x', when = { 'true' } } } }"] = "no scheme is left",
      ["return { leaves_out = { 'measurable' } }"] = "'measurable' has no rules", ["return { tea = 1 }"] = "unknown field 'tea'",
      ["return {}"] = "either 'leaves_out' or 'set'", ["return { set = 'all', leaves_out = {} }"] = "either 'leaves_out' or 'set'",
      ["return { set = 'tea' }"] = "no instruction set 'tea'", ["while true do end"] = "it takes too long", ["return 5"] = "must return a universe",
    } do
      with_file(text, function(path) is_line(expected, universe.load(path)) end)
    end
  end)

  it("that names others again and again is given up", function()
    with_file("", function(path)
      assert(file.write(path, ("return { leaves_out = { %s } }"):format(("%q, "):format(path):rep(20))))
      is_line("universes within universes", universe.load(path))
    end)
  end)
end)

describe("a filter", function()
  local function run(text)
    local test, message = scheme_filter.compile(text)
    if not test then return nil, message end
    return test(scheme)
  end

  it("ends, though it does not want to", function()
    is_line("it takes too long", run "(function() while true do end end)()")
    is_line("unknown name 'pcall'", run "pcall()")
    is_line("it needs more than", run "(name):rep(1e8)")
    is_line("so many repetitions", run "(''):rep(1e18)")
    is_line("may take too long", run "(('a'):rep(1000)):find(('a-'):rep(20) .. 'b')")
    assert.is_true(run "name:match('^add') and name:find('m64', 1, true) and ('%d'):format(3) == '3'")
    is_line("would print another address", run "('%p'):format({})")
    is_line("longer than", run((" "):rep(2 << 20)))
  end)

  it("changes no scheme", function()
    run "(function() operands[1] = nil scheme.operands[1].kind = 'x' scheme.name = 'y' flags_written[1] = 'z' return true end)()"
    assert.equal("add r64, m64", scheme.name)
    assert.equal("register", scheme.operands[1].kind)
    assert.is_nil(scheme.flags_written[1] == "z" or nil)
    assert.equal(string, getmetatable("").__index)
  end)
end)

describe("code of a file", function()
  local uv = require "luv"
  local function wait() uv.sleep(2000 * limits.lua.seconds) end -- as on a machine that does other things

  it("has its time for itself", function()
    local function work() for _ = 1, 50000 do end return "done" end -- long enough to be looked at
    assert.same({ true, "done" }, { lua_file.call(nil, function() wait() return work() end) })
    local call = lua_file.calls()
    for _ = 1, 2 do assert.same({ true, "done" }, { call(function() wait() return work() end) }) end
  end)

  it("has no more of it than one call in all of a row of calls", function()
    local call = lua_file.calls()
    local function half()
      local began = core.base.worked()
      repeat until core.base.worked() - began > 0.6 * limits.lua.seconds
      return "done"
    end
    assert.same({ true, "done" }, { call(half) })
    local ok, message = call(half)
    is_line("it takes too long", ok or nil, message)
  end)
end)

describe("a domain file", function()
  local function value_of(text)
    local value, message
    with_file(("return { { name = 'f', lattice = 'singleton', value = function(s) %s end } }"):format(text), function(path)
      local features = assert(feature.load(path))
      value, message = feature.value(features[1], scheme)
    end)
    return value, message
  end

  it("cannot catch the end of its time", function()
    is_line("it takes too long", value_of "while true do pcall(function() while true do end end) end")
    is_line("it takes too long", value_of "pcall(pcall, function() while true do end end) return 'x'")
  end)

  it("sees nothing that is another one in every run", function()
    assert.equal("table", (value_of "return tostring({})"))
    assert.equal("function", (value_of "return ('%s'):format(print or tostring)"))
    is_line("attempt to call a nil value", value_of "return math.random()")
  end)

  it("takes Ctrl-C", function()
    core.base.set_interrupted(true)
    local value, message = value_of "while true do pcall(error) end"
    core.base.set_interrupted(false)
    is_line("interrupted", value, message)
  end)
end)

describe("a limited call", function()
  it("hands on arguments, results and errors", function()
    assert.same({ true, 3, "x" }, { lua_file.call(nil, function(a, b) return a + b, "x" end, 1, 2) })
    assert.same({ false, "no" }, { lua_file.call(nil, error, "no", 0) })
  end)
  it("leaves hooks and the memory of others as they were", function()
    local function hook() end
    debug.sethook(hook, "", 1000000)
    lua_file.call(nil, function() return lua_file.call(0.01, function() while true do end end) end)
    assert.equal(hook, (debug.gethook()))
    debug.sethook()
    assert.equal(1 << 26, #("x"):rep(1 << 26))
  end)
  it("within another one has no more time than that", function()
    local began = core.base.now()
    lua_file.call(0.1, function() lua_file.call(10, function() while true do end end) end)
    assert.is_true(core.base.now() - began < 5)
  end)
end)
