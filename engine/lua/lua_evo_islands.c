/* core.evo: the islands of the default algorithm. */
#include <stdlib.h>

#include "base/clock.h"
#include "base/pool.h"
#include "evo/step.h"
#include "lua/evo.h"

static const ptl_lua_class islands_class;

typedef struct lua_islands {
    ptl_evo_island* list;
    size_t count;
    ptl_pool* pool;
    uint64_t steps;         /* of the run at hand: how far each island goes */
    double pause, deadline; /* 0: none */
} lua_islands;

static lua_islands* check(lua_State* L) {
    return ptl_lua_check(L, 1, &islands_class);
}

static ptl_evo_island* check_island(lua_State* L) {
    lua_islands* o = check(L);
    return &o->list[ptl_lua_check_position(L, 2, o->count, "no such island")];
}

static void free_islands(void* object) {
    lua_islands* o = object;
    for (size_t i = 0; o->list && i < o->count; i++) ptl_evo_island_free(&o->list[i]);
    free(o->list);
    if (o->pool) ptl_pool_free(o->pool);
}

static void run_island(void* context, size_t index) {
    const lua_islands* o = context;
    ptl_evo_island* island = &o->list[index];
    island->deadline = o->deadline;
    while (island->steps < o->steps && (!island->filled || !o->pause || ptl_now() < o->pause))
        if (!ptl_evo_island_step(island)) return;
}

/* o:run(steps[, pause[, deadline]]) -> whether all islands have done so many steps in all; with at least one
 * mapping each. Ends at `pause` (core.base.now) after the step at hand, at `deadline` and after Ctrl-C within
 * it. */
static int l_run(lua_State* L) {
    lua_islands* o = check(L);
    o->steps = (uint64_t)ptl_lua_within(L, 2, 0, LUA_MAXINTEGER, "must not be negative");
    o->pause = luaL_optnumber(L, 3, 0);
    o->deadline = luaL_optnumber(L, 4, 0);
    ptl_pool_run(o->pool, o->count, run_island, o);
    bool all = true;
    for (size_t i = 0; i < o->count; i++) all = all && o->list[i].steps >= o->steps;
    return ptl_lua_boolean(L, all);
}

/* o:best(island) -> text, D_avg, volume, value of its best mapping; nothing if it has none yet. */
static int l_best(lua_State* L) {
    const ptl_evo_island* o = check_island(L);
    if (!o->filled) return 0;
    size_t k = ptl_evo_island_best(o);
    ptl_lua_push_evo_text(L, ptl_evo_island_at(o, k), o->p->schemes);
    lua_pushnumber(L, o->error[k]);
    lua_pushinteger(L, (lua_Integer)o->volume[k]);
    lua_pushnumber(L, o->value[k]);
    return 4;
}

/* o:admit(island, text): a mapping from elsewhere. */
static int l_admit(lua_State* L) {
    ptl_evo_island* o = check_island(L);
    ptl_evo_island_admit(o, ptl_lua_read_evo_text(L, 3, o->p, true));
    return 0;
}

/* o:save(island) -> list of the texts of its mappings, number of steps it has done. */
static int l_save(lua_State* L) {
    const ptl_evo_island* o = check_island(L);
    lua_createtable(L, (int)o->filled, 0);
    for (size_t k = 0; k < o->filled; k++) {
        ptl_lua_push_evo_text(L, ptl_evo_island_at(o, k), o->p->schemes);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    lua_pushinteger(L, (lua_Integer)o->steps);
    return 2;
}

/* o:restore(island, {text, ...}, steps): an island that was saved; it goes on as it would have. */
static int l_restore(lua_State* L) {
    ptl_evo_island* o = check_island(L);
    luaL_checktype(L, 3, LUA_TTABLE);
    size_t n = ptl_lua_length(L, 3);
    luaL_argcheck(L, n <= o->ways.size, 3, "more mappings than an island has places");
    lua_Integer steps = ptl_lua_within(L, 4, 0, LUA_MAXINTEGER, "must not be negative");
    for (int write = 0; write < 2; write++) { /* all of them are right, or nothing changes */
        if (write) o->filled = 0;
        for (size_t k = 0; k < n; k++) {
            ptl_lua_item(L, 3, (lua_Integer)k + 1);
            const ptl_evo_usage* usages = ptl_lua_read_evo_text(L, lua_gettop(L), o->p, true);
            if (write) ptl_evo_island_place(o, usages);
            lua_pop(L, 2);
        }
    }
    o->steps = (uint64_t)steps;
    return 0;
}

/* o:trials() -> how many pairs of a mapping and an experiment local search has judged since the islands were
 * made. */
static int l_trials(lua_State* L) {
    const lua_islands* o = check(L);
    uint64_t sum = 0;
    for (size_t i = 0; i < o->count; i++)
        sum += o->list[i].respond.trials * ((UINT64_C(1) << o->list[i].p->ports) - 1);
    return ptl_lua_integer(L, (lua_Integer)sum);
}

static int l_size(lua_State* L) {
    return ptl_lua_integer(L, (lua_Integer)check(L)->count);
}

static const luaL_Reg methods[] = {{"run", l_run},   {"best", l_best},       {"admit", l_admit},
                                   {"save", l_save}, {"restore", l_restore}, {"trials", l_trials},
                                   {NULL, NULL}};
static const luaL_Reg meta[] = {{"__len", l_size}, {NULL, NULL}};

static const ptl_lua_class islands_class = {.name = "portolan.evo.islands",
                                            .what = "list of islands",
                                            .free = free_islands,
                                            .methods = methods,
                                            .meta = meta};

/* A price in an option; `what` is the argument error. */
static double read_price(lua_State* L, const char* name, const char* what) {
    double price = ptl_lua_number_field(L, 2, name, 0);
    luaL_argcheck(L, price >= 0 && price <= 1e6, 2, what);
    return price;
}

static ptl_evo_ways read_ways(lua_State* L) {
    lua_Integer size =
                    ptl_lua_range_field(L, 2, "size", 4, 1, 1000000, "option 'size' must be from 1 to 1e6"),
                beam = ptl_lua_range_field(L, 2, "beam", 1, 1, 8, NULL),
                uops = ptl_lua_range_field(L, 2, "uops", 6, 1, PTL_EVO_UOPS_MAX, NULL);
    double price = read_price(L, "price", "option 'price' must be from 0 to 1e6"),
           uop = read_price(L, "uop_price", "option 'uop_price' must be from 0 to 1e6");
    return (ptl_evo_ways){.size = (size_t)size,
                          .beam = (size_t)beam,
                          .crossing = ptl_lua_number_field(L, 2, "crossing", 0.2),
                          .seed = (uint64_t)ptl_lua_integer_field(L, 2, "seed", 1),
                          .goal = {price, (uint32_t)uops, NULL, 0, uop}};
}

/* Pushes an option; nil, and false, if there is none. */
static bool push_option(lua_State* L, const char* name) {
    if (!lua_isnoneornil(L, 2)) return ptl_lua_field(L, 2, name) != LUA_TNIL;
    lua_pushnil(L);
    return false;
}

/* The mapping's text in an option, as one value on the stack; NULL, and nil, if there is none. */
static const ptl_evo_usage* read_known(lua_State* L, const char* name, const ptl_evo_problem* p) {
    if (!push_option(L, name)) return NULL;
    const ptl_evo_usage* known = ptl_lua_read_evo_text(L, lua_gettop(L), p, false);
    lua_remove(L, -2);
    return known;
}

/* The option `totals`, as one value on the stack; NULL, and nil, if there is none. */
static const uint32_t* read_totals(lua_State* L, const ptl_evo_problem* p) {
    if (!push_option(L, "totals")) return NULL;
    if (!lua_istable(L, -1) || ptl_lua_length(L, -1) != p->schemes)
        luaL_error(L, "option 'totals' must have a number for each scheme");
    uint32_t* totals = lua_newuserdatauv(L, p->schemes * sizeof *totals, 0);
    for (size_t i = 0; i < p->schemes; i++) {
        ptl_lua_item(L, -2, (lua_Integer)i + 1);
        lua_Integer total = luaL_checkinteger(L, -1);
        if (total < 0 || total > UINT16_MAX) luaL_error(L, "option 'totals': a number is out of range");
        totals[i] = (uint32_t)total;
        lua_pop(L, 1);
    }
    lua_remove(L, -2);
    return totals;
}

/* p:islands{count =, first =, size =, crossing =, beam =, uops =, price =, uop_price =, seed =, given =, hint
 * =, threads
 * =} -> islands | nil, message, status (evo/island.h). first: number of the first island, 0. given, hint:
 * texts of what is known, for good and to begin with; unknown schemes are empty in them. totals: numbers of
 * uops, 0 where they are not known. */
int ptl_lua_evo_islands(lua_State* L) {
    const ptl_evo_problem* p = ptl_lua_check_evo_problem(L, 1);
    lua_settop(L, 2);
    ptl_evo_ways ways = read_ways(L);
    lua_Integer count = ptl_lua_range_field(L, 2, "count", 1, 1, 100000, NULL),
                first = ptl_lua_integer_field(L, 2, "first", 0);
    unsigned threads = ptl_lua_threads_field(L, 2);
    ways.goal.totals = read_totals(L, p);
    ways.goal.fine = 1.0 / (double)p->size;
    const ptl_evo_usage *given = read_known(L, "given", p), *hint = read_known(L, "hint", p);
    lua_islands* o = ptl_lua_new(L, &islands_class, sizeof *o, 4);
    ptl_lua_keep(L, 1, 1);
    for (int k = 3; k <= 5; k++) ptl_lua_keep(L, k, k - 1); /* what is known */
    ptl_error* error = ptl_lua_error();
    ptl_lua_try(L, ptl_pool_new(&o->pool, threads, error));
    if (!(o->list = calloc((size_t)count, sizeof *o->list)))
        ptl_lua_try(
            L, ptl_fail(error, PTL_NO_MEMORY, NULL, NULL, "no memory for %lld islands", (long long)count));
    for (; o->count < (size_t)count; o->count++)
        ptl_lua_try(L, ptl_evo_island_new(&o->list[o->count], p, &ways, (uint64_t)first + o->count, given,
                                          hint, error));
    return 1;
}
