/* core.base.lock: one writer at a time. */
#include "base/lock.h"
#include "lua/bind.h"

#define LOCK "portolan.lock"

/* lock:release(): gives it back; once is enough, and its collection does it, too. */
static int l_release(lua_State* L) {
    ptl_lock** lock = luaL_checkudata(L, 1, LOCK);
    ptl_lock_release(*lock);
    *lock = NULL;
    return 0;
}

static const luaL_Reg meta[] = {{"__gc", l_release}, {"__close", l_release}, {NULL, NULL}};
static const luaL_Reg methods[] = {{"release", l_release}, {NULL, NULL}};

/* lock(path, owner) -> lock; nil, message, status name; or, if somebody else has it: nil,
 * nil, "busy", pid (0: unknown), what the holder wrote of itself. */
static int l_lock(lua_State* L) {
    const char *path = luaL_checkstring(L, 1), *owner = luaL_checkstring(L, 2);
    ptl_lock** lock = lua_newuserdatauv(L, sizeof *lock, 0);
    *lock = NULL;
    ptl_lua_set_class(L, LOCK, meta, methods);
    ptl_lock_holder holder;
    ptl_error e;
    if (ptl_lock_take(path, owner, lock, &holder, &e) != PTL_OK) return ptl_lua_failure(L, &e);
    if (*lock) return 1;
    lua_pushnil(L);
    lua_pushnil(L);
    lua_pushliteral(L, "busy");
    lua_pushinteger(L, holder.pid);
    lua_pushstring(L, holder.text);
    return 5;
}

void ptl_lua_add_lock(lua_State* L) {
    lua_pushcfunction(L, l_lock);
    lua_setfield(L, -2, "lock");
}
