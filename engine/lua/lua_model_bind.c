/* core.model: the greedy port binder. */
#include "lua/model.h"
#include "model/binder.h"

static unsigned unsigned_field(lua_State* L, int index, const char* name, unsigned otherwise) {
    lua_Integer value = ptl_lua_integer_field(L, index, name, otherwise);
    if (value < 0 || value > INT32_MAX) luaL_error(L, "option '%s' must not be negative", name);
    return (unsigned)value;
}

/* m:bind(experiment[, {scheduler=, memory=, stale=, random=}]) -> cycles under the greedy binder
 * (binder.h) | nil, message, status. */
int ptl_lua_model_bind(lua_State* L) {
    ptl_lua_mapping* m = ptl_lua_check_mapping(L, 1);
    ptl_binder o = PTL_BINDER_DEFAULT;
    o.scheduler = unsigned_field(L, 3, "scheduler", o.scheduler);
    o.memory = unsigned_field(L, 3, "memory", o.memory);
    o.stale = unsigned_field(L, 3, "stale", o.stale < o.memory ? o.stale : o.memory);
    o.random = ptl_lua_boolean_field(L, 3, "random", o.random);
    ptl_error e;
    double cycles;
    ptl_status s = ptl_lua_read_experiment(L, 2, m, 1, &e);
    if (!s) s = ptl_bind(&m->mapping, &m->experiment, &o, &cycles, &e);
    if (s) return ptl_lua_failure(L, &e);
    lua_pushnumber(L, cycles);
    return 1;
}
