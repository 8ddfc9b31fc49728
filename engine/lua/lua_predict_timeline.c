/* core.predict: the first iterations of a block, simulated. */
#include "lua/predict_bind.h"
#include "predict/sim_program.h"
#include "predict/sim_timeline.h"
#include "predict/simulate.h"

/* Sets uops = list of {port = name or nil, cycle =}: those of a row that have begun. */
static void set_uops(lua_State* L, const ptl_mapping* m, const ptl_sim_trace_uop* uops, uint32_t count) {
    lua_createtable(L, (int)count, 0);
    for (uint32_t u = 0, n = 0; u < count; u++) {
        if (!uops[u].begun) continue;
        lua_createtable(L, 0, 2);
        ptl_lua_set_integer(L, "cycle", uops[u].cycle);
        if (uops[u].port < m->port_count) ptl_lua_set_string(L, "port", m->ports[uops[u].port]);
        lua_rawseti(L, -2, ++n);
    }
    lua_setfield(L, -2, "uops");
}

static void push_rows(lua_State* L, const ptl_mapping* m, const ptl_sim_trace* t) {
    lua_createtable(L, (int)(t->iterations * t->items), 0);
    for (uint32_t k = 0; k < t->iterations * t->items; k++) {
        const ptl_sim_trace_row* row = &t->rows[k];
        uint32_t item = k % t->items, first = t->first_uop[item];
        lua_createtable(L, 0, 5);
        ptl_lua_set_integer(L, "iteration", k / t->items + (lua_Integer)1);
        ptl_lua_set_integer(L, "item", item + (lua_Integer)1);
        ptl_lua_set_integer(L, "issued", row->issued);
        if (row->ended) ptl_lua_set_number(L, "done", row->done);
        set_uops(L, m, t->uops + (size_t)(k / t->items) * t->uop_count + first,
                 t->first_uop[item + 1] - first);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
}

/* m:timeline(bytes[, {aliasing =, start =, loop = (see explain), iterations = 4}]) -> list of {iteration =,
 * item = numbers from 1, issued = the cycle, from 0, uops = list of {cycle = in which it begins, port = or
 * nil}, done = the cycle from which all its results are there, or nil if that was not to be seen}, in the
 * order of issue | nil, message, status. */
int ptl_lua_block_timeline(lua_State* L) {
    ptl_lua_block_model* m = ptl_lua_check_block_model(L, 1);
    ptl_premises premises = ptl_lua_premises(L, 3);
    lua_Integer iterations =
        ptl_lua_range_field(L, 3, "iterations", 4, 1, PTL_SIM_TIMELINE_ITERATIONS_MAX, NULL);
    ptl_arena* arena = ptl_lua_arena(L);
    ptl_sim_trace trace;
    ptl_lua_block_decode(L, m);
    ptl_lua_try(L, ptl_sim_timeline(&m->work, premises, &PTL_SIM_BINDER, (uint32_t)iterations, arena, &trace,
                                    ptl_lua_error()));
    push_rows(L, m->model.mapping, &trace);
    return 1;
}
