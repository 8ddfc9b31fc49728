/* core.model: linear and mixed-integer programs. */
#include <math.h>

#include "lua/model.h"
#include "model/program.h"

static const char* const endings[] = {
    [PTL_PROGRAM_OPTIMAL] = "optimal",       [PTL_PROGRAM_FEASIBLE] = "feasible",
    [PTL_PROGRAM_INFEASIBLE] = "infeasible", [PTL_PROGRAM_UNBOUNDED] = "unbounded",
    [PTL_PROGRAM_UNDECIDED] = "undecided",
};

/* The list in a field of the table at index, which stays on the stack; its length. */
static size_t push_list(lua_State* L, int index, const char* name) {
    if (ptl_lua_field(L, index, name) != LUA_TTABLE) luaL_error(L, "'%s' must be a list", name);
    return ptl_lua_length(L, -1);
}

/* Refuses what would be far too much memory before it is taken. */
static void check_count(lua_State* L, size_t n, size_t most, const char* what) {
    if (n > most) luaL_error(L, "a program has at most %d %s", (int)most, what);
}

static const ptl_program_column* read_columns(lua_State* L, size_t* count) {
    *count = push_list(L, 1, "columns");
    check_count(L, *count, PTL_PROGRAM_SIDE_MAX, "columns");
    int list = lua_gettop(L);
    ptl_program_column* columns = lua_newuserdatauv(L, (*count + 1) * sizeof *columns, 0);
    for (size_t j = 0; j < *count; j++) {
        ptl_lua_item(L, list, (lua_Integer)j + 1);
        int at = lua_gettop(L);
        columns[j] = (ptl_program_column){.lower = ptl_lua_number_field(L, at, "lower", 0),
                                          .upper = ptl_lua_number_field(L, at, "upper", INFINITY),
                                          .cost = ptl_lua_number_field(L, at, "cost", 0),
                                          .whole = ptl_lua_boolean_field(L, at, "whole", false)};
        lua_pop(L, 1);
    }
    return columns;
}

/* The row at the top of the stack, its entries in memory that stays above it. */
static ptl_program_row read_row(lua_State* L) {
    int at = lua_gettop(L);
    ptl_program_row row = {.lower = ptl_lua_number_field(L, at, "lower", -INFINITY),
                           .upper = ptl_lua_number_field(L, at, "upper", INFINITY)};
    row.count = push_list(L, at, "columns");
    if (push_list(L, at, "values") != row.count) luaL_error(L, "a row needs a value for each of its columns");
    check_count(L, row.count, PTL_PROGRAM_SIDE_MAX, "entries in a row");
    ptl_program_entry* entries = lua_newuserdatauv(L, (row.count + 1) * sizeof *entries, 0);
    for (size_t k = 0; k < row.count; k++) {
        int whole, number;
        ptl_lua_item(L, at + 1, (lua_Integer)k + 1);
        ptl_lua_item(L, at + 2, (lua_Integer)k + 1);
        lua_Integer column = lua_tointegerx(L, -2, &whole);
        entries[k].value = lua_tonumberx(L, -1, &number);
        if (!whole || !number) luaL_error(L, "a row needs numbers of columns, and values");
        entries[k].column = column >= 1 && column <= UINT32_MAX ? (uint32_t)(column - 1) : UINT32_MAX;
        lua_pop(L, 2);
    }
    row.entries = entries;
    return row;
}

/* The entries of each row are anchored in a table that is pushed. */
static const ptl_program_row* read_rows(lua_State* L, size_t* count) {
    *count = push_list(L, 1, "rows");
    check_count(L, *count, PTL_PROGRAM_SIDE_MAX, "rows");
    int list = lua_gettop(L);
    ptl_program_row* rows = lua_newuserdatauv(L, (*count + 1) * sizeof *rows, 0);
    lua_createtable(L, (int)*count, 0);
    int anchors = lua_gettop(L);
    for (size_t i = 0; i < *count; i++) {
        ptl_lua_item(L, list, (lua_Integer)i + 1);
        rows[i] = read_row(L);
        lua_rawseti(L, anchors, (lua_Integer)i + 1);
        lua_settop(L, anchors);
    }
    return rows;
}

static int push_answer(lua_State* L, const ptl_program* p, const ptl_program_answer* answer,
                       const double* values, const double* duals) {
    lua_newtable(L);
    ptl_lua_set_string(L, "status", endings[answer->ending]);
    ptl_lua_set_integer(L, "nodes", (lua_Integer)answer->nodes);
    if (answer->ending > PTL_PROGRAM_FEASIBLE) return 1;
    ptl_lua_set_number(L, "objective", answer->objective);
    ptl_lua_push_numbers(L, values, p->columns);
    lua_setfield(L, -2, "values");
    ptl_lua_push_numbers(L, duals, p->rows);
    lua_setfield(L, -2, "duals");
    return 1;
}

/* solve { columns = {{lower = 0, upper = infinity, cost = 0, whole = false}}, rows = {{columns = {numbers of
 * columns}, values = {their factors}, lower = -infinity, upper = infinity}}, maximise = false, seconds =,
 * nodes = } -> {status = "optimal" | "feasible" (a limit ended it) | "infeasible" | "unbounded" | "undecided"
 * (a limit ended it before there was anything), nodes; with values also objective, values, duals (program.h)}
 * | nil, message, status. */
int ptl_lua_model_solve(lua_State* L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_checkstack(L, 30, NULL);
    lua_Integer nodes = ptl_lua_integer_field(L, 1, "nodes", 0);
    ptl_program p = {.maximise = ptl_lua_boolean_field(L, 1, "maximise", false),
                     .seconds = ptl_lua_number_field(L, 1, "seconds", 0),
                     .nodes = nodes > 0 ? (uint64_t)nodes : 0};
    p.column = read_columns(L, &p.columns);
    p.row = read_rows(L, &p.rows);
    double* values = lua_newuserdatauv(L, (p.columns + p.rows + 1) * sizeof *values, 0);
    ptl_program_answer answer;
    ptl_lua_try(L, ptl_program_solve(&p, values, values + p.columns, &answer, ptl_lua_error()));
    return push_answer(L, &p, &answer, values, values + p.columns);
}
