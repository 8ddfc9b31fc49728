/* core.base.lock: one writer at a time. */
#include "base/lock.h"
#include "lua/base.h"

static void give_back(void* lock) {
    ptl_lock_release(*(ptl_lock**)lock);
}

/* lock:release(): gives it back; once is enough, and its collection does it, too. */
static const ptl_lua_class lock_class = {
    .name = "portolan.lock", .what = "lock", .free = give_back, .close = "release"};

/* lock(path, owner) -> lock; nil, message, status name; or, if somebody else has it: nil,
 * nil, "busy", pid (0: unknown), what the holder wrote of itself. */
int ptl_lua_lock(lua_State* L) {
    const char *path = luaL_checkstring(L, 1), *owner = luaL_checkstring(L, 2);
    ptl_lock** lock = ptl_lua_new(L, &lock_class, sizeof *lock, 0);
    ptl_lock_holder holder;
    ptl_lua_try(L, ptl_lock_take(path, owner, lock, &holder, ptl_lua_error()));
    if (*lock) return 1;
    lua_pushnil(L);
    lua_pushnil(L);
    lua_pushliteral(L, "busy");
    lua_pushinteger(L, holder.pid);
    lua_pushstring(L, holder.text);
    return 5;
}
