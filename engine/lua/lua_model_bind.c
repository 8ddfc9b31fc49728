/* core.model: the greedy port binder and the accuracy metrics. */
#include <math.h>

#include "lua/model.h"
#include "model/binder.h"
#include "model/metrics.h"

static unsigned unsigned_field(lua_State* L, int index, const char* name, unsigned otherwise) {
    lua_Integer value = ptl_lua_integer_field(L, index, name, otherwise);
    if (value < 0 || value > INT32_MAX) luaL_error(L, "option '%s' must not be negative", name);
    return (unsigned)value;
}

/* m:bind(experiment[, {scheduler=, memory=}]) -> cycles under the greedy binder
 * (binder.h) | nil, message, status. */
int ptl_lua_model_bind(lua_State* L) {
    ptl_lua_mapping* m = ptl_lua_check_mapping(L, 1);
    ptl_binder o = PTL_BINDER_DEFAULT;
    o.scheduler = unsigned_field(L, 3, "scheduler", o.scheduler);
    o.memory = unsigned_field(L, 3, "memory", o.memory);
    ptl_error e;
    double cycles;
    ptl_status s = ptl_lua_read_experiment(L, 2, m, 1, &e);
    if (!s) s = ptl_bind(&m->mapping, &m->experiment, &o, &cycles, &e);
    if (s) return ptl_lua_failure(L, &e);
    lua_pushnumber(L, cycles);
    return 1;
}

/* The list of numbers at index as an array in a new userdata on top of the stack. */
static double* check_series(lua_State* L, int index, size_t* n) {
    luaL_checktype(L, index, LUA_TTABLE);
    *n = (size_t)lua_rawlen(L, index);
    double* values = lua_newuserdatauv(L, (*n + 1) * sizeof *values, 0);
    for (size_t i = 0; i < *n; i++) {
        int is_number;
        lua_rawgeti(L, index, (lua_Integer)i + 1);
        values[i] = lua_tonumberx(L, -1, &is_number);
        if (!is_number) luaL_error(L, "value %d of a series is no number", (int)i + 1);
        lua_pop(L, 1);
    }
    return values;
}

static void set_unless_nan(lua_State* L, const char* field, double value) {
    if (isnan(value)) return;
    lua_pushnumber(L, value);
    lua_setfield(L, -2, field);
}

/* metrics(modelled, measured) -> {n, mape (fraction), pearson, kendall}; what is not defined (too few values,
 * a constant series) is nil | nil, message, status. */
int ptl_lua_model_metrics(lua_State* L) {
    size_t n, n_measured;
    double* modelled = check_series(L, 1, &n);
    double* measured = check_series(L, 2, &n_measured);
    luaL_argcheck(L, n == n_measured, 2, "must be as long as the first list");
    ptl_metrics out;
    ptl_error e;
    if (ptl_metrics_of(modelled, measured, n, &out, &e)) return ptl_lua_failure(L, &e);
    lua_createtable(L, 0, 4);
    lua_pushinteger(L, (lua_Integer)n);
    lua_setfield(L, -2, "n");
    set_unless_nan(L, "mape", out.mape);
    set_unless_nan(L, "pearson", out.pearson);
    set_unless_nan(L, "kendall", out.kendall);
    return 1;
}
