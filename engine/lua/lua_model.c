/* core.model: mappings and what they predict. */
#include <math.h>

#include "lua/model.h"
#include "model/facile.h"
#include "model/lp.h"
#include "model/throughput.h"
#include "schedule/schedule.h"

/* m:throughput(experiment) -> inverse throughput in cycles | nil, message, status. */
static int l_throughput(lua_State* L) {
    ptl_lua_mapping* m = ptl_lua_check_mapping(L, 1);
    ptl_bottleneck b;
    uint64_t slots;
    ptl_lua_read_experiment(L, 2, m, 1);
    ptl_lua_try(L, ptl_query(&m->mapping, &m->experiment, &b, &slots, ptl_lua_error()));
    double cycles = ptl_limited_cycles(&b, slots, m->mapping.rmax);
    return ptl_lua_number(L, fmax(cycles, ptl_busy_cycles(&m->mapping, &m->experiment, NULL)));
}

/* m:lp(experiment[, exact]) -> inverse throughput in cycles by the linear program of Theorem 3.12, R_max
 * included; exact: over rationals (lp.h) | nil, message, status. */
static int l_lp(lua_State* L) {
    ptl_lua_mapping* m = ptl_lua_check_mapping(L, 1);
    double cycles;
    ptl_lua_read_experiment(L, 2, m, 1);
    ptl_lua_try(L, ptl_lp_throughput(&m->mapping, &m->experiment, lua_toboolean(L, 3), &cycles, NULL,
                                     ptl_lua_error()));
    return ptl_lua_number(L, cycles);
}

/* m:facile(experiment) -> cycles by Facile's pairs of uops, R_max and units included (facile.h) | nil,
 * message, status.
 */
static int l_facile(lua_State* L) {
    ptl_lua_mapping* m = ptl_lua_check_mapping(L, 1);
    ptl_bottleneck b;
    ptl_lua_read_experiment(L, 2, m, 1);
    ptl_lua_try(L, ptl_demand_fill(&m->demand, &m->mapping, &m->experiment, ptl_lua_error()));
    ptl_lua_try(L, ptl_facile(&m->demand, &b, ptl_lua_error()));
    return ptl_lua_number(L, ptl_demand_cycles(&m->demand, &b, m->mapping.rmax));
}

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
static int l_bind(lua_State* L) {
    double loads[PTL_PORTS_MAX];
    return ptl_lua_number(L, bind(L, ptl_lua_check_mapping(L, 1), loads));
}

/* m:bound(experiment[, options of bind]) -> {cycles=, load = {port = uops that it executes}} under the greedy
 * binder | nil, message, status. */
static int l_bound(lua_State* L) {
    ptl_lua_mapping* m = ptl_lua_check_mapping(L, 1);
    double loads[PTL_PORTS_MAX], cycles = bind(L, m, loads);
    lua_createtable(L, 0, 2);
    ptl_lua_set_number(L, "cycles", cycles);
    ptl_lua_set_load(L, &m->mapping, loads);
    return 1;
}

/* One entry of keep_busy's list, on top of the stack. */
static void keep_busy(lua_State* L, ptl_lua_mapping* m) {
    luaL_checktype(L, -1, LUA_TTABLE);
    double cycles = ptl_lua_number_field(L, -1, "cycles", -1);
    lua_Integer unit = ptl_lua_range_field(L, -1, "unit", 0, 0, UINT32_MAX, NULL);
    if (ptl_lua_field(L, -1, "scheme") != LUA_TSTRING) luaL_error(L, "'scheme' must be a name");
    lua_getiuservalue(L, 1, 1);
    lua_insert(L, -2);
    if (lua_rawget(L, -2) == LUA_TNIL) luaL_error(L, "the mapping has no such scheme");
    uint32_t scheme = (uint32_t)lua_tointeger(L, -1);
    lua_pop(L, 2);
    ptl_lua_try(L, ptl_mapping_keep_busy(&m->mapping, scheme, (uint32_t)unit, cycles, ptl_lua_error()));
}

/* m:keep_busy({ { scheme =, unit = its number, from 1 on, none left out, cycles = }, ... }) -> true | nil,
 * message, status. From now on every instance keeps its unit busy for so long, in all that is asked of the
 * mapping. */
static int l_keep_busy(lua_State* L) {
    ptl_lua_mapping* m = ptl_lua_check_mapping(L, 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_Integer n = (lua_Integer)ptl_lua_length(L, 2);
    for (lua_Integer i = 1; i <= n; i++) {
        ptl_lua_item(L, 2, i);
        keep_busy(L, m);
        lua_pop(L, 1);
    }
    return ptl_lua_boolean(L, true);
}

/* Pushes { ports, count }, a uop as mapping files have it. */
static void push_uop(lua_State* L, const ptl_mapping* m, ptl_ports ports, uint64_t count) {
    lua_createtable(L, 2, 0);
    ptl_lua_push_ports(L, m, ports);
    lua_rawseti(L, -2, 1);
    ptl_lua_put_integer(L, 2, (lua_Integer)count);
}

/* Pushes the list of the schemes of m->experiment that have uops whose ports all lie in the set, each {
 * scheme = name, uops = list of {{port names}, how many in the experiment} }. */
static void push_inside(lua_State* L, const ptl_lua_mapping* m, ptl_ports set) {
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

/* Sets what is full in every optimal schedule: no port is where issue slots are the limit. */
static void push_bottleneck(lua_State* L, ptl_lua_mapping* m, ptl_ports ports) {
    ptl_lua_push_ports(L, &m->mapping, ports);
    lua_setfield(L, -2, "bottleneck");
    push_inside(L, m, ports);
    lua_setfield(L, -2, "inside");
}

/* Sets the unit that is busy for longest, with its schemes in the experiment, and the cycles without it. */
static void push_unit(lua_State* L, const ptl_lua_mapping* m, double without) {
    uint32_t unit;
    lua_createtable(L, 0, 2);
    ptl_lua_set_number(L, "cycles", ptl_busy_cycles(&m->mapping, &m->experiment, &unit));
    lua_newtable(L);
    for (size_t i = 0; i < m->experiment.size; i++) {
        const ptl_usage* u = &m->mapping.schemes[m->experiment.terms[i].scheme];
        if (u->unit == unit) ptl_lua_add_string(L, u->name);
    }
    lua_setfield(L, -2, "schemes");
    lua_setfield(L, -2, "unit");
    ptl_lua_set_number(L, "unit_free_cycles", without);
}

static int push_prediction(lua_State* L, ptl_lua_mapping* m, const ptl_bottleneck* b, const double* loads) {
    double ports = ptl_bottleneck_cycles(b), free = ptl_limited_cycles(b, m->demand.slots, m->mapping.rmax);
    double cycles = ptl_demand_cycles(&m->demand, b, m->mapping.rmax);
    uint64_t length = ptl_experiment_length(&m->experiment);
    lua_newtable(L);
    ptl_lua_set_number(L, "cycles", cycles);
    ptl_lua_set_number(L, "ports_cycles", ports);
    if (m->mapping.rmax > 0) ptl_lua_set_number(L, "issue_cycles", (double)m->demand.slots / m->mapping.rmax);
    if (length) ptl_lua_set_number(L, "cpi", cycles / (double)length);
    if (cycles > 0) ptl_lua_set_number(L, "ipc", (double)length / cycles);
    ptl_lua_set_integer(L, "uops", (lua_Integer)m->demand.mass);
    ptl_lua_set_integer(L, "slots", (lua_Integer)m->demand.slots);
    ptl_lua_set_string(L, "limit", cycles > free ? "unit" : free > ports ? "rmax" : "ports");
    if (cycles == ports) push_bottleneck(L, m, b->ports);
    if (cycles > free) push_unit(L, m, free);
    ptl_lua_set_load(L, &m->mapping, loads);
    return 1;
}

/* m:predict(experiment) -> {cycles, ports_cycles, issue_cycles (with R_max), cpi, ipc, uops, slots,
 * limit = "ports" | "rmax" | "unit", load = {port = cycles}; with the limit "ports" also bottleneck = {port
 * names} and inside = list of {scheme, uops}: what can run nowhere else; with the limit "unit" also unit =
 * {cycles, schemes = {names}} and unit_free_cycles} | nil, message, status. */
static int l_predict(lua_State* L) {
    ptl_lua_mapping* m = ptl_lua_check_mapping(L, 1);
    ptl_bottleneck b;
    double loads[PTL_PORTS_MAX];
    ptl_lua_read_experiment(L, 2, m, 1);
    ptl_lua_try(L, ptl_demand_fill(&m->demand, &m->mapping, &m->experiment, ptl_lua_error()));
    ptl_lua_try(L, ptl_bottleneck_of(&m->demand, &b, ptl_lua_error()));
    ptl_lua_try(L, ptl_loads(&m->demand, loads, ptl_lua_error()));
    return push_prediction(L, m, &b, loads);
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
static int l_schedule(lua_State* L) {
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

/* m:schemes() -> sorted list of the names of the schemes that can be predicted. */
static int l_schemes(lua_State* L) {
    const ptl_mapping* m = &ptl_lua_check_mapping(L, 1)->mapping;
    lua_newtable(L);
    for (size_t i = 0; i < m->scheme_count; i++)
        if (m->schemes[i].known) ptl_lua_add_string(L, m->schemes[i].name);
    return 1;
}

/* m:ports() -> list of port names. */
static int l_ports(lua_State* L) {
    ptl_lua_push_ports(L, &ptl_lua_check_mapping(L, 1)->mapping, UINT32_MAX);
    return 1;
}

/* m:rmax() -> issue slots per cycle, or nil. */
static int l_rmax(lua_State* L) {
    double rmax = ptl_lua_check_mapping(L, 1)->mapping.rmax;
    if (rmax > 0) return ptl_lua_number(L, rmax);
    lua_pushnil(L);
    return 1;
}

static const luaL_Reg methods[] = {
    {"throughput", l_throughput},
    {"predict", l_predict},
    {"keep_busy", l_keep_busy},
    {"throughputs", ptl_lua_model_throughputs},
    {"bind", l_bind},
    {"bound", l_bound},
    {"lp", l_lp},
    {"facile", l_facile},
    {"schedule", l_schedule},
    {"conjunctive", ptl_lua_model_conjunctive_of},
    {"canonical", ptl_lua_model_canonical},
    {"congruence", ptl_lua_model_congruence},
    {"schemes", l_schemes},
    {"ports", l_ports},
    {"rmax", l_rmax},
    {NULL, NULL},
};

static const luaL_Reg functions[] = {
    {"mapping", ptl_lua_mapping_new},
    {"batch", ptl_lua_model_batch},
    {"population", ptl_lua_model_population},
    {"kernels", ptl_lua_model_kernels},
    {"compare", ptl_lua_model_compare},
    {"metrics", ptl_lua_model_metrics},
    {"relate", ptl_lua_model_relate},
    {"deviation", ptl_lua_model_deviation},
    {"conjunctive", ptl_lua_model_conjunctive},
    {"heatmap", ptl_lua_model_heatmap},
    {"cover", ptl_lua_model_cover},
    {"cycle_ratio", ptl_lua_model_cycle_ratio},
    {"solve", ptl_lua_model_solve},
    {NULL, NULL},
};

int ptl_open_model(lua_State* L) {
    ptl_lua_methods(L, &ptl_lua_mapping_class, methods);
    lua_newtable(L);
    ptl_lua_functions(L, functions);
    return 1;
}
