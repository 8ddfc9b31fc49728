/* core.model: the greedy port binder. */
#include "lua/model.h"
#include "schedule/binder.h"

static unsigned unsigned_field(lua_State* L, int index, const char* name, unsigned otherwise) {
    lua_Integer value = ptl_lua_integer_field(L, index, name, otherwise);
    if (value < 0 || value > INT32_MAX) luaL_error(L, "option '%s' must not be negative", name);
    return (unsigned)value;
}

ptl_binder ptl_lua_binder(lua_State* L, int index, ptl_binder otherwise) {
    static const char* const kinds[] = {"pending", "recent", "late", "", NULL};
    ptl_binder o = otherwise;
    if (lua_isnoneornil(L, index)) return o;
    luaL_checktype(L, index, LUA_TTABLE);
    ptl_lua_field(L, index, "kind");
    switch (luaL_checkoption(L, -1, "", kinds)) {
    case 0: o = PTL_BINDER_PENDING; break;
    case 1: o = PTL_BINDER_RECENT; break;
    case 2: o = PTL_BINDER_LATE; break;
    }
    lua_pop(L, 1);
    o.scheduler = unsigned_field(L, index, "scheduler", o.scheduler);
    o.memory = unsigned_field(L, index, "memory", o.memory);
    o.stale = unsigned_field(L, index, "stale", o.stale);
    o.random = ptl_lua_boolean_field(L, index, "random", o.random);
    o.alternate = ptl_lua_boolean_field(L, index, "alternate", o.alternate);
    return o;
}

static double bind(lua_State* L, ptl_lua_mapping* m, double* loads) {
    double cycles;
    ptl_binder o = ptl_lua_binder(L, 3, PTL_BINDER_DEFAULT);
    ptl_lua_read_experiment(L, 2, m, 1);
    ptl_lua_try(L, ptl_bind_loads(&m->mapping, &m->experiment, &o, &cycles, loads, ptl_lua_error()));
    return cycles;
}

/* m:bind(experiment[, {kind="pending"|"recent"|"late", scheduler=, memory=, stale=, random=, alternate=}]) ->
 * cycles under the greedy binder (binder.h) | nil, message, status. */
int ptl_lua_model_bind(lua_State* L) {
    double loads[PTL_PORTS_MAX];
    return ptl_lua_number(L, bind(L, ptl_lua_check_mapping(L, 1), loads));
}

/* m:bound(experiment[, options of bind]) -> {cycles=, load = {port = uops that it executes}} under the greedy
 * binder | nil, message, status. */
int ptl_lua_model_bound(lua_State* L) {
    ptl_lua_mapping* m = ptl_lua_check_mapping(L, 1);
    double loads[PTL_PORTS_MAX], cycles = bind(L, m, loads);
    lua_createtable(L, 0, 2);
    ptl_lua_set_number(L, "cycles", cycles);
    ptl_lua_set_load(L, &m->mapping, loads);
    return 1;
}
