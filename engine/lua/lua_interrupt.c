/* core.base: Ctrl-C in Lua code that loops. */
#include "base/clock.h"
#include "base/interrupt.h"
#include "lua/base.h"

enum { EVERY = 1000 }; /* instructions between two looks at the flag */

/* For so many seconds after Ctrl-C what catches the error can still tidy up, EVERY instructions at a time; after
 * that every single instruction raises it, so that no loop around a pcall goes on. */
#define GRACE 1.0

static _Thread_local double since; /* when Ctrl-C was seen; 0: it was not */

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

/* raise_interrupts(boolean): from now on Ctrl-C (see catch_interrupts) raises the error "interrupted" in Lua code
 * of this coroutine, and of those it starts, again and again; or no longer. */
int ptl_lua_raise_interrupts(lua_State* L) {
    since = 0;
    if (lua_toboolean(L, 1))
        lua_sethook(L, look, LUA_MASKCOUNT, EVERY);
    else if (lua_gethook(L) == look)
        lua_sethook(L, NULL, 0, 0);
    return 0;
}
