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

/* What is wrong with the value at hand. */
static ptl_status wrong(ptl_error* error, const char* where, const char* mend) {
    return ptl_fail(error, PTL_BAD_INPUT, where, mend, "this feature has no such value");
}

/* The whole number in field `name` of the table at index, or -1. */
static lua_Integer number_in(lua_State* L, int index, const char* name) {
    lua_Integer n;
    return ptl_lua_whole_field(L, index, name, &n) ? n : -1;
}

static ptl_status to_edit(lua_State* L, int index, ptl_lattice* l, const char* where, uint32_t* key,
                          ptl_error* error) {
    static const char mend[] = "write { base = text, edits = number up to the bound }";
    lua_Integer d = lua_istable(L, index) ? number_in(L, index, "edits") : -1;
    if (d < 0 || d > (lua_Integer)ptl_lattice_bound(l)) return wrong(error, where, mend);
    if (ptl_lua_field(L, index, "base") == LUA_TSTRING) {
        key[0] = ptl_names_add(ptl_lattice_atoms(l), lua_tostring(L, -1));
        key[1] = (uint32_t)d;
        lua_pop(L, 1);
        return PTL_OK;
    }
    lua_pop(L, 1);
    return wrong(error, where, mend);
}

static ptl_status to_log(lua_State* L, int index, ptl_lattice* l, const char* where, uint32_t* key,
                         ptl_error* error) {
    lua_Integer below = lua_istable(L, index) ? number_in(L, index, "below") : -1;
    for (key[0] = 0; key[0] <= ptl_lattice_bound(l); key[0]++)
        if ((lua_Integer)1 << key[0] == below) return PTL_OK;
    return wrong(error, where, "write { below = a power of two up to the bound }");
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

static ptl_status to_set(lua_State* L, int index, ptl_lattice* l, const char* where, uint32_t* key, size_t* n,
                         ptl_error* error) {
    static const char mend[] = "write a list of texts, or \"none\"";
    *n = 1;
    key[0] = 0;
    if (lua_type(L, index) == LUA_TSTRING)
        return strcmp(lua_tostring(L, index), "none") == 0 ? PTL_OK : wrong(error, where, mend);
    if (!lua_istable(L, index)) return wrong(error, where, mend);
    key[0] = 1;
    lua_Integer members = (lua_Integer)lua_rawlen(L, index);
    if (members > PTL_LATTICE_SET_MAX) return wrong(error, where, "write fewer members");
    for (lua_Integer k = 1; k <= members; k++) {
        int type = lua_rawgeti(L, index, k);
        uint32_t atom = PTL_NO_NAME;
        if (type == LUA_TSTRING) atom = ptl_names_add(ptl_lattice_atoms(l), lua_tostring(L, -1));
        lua_pop(L, 1);
        if (type != LUA_TSTRING) return wrong(error, where, mend);
        if (atom == PTL_NO_NAME) return ptl_fail(error, PTL_NO_MEMORY, where, NULL, "no memory for a value");
        *n = insert(key, *n, atom);
    }
    lua_pushnil(L);
    while (lua_next(L, index)) { /* an object is no list */
        lua_pop(L, 1);
        if (lua_isinteger(L, -1)) continue;
        lua_pop(L, 1);
        return wrong(error, where, mend);
    }
    return PTL_OK;
}

/* Singletons may have texts that no scheme of the universe has; graphs are given as a whole. */
static ptl_status to_text(lua_State* L, int index, ptl_lattice* l, const char* where, uint32_t* key,
                          ptl_error* error) {
    if (lua_type(L, index) != LUA_TSTRING) return wrong(error, where, "write a text");
    const char* text = lua_tostring(L, index);
    key[0] = ptl_lattice_kind_of(l) == PTL_LATTICE_GRAPH ? ptl_names_find(ptl_lattice_atoms(l), text)
                                                         : ptl_names_add(ptl_lattice_atoms(l), text);
    if (key[0] == PTL_NO_NAME) return wrong(error, where, "write the text of one of its elements");
    return PTL_OK;
}

ptl_status ptl_lua_to_node(lua_State* L, int index, ptl_lattice* l, const char* where, ptl_node* out,
                           ptl_error* error) {
    uint32_t key[PTL_LATTICE_SET_MAX + 2];
    size_t n = 1;
    ptl_status status;
    index = lua_absindex(L, index);
    switch (ptl_lattice_kind_of(l)) {
    case PTL_LATTICE_EDIT:
        status = to_edit(L, index, l, where, key, error);
        n = 2;
        break;
    case PTL_LATTICE_LOG: status = to_log(L, index, l, where, key, error); break;
    case PTL_LATTICE_SUBSET: status = to_set(L, index, l, where, key, &n, error); break;
    default: status = to_text(L, index, l, where, key, error);
    }
    if (status) return status;
    *out = ptl_lattice_intern(l, key, n);
    if (*out == PTL_NO_NODE) return ptl_fail(error, PTL_NO_MEMORY, where, NULL, "no memory for a value");
    return PTL_OK;
}
