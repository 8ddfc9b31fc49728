/* core.base: seeded random numbers, clock, Ctrl-C, terminals, limited calls. */
#include <stdlib.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/terminal.h"
#include "lua/bind.h"

#define RNG "portolan.rng"

static int push_rng(lua_State* L, ptl_rng r) {
    ptl_rng* p = lua_newuserdatauv(L, sizeof *p, 0);
    *p = r;
    luaL_setmetatable(L, RNG);
    return 1;
}

ptl_rng* ptl_lua_check_rng(lua_State* L, int index) {
    return luaL_checkudata(L, index, RNG);
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
    lua_pushinteger(L, (lua_Integer)ptl_rng_below(ptl_lua_check_rng(L, 1), (uint64_t)n));
    return 1;
}

/* r:unit() -> number in [0, 1). */
static int l_unit(lua_State* L) {
    lua_pushnumber(L, ptl_rng_unit(ptl_lua_check_rng(L, 1)));
    return 1;
}

/* r:normal() -> standard normal. */
static int l_normal(lua_State* L) {
    lua_pushnumber(L, ptl_rng_normal(ptl_lua_check_rng(L, 1)));
    return 1;
}

/* r:shuffle(list) -> the same list, permuted in place. */
static int l_shuffle(lua_State* L) {
    ptl_rng* r = ptl_lua_check_rng(L, 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    for (lua_Integer i = luaL_len(L, 2); i > 1; i--) {
        lua_Integer j = 1 + (lua_Integer)ptl_rng_below(r, (uint64_t)i);
        lua_geti(L, 2, i);
        lua_geti(L, 2, j);
        lua_seti(L, 2, i);
        lua_seti(L, 2, j);
    }
    lua_settop(L, 2);
    return 1;
}

/* now() -> seconds of a monotonic clock. */
static int l_now(lua_State* L) {
    lua_pushnumber(L, ptl_now());
    return 1;
}

/* catch_interrupts(): from now on Ctrl-C only sets a flag that long work looks at. */
static int l_catch(lua_State* L) {
    (void)L;
    ptl_interrupt_catch();
    return 0;
}

/* interrupted() -> boolean. */
static int l_interrupted(lua_State* L) {
    lua_pushboolean(L, ptl_interrupted());
    return 1;
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

static const luaL_Reg rng_methods[] = {
    {"split", l_split},   {"below", l_below},     {"unit", l_unit},
    {"normal", l_normal}, {"shuffle", l_shuffle}, {NULL, NULL},
};

static const luaL_Reg functions[] = {
    {"rng", l_rng},
    {"now", l_now},
    {"catch_interrupts", l_catch},
    {"interrupted", l_interrupted},
    {"set_interrupted", l_set_interrupted},
    {"terminal_columns", l_columns},
    {"terminal_waits", l_waits},
    {"limited", ptl_lua_limited},
    {NULL, NULL},
};

int ptl_open_base(lua_State* L) {
    luaL_newmetatable(L, RNG);
    luaL_newlib(L, rng_methods);
    lua_setfield(L, -2, "__index");
    luaL_newlib(L, functions);
    return 1;
}
