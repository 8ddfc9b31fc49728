/* core.predict: what is said of blocks of code. */
#include "lua/model.h"
#include "lua/predict_bind.h"
#include "model/throughput.h"
#include "predict/block_batch.h"
#include "predict/sim_program.h"
#include "predict/sim_timeline.h"
#include "predict/simulate.h"
#include "predict/what_if.h"

static const char* const bound_names[PTL_BOUNDS] = {
    [PTL_BOUND_DEPENDENCIES] = "dependencies",
    [PTL_BOUND_UNIT] = "unit",
    [PTL_BOUND_PORTS] = "ports",
    [PTL_BOUND_MEMORY] = "memory",
    [PTL_BOUND_FRONT_END] = "front end",
    [PTL_BOUND_CODE] = "code",
    [PTL_BOUND_BRANCH] = "branch",
};

/* Registers have the name of the one that stands for all that alias. */
static const char* resource_name(const ptl_architecture* a, unsigned resource,
                                 char flag[PTL_PLACE_TEXT_SIZE]) {
    if (resource == PTL_RESOURCE_MEMORY) return "memory";
    if (resource < PTL_RESOURCE_FLAGS)
        return ptl_file_register_name(a, (ptl_file)(resource / 32), resource % 32);
    ptl_place_text(a, ptl_place_of_flag(resource - PTL_RESOURCE_FLAGS), flag);
    return flag;
}

static void set_place(lua_State* L, const ptl_architecture* a, const char* key, uint8_t place) {
    char text[PTL_PLACE_TEXT_SIZE];
    ptl_place_text(a, place, text);
    ptl_lua_set_string(L, key, text);
}

/* The critical cycle: a list of {from = item, to = item, through =, out = place of from, at = place of to,
 * result = place that the latency leads to, latency =, distance =}. */
static void push_steps(lua_State* L, const ptl_block_work* w) {
    const ptl_architecture* a = w->block.model->architecture;
    lua_createtable(L, (int)w->critical.step_count, 0);
    for (size_t k = 0; k < w->critical.step_count; k++) {
        const ptl_critical_step* step = &w->critical.steps[k];
        const ptl_need* n = &w->block.needs[step->need];
        char flag[PTL_PLACE_TEXT_SIZE];
        lua_createtable(L, 0, 8);
        ptl_lua_set_integer(L, "from", n->from + (lua_Integer)1);
        ptl_lua_set_integer(L, "to", n->to + (lua_Integer)1);
        ptl_lua_set_string(L, "through", resource_name(a, n->resource, flag));
        set_place(L, a, "out", n->out);
        set_place(L, a, "at", n->in);
        set_place(L, a, "result", step->to);
        ptl_lua_set_number(L, "latency", step->latency);
        ptl_lua_set_integer(L, "distance", n->distance);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
}

/* Sets uops = list of {ports, count}: what this instance asks for. */
static void set_uops(lua_State* L, const ptl_mapping* m, const ptl_usage* usage, const ptl_item_use* use) {
    lua_newtable(L);
    for (uint32_t k = 0, n = 0; use->executes && k < usage->uop_count; k++) {
        uint32_t count = usage->uops[k].count - (use->dropped == (int)k);
        if (!count) continue;
        lua_createtable(L, 2, 0);
        ptl_lua_push_ports(L, m, usage->uops[k].ports);
        lua_rawseti(L, -2, 1);
        lua_pushinteger(L, count);
        lua_rawseti(L, -2, 2);
        lua_rawseti(L, -2, ++n);
    }
    lua_setfield(L, -2, "uops");
}

static void push_items(lua_State* L, const ptl_code_block* b) {
    lua_createtable(L, (int)b->count, 0);
    for (uint32_t i = 0; i < b->count; i++) {
        const ptl_item* item = &b->items[i];
        const ptl_item_use* use = &b->uses[i];
        lua_createtable(L, 0, 11);
        ptl_lua_set_string(L, "scheme", item->name);
        if (item->scheme != PTL_NO_SCHEME)
            ptl_lua_set_string(L, "known_as", b->model->mapping->schemes[item->scheme].name);
        ptl_lua_set_integer(L, "offset", item->offset);
        ptl_lua_set_integer(L, "size", item->size);
        ptl_lua_set_integer(L, "slots", use->slots);
        ptl_lua_set_boolean(L, "known", use->known);
        ptl_lua_set_boolean(L, "fused", use->fused);
        ptl_lua_set_boolean(L, "with_next", use->with_next);
        ptl_lua_set_boolean(L, "lacks_latency", use->lacks_latency);
        if (use->known) set_uops(L, b->model->mapping, &b->model->mapping->schemes[item->scheme], use);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

static void set_bounds(lua_State* L, const ptl_block_bounds* b, const ptl_block_model* m) {
    lua_createtable(L, 0, PTL_BOUNDS);
    for (int k = 0; k < PTL_BOUNDS; k++) {
        bool always = k != PTL_BOUND_BRANCH && k != PTL_BOUND_MEMORY && k != PTL_BOUND_CODE;
        bool there = (k != PTL_BOUND_FRONT_END || m->mapping->rmax > 0) && (always || b->of[k] > 0);
        if (there) ptl_lua_set_number(L, bound_names[k], b->of[k]);
    }
    lua_setfield(L, -2, "bounds");
    ptl_lua_set_number(L, "cycles", b->cycles);
    ptl_lua_set_string(L, "limit", bound_names[b->limit]);
    ptl_lua_set_integer(L, "slots", (lua_Integer)b->slots);
    ptl_lua_set_integer(L, "uops", (lua_Integer)b->uops);
    ptl_lua_set_integer(L, "unknown", b->unknown);
    ptl_lua_set_integer(L, "lacking_latency", b->lacking_latency);
}

/* Decodes the code at index 2 into m->work; `loop` of the options at index 3 makes it one. */
static void decode(lua_State* L, ptl_lua_block_model* m) {
    size_t size;
    const uint8_t* code = (const uint8_t*)luaL_checklstring(L, 2, &size);
    ptl_lua_try(L, ptl_code_block_decode(&m->work.block, &m->model, code, size, ptl_lua_error()));
    if (ptl_lua_boolean_field(L, 3, "loop", false)) m->work.block.is_loop = true;
}

/* m:explain(bytes[, {aliasing = "same" | "no" | "all", start = "apart" | "alike", loop = boolean, simulate =
 * boolean}]) -> {cycles =, simulated_cycles =, limit = "dependencies" | "unit" | "ports" | "memory" | "front
 * end" | "code" | "branch", bounds = {limit = cycles}, slots =, uops =, load = {port = cycles}, bottleneck =
 * {ports}, unit = name, critical = list (see push_steps), items = list, loop = boolean, unknown =,
 * lacking_latency = numbers of items} | nil, message, status. */
static int l_explain(lua_State* L) {
    ptl_lua_block_model* m = ptl_lua_check_block_model(L, 1);
    ptl_block_change change = PTL_BLOCK_UNCHANGED;
    ptl_block_bounds b;
    double loads[PTL_PORTS_MAX], simulated = -1;
    change.premises = ptl_lua_premises(L, 3);
    decode(L, m);
    if (ptl_lua_boolean_field(L, 3, "simulate", false)) {
        ptl_status s =
            ptl_simulate(&m->work, change.premises, &PTL_SIM_BINDER, &b, &simulated, ptl_lua_error());
        if (s == PTL_LIMIT) simulated = -1; /* too many uops: the bounds are there */
        if (s != PTL_LIMIT) ptl_lua_try(L, s);
    } else {
        ptl_lua_try(L, ptl_block_bounds_of(&m->work, &change, &b, ptl_lua_error()));
    }
    ptl_lua_try(L, ptl_loads(&m->work.demand, loads, ptl_lua_error()));
    lua_newtable(L);
    set_bounds(L, &b, &m->model);
    ptl_lua_set_load(L, m->model.mapping, loads);
    ptl_lua_push_ports(L, m->model.mapping, b.bottleneck.ports);
    lua_setfield(L, -2, "bottleneck");
    if (simulated >= 0) ptl_lua_set_number(L, "simulated_cycles", simulated);
    ptl_lua_set_boolean(L, "loop", m->work.block.is_loop);
    push_steps(L, &m->work);
    lua_setfield(L, -2, "critical");
    push_items(L, &m->work.block);
    lua_setfield(L, -2, "items");
    lua_getiuservalue(L, 1, PTL_LUA_MODEL_UNITS);
    if (b.unit == PTL_NO_UNIT)
        lua_pushnil(L);
    else
        lua_rawgeti(L, -1, (lua_Integer)b.unit + 1);
    lua_setfield(L, -3, "unit");
    lua_pop(L, 1);
    return 1;
}

/* m:what_if(bytes[, options]) -> {without = {cycles by item}, port = {port = cycles}, slot = cycles}: what
 * each change would give | nil, message, status. Of long blocks there is no `without`; no `slot` without an
 * R_max. */
static int l_what_if(lua_State* L) {
    ptl_lua_block_model* m = ptl_lua_check_block_model(L, 1);
    const ptl_mapping* mapping = m->model.mapping;
    ptl_premises premises = ptl_lua_premises(L, 3);
    ptl_block_work* w = &m->work;
    double cycles;
    decode(L, m);
    lua_newtable(L);
    lua_newtable(L);
    bool few = w->block.count <= PTL_WHAT_IF_ITEMS_MAX;
    for (uint32_t i = 0; few && i < w->block.count; i++) {
        ptl_lua_try(L, ptl_cycles_without(w, premises, i, &cycles, ptl_lua_error()));
        ptl_lua_put_number(L, (lua_Integer)i + 1, cycles);
    }
    lua_setfield(L, -2, few ? "without" : "too_many");
    lua_newtable(L);
    for (unsigned k = 0; mapping->port_count < PTL_PORTS_MAX && k < mapping->port_count; k++) {
        ptl_lua_try(L, ptl_cycles_with_port(w, premises, k, &cycles, ptl_lua_error()));
        ptl_lua_set_number(L, mapping->ports[k], cycles);
    }
    lua_setfield(L, -2, "port");
    if (mapping->rmax > 0) {
        ptl_lua_try(L, ptl_cycles_with_slot(w, premises, &cycles, ptl_lua_error()));
        ptl_lua_set_number(L, "slot", cycles);
    }
    return 1;
}

/* The strings of the list at index 2, which must all be strings; memory is pushed. */
static ptl_machine_code* read_code(lua_State* L, size_t* count) {
    *count = ptl_lua_length(L, 2);
    ptl_machine_code* code = lua_newuserdatauv(L, (*count + 1) * sizeof *code, 0);
    for (size_t i = 0; i < *count; i++) {
        bool is_string = ptl_lua_item(L, 2, (lua_Integer)i + 1) == LUA_TSTRING;
        luaL_argcheck(L, is_string, 2, "a block is a string of bytes");
        code[i].bytes = (const uint8_t*)lua_tolstring(L, -1, &code[i].size);
        lua_pop(L, 1);
    }
    return code;
}

/* The lists of answers, and of what is wrong. */
static int push_answers(lua_State* L, const ptl_block_answer* answers, size_t count) {
    char line[600];
    static const char* const keys[] = {"cycles", "limit", "unknown", "lacking_latency"};
    lua_createtable(L, 0, 5);
    for (int k = 0; k < 4; k++) {
        lua_createtable(L, (int)count, 0);
        for (size_t i = 0; i < count; i++) {
            const ptl_block_bounds* b = &answers[i].bounds;
            if (answers[i].status)
                lua_pushboolean(L, false);
            else if (k == 0)
                lua_pushnumber(L, b->cycles);
            else if (k == 1)
                lua_pushstring(L, bound_names[b->limit]);
            else
                lua_pushinteger(L, k == 2 ? b->unknown : b->lacking_latency);
            lua_rawseti(L, -2, (lua_Integer)i + 1);
        }
        lua_setfield(L, -2, keys[k]);
    }
    lua_newtable(L);
    for (size_t i = 0; i < count; i++)
        if (answers[i].status)
            ptl_lua_put_string(L, (lua_Integer)i + 1, ptl_error_line(&answers[i].error, line, sizeof line));
    lua_setfield(L, -2, "error");
    return 1;
}

/* The binder of the options at index 3. */
static ptl_binder read_binder(lua_State* L) {
    if (lua_isnoneornil(L, 3)) return PTL_SIM_BINDER;
    ptl_lua_field(L, 3, "binder");
    ptl_binder o = ptl_lua_binder(L, lua_gettop(L), PTL_SIM_BINDER);
    lua_pop(L, 1);
    return o;
}

/* Answers the blocks of the list at index 2 with the options at index 3, by bounds or simulated. */
static int answer_all(lua_State* L, const ptl_binder* simulate) {
    ptl_lua_block_model* m = ptl_lua_check_block_model(L, 1);
    ptl_block_way way = {ptl_lua_premises(L, 3), simulate};
    lua_Integer threads = ptl_lua_range_field(L, 3, "threads", 1, 0, 1024, NULL);
    size_t count;
    ptl_pool* pool = NULL;
    const ptl_machine_code* code = read_code(L, &count);
    ptl_block_answer* answers = lua_newuserdatauv(L, (count + 1) * sizeof *answers, 0);
    if (threads != 1) ptl_lua_try(L, ptl_pool_new(&pool, (unsigned)threads, ptl_lua_error()));
    ptl_block_batch(pool, &m->model, &way, code, count, answers);
    if (pool) ptl_pool_free(pool);
    return push_answers(L, answers, count);
}

/* m:bounds({bytes, ...}[, {aliasing =, start =, threads = 1}]) -> {cycles = list, limit = list, unknown =
 * list, lacking_latency = list; each false where there is no answer, error = {number of the block = why}}; or
 * nil, message, status. threads 0: one per processor. */
static int l_bounds(lua_State* L) {
    return answer_all(L, NULL);
}

/* m:simulate({bytes, ...}[, options]): the same with simulated cycles; the option `binder` is as the options
 * of bind (lua_model.c). */
static int l_simulate(lua_State* L) {
    ptl_binder o = read_binder(L);
    return answer_all(L, &o);
}

/* Sets uops = list of {port = name or nil, cycle =}: those of a row that have begun. */
static void set_begun_uops(lua_State* L, const ptl_mapping* m, const ptl_sim_trace_uop* uops,
                           uint32_t count) {
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
        set_begun_uops(L, m, t->uops + (size_t)(k / t->items) * t->uop_count + first,
                       t->first_uop[item + 1] - first);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
}

/* m:timeline(bytes[, {aliasing =, start =, loop = (see explain), iterations = 4}]) -> list of {iteration =,
 * item = numbers from 1, issued = the cycle, from 0, uops = list of {cycle = in which it begins, port = or
 * nil}, done = the cycle from which all its results are there, or nil if that was not to be seen}, in the
 * order of issue | nil, message, status. */
static int l_timeline(lua_State* L) {
    ptl_lua_block_model* m = ptl_lua_check_block_model(L, 1);
    ptl_premises premises = ptl_lua_premises(L, 3);
    lua_Integer iterations =
        ptl_lua_range_field(L, 3, "iterations", 4, 1, PTL_SIM_TIMELINE_ITERATIONS_MAX, NULL);
    ptl_arena* arena = ptl_lua_arena(L);
    ptl_sim_trace trace;
    decode(L, m);
    ptl_lua_try(L, ptl_sim_timeline(&m->work, premises, &PTL_SIM_BINDER, (uint32_t)iterations, arena, &trace,
                                    ptl_lua_error()));
    push_rows(L, m->model.mapping, &trace);
    return 1;
}

static const luaL_Reg methods[] = {
    {"explain", l_explain},   {"what_if", l_what_if},   {"bounds", l_bounds},
    {"simulate", l_simulate}, {"timeline", l_timeline}, {NULL, NULL},
};

static const luaL_Reg functions[] = {
    {"model", ptl_lua_block_model_new},
    {NULL, NULL},
};

int ptl_open_predict(lua_State* L) {
    ptl_lua_methods(L, &ptl_lua_block_model_class, methods);
    lua_newtable(L);
    ptl_lua_functions(L, functions);
    return 1;
}
