/* core.model: other ways than the bottleneck formula to predict throughput (conjunctive mappings, Facile's
 * short cut), execution schedules, and what lies inside a bottleneck. */
#include <stdlib.h>
#include <string.h>

#include "lua/model.h"
#include "model/facile.h"
#include "schedule/schedule.h"

/* m:facile(experiment) -> cycles by Facile's pairs of uops, R_max and units included (facile.h) | nil,
 * message, status.
 */
int ptl_lua_model_facile(lua_State* L) {
    ptl_lua_mapping* m = ptl_lua_check_mapping(L, 1);
    ptl_bottleneck b;
    ptl_lua_read_experiment(L, 2, m, 1);
    ptl_lua_try(L, ptl_demand_fill(&m->demand, &m->mapping, &m->experiment, ptl_lua_error()));
    ptl_lua_try(L, ptl_facile(&m->demand, &b, ptl_lua_error()));
    return ptl_lua_number(L, ptl_demand_cycles(&m->demand, &b, m->mapping.rmax));
}

/* Pushes { ports, count }, a uop as mapping files have it. */
static void push_uop(lua_State* L, const ptl_mapping* m, ptl_ports ports, uint64_t count) {
    lua_createtable(L, 2, 0);
    ptl_lua_push_ports(L, m, ports);
    lua_rawseti(L, -2, 1);
    ptl_lua_put_integer(L, 2, (lua_Integer)count);
}

void ptl_lua_push_inside(lua_State* L, const ptl_lua_mapping* m, ptl_ports set) {
    lua_newtable(L);
    for (size_t i = 0, n = 0; i < m->experiment.size; i++) {
        const ptl_usage* u = &m->mapping.schemes[m->experiment.terms[i].scheme];
        lua_createtable(L, 0, 2);
        lua_newtable(L);
        lua_Integer found = 0;
        for (uint32_t j = 0; j < u->uop_count; j++) {
            if (u->uops[j].ports & ~set) continue;
            push_uop(L, &m->mapping, u->uops[j].ports,
                     (uint64_t)m->experiment.terms[i].count * u->uops[j].count);
            lua_rawseti(L, -2, ++found);
        }
        lua_setfield(L, -2, "uops");
        ptl_lua_set_string(L, "scheme", u->name);
        if (found)
            lua_rawseti(L, -2, (lua_Integer)++n);
        else
            lua_pop(L, 1);
    }
}

/* A schedule that is freed whatever happens while Lua's tables are made of it. */
static void free_schedule(void* object) {
    ptl_schedule_free(object);
}

static ptl_schedule* new_schedule(lua_State* L) {
    static const ptl_lua_class class = {
        .name = "portolan.schedule", .what = "schedule", .free = free_schedule};
    return ptl_lua_new(L, &class, sizeof(ptl_schedule), 0);
}

/* Pushes { port = { scheme, uop, instance, iteration } } of one cycle. */
static void push_cycle(lua_State* L, const ptl_mapping* m, const ptl_slot* slots) {
    lua_newtable(L);
    for (unsigned k = 0; k < m->port_count; k++) {
        if (slots[k].scheme == PTL_IDLE) continue;
        lua_createtable(L, 0, 4);
        ptl_lua_set_string(L, "scheme", m->schemes[slots[k].scheme].name);
        ptl_lua_set_integer(L, "uop", (lua_Integer)slots[k].uop + 1);
        ptl_lua_set_integer(L, "instance", (lua_Integer)slots[k].instance + 1);
        ptl_lua_set_integer(L, "iteration", (lua_Integer)slots[k].iteration + 1);
        lua_setfield(L, -2, m->ports[k]);
    }
}

/* m:schedule(experiment, iterations) -> { cycles, iterations, table = list of cycles, each { port = { scheme,
 * iteration, instance (of the scheme in its iteration), uop (which kind of uop of the scheme, in ascending
 * order of port sets) } }, idle ports left out } (schedule.h) | nil, message, status. */
int ptl_lua_model_schedule(lua_State* L) {
    ptl_lua_mapping* m = ptl_lua_check_mapping(L, 1);
    lua_Integer iterations = ptl_lua_within(L, 3, 1, LUA_MAXINTEGER, "must be at least 1");
    ptl_schedule* schedule = new_schedule(L);
    ptl_lua_read_experiment(L, 2, m, 1);
    ptl_lua_try(
        L, ptl_schedule_of(schedule, &m->mapping, &m->experiment, (uint64_t)iterations, ptl_lua_error()));
    lua_createtable(L, 0, 3);
    ptl_lua_set_integer(L, "cycles", (lua_Integer)schedule->cycles);
    ptl_lua_set_integer(L, "iterations", iterations);
    lua_createtable(L, (int)schedule->cycles, 0);
    for (size_t c = 0; c < schedule->cycles; c++) {
        push_cycle(L, &m->mapping, schedule->slots + c * schedule->port_count);
        lua_rawseti(L, -2, (lua_Integer)c + 1);
    }
    lua_setfield(L, -2, "table");
    return 1;
}
