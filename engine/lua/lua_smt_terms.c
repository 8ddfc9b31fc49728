/* core.smt: what both forms of the search take from Lua: experiments, what was measured of them, options. */
#include <math.h>

#include "lua/bind.h"
#include "lua/smt.h"

ptl_terms ptl_lua_check_terms(lua_State* L, int index) {
    ptl_terms t = {0};
    luaL_checktype(L, index, LUA_TTABLE);
    lua_Integer given = 0;
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) given++;
    for (lua_Integer i = 1; i <= PTL_SCHEMES_MAX; i++) {
        ptl_lua_item(L, index, i);
        if (!lua_isnil(L, -1)) {
            lua_Integer copies = lua_tointeger(L, -1);
            luaL_argcheck(L, copies > 0 && copies <= 1000000, index, "copies must be positive whole numbers");
            if (t.count < PTL_TERMS_MAX) {
                t.scheme[t.count] = (uint8_t)(i - 1);
                t.copies[t.count] = (uint32_t)copies;
            }
            t.count++;
        }
        lua_pop(L, 1);
    }
    luaL_argcheck(L, (lua_Integer)t.count == given, index, "schemes are numbered from 1");
    return t;
}

void ptl_lua_push_terms(lua_State* L, const ptl_terms* terms) {
    lua_createtable(L, 0, (int)terms->count);
    for (size_t k = 0; k < terms->count; k++) ptl_lua_put_integer(L, terms->scheme[k] + 1, terms->copies[k]);
}

/* A number of cycles: neither NaN nor beyond what can be measured. */
static double check_cycles(lua_State* L, int index, const char* name, double otherwise) {
    double cycles = ptl_lua_number_field(L, index, name, otherwise);
    if (!(cycles == otherwise || (cycles >= -1e9 && cycles <= 1e9)))
        luaL_error(L, "bound '%s' must be a number of cycles", name);
    return cycles;
}

ptl_bounds ptl_lua_check_bounds(lua_State* L, int index) {
    luaL_checktype(L, index, LUA_TTABLE);
    ptl_bounds b = {.upper = check_cycles(L, index, "upper", INFINITY), .lowers = ptl_lua_length(L, index)};
    luaL_argcheck(L, b.lowers <= PTL_LOWERS_MAX, index, "too many lower bounds");
    for (size_t k = 0; k < b.lowers; k++) {
        ptl_lua_item(L, index, (lua_Integer)k + 1);
        int lower = lua_gettop(L);
        lua_Integer weight = ptl_lua_integer_field(L, lower, "weight", 0);
        luaL_argcheck(L, weight >= 0 && weight <= 1000000, index, "weights are from 0 to 1e6");
        b.lower[k].bound = check_cycles(L, lower, "bound", 0);
        b.lower[k].weight = (unsigned)weight;
        luaL_argcheck(L, k == 0 || b.lower[k].bound <= b.lower[k - 1].bound, index,
                      "lower bounds must descend");
        lua_pop(L, 1);
    }
    return b;
}

double ptl_lua_check_seconds(lua_State* L, int index) {
    double seconds = luaL_checknumber(L, index);
    luaL_argcheck(L, seconds == seconds, index, "not a number of seconds");
    return seconds < -1e9 ? -1e9 : seconds > 1e9 ? 1e9 : seconds;
}

void ptl_lua_check_ports(lua_State* L, int index, size_t n, lua_Integer low, lua_Integer high,
                         uint32_t* rows) {
    for (size_t i = 0; i < n; i++) {
        lua_Integer ports = ptl_lua_integer_item(L, index, (lua_Integer)i + 1);
        luaL_argcheck(L, ports >= low && ports <= high, index, "not a set of ports");
        rows[i] = (uint32_t)ports;
    }
}

void ptl_lua_check_resolution(lua_State* L, double* epsilon, double* rmax) {
    *epsilon = ptl_lua_number_field(L, 1, "epsilon", 0.02);
    *rmax = ptl_lua_number_field(L, 1, "rmax", 0);
    luaL_argcheck(L, *epsilon >= 0 && *epsilon <= 1000 && *rmax >= 0 && *rmax <= 1000, 1,
                  "epsilon and rmax are from 0 to 1000");
}

/* The list of whole numbers in a field of the table at 1, one per scheme; NULL if there is none. */
static const unsigned* list_field(lua_State* L, const char* name, lua_Integer schemes, unsigned* numbers) {
    bool given = ptl_lua_field(L, 1, name) == LUA_TTABLE;
    for (lua_Integer i = 0; given && i < schemes && i < PTL_SCHEMES_MAX; i++) {
        lua_Integer n = ptl_lua_integer_item(L, -1, i + 1);
        luaL_argcheck(L, n >= 0 && n <= 10000, 1, name);
        numbers[i] = (unsigned)n;
    }
    lua_pop(L, 1);
    return given ? numbers : NULL;
}

void ptl_lua_check_unknowns(lua_State* L, ptl_lua_unknowns* u) {
    lua_Integer schemes = ptl_lua_integer_field(L, 1, "schemes", 0),
                ports = ptl_lua_integer_field(L, 1, "ports", 0);
    u->schemes = schemes > 0 ? (size_t)schemes : 0;
    u->ports = ports > 0 ? (size_t)ports : 0;
    u->counts = list_field(L, "counts", schemes, u->lists[0]);
    u->uops = list_field(L, "uops", schemes, u->lists[1]);
    u->slots = list_field(L, "slots", schemes, u->lists[2]);
    u->seed = (uint64_t)ptl_lua_integer_field(L, 1, "seed", 0);
    ptl_lua_check_resolution(L, &u->epsilon, &u->rmax);
}
