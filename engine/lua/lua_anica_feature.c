/* core.anica: features, from Lua and for Lua. */
#include <string.h>

#include "lua/anica_bind.h"

static const char* const kinds[] = {"singleton", "edit", "log", "subset", "graph", NULL};

/* The string at the top of the stack as an atom. */
static uint32_t atom_at(lua_State* L, ptl_lattice* l) {
    if (lua_type(L, -1) != LUA_TSTRING) luaL_error(L, "a feature's value must be a string");
    uint32_t atom = ptl_names_add(ptl_lattice_atoms(l), lua_tostring(L, -1));
    if (atom == PTL_NO_NAME) ptl_lua_try(L, ptl_no_memory(ptl_lua_error(), "for a feature"));
    return atom;
}

/* The whole number at the top of the stack. */
static lua_Integer whole_at(lua_State* L, const char* what) {
    int is_number;
    lua_Integer n = lua_tointegerx(L, -1, &is_number);
    if (!is_number) luaL_error(L, "%s: this is no whole number", what);
    return n;
}

/* The same in [0, most]. */
static size_t position_at(lua_State* L, const char* what, size_t most) {
    lua_Integer n = whole_at(L, what);
    if (n < 0 || n > (lua_Integer)most) luaL_error(L, "%s: number out of range", what);
    return (size_t)n;
}

/* Pushes the list in field `name` of the table on top; its length. */
static size_t push_list(lua_State* L, const char* name) {
    ptl_lua_field(L, -1, name);
    luaL_checktype(L, -1, LUA_TTABLE);
    return ptl_lua_length(L, -1);
}

/* f(scheme) at the top of the stack: a list of strings. */
static void read_set(lua_State* L, ptl_lattice* l, size_t scheme) {
    luaL_checktype(L, -1, LUA_TTABLE);
    size_t n = ptl_lua_length(L, -1);
    uint32_t* atoms = lua_newuserdatauv(L, (n + 1) * sizeof *atoms, 0);
    for (size_t k = 0; k < n; k++) {
        ptl_lua_item(L, -2, (lua_Integer)k + 1);
        atoms[k] = atom_at(L, l);
        lua_pop(L, 1);
    }
    ptl_lua_try(L, ptl_lattice_set_value(l, scheme, atoms, n, ptl_lua_error()));
    lua_pop(L, 1);
}

static void read_value(lua_State* L, ptl_lattice* l, size_t scheme) {
    ptl_lattice_kind kind = ptl_lattice_kind_of(l);
    if (!lua_toboolean(L, -1)) return;
    if (kind == PTL_LATTICE_LOG) {
        lua_Integer size = whole_at(L, "values");
        ptl_lattice_set_size(l, scheme, size < 0 ? 0 : size > INT32_MAX ? INT32_MAX : (uint32_t)size);
    } else if (kind == PTL_LATTICE_SUBSET) {
        read_set(L, l, scheme);
    } else {
        uint32_t atom = atom_at(L, l);
        ptl_lua_try(L, ptl_lattice_set_value(l, scheme, &atom, 1, ptl_lua_error()));
    }
}

/* For each of the n positions of the list in field `name` of the table on top: its own list's numbers in 0
 * ... most go to `take`. */
static void each_number(lua_State* L, const char* name, size_t n, size_t most, ptl_lattice* l,
                        ptl_status (*take)(ptl_lattice*, size_t, size_t, ptl_error*)) {
    push_list(L, name);
    for (size_t k = 1; k <= n; k++) {
        ptl_lua_item(L, -1, (lua_Integer)k);
        luaL_checktype(L, -1, LUA_TTABLE);
        for (lua_Integer j = 1; j <= (lua_Integer)ptl_lua_length(L, -1); j++) {
            ptl_lua_item(L, -1, j);
            ptl_lua_try(L, take(l, k, position_at(L, name, most), ptl_lua_error()));
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static ptl_status add_successor(ptl_lattice* l, size_t from, size_t to, ptl_error* error) {
    return ptl_lattice_add_edge(l, (ptl_node)from, (ptl_node)to, error);
}

static ptl_status add_member(ptl_lattice* l, size_t node, size_t scheme, ptl_error* error) {
    (void)error;
    if (scheme) ptl_lattice_add_member(l, (ptl_node)node, scheme - 1);
    return PTL_OK;
}

/* The table on top as a graph. */
static void read_graph(lua_State* L, ptl_lattice* l, size_t schemes) {
    size_t n = push_list(L, "labels");
    for (size_t k = 1; k <= n; k++) {
        const char* label = ptl_lua_text_item(L, -1, (lua_Integer)k);
        if (!label) luaL_error(L, "labels must be strings");
        if (ptl_lattice_add_node(l, label) == PTL_NO_NODE)
            ptl_lua_bad(L, label, "give each element a text of its own",
                        "two elements of a lattice have the same text");
    }
    lua_pop(L, 1);
    each_number(L, "successors", n, n, l, add_successor);
    each_number(L, "members", n, schemes, l, add_member);
    push_list(L, "representations");
    for (size_t i = 0; i < schemes; i++) {
        ptl_lua_item(L, -1, (lua_Integer)i + 1);
        ptl_lattice_set_node(l, i, (ptl_node)position_at(L, "representations", n));
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

/* Atoms in the order of the list in field `atoms` of the table on top, if there is one: a set's order. */
static void read_atoms(lua_State* L, ptl_lattice* l) {
    lua_Integer n = ptl_lua_field(L, -1, "atoms") == LUA_TTABLE ? (lua_Integer)ptl_lua_length(L, -1) : 0;
    for (lua_Integer k = 1; k <= n; k++) {
        ptl_lua_item(L, -1, k);
        atom_at(L, l);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

/* The table on top as a feature. */
static void read_feature(lua_State* L, ptl_domain* d) {
    ptl_lattice* l;
    luaL_checktype(L, -1, LUA_TTABLE);
    ptl_lua_field(L, -1, "kind");
    int kind = luaL_checkoption(L, -1, NULL, kinds);
    lua_pop(L, 1);
    lua_Integer bound = ptl_lua_integer_field(L, -1, "bound", 0);
    if (bound < 0 || bound > INT32_MAX) luaL_error(L, "bound: number out of range");
    ptl_lua_try(
        L, ptl_lattice_new(&l, (ptl_lattice_kind)kind, (unsigned)bound, d->scheme_count, ptl_lua_error()));
    ptl_lua_try(L, ptl_domain_add(d, l, ptl_lua_error()));
    if (kind == PTL_LATTICE_GRAPH) {
        read_graph(L, l, d->scheme_count);
        return;
    }
    read_atoms(L, l);
    push_list(L, "values");
    for (size_t i = 0; i < d->scheme_count; i++) {
        ptl_lua_item(L, -1, (lua_Integer)i + 1);
        read_value(L, l, i);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

void ptl_lua_read_features(lua_State* L, int index, ptl_domain* d) {
    for (lua_Integer f = 1; f <= (lua_Integer)ptl_lua_length(L, index); f++) {
        ptl_lua_item(L, index, f);
        read_feature(L, d);
        lua_pop(L, 1);
    }
}

/* The node of a feature at index, or an argument error. */
static ptl_node check_node(lua_State* L, int index, const ptl_lattice* l) {
    lua_Integer node = luaL_checkinteger(L, index);
    luaL_argcheck(L, node >= 0 && node < (lua_Integer)ptl_lattice_count(l), index, "no such node");
    return (ptl_node)node;
}

/* domain:node(feature, scheme) -> node that represents the scheme; both are positions. 0 is top. */
static int l_node(lua_State* L) {
    ptl_domain* d = ptl_lua_check_domain(L, 1);
    ptl_lattice* l = ptl_lua_check_feature(L, d, 2, NULL);
    size_t scheme = ptl_lua_check_position(L, 3, d->scheme_count, "no such scheme");
    return ptl_lua_integer(L, ptl_lattice_represent(l, scheme));
}

/* domain:node_leq(feature, a, b) -> boolean */
static int l_node_leq(lua_State* L) {
    ptl_lattice* l = ptl_lua_check_feature(L, ptl_lua_check_domain(L, 1), 2, NULL);
    return ptl_lua_boolean(L, ptl_lattice_leq(l, check_node(L, 3, l), check_node(L, 4, l)));
}

/* domain:node_successors(feature, node) -> list of nodes, list of the steps that lead there; -1 is to top */
static int l_node_successors(lua_State* L) {
    ptl_lattice* l = ptl_lua_check_feature(L, ptl_lua_check_domain(L, 1), 2, NULL);
    ptl_node node = check_node(L, 3, l);
    size_t n;
    const ptl_step* steps = ptl_lattice_steps(l, node, &n);
    if (!steps) return luaL_error(L, "no memory");
    lua_createtable(L, (int)n, 0);
    lua_createtable(L, (int)n, 0);
    for (size_t k = 0; k < n; k++) {
        ptl_node next = ptl_lattice_take(l, node, steps[k]);
        if (next == PTL_NO_NODE) return luaL_error(L, "no memory");
        lua_pushinteger(L, next);
        lua_rawseti(L, -3, (lua_Integer)k + 1);
        ptl_lua_put_integer(L, (lua_Integer)k + 1, steps[k] == PTL_STEP_TOP ? -1 : (lua_Integer)steps[k]);
    }
    return 2;
}

/* domain:node_has(feature, node, scheme) -> whether the node represents the scheme. */
static int l_node_has(lua_State* L) {
    ptl_domain* d = ptl_lua_check_domain(L, 1);
    ptl_lattice* l = ptl_lua_check_feature(L, d, 2, NULL);
    const ptl_bitset* set = ptl_lattice_concretize(l, check_node(L, 3, l));
    size_t scheme = ptl_lua_check_position(L, 4, d->scheme_count, "no such scheme");
    if (!set) return luaL_error(L, "no memory");
    return ptl_lua_boolean(L, ptl_bitset_has(set, scheme));
}

/* domain:node_value(feature, node) -> the value as A:encode has it; nil for top. */
static int l_node_value(lua_State* L) {
    ptl_lattice* l = ptl_lua_check_feature(L, ptl_lua_check_domain(L, 1), 2, NULL);
    ptl_lua_push_node(L, l, check_node(L, 3, l));
    return 1;
}

const luaL_Reg ptl_lua_feature_methods[] = {
    {"node", l_node},         {"node_leq", l_node_leq},     {"node_successors", l_node_successors},
    {"node_has", l_node_has}, {"node_value", l_node_value}, {NULL, NULL},
};
