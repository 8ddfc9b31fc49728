/* core.evo: what PMEvo has to explain. */
#include "evo/state.h"
#include "lua/evo.h"

/* p:evaluate(text[, kernel]) -> D_avg, volume. kernel: "scalar", "avx2", "avx512"; nil, message, status if
 * this processor does not have it. */
static int l_evaluate(lua_State* L) {
    const ptl_evo_problem* p = ptl_lua_check_evo_problem(L, 1);
    const char* name = luaL_optstring(L, 3, NULL);
    const ptl_evo_kernel* kernel = name ? ptl_evo_kernel_named(name) : ptl_evo_kernel_best();
    ptl_evo_usage* usages = ptl_lua_read_evo_text(L, 2, p, true);
    ptl_evo_state state;
    ptl_error* error = ptl_lua_error();
    if (!kernel)
        ptl_lua_try(L, ptl_fail(error, PTL_UNSUPPORTED, NULL, NULL, "this processor has no kernel %s", name));
    ptl_lua_try(L, ptl_evo_state_new(&state, p, kernel, error));
    double off = ptl_evo_state_evaluate(&state, usages);
    ptl_evo_state_free(&state);
    lua_pushnumber(L, off);
    lua_pushinteger(L, (lua_Integer)ptl_evo_volume(usages, p->schemes));
    return 2;
}

/* Whole numbers of the list field `name` of the experiment on top, into out; returns how many. */
static size_t read_list(lua_State* L, const char* name, uint32_t* out, size_t most, lua_Integer shift) {
    if (ptl_lua_field(L, -1, name) != LUA_TTABLE) luaL_error(L, "an experiment needs the list '%s'", name);
    size_t n = ptl_lua_length(L, -1);
    if (n > most) luaL_error(L, "an experiment has too many schemes");
    for (size_t k = 0; k < n; k++) {
        ptl_lua_item(L, -1, (lua_Integer)k + 1);
        lua_Integer value = luaL_checkinteger(L, -1);
        out[k] = value < -shift || value > UINT32_MAX ? UINT32_MAX : (uint32_t)(value + shift);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return n;
}

static ptl_evo_measured* read_experiments(lua_State* L, size_t size, size_t most) {
    ptl_evo_measured* list = lua_newuserdatauv(L, (size + 1) * sizeof *list, 0);
    uint32_t* numbers = lua_newuserdatauv(L, (2 * size * most + 1) * sizeof *numbers, 0);
    for (size_t j = 0; j < size; j++) {
        uint32_t *schemes = numbers + 2 * j * most, *counts = schemes + most;
        ptl_lua_item(L, 3, (lua_Integer)j + 1);
        luaL_checktype(L, -1, LUA_TTABLE);
        list[j] = (ptl_evo_measured){schemes, counts, read_list(L, "schemes", schemes, most, -1), 0, 0};
        if (read_list(L, "counts", counts, most, 0) != list[j].terms)
            luaL_error(L, "an experiment needs a count per scheme");
        list[j].cycles = ptl_lua_number_field(L, lua_gettop(L), "cycles", 0);
        list[j].least = ptl_lua_number_field(L, lua_gettop(L), "least", 0);
        lua_pop(L, 1);
    }
    return list;
}

/* core.evo.problem(ports, {cycles of scheme 1 alone, ...}, {{schemes = {1, 2}, counts = {1, 3}, cycles = 1.5,
 * least = 1}, ...}[, {slack =, slower =, bound =}]) -> problem | nil, message, status. least: no prediction
 * is below, 0 if left out. Experiments have 16 schemes at most. slack, slower, bound: what deviations count
 * (ptl_evo_lenience), in full if left out. */
static int l_problem(lua_State* L) {
    lua_settop(L, 4);
    lua_Integer ports = luaL_checkinteger(L, 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    luaL_checktype(L, 3, LUA_TTABLE);
    size_t schemes = ptl_lua_length(L, 2), size = ptl_lua_length(L, 3);
    double* alone = lua_newuserdatauv(L, (schemes + 1) * sizeof *alone, 0);
    for (size_t i = 0; i < schemes; i++) {
        ptl_lua_item(L, 2, (lua_Integer)i + 1);
        alone[i] = luaL_checknumber(L, -1);
        lua_pop(L, 1);
    }
    ptl_evo_measured* list = read_experiments(L, size, 16);
    ptl_evo_problem* p = ptl_lua_new(L, &ptl_lua_problem_class, sizeof *p, 0);
    ptl_lua_try(L, ptl_evo_problem_new(p, ports < 0 || ports > 99 ? 99 : (unsigned)ports, alone, schemes,
                                       list, size, ptl_lua_error()));
    if (lua_istable(L, 4)) {
        ptl_evo_lenience l = {(float)ptl_lua_number_field(L, 4, "slack", 0),
                              (float)ptl_lua_number_field(L, 4, "slower", 1),
                              (float)ptl_lua_number_field(L, 4, "bound", INFINITY)};
        ptl_lua_try(L, ptl_evo_problem_forgive(p, &l, ptl_lua_error()));
    }
    return 1;
}

static const luaL_Reg methods[] = {{"evaluate", l_evaluate},
                                   {"population", ptl_lua_evo_population},
                                   {"islands", ptl_lua_evo_islands},
                                   {NULL, NULL}};

static const luaL_Reg functions[] = {{"problem", l_problem}, {NULL, NULL}};

int ptl_open_evo(lua_State* L) {
    ptl_lua_methods(L, &ptl_lua_problem_class, methods);
    lua_newtable(L);
    ptl_lua_functions(L, functions);
    ptl_lua_evo_mpi(L);
    return 1;
}
