-- The gate of the bindings (engine/lua/gate.c, handle.c): nothing that Lua hands over can harm what reads it.
local core = require "portolan.core"

describe("the bindings", function()
  local function search() return assert(core.smt.search { schemes = 2, ports = 2 }) end
  local bounds = { upper = 2, { bound = 1, weight = 0 } }

  -- A table that is empty, and does something whenever it is asked.
  local function asked(act, base)
    base = base or {}
    return setmetatable({}, { __index = function(_, k) act() return base[k] end, __len = function() act() return #base end,
      __pairs = function() act() return next, base end })
  end

  it("check sets of schemes, numbers of ports and mappings against the search", function()
    local s = search()
    for _, set in ipairs { 5, 0, -1, 1 << 62, math.mininteger } do
      assert.has_error(function() s:possible(set, 1, 2) end)
      assert.has_error(function() s:suppose(set, 1, 2) end)
      assert.has_error(function() s:other({ 1, 2 }, 0, set) end)
    end
    for _, count in ipairs { -1, 34, math.maxinteger } do
      assert.has_error(function() s:possible(1, count, 2) end)
      assert.has_error(function() s:suppose(1, 1, count) end)
    end
    for _, mapping in ipairs { { 1, 4 }, { 1 }, { 1, 2, 3 }, { 0, 1 }, { 1, -1 }, { "x", 1 } } do
      assert.has_error(function() s:other(mapping) end)
      assert.has_error(function() s:text(mapping) end)
    end
    assert.equal(0, s:supposed())
    assert.truthy(s:possible(3, 1, 2))
  end)

  it("check bounds, weights and seconds", function()
    local s, nan = search(), 0 / 0
    for _, wrong in ipairs { { upper = nan }, { { bound = nan } }, { { bound = 1, weight = -1 } }, { { bound = 1, weight = 1 << 40 } },
      { upper = 1e300 } } do
      assert.has_error(function() s:observe({ 1 }, wrong) end)
    end
    assert.has_error(function() s:deadline(nan) end)
    s:deadline(math.huge)
    assert.has_error(function() core.smt.search { schemes = 2, ports = 2, epsilon = nan } end)
  end)

  it("run no metamethod of what they read", function()
    local s, called = search(), 0
    local function act()
      called = called + 1
      s:close()
    end
    pcall(s.observe, s, asked(act, { 1, 1 }), asked(act, bounds))
    pcall(s.other, s, asked(act, { 1, 2 }))
    pcall(core.model.cover, 3, asked(act, { { 1 }, { 2 } }), 1)
    pcall(core.smt.search, asked(act, { schemes = 2, ports = 2 }))
    pcall(core.isa.check, asked(act, { "add r64, r64" }))
    assert.equal(0, called)
    assert.truthy(s:mapping())
  end)

  it("read the raw content of tables that have metatables", function()
    local m = assert(core.model.mapping(setmetatable({ ports = { "0" }, schemes = { a = { uops = { { { "0" } } } } } }, { __index = error })))
    assert.equal(3, m:throughput(setmetatable({ a = 3 }, { __len = error, __pairs = error })))
  end)

  it("take tables that share and hold themselves, and refuse bottomless ones", function()
    local shared = { { { "0" } } }
    local mapping = { ports = { "0" }, schemes = { a = { uops = shared }, b = { uops = shared } } }
    mapping.self, mapping.schemes.a.up = mapping, mapping.schemes
    assert.equal(2, assert(core.model.mapping(mapping)):throughput { a = 1, b = 1 })
    local deep = {}
    for _ = 1, 1000 do deep = { deep } end
    assert.has_error(function() core.model.mapping(deep) end, "a table with more than 100 levels of tables")
  end)

  it("leave the caller's tables alone, but for shuffle", function()
    local list, index = { 1, 2, 3, 4, 5, 6, 7, 8 }, 0
    local shuffled = core.base.rng(1):shuffle(setmetatable(list, { __newindex = function() index = index + 1 end }))
    assert.equal(list, shuffled)
    table.sort(list)
    assert.same({ 1, 2, 3, 4, 5, 6, 7, 8 }, list)
    assert.equal(0, index)
  end)

  it("run no finalizer while they run", function()
    local m = assert(core.model.mapping { ports = { "0" }, schemes = { a = { uops = { { { "0" } } } } } })
    local many = {}
    for i = 1, 20000 do many[i] = { a = i } end
    local inside, during = false, 0
    local function litter()
      setmetatable({}, { __gc = function()
        if inside then during = during + 1 end
        pcall(m.throughput, m, { a = 1 })
        litter()
      end })
    end
    litter()
    for _ = 1, 5 do
      inside = true
      local f = core.model.batch
      debug.sethook(function() inside = false end, "r") -- it has returned
      local b = f(m, many)
      debug.sethook()
      inside = false
      assert.equal(20000, #b)
    end
    collectgarbage()
    assert.equal(0, during)
  end)

  it("do not change the pace of the collector", function()
    local rng = core.base.rng(1)
    collectgarbage()
    local most = 0
    for _ = 1, 200000 do
      local _ = { rng:below(10) }
      most = math.max(most, collectgarbage "count")
    end
    assert.is_true(collectgarbage "isrunning")
    assert.is_true(most < 100e3, most .. " KB")
    collectgarbage "stop"
    rng:below(10)
    assert.is_false(collectgarbage "isrunning")
    collectgarbage "restart"
  end)

  it("are as they were after an error", function()
    local s = search()
    for _ = 1, 3 do
      assert.has_error(function() s:observe({ 1 }, 5) end)
      local thread = coroutine.create(s.observe)
      assert.is_false(coroutine.resume(thread, s, {}, 5))
    end
    assert.truthy(s:mapping())
    s:close()
    s:close()
    assert.has_error(function() s:mapping() end, "search is closed")
  end)

  it("say in their messages which argument of which function is wrong, and where", function()
    local ok, message = pcall(function() core.base.rng "x" end)
    assert.is_false(ok)
    assert.matches("gate_spec.lua:%d+: bad argument #1 to 'rng' %(number expected, got string%)$", message)
    ok, message = pcall(function() core.base.rng(1):below(0) end)
    assert.is_false(ok)
    assert.matches("gate_spec.lua:%d+: bad argument #1 to 'below' %(must be positive%)$", message)
    ok, message = pcall(function() core.base.rng(1).below(5, 5) end)
    assert.is_false(ok)
    assert.matches("bad argument #1 to 'below' %(portolan.rng expected, got number%)$", message)
    ok, message = pcall(function() local r = core.base.rng(1) r.below(nil) end)
    assert.is_false(ok)
    assert.matches("gate_spec.lua:%d+:", message)
  end)

  it("keep their metatables to themselves", function()
    assert.is_false(getmetatable(search()))
    assert.is_false(getmetatable(core.base.rng(1)))
  end)

  it("refuse objects that the collector has finalized", function()
    local seen
    do
      local holder = setmetatable({}, { __gc = function(o) seen = { pcall(o.m.throughput, o.m, { a = 1 }) } end })
      holder.m = assert(core.model.mapping { ports = { "0" }, schemes = { a = { uops = { { { "0" } } } } } })
    end
    collectgarbage()
    collectgarbage()
    assert.is_false(seen[1])
    assert.matches("mapping is closed", seen[2])
  end)

  it("refuse objects of the wrong kind", function()
    local fake = setmetatable({}, { __name = "portolan.search" })
    local objects = { search(), core.base.rng(1), io.stdout, coroutine.create(print), print, "x", 5, {}, fake }
    for i = 2, #objects do
      assert.has_error(function() objects[1].mapping(objects[i]) end)
    end
  end)
end)
