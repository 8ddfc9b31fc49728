/* core.base: seeded random numbers, clock, Ctrl-C, terminals, limited calls, locks. */
#include <stdlib.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/lock.h"
#include "base/terminal.h"
#include "lua/base.h"

static const ptl_lua_class rng_class;

static int push_rng(lua_State* L, ptl_rng r) {
    ptl_rng* p = ptl_lua_new(L, &rng_class, sizeof *p, 0);
    *p = r;
    return 1;
}

ptl_rng* ptl_lua_check_rng(lua_State* L, int index) {
    return ptl_lua_check(L, index, &rng_class);
}

/* rng(seed) -> generator; the same seed gives the same numbers on every machine. */
static int l_rng(lua_State* L) {
    return push_rng(L, ptl_rng_seed((uint64_t)luaL_checkinteger(L, 1)));
}

/* r:split(label) -> independent generator that depends on the seed of r and the label only. */
static int l_split(lua_State* L) {
    return push_rng(L, ptl_rng_split(ptl_lua_check_rng(L, 1), (uint64_t)luaL_checkinteger(L, 2)));
}

/* r:below(n) -> whole number in [0, n). */
static int l_below(lua_State* L) {
    lua_Integer n = luaL_checkinteger(L, 2);
    luaL_argcheck(L, n > 0, 2, "must be positive");
    return ptl_lua_integer(L, (lua_Integer)ptl_rng_below(ptl_lua_check_rng(L, 1), (uint64_t)n));
}

/* r:unit() -> number in [0, 1). */
static int l_unit(lua_State* L) {
    return ptl_lua_number(L, ptl_rng_unit(ptl_lua_check_rng(L, 1)));
}

/* r:normal() -> standard normal. */
static int l_normal(lua_State* L) {
    return ptl_lua_number(L, ptl_rng_normal(ptl_lua_check_rng(L, 1)));
}

/* r:shuffle(list) -> the same list, permuted in place. */
static int l_shuffle(lua_State* L) {
    ptl_rng* r = ptl_lua_check_rng(L, 1);
    for (lua_Integer i = (lua_Integer)ptl_lua_length(L, 2); i > 1; i--) {
        lua_Integer j = 1 + (lua_Integer)ptl_rng_below(r, (uint64_t)i);
        lua_rawgeti(L, 2, i);
        lua_rawgeti(L, 2, j);
        lua_rawseti(L, 2, i);
        lua_rawseti(L, 2, j);
    }
    lua_settop(L, 2);
    return 1;
}

/* now() -> seconds of a monotonic clock. */
static int l_now(lua_State* L) {
    return ptl_lua_number(L, ptl_now());
}

/* worked() -> seconds that this thread has had a processor. */
static int l_worked(lua_State* L) {
    return ptl_lua_number(L, ptl_worked());
}

/* catch_interrupts(): from now on Ctrl-C only sets a flag that long work looks at. */
static int l_catch(lua_State* L) {
    (void)L;
    ptl_interrupt_catch();
    return 0;
}

/* interrupt_status() -> exit status of a process that was interrupted: 130 after Ctrl-C, 143 after SIGTERM.
 */
static int l_interrupt_status(lua_State* L) {
    return ptl_lua_integer(L, ptl_interrupt_status());
}

/* set_interrupted(boolean): clears or sets the flag. */
static int l_set_interrupted(lua_State* L) {
    ptl_interrupt_set(lua_toboolean(L, 1));
    return 0;
}

/* terminal_columns(file descriptor) -> number; nil where there is no telling. */
static int l_columns(lua_State* L) {
    unsigned columns = ptl_terminal_columns((int)luaL_checkinteger(L, 1));
    if (columns) lua_pushinteger(L, columns);
    return columns ? 1 : 0;
}

/* terminal_waits(file descriptor): its reads and writes wait from now on. */
static int l_waits(lua_State* L) {
    ptl_terminal_waits((int)luaL_checkinteger(L, 1));
    return 0;
}

static void give_back(void* lock) {
    ptl_lock_release(*(ptl_lock**)lock);
}

/* lock:release(): gives it back; once is enough, and its collection does it, too. */
static const ptl_lua_class lock_class = {
    .name = "portolan.lock", .what = "lock", .free = give_back, .close = "release"};

/* lock(path, owner) -> lock; nil, message, status name; or, if somebody else has it: nil,
 * nil, "busy", pid (0: unknown), what the holder wrote of itself. */
static int l_lock(lua_State* L) {
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

static const luaL_Reg rng_methods[] = {
    {"split", l_split}, {"below", l_below}, {"unit", l_unit}, {"normal", l_normal}, {NULL, NULL},
};

static const luaL_Reg rng_changing[] = {{"shuffle", l_shuffle}, {NULL, NULL}};

static const ptl_lua_class rng_class = {
    .name = "portolan.rng", .what = "generator", .methods = rng_methods, .changing = rng_changing};

static const luaL_Reg functions[] = {
    {"rng", l_rng},
    {"now", l_now},
    {"worked", l_worked},
    {"catch_interrupts", l_catch},
    {"interrupted", ptl_lua_interrupted},
    {"interrupt_status", l_interrupt_status},
    {"interruptible", ptl_lua_interruptible},
    {"set_interrupted", l_set_interrupted},
    {"terminal_columns", l_columns},
    {"terminal_waits", l_waits},
    {"lock", l_lock},
    {NULL, NULL},
};

/* What it calls gets its arguments as they are. */
static const luaL_Reg calling[] = {{"limited", ptl_lua_limited}, {NULL, NULL}};

int ptl_open_base(lua_State* L) {
    lua_newtable(L);
    ptl_lua_functions(L, functions);
    ptl_lua_changing_functions(L, calling);
    return 1;
}
