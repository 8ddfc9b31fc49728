/* core.model: the canonical form of a mapping and its classes of congruent schemes. */
#include <stdio.h>

#include "algebra/canonical.h"
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
