/* core.evo: populations of the plain algorithm. */
#include <string.h>

#include "evo/population.h"
#include "lua/evo.h"

static const ptl_lua_class population_class;

typedef struct lua_population {
    ptl_evo_population population;
    ptl_pool* pool;
} lua_population;

static lua_population* check(lua_State* L) {
    return ptl_lua_check(L, 1, &population_class);
}

static void free_population(void* object) {
    lua_population* o = object;
    ptl_evo_population_free(&o->population);
    if (o->pool) ptl_pool_free(o->pool);
}

/* o:step(): one generation. */
static int l_step(lua_State* L) {
    lua_population* o = check(L);
    ptl_evo_population_step(&o->population, o->pool);
    return 0;
}

/* o:converged() -> whether all mappings are equally fit. */
static int l_converged(lua_State* L) {
    return ptl_lua_boolean(L, ptl_evo_population_converged(&check(L)->population));
}

/* o:polish(): local search on every mapping. */
static int l_polish(lua_State* L) {
    lua_population* o = check(L);
    ptl_evo_population_polish(&o->population, o->pool);
    return 0;
}

/* #o -> N. */
static int l_size(lua_State* L) {
    return ptl_lua_integer(L, (lua_Integer)check(L)->population.size);
}

/* o:at(rank) -> text, D_avg, volume, fitness of the mapping of that rank; 1 is the fittest. */
static int l_at(lua_State* L) {
    const ptl_evo_population* o = &check(L)->population;
    size_t rank = ptl_lua_check_position(L, 2, o->size, "no mapping of this rank"), slot = o->order[rank];
    ptl_lua_push_evo_text(L, ptl_evo_population_at(o, rank), o->p->schemes);
    lua_pushnumber(L, o->error[slot]);
    lua_pushinteger(L, (lua_Integer)o->volume[slot]);
    lua_pushnumber(L, o->fitness[slot]);
    return 4;
}

/* o:scale() -> the maps of the fitness: slope of the error, slope of the volume, error and volume that are
 * mapped to 0. */
static int l_scale(lua_State* L) {
    const ptl_evo_scale* s = &check(L)->population.scale;
    lua_pushnumber(L, s->error);
    lua_pushnumber(L, s->volume);
    lua_pushnumber(L, s->least_error);
    lua_pushnumber(L, s->least_volume);
    return 4;
}

/* o:restore({text, ...}, generation, {scale}): a population that was saved, by rank; it goes on as it would
 * have. */
static int l_restore(lua_State* L) {
    lua_population* u = check(L);
    ptl_evo_population* o = &u->population;
    luaL_checktype(L, 2, LUA_TTABLE);
    luaL_checktype(L, 4, LUA_TTABLE);
    luaL_argcheck(L, ptl_lua_length(L, 2) == o->size, 2, "a population of another size");
    lua_Integer generation = ptl_lua_within(L, 3, 0, LUA_MAXINTEGER, "must not be negative");
    double scale[4];
    for (int k = 0; k < 4; k++) {
        ptl_lua_item(L, 4, k + 1);
        scale[k] = luaL_checknumber(L, -1);
        lua_pop(L, 1);
    }
    for (int write = 0; write < 2; write++) /* all texts are right, or nothing changes */
        for (size_t i = 0; i < o->size; i++) {
            ptl_lua_item(L, 2, (lua_Integer)i + 1);
            const ptl_evo_usage* usages = ptl_lua_read_evo_text(L, lua_gettop(L), o->p, true);
            if (write) memcpy(o->usages + i * o->p->schemes, usages, o->p->schemes * sizeof *usages);
            lua_pop(L, 2);
        }
    o->generation = (uint64_t)generation;
    o->scale = (ptl_evo_scale){scale[0], scale[1], scale[2], scale[3]};
    ptl_evo_population_refresh(o, u->pool);
    return 0;
}

static const luaL_Reg methods[] = {{"step", l_step}, {"converged", l_converged}, {"polish", l_polish},
                                   {"at", l_at},     {"scale", l_scale},         {"restore", l_restore},
                                   {NULL, NULL}};
static const luaL_Reg meta[] = {{"__len", l_size}, {NULL, NULL}};

static const ptl_lua_class population_class = {.name = "portolan.evo.population",
                                               .what = "population",
                                               .free = free_population,
                                               .methods = methods,
                                               .meta = meta};

/* p:population{size =, seed =, threads =} -> a random population | nil, message, status. threads: 0, one per
 * processor. */
int ptl_lua_evo_population(lua_State* L) {
    const ptl_evo_problem* p = ptl_lua_check_evo_problem(L, 1);
    lua_settop(L, 2);
    lua_Integer size =
        ptl_lua_range_field(L, 2, "size", 1000, 2, 100000000, "option 'size' must be from 2 to 1e8");
    unsigned threads = ptl_lua_threads_field(L, 2);
    lua_population* o = ptl_lua_new(L, &population_class, sizeof *o, 1);
    ptl_lua_keep(L, 1, 1);
    ptl_lua_try(L, ptl_pool_new(&o->pool, threads, ptl_lua_error()));
    ptl_lua_try(L, ptl_evo_population_new(&o->population, p, (size_t)size,
                                          (uint64_t)ptl_lua_integer_field(L, 2, "seed", 1), o->pool,
                                          ptl_lua_error()));
    return 1;
}
