/* core.anica: abstract values of features as Lua has them.
 *
 *   singleton  "text"                      edit   {base = "text", edits = d}
 *   log        {below = 2^k}               graph  "label"
 *   subset     {"text", ...} or "none"     top    nil
 */
#include <string.h>

#include "lua/anica_bind.h"

static void push_set(lua_State* L, const ptl_names* atoms, const uint32_t* key, size_t n) {
    if (key[0] == 0) {
        lua_pushliteral(L, "none");
        return;
    }
    lua_createtable(L, (int)n, 0);
    for (size_t k = 1; k < n; k++) ptl_lua_put_string(L, (lua_Integer)k, atoms->texts[key[k]]);
}

void ptl_lua_push_node(lua_State* L, ptl_lattice* l, ptl_node node) {
    const ptl_names* atoms = ptl_lattice_atoms(l);
    size_t n;
    const uint32_t* key = ptl_lattice_key(l, node, &n);
    if (node == PTL_TOP) {
        lua_pushnil(L);
        return;
    }
    switch (ptl_lattice_kind_of(l)) {
    case PTL_LATTICE_EDIT:
        lua_createtable(L, 0, 2);
        ptl_lua_set_string(L, "base", atoms->texts[key[0]]);
        ptl_lua_set_integer(L, "edits", key[1]);
        return;
    case PTL_LATTICE_LOG:
        lua_createtable(L, 0, 1);
        ptl_lua_set_integer(L, "below", (lua_Integer)1 << key[0]);
        return;
    case PTL_LATTICE_SUBSET: push_set(L, atoms, key, n); return;
    default: lua_pushstring(L, atoms->texts[key[0]]);
    }
}

/* Ends the call with what is wrong with the value at hand. */
__attribute__((noreturn)) static void wrong(lua_State* L, const char* where, const char* mend) {
    ptl_lua_bad(L, where, mend, "this feature has no such value");
}

__attribute__((noreturn)) static void no_memory(lua_State* L, const char* where) {
    ptl_fail(ptl_lua_error(), PTL_NO_MEMORY, where, NULL, "no memory for a value");
    ptl_lua_fail(L);
}

/* The whole number in field `name` of the table at index, or -1. */
static lua_Integer number_in(lua_State* L, int index, const char* name) {
    lua_Integer n;
    return ptl_lua_whole_field(L, index, name, &n) ? n : -1;
}

/* These write the key of the value at index, and return its length. */
static size_t to_edit(lua_State* L, int index, ptl_lattice* l, const char* where, uint32_t* key) {
    lua_Integer d = lua_istable(L, index) ? number_in(L, index, "edits") : -1;
    bool right = d >= 0 && d <= (lua_Integer)ptl_lattice_bound(l);
    const char* base = right ? ptl_lua_text_field(L, index, "base") : NULL;
    if (!base) wrong(L, where, "write { base = text, edits = number up to the bound }");
    key[0] = ptl_names_add(ptl_lattice_atoms(l), base);
    key[1] = (uint32_t)d;
    return 2;
}

static size_t to_log(lua_State* L, int index, ptl_lattice* l, const char* where, uint32_t* key) {
    lua_Integer below = lua_istable(L, index) ? number_in(L, index, "below") : -1;
    for (key[0] = 0; key[0] <= ptl_lattice_bound(l); key[0]++)
        if ((lua_Integer)1 << key[0] == below) return 1;
    wrong(L, where, "write { below = a power of two up to the bound }");
}

/* Inserts an atom into the ascending key[1 ... n - 1]; the new n. */
static size_t insert(uint32_t* key, size_t n, uint32_t atom) {
    size_t at = n;
    while (at > 1 && key[at - 1] > atom) at--;
    if (at > 1 && key[at - 1] == atom) return n;
    memmove(key + at + 1, key + at, (n - at) * sizeof *key);
    key[at] = atom;
    return n + 1;
}

static size_t to_set(lua_State* L, int index, ptl_lattice* l, const char* where, uint32_t* key) {
    static const char mend[] = "write a list of texts, or \"none\"";
    bool none = lua_type(L, index) == LUA_TSTRING && strcmp(lua_tostring(L, index), "none") == 0;
    size_t n = 1;
    key[0] = none ? 0 : 1;
    if (none) return n;
    if (!lua_istable(L, index)) wrong(L, where, mend);
    lua_Integer members = (lua_Integer)lua_rawlen(L, index);
    if (members > PTL_LATTICE_SET_MAX) wrong(L, where, "write fewer members");
    for (lua_Integer k = 1; k <= members; k++) {
        const char* text = ptl_lua_text_item(L, index, k);
        if (!text) wrong(L, where, mend);
        uint32_t atom = ptl_names_add(ptl_lattice_atoms(l), text);
        if (atom == PTL_NO_NAME) no_memory(L, where);
        n = insert(key, n, atom);
    }
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1))
        if (!lua_isinteger(L, -2)) wrong(L, where, mend); /* an object is no list */
    return n;
}

/* Singletons may have texts that no scheme of the universe has; graphs are given as a whole. */
static size_t to_text(lua_State* L, int index, ptl_lattice* l, const char* where, uint32_t* key) {
    if (lua_type(L, index) != LUA_TSTRING) wrong(L, where, "write a text");
    const char* text = lua_tostring(L, index);
    key[0] = ptl_lattice_kind_of(l) == PTL_LATTICE_GRAPH ? ptl_names_find(ptl_lattice_atoms(l), text)
                                                         : ptl_names_add(ptl_lattice_atoms(l), text);
    if (key[0] == PTL_NO_NAME) wrong(L, where, "write the text of one of its elements");
    return 1;
}

ptl_node ptl_lua_to_node(lua_State* L, int index, ptl_lattice* l, const char* where) {
    uint32_t key[PTL_LATTICE_SET_MAX + 2];
    size_t n;
    index = lua_absindex(L, index);
    switch (ptl_lattice_kind_of(l)) {
    case PTL_LATTICE_EDIT: n = to_edit(L, index, l, where, key); break;
    case PTL_LATTICE_LOG: n = to_log(L, index, l, where, key); break;
    case PTL_LATTICE_SUBSET: n = to_set(L, index, l, where, key); break;
    default: n = to_text(L, index, l, where, key);
    }
    ptl_node node = ptl_lattice_intern(l, key, n);
    if (node == PTL_NO_NODE) no_memory(L, where);
    return node;
}
