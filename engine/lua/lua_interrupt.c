/* core.base: Ctrl-C in Lua code that loops. */
#include "base/clock.h"
#include "base/interrupt.h"
#include "lua/base.h"

enum { EVERY = 1000 }; /* instructions between two looks at the flag */

/* For so many seconds after Ctrl-C what catches the error can still tidy up, EVERY instructions at a time;
 * after that every single instruction raises it, so that no loop around a pcall goes on. */
#define GRACE 1.0

PTL_LUA_PER_THREAD double since; /* when Ctrl-C was seen; 0: it was not */

static void look(lua_State* L, lua_Debug* where) {
    (void)where;
    if (!ptl_interrupted()) {
        if (since) lua_sethook(L, look, LUA_MASKCOUNT, EVERY);
        since = 0;
        return;
    }
    if (!since) since = ptl_now();
    if (ptl_now() - since > GRACE) lua_sethook(L, look, LUA_MASKCOUNT, 1);
    lua_pushliteral(L, "interrupted");
    lua_error(L);
}

/* interruptible(f) -> what pcall(f) returns. Meanwhile Ctrl-C (see catch_interrupts) raises the error
 * "interrupted" in Lua code, that of new coroutines too, again and again until f has ended. */
int ptl_lua_interruptible(lua_State* L) {
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_settop(L, 1);
    lua_pushvalue(L, 1);
    since = 0;
    lua_sethook(L, look, LUA_MASKCOUNT, EVERY);
    int status = ptl_lua_callback(L, 0, LUA_MULTRET);
    lua_sethook(L, NULL, 0, 0);
    lua_pushboolean(L, status == LUA_OK);
    lua_replace(L, 1);
    return lua_gettop(L);
}
