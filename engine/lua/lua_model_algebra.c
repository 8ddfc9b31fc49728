/* core.model: the canonical form of a mapping, its classes of congruent schemes, comparisons of two. */
#include <math.h>
#include <stdio.h>

#include "algebra/canonical.h"
#include "algebra/compare.h"
#include "algebra/congruence.h"
#include "lua/model.h"

static void push_canonical(lua_State* L, const ptl_mapping* m, const ptl_canonical* c) {
    char digest[17];
    snprintf(digest, sizeof digest, "%016llx", (unsigned long long)c->digest);
    lua_createtable(L, (int)m->port_count, 0);
    for (unsigned i = 0; i < m->port_count; i++) ptl_lua_add_string(L, m->ports[c->order[i]]);
    lua_pushstring(L, c->key);
    lua_pushstring(L, digest);
}

/* m:canonical() -> list of all port names in canonical order (those that nothing uses last), key, digest |
 * nil, message, status. Two mappings have the same key just if they explain the same schemes with the same
 * port usage up to the names of ports; digest is a short name for the key (16 hexadecimal digits). */
int ptl_lua_model_canonical(lua_State* L) {
    const ptl_mapping* m = &ptl_lua_check_mapping(L, 1)->mapping;
    ptl_arena* arena = ptl_lua_arena(L);
    ptl_canonical c;
    ptl_lua_try(L, ptl_canonical_form(m, arena, &c, ptl_lua_error()));
    push_canonical(L, m, &c);
    ptl_arena_release(arena); /* now, not when it is collected */
    return 3;
}

static void push_classes(lua_State* L, const ptl_mapping* m, const ptl_congruence* c) {
    lua_createtable(L, (int)c->count, 0);
    for (uint32_t i = 0; i < c->count; i++) {
        lua_newtable(L);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    for (size_t i = 0; i < c->known; i++) {
        uint32_t scheme = c->by_name[i];
        lua_rawgeti(L, -1, (lua_Integer)c->class_of[scheme] + 1);
        ptl_lua_add_string(L, m->schemes[scheme].name);
        lua_pop(L, 1);
    }
}

/* m:congruence() -> list of classes: the explained schemes with equal uops (and equal issue slots, if there
 * is an R_max), each a sorted list of names, in the order of their first ones | nil, message, status. */
int ptl_lua_model_congruence(lua_State* L) {
    const ptl_mapping* m = &ptl_lua_check_mapping(L, 1)->mapping;
    ptl_arena* arena = ptl_lua_arena(L);
    ptl_congruence c;
    ptl_lua_try(L, ptl_congruence_find(m, m->rmax > 0, arena, &c, ptl_lua_error()));
    push_classes(L, m, &c);
    ptl_arena_release(arena); /* now, not when it is collected */
    return 1;
}

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
