/* core.base: Ctrl-C in Lua code that loops. */
#include <string.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "lua/base.h"

enum {
    EVERY = 1000, /* instructions between two looks at the flag */
    DEEP = 100,   /* calls: code this far down has been called by no library */
};

/* For so many seconds after Ctrl-C what catches the error can still tidy up, EVERY instructions at a time;
 * after that every single instruction raises it, so that no loop around a pcall goes on. */
#define GRACE 1.0

PTL_LUA_PER_THREAD struct {
    double since;        /* when code that may be interrupted learned of Ctrl-C; 0: not yet */
    bool answered;       /* before it a library did, which looks at the flag itself and returns what it has */
    const char* library; /* what the sources of its functions begin with; NULL: there is none */
} state;

/* Tells whether a function of the library runs, or has called what runs. An error within it would come
 * between what belongs together: handles of an event loop would stay open, which end the process when it
 * closes them. */
static bool within_library(lua_State* L) {
    lua_Debug ar;
    for (int level = 0; state.library && level < DEEP && lua_getstack(L, level, &ar); level++) {
        lua_getinfo(L, "S", &ar);
        if (strncmp(ar.source, state.library, strlen(state.library)) == 0) return true;
        if (strcmp(ar.what, "main") == 0) return false;
    }
    return false;
}

static void look(lua_State* L, lua_Debug* where) {
    (void)where;
    if (!ptl_interrupted()) {
        if (state.since) lua_sethook(L, look, LUA_MASKCOUNT, EVERY);
        state.since = 0;
        state.answered = false;
        return;
    }
    if (within_library(L)) {
        state.answered = state.answered || !state.since;
        return;
    }
    if (!state.since) state.since = ptl_now();
    bool late = ptl_now() - state.since > GRACE;
    if (late) lua_sethook(L, look, LUA_MASKCOUNT, 1);
    if (state.answered && !late) return;
    lua_pushliteral(L, "interrupted");
    lua_error(L);
}

/* interrupted() -> boolean. A function of the library that asks and is told so returns what it has. */
int ptl_lua_interrupted(lua_State* L) {
    bool told = ptl_interrupted();
    if (told && !state.since && within_library(L)) state.answered = true;
    return ptl_lua_boolean(L, told);
}

/* interruptible(f, library or nil) -> what pcall(f) returns. Meanwhile Ctrl-C (see catch_interrupts) raises
 * the error "interrupted" in Lua code, that of new coroutines too, again and again until f has ended; but not
 * in functions whose sources begin with `library`, nor in what these call. What called these has a second. */
int ptl_lua_interruptible(lua_State* L) {
    luaL_checktype(L, 1, LUA_TFUNCTION);
    state.library = luaL_optstring(L, 2, NULL);
    lua_settop(L, 2);
    lua_pushvalue(L, 1);
    state.since = 0;
    state.answered = false;
    lua_sethook(L, look, LUA_MASKCOUNT, EVERY);
    int status = ptl_lua_callback(L, 0, LUA_MULTRET);
    lua_sethook(L, NULL, 0, 0);
    state.library = NULL;
    lua_pushboolean(L, status == LUA_OK);
    lua_replace(L, 2);
    return lua_gettop(L) - 1;
}
