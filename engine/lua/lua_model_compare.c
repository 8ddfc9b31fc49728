/* core.model.compare and relate */
#include <math.h>

#include "algebra/compare.h"
#include "lua/model.h"

/* {port of a = port of b} */
static void push_renaming(lua_State* L, const ptl_comparison* c) {
    const ptl_mapping *a = c->pairs.a, *b = c->pairs.b;
    lua_newtable(L);
    for (unsigned k = 0; k < a->port_count; k++)
        if (c->renaming.port[k] != PTL_NO_PORT)
            ptl_lua_set_string(L, a->ports[k], b->ports[c->renaming.port[k]]);
}

static void push_differing(lua_State* L, const ptl_comparison* c) {
    lua_newtable(L);
    for (size_t i = 0; i < c->pairs.count; i++)
        if (!ptl_renaming_matches(&c->renaming, &c->pairs, i))
            ptl_lua_add_string(L, c->pairs.a->schemes[c->pairs.in_a[i]].name);
}

static void push_distinction(lua_State* L, const ptl_comparison* c) {
    const ptl_distinction* d = &c->distinction;
    ptl_lua_set_boolean(L, "distinguishable", d->found);
    ptl_lua_set_boolean(L, "complete", d->complete);
    ptl_lua_set_integer(L, "examined", d->examined);
    if (!d->found) return;
    ptl_lua_push_experiment(L, c->pairs.a, &d->experiment);
    lua_setfield(L, -2, "experiment");
    ptl_lua_set_number(L, "a", d->cycles_a);
    ptl_lua_set_number(L, "b", d->cycles_b);
}

static void push_relation(lua_State* L, const ptl_comparison* c) {
    lua_newtable(L);
    ptl_lua_set_boolean(L, "equal", c->equal);
    ptl_lua_set_boolean(L, "decided", c->decided);
    ptl_lua_set_boolean(L, "same_limits", c->same_limits);
    ptl_lua_set_boolean(L, "two_level", ptl_pairs_two_level(&c->pairs));
    ptl_lua_set_integer(L, "common", c->pairs.count);
    ptl_lua_set_integer(L, "matching", c->matching);
    ptl_lua_set_integer(L, "only_a", c->pairs.only_a);
    ptl_lua_set_integer(L, "only_b", c->pairs.only_b);
    push_renaming(L, c);
    lua_setfield(L, -2, c->equal ? "renaming" : "closest");
    push_differing(L, c);
    lua_setfield(L, -2, "differing");
}

/* relate(a, b) -> on the schemes that both explain:
 *   equal: the same port usage up to port names; then renaming = {port of a = port of b}; otherwise closest =
 * a renaming under which `matching` of the `common` schemes have the same usage and those in the list
 * `differing` do not; same_limits: R_max and the slots are the same; two_level, decided, only_a, only_b
 * (numbers of schemes explained by one only) | nil, message, status. */
int ptl_lua_model_relate(lua_State* L) {
    const ptl_mapping *a = &ptl_lua_check_mapping(L, 1)->mapping, *b = &ptl_lua_check_mapping(L, 2)->mapping;
    ptl_arena* arena = ptl_lua_arena(L);
    ptl_comparison c;
    ptl_lua_try(L, ptl_relate(a, b, arena, &c, ptl_lua_error()));
    push_relation(L, &c);
    ptl_arena_release(arena); /* now, not when it is collected */
    return 1;
}

/* compare(a, b[, {epsilon = 0.02 (CPI), seed = 0}]) -> what relate returns, and: distinguishable: an
 * experiment's CPIs differ by more than 2 epsilon; then experiment and its cycles a and b. If not
 * distinguishable, complete tells a proof from a search that found nothing in `examined` sets and experiments
 * | nil, message, status. */
int ptl_lua_model_compare(lua_State* L) {
    const ptl_mapping *a = &ptl_lua_check_mapping(L, 1)->mapping, *b = &ptl_lua_check_mapping(L, 2)->mapping;
    double epsilon = ptl_lua_number_field(L, 3, "epsilon", 0.02);
    luaL_argcheck(L, epsilon >= 0 && !isinf(epsilon), 3, "epsilon must be a number from 0 on");
    uint64_t seed = (uint64_t)ptl_lua_integer_field(L, 3, "seed", 0);
    ptl_arena* arena = ptl_lua_arena(L);
    ptl_comparison c;
    ptl_lua_try(L, ptl_compare(a, b, epsilon, seed, arena, &c, ptl_lua_error()));
    push_relation(L, &c);
    push_distinction(L, &c);
    ptl_arena_release(arena); /* now, not when it is collected */
    return 1;
}
