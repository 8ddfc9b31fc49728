-- Fails when a binding reads arguments so that metamethods run, or goes round the gate (engine/lua/bind.h says why).
-- usage: lua5.4 tests/bindings.lua SOURCE_DIR
local lfs = require "lfs"
local root = assert(arg[1], "usage: bindings.lua SOURCE_DIR")

-- What must not be called, and what takes its place.
local forbidden = {
  lua_geti = "ptl_lua_item, lua_rawgeti", lua_getfield = "ptl_lua_field", lua_gettable = "lua_rawget", luaL_getsubtable = "ptl_lua_field",
  lua_seti = "lua_rawseti", lua_settable = "lua_rawset", luaL_len = "ptl_lua_length", lua_len = "ptl_lua_length",
  luaL_tolstring = "lua_tolstring", lua_compare = "lua_rawequal", lua_arith = "C", lua_concat = "a luaL_Buffer",
  luaL_callmeta = "nothing: no metamethods", luaL_checkudata = "ptl_lua_check", luaL_testudata = "ptl_lua_test",
  luaL_newmetatable = "ptl_lua_class", luaL_setmetatable = "ptl_lua_new", lua_setmetatable = "ptl_lua_new",
  luaL_setfuncs = "ptl_lua_functions", luaL_newlib = "ptl_lua_functions", lua_pushcfunction = "ptl_lua_functions",
  lua_pushcclosure = "ptl_lua_functions_with", lua_register = "ptl_lua_functions", lua_call = "ptl_lua_callback",
  lua_pcall = "ptl_lua_callback", lua_callk = "ptl_lua_callback", lua_pcallk = "ptl_lua_callback", lua_resume = "ptl_lua_callback",
  lua_yield = "nothing: the gate cannot be left so", lua_yieldk = "nothing: the gate cannot be left so",
  lua_gc = "nothing: the gate holds the collector", lua_sethook = "nothing: hooks are Lua code", luaL_ref = "a user value",
}

-- Files that may, and why.
local allowed = {
  ["gate.c"] = { "lua_gc", "lua_pcall", "lua_pushcfunction", "lua_pushcclosure", "lua_concat", why = "it is the gate; it joins two strings" },
  ["handle.c"] = { "lua_setmetatable", "lua_pushcclosure", why = "it makes the classes; what collects is not called by Lua code" },
  ["lua_limited.c"] = { "lua_sethook", why = "the hook is ours: it looks at a clock and a flag, and hands events on to the hook before it" },
  ["lua_interrupt.c"] = { "lua_sethook", why = "the hook is ours, and looks at a flag" },
}

local faults, checked = {}, 0
local function fault(...) faults[#faults + 1] = string.format(...) end

local function may(name, call)
  for _, one in ipairs(allowed[name] or {}) do
    if one == call then return true end
  end
  return false
end

for name in lfs.dir(root .. "/engine/lua") do
  if name:find "%.[ch]$" then
    local number = 0
    for line in io.lines(root .. "/engine/lua/" .. name) do
      number = number + 1
      for call in line:gmatch "%f[%w_](luaL?_%w+)%s*%(" do
        checked = checked + 1
        if forbidden[call] and not may(name, call) then
          fault("engine/lua/%s:%d: %s may run code of Lua's, or goes round the gate; use %s", name, number, call, forbidden[call])
        end
      end
      if line:find "lua_setfield%(L, %d" then
        fault("engine/lua/%s:%d: lua_setfield on an argument may run its metamethods; use lua_rawset", name, number)
      end
    end
  end
end

for _, f in ipairs(faults) do print(f) end
print(("bindings: %d calls of Lua's API checked, %d faults"):format(checked, #faults))
os.exit(#faults == 0 and checked > 500)
