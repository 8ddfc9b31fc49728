/* core.model: how modelled series agree with measured ones. */
#include <math.h>

#include "accuracy/deviation.h"
#include "accuracy/heatmap.h"
#include "accuracy/metrics.h"
#include "lua/model.h"

/* The list of numbers at index as an array in a new userdata on top of the stack. */
static double* check_series(lua_State* L, int index, size_t* n) {
    index = lua_absindex(L, index);
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

/* Arguments 1 and 2, which must be of equal length. */
static size_t check_pair(lua_State* L, double** modelled, double** measured) {
    size_t n, n_measured;
    *modelled = check_series(L, 1, &n);
    *measured = check_series(L, 2, &n_measured);
    luaL_argcheck(L, n == n_measured, 2, "must be as long as the first list");
    return n;
}

static void set_if_finite(lua_State* L, const char* field, double value) {
    if (isfinite(value)) ptl_lua_set_number(L, field, value);
}

/* metrics(modelled, measured) -> {n, mape (fraction), pearson, kendall}; what is not defined (too few values,
 * a constant series) is nil | nil, message, status. */
int ptl_lua_model_metrics(lua_State* L) {
    double *modelled, *measured;
    size_t n = check_pair(L, &modelled, &measured);
    ptl_metrics out;
    ptl_lua_try(L, ptl_metrics_of(modelled, measured, n, &out, ptl_lua_error()));
    lua_createtable(L, 0, 4);
    ptl_lua_set_integer(L, "n", (lua_Integer)n);
    set_if_finite(L, "mape", out.mape);
    set_if_finite(L, "pearson", out.pearson);
    set_if_finite(L, "kendall", out.kendall);
    return 1;
}

static void set_list(lua_State* L, const char* field, const double* values, size_t n) {
    lua_createtable(L, (int)n, 0);
    for (size_t i = 0; i < n && isfinite(values[i]); i++)
        ptl_lua_put_number(L, (lua_Integer)i + 1, values[i]);
    lua_setfield(L, -2, field);
}

/* deviation(modelled, measured[, {tolerance = 0, quantiles = {0.5, ...}}]) -> {n, bias, over, under, largest,
 * quantiles = {of the relative error}, absolute = {of its absolute value}} (all but largest as fractions; nil
 * and {} if n = 0) | nil, message, status. */
int ptl_lua_model_deviation(lua_State* L) {
    double *modelled, *measured;
    lua_settop(L, 3);
    size_t n = check_pair(L, &modelled, &measured), count = 0;
    double tolerance = ptl_lua_number_field(L, 3, "tolerance", 0), *p = NULL;
    if (lua_istable(L, 3) && ptl_lua_field(L, 3, "quantiles") != LUA_TNIL) p = check_series(L, -1, &count);
    double* at = lua_newuserdatauv(L, (2 * count + 1) * sizeof *at, 0);
    ptl_deviation out;
    ptl_lua_try(L, ptl_deviation_of(modelled, measured, n, tolerance, p, count, at, at + count, &out,
                                    ptl_lua_error()));
    lua_createtable(L, 0, 7);
    ptl_lua_set_integer(L, "n", (lua_Integer)n);
    set_if_finite(L, "bias", out.bias);
    set_if_finite(L, "over", out.over);
    set_if_finite(L, "under", out.under);
    set_if_finite(L, "largest", out.largest);
    set_list(L, "quantiles", at, count);
    set_list(L, "absolute", at + count, count);
    return 1;
}

/* counts[row][column] of the bins that hold points, both from 1. */
static void push_counts(lua_State* L, const ptl_heatmap* map) {
    lua_newtable(L);
    for (unsigned row = 0; row < map->rows; row++) {
        bool any = false;
        for (unsigned column = 0; column < map->columns; column++) {
            uint64_t count = map->counts[(size_t)row * map->columns + column];
            if (!count) continue;
            if (!any) lua_newtable(L);
            any = true;
            ptl_lua_put_integer(L, (lua_Integer)column + 1, (lua_Integer)count);
        }
        if (any) lua_rawseti(L, -2, (lua_Integer)row + 1);
    }
}

static unsigned check_bins(lua_State* L, const char* field) {
    return (unsigned)ptl_lua_range_field(L, 3, field, 40, 1, 1000, "columns and rows must be from 1 to 1000");
}

/* heatmap(modelled, measured, {max = end of both axes, columns = 40, rows = 40}) -> {inside, outside,
 * counts = {[row] = {[column] = points}}}; empty bins are absent, row 1 holds the least modelled values. */
int ptl_lua_model_heatmap(lua_State* L) {
    double *modelled, *measured;
    luaL_checktype(L, 3, LUA_TTABLE);
    lua_settop(L, 3);
    size_t n = check_pair(L, &modelled, &measured);
    ptl_heatmap map = {.end = ptl_lua_number_field(L, 3, "max", 0)};
    luaL_argcheck(L, map.end > 0 && isfinite(map.end), 3, "max must be a positive number");
    map.columns = check_bins(L, "columns");
    map.rows = check_bins(L, "rows");
    map.counts = lua_newuserdatauv(L, (size_t)map.columns * map.rows * sizeof *map.counts, 0);
    ptl_heatmap_fill(&map, measured, modelled, n);
    lua_createtable(L, 0, 3);
    ptl_lua_set_integer(L, "inside", (lua_Integer)(n - map.outside));
    ptl_lua_set_integer(L, "outside", (lua_Integer)map.outside);
    push_counts(L, &map);
    lua_setfield(L, -2, "counts");
    return 1;
}
