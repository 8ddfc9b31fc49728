/* core.smt.alone: schemes placed one by one on the ground of known ones (candidates/alone.h).
 *
 * Known schemes and schemes to place are numbered from 1, each for themselves. A set of ports is an integer
 * with bit k for port k. */
#include <math.h>
#include <stdlib.h>

#include "base/pool.h"
#include "base/room.h"
#include "candidates/alone.h"
#include "lua/bind.h"
#include "lua/smt.h"

static const ptl_lua_class alone_class;

typedef struct place {
    ptl_ground ground;
    ptl_pool* pool;
    unsigned slack;
    bool flood;
    size_t count, capacity;
    ptl_alone* schemes;
} place;

static place* check_place(lua_State* L) {
    return ptl_lua_check(L, 1, &alone_class);
}

static ptl_alone* check_scheme(lua_State* L, const place* p, int index) {
    return &p->schemes[ptl_lua_check_position(L, index, p->count, "no such scheme")];
}

/* alone{ports=, epsilon=CPI, rmax=IPC, flood=boolean, slack=, threads=(0: one per processor)} -> object. */
int ptl_lua_smt_alone(lua_State* L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_Integer ports = ptl_lua_integer_field(L, 1, "ports", 0);
    double epsilon, rmax;
    ptl_lua_check_resolution(L, &epsilon, &rmax);
    unsigned threads = ptl_lua_threads_field(L, 1);
    lua_Integer slack = ptl_lua_range_field(L, 1, "slack", 0, 0, 1000, NULL);
    place* p = ptl_lua_new(L, &alone_class, sizeof *p, 0);
    *p = (place){.slack = (unsigned)slack, .flood = ptl_lua_boolean_field(L, 1, "flood", false)};
    ptl_lua_try(L,
                ptl_ground_init(&p->ground, ports > 0 ? (size_t)ports : 0, epsilon, rmax, ptl_lua_error()));
    ptl_lua_try(L, ptl_pool_new(&p->pool, threads, ptl_lua_error()));
    return 1;
}

static void free_place(void* object) {
    place* p = object;
    for (size_t i = 0; i < p->count; i++) ptl_alone_free(&p->schemes[i]);
    free(p->schemes);
    ptl_ground_free(&p->ground);
    if (p->pool) ptl_pool_free(p->pool);
}

static uint32_t check_ports(lua_State* L, int index) {
    return (uint32_t)ptl_lua_within(L, index, 1, UINT32_MAX, "not a set of ports");
}

/* The issue slots at index 3; 1 if there is nothing. */
static unsigned check_slots(lua_State* L) {
    if (lua_isnoneornil(L, 3)) return 1;
    return (unsigned)ptl_lua_within(L, 3, 0, 1000, "slots must be from 0 to 1000");
}

/* p:know(ports[, slots]) -> number of the known scheme. p:refine must follow. */
static int l_know(lua_State* L) {
    place* p = check_place(L);
    ptl_lua_try(L, ptl_ground_add(&p->ground, check_ports(L, 2), check_slots(L), ptl_lua_error()));
    return ptl_lua_integer(L, (lua_Integer)p->ground.count);
}

/* p:has(ports) -> would a known scheme on them tell nothing new? */
static int l_has(lua_State* L) {
    return ptl_lua_boolean(L, ptl_ground_has(&check_place(L)->ground, check_ports(L, 2)));
}

/* p:splits(ports) -> the ports of the classes of which the set holds a part only. */
static int l_splits(lua_State* L) {
    const place* p = check_place(L);
    uint32_t ports = check_ports(L, 2), split = 0;
    for (size_t j = 0; j < p->ground.classes; j++) {
        uint32_t inside = p->ground.class_ports[j] & ports;
        if (inside && inside != p->ground.class_ports[j]) split |= p->ground.class_ports[j];
    }
    return ptl_lua_integer(L, split);
}

/* p:scheme([counts[, slots]]) -> number of a scheme to place. counts: bit c is set if c ports are possible.
 */
static int l_scheme(lua_State* L) {
    place* p = check_place(L);
    lua_Integer counts = luaL_optinteger(L, 2, UINT32_MAX);
    luaL_argcheck(L, counts > 0 && counts <= UINT32_MAX, 2, "not a set of numbers of ports");
    unsigned slots = check_slots(L);
    if (!ptl_room(&p->schemes, &p->capacity, p->count + 1, sizeof *p->schemes))
        return luaL_error(L, "no memory");
    ptl_alone* a = &p->schemes[p->count];
    *a = (ptl_alone){.slots = slots, .slack = p->slack, .flood = p->flood, .counts = (uint32_t)counts};
    ptl_status s = ptl_alone_init(a, &p->ground, ptl_lua_error());
    if (s) ptl_alone_free(a);
    ptl_lua_try(L, s);
    return ptl_lua_integer(L, (lua_Integer)++p->count);
}

/* {[known scheme] = copies} at index. */
static ptl_mix check_mix(lua_State* L, const place* p, int index, lua_Integer own) {
    luaL_argcheck(L, own >= 0 && own <= 1000000, index + 1, "copies must be whole numbers");
    luaL_checktype(L, index, LUA_TTABLE);
    ptl_mix mix = {.own = (uint32_t)own};
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
        lua_Integer scheme = lua_isinteger(L, -2) ? lua_tointeger(L, -2) : 0, copies = lua_tointeger(L, -1);
        luaL_argcheck(L, scheme >= 1 && (size_t)scheme <= p->ground.count, index, "no such known scheme");
        luaL_argcheck(L, copies >= 1 && copies <= 1000000, index, "copies must be positive whole numbers");
        luaL_argcheck(L, mix.count + 1 < PTL_TERMS_MAX, index, "too many schemes in one experiment");
        mix.scheme[mix.count] = (uint16_t)(scheme - 1);
        mix.copies[mix.count++] = (uint32_t)copies;
    }
    return mix;
}

/* p:observe(scheme, {[known scheme]=copies}, copies of the scheme itself, bounds as for core.smt.search) ->
 * true.
 */
static int l_observe(lua_State* L) {
    place* p = check_place(L);
    ptl_alone* a = check_scheme(L, p, 2);
    ptl_mix mix = check_mix(L, p, 3, luaL_checkinteger(L, 4));
    ptl_bounds bounds = ptl_lua_check_bounds(L, 5);
    return ptl_lua_done(L, ptl_alone_observe(a, &p->ground, &mix, &bounds, ptl_lua_error()));
}

/* Holds what happened to one scheme of a parallel call. */
typedef struct answer {
    ptl_status status;
    ptl_error error;
    size_t scheme;
    bool found;
    ptl_mix mix;
} answer;

typedef struct work {
    place* place;
    answer* answers;
} work;

static void refine_one(void* context, size_t i) {
    work* w = context;
    answer* r = &w->answers[i];
    r->status = ptl_alone_refine(&w->place->schemes[i], &w->place->ground, &r->error);
}

static void next_one(void* context, size_t i) {
    work* w = context;
    answer* r = &w->answers[i];
    r->status =
        ptl_alone_next(&w->place->schemes[r->scheme], &w->place->ground, &r->found, &r->mix, &r->error);
}

/* Fails with the first failure by index. */
static void run(lua_State* L, work* w, size_t n, ptl_task* task) {
    ptl_pool_run(w->place->pool, n, task, w);
    for (size_t i = 0; i < n; i++) {
        if (w->answers[i].status) *ptl_lua_error() = w->answers[i].error;
        ptl_lua_try(L, w->answers[i].status);
    }
}

/* p:refine() -> true: all schemes know the classes of the ground. */
static int l_refine(lua_State* L) {
    place* p = check_place(L);
    work w = {p, lua_newuserdatauv(L, (p->count + 1) * sizeof(answer), 0)};
    run(L, &w, p->count, refine_one);
    return ptl_lua_boolean(L, true);
}

static void push_answer(lua_State* L, const answer* r) {
    lua_createtable(L, 0, 2);
    lua_createtable(L, 0, (int)r->mix.count);
    for (size_t k = 0; k < r->mix.count; k++) ptl_lua_put_integer(L, r->mix.scheme[k] + 1, r->mix.copies[k]);
    lua_setfield(L, -2, "terms");
    ptl_lua_set_integer(L, "own", r->mix.own);
}

/* p:next{scheme, ...} -> for each what to measure next, {terms={[known scheme]=copies}, own=copies of
 * itself}, or false if no experiment tells what remains of its candidates apart. The same for any number of
 * threads. */
static int l_next(lua_State* L) {
    place* p = check_place(L);
    luaL_checktype(L, 2, LUA_TTABLE);
    size_t n = ptl_lua_length(L, 2);
    work w = {p, lua_newuserdatauv(L, (n + 1) * sizeof(answer), 0)};
    for (size_t i = 0; i < n; i++) {
        ptl_lua_item(L, 2, (lua_Integer)i + 1);
        w.answers[i].scheme = (size_t)(check_scheme(L, p, lua_gettop(L)) - p->schemes);
        lua_pop(L, 1);
    }
    run(L, &w, n, next_one);
    lua_createtable(L, (int)n, 0);
    for (size_t i = 0; i < n; i++) {
        if (w.answers[i].found)
            push_answer(L, &w.answers[i]);
        else
            lua_pushboolean(L, 0);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

/* p:remaining(scheme[, most = 64]) -> list of sets of ports (up to port names within a class), how many there
 * are in all, list of their costs. */
static int l_remaining(lua_State* L) {
    const place* p = check_place(L);
    const ptl_alone* a = check_scheme(L, p, 2);
    size_t most = 64;
    if (!lua_isnoneornil(L, 3)) most = (size_t)ptl_lua_within(L, 3, 0, 1 << PTL_GROUND_PORTS_MAX, "too many");
    uint32_t* ports = lua_newuserdatauv(L, (most + 1) * sizeof *ports, 0);
    unsigned* cost = lua_newuserdatauv(L, (most + 1) * sizeof *cost, 0);
    size_t n = ptl_alone_remaining(a, ports, cost, most), shown = n < most ? n : most;
    ptl_lua_push_words(L, ports, shown);
    lua_pushinteger(L, (lua_Integer)n);
    ptl_lua_push_words(L, cost, shown);
    return 3;
}

/* p:conflict(scheme) -> numbers of a smallest set of its observations (from 1, in their order) that no ports
 * keep; empty if there is none. */
static int l_conflict(lua_State* L) {
    const place* p = check_place(L);
    const ptl_alone* a = check_scheme(L, p, 2);
    size_t n = 0, *which = lua_newuserdatauv(L, (a->observed + 1) * sizeof *which, 0);
    ptl_lua_try(L, ptl_alone_conflict(a, &p->ground, which, &n, ptl_lua_error()));
    return ptl_lua_push_indices(L, which, n);
}

static const luaL_Reg methods[] = {
    {"know", l_know},         {"has", l_has},       {"splits", l_splits}, {"scheme", l_scheme},
    {"observe", l_observe},   {"refine", l_refine}, {"next", l_next},     {"remaining", l_remaining},
    {"conflict", l_conflict}, {NULL, NULL},
};

static const ptl_lua_class alone_class = {
    .name = "portolan.alone", .what = "search", .free = free_place, .methods = methods, .close = "close"};
