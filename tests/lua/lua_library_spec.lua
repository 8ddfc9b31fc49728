-- What foreign Lua files can see and do.
local lua_file = require "portolan.support.lua_file"
local lua_library = require "portolan.support.lua_library"
local scheme_filter, scheme_set, isa = require "portolan.scheme.filter", require "portolan.scheme.set", require "portolan.scheme.isa"
local file, process = require "portolan.support.file", require "process"

describe("the sandbox", function()
  local function run(code, ...)
    local chunk = assert(load(code, "=code", "t", lua_library.environment()))
    return lua_file.call(nil, chunk, ...)
  end

  it("shows no addresses", function()
    for _, expression in ipairs { "tostring({})", "tostring(print or pairs)", "string.format('%s', {})", "('%s'):format(pairs)",
      "('%-20s|'):format({})", "select(2, pcall(error, {})) and tostring(select(2, pcall(error, {})))" } do
      local ok, text = run("return " .. expression)
      assert.is_true(ok, text)
      assert.is_nil(text:find "0x", text)
    end
    for _, expression in ipairs { "string.format('%p', {})", "('%p'):format({})", "('%%%20p'):format({})" } do
      assert.is_false((run("return " .. expression)))
    end
    assert.same({ true, "%p 5 x" }, { run "return ('%%p %d %s'):format(5, 'x')" })
    assert.is_nil(lua_library.message({}):find "0x")
  end)

  it("goes through tables in order, whatever they hold", function()
    local code = [[
      local t, seen = { z = 1, [2] = 2, a = false, [-1.5] = 4, [true] = 5, m = 6, [10] = 7 }, {}
      for key, value in pairs(t) do seen[#seen + 1] = tostring(key) .. "=" .. tostring(value) end
      local key, value = next(t)
      while key ~= nil do
        seen[#seen + 1] = tostring(key)
        key, value = next(t, key)
      end
      for k in pairs(t) do t[k] = nil end
      return table.concat(seen, " "), next(t)]]
    assert.same({ true, "true=5 -1.5=4 2=2 10=7 a=false m=6 z=1 true -1.5 2 10 a m z" }, { run(code) })
    assert.is_false((run "for _ in pairs { [{}] = 1 } do end"))
    assert.is_false((run "for _ in pairs(5) do end"))
  end)

  it("sorts what is equal in the order it was in", function()
    local ok, list = run [[
      local list = {}
      for i = 1, 500 do list[i] = { i % 3, i } end
      table.sort(list, function(a, b) return a[1] < b[1] end)
      for k = 2, 500 do
        assert(list[k - 1][1] < list[k][1] or list[k - 1][1] == list[k][1] and list[k - 1][2] < list[k][2])
      end
      local plain = { 3, 1, 2 }
      table.sort(plain)
      return table.concat(plain)]]
    assert.is_true(ok, list)
    assert.equal("123", list)
  end)

  it("has nothing that reaches out", function()
    for _, name in ipairs { "io", "os", "load", "loadfile", "dofile", "require", "debug", "collectgarbage", "getmetatable", "setmetatable",
      "print", "coroutine", "package", "string.dump", "math.random", "math.randomseed", "_G" } do
      assert.same({ true, nil }, { run("return " .. name) }, name)
    end
    assert.same({ true, nil }, { run "return ('x').dump" })
  end)

  it("gives each file a library of its own, and strings their methods back", function()
    assert.is_true((run "string.rep, table.concat, math.max = nil, nil, nil"))
    assert.same({ true, "xx" }, { run "return ('x'):rep(2)" })
    assert.equal(string, getmetatable("").__index)
    run "error 'x'"
    assert.equal(string, getmetatable("").__index)
  end)

  it("keeps the shared schemes from filters", function()
    local scheme = assert(isa.scheme "add r64, m64")
    local before = require("portolan.support.json").encode(scheme)
    for _, expression in ipairs {
      "(function() operands[1].width = 5 operands[2] = nil return true end)()",
      "(function() scheme.name = 'x' scheme.operands = 5 return true end)()",
      "(function() flags_written[1] = 'x' prefixes[1] = 'y' return true end)()", "pcall and true" } do
      local test = assert(scheme_filter.compile(expression))
      test(scheme)
      assert.equal(before, require("portolan.support.json").encode(scheme))
    end
  end)

  it("keeps them from the functions of sets, and says in one line what is wrong with those", function()
    process.in_directory(function(d)
      local path = d .. "/set.lua"
      local function set(filter)
        assert(file.write(path, ("return { { name = 'x', filter = %s } }"):format(filter)))
        return scheme_set.load(path)
      end
      local first = set "function(s) local adc = s.mnemonic == 'adc' s.mnemonic, s.operands = 'gone', nil return adc end"
      assert.equal(scheme_set.count(assert(set "'mnemonic == \"adc\"'")), scheme_set.count(first))
      for filter, what in pairs { ["5"] = "'filter' must be", ["function(s) return s.x.y end"] = "the filter fails: " } do
        local groups, message = set(filter)
        assert.is_nil(groups)
        assert.matches(what, message)
      end
    end)
  end)
end)
