/* core.anica: abstract blocks. */
#include "lua/anica_bind.h"

/* domain:represent(machine code) -> abstract block | nil, message, status */
int ptl_lua_anica_represent(lua_State* L) {
    ptl_domain* d = ptl_lua_check_domain(L, 1);
    ptl_lua_block block;
    ptl_error error;
    if (ptl_lua_read_block(L, 2, d, &block, &error)) return ptl_lua_failure(L, &error);
    for (size_t i = 0; i < block.length; i++) {
        if (block.schemes[i] != PTL_NO_NAME) continue;
        ptl_fail(&error, PTL_BAD_INPUT, block.instances[i].scheme.name, "load the domain with this scheme",
                 "instruction %zu is outside of the domain's universe", i + 1);
        return ptl_lua_failure(L, &error);
    }
    size_t aliases = ptl_alias_represent(block.instances, block.length, NULL);
    ptl_abstract* a = ptl_lua_new_abstract(L, 1, block.length, aliases);
    if (ptl_abstract_represent(d, block.instances, block.schemes, a, &error))
        return ptl_lua_failure(L, &error);
    return 1;
}

/* domain:top(n) -> abstract block of n unconstrained instructions. */
int ptl_lua_anica_top(lua_State* L) {
    ptl_domain* d = ptl_lua_check_domain(L, 1);
    lua_Integer n = luaL_checkinteger(L, 2);
    ptl_error error;
    luaL_argcheck(L, n >= 1 && n <= PTL_BLOCK_LENGTH_MAX, 2, "must be in 1 ... 16");
    ptl_abstract* a = ptl_lua_new_abstract(L, 1, (size_t)n, 0);
    return ptl_abstract_finish(d, a, &error) ? ptl_lua_failure(L, &error) : 1;
}

/* block:size() -> number of instructions. */
static int l_size(lua_State* L) {
    lua_pushinteger(L, (lua_Integer)ptl_lua_check_abstract(L, 1, NULL)->length);
    return 1;
}

/* block:generality() -> the least number of schemes that one of its instructions represents. */
static int l_generality(lua_State* L) {
    lua_pushinteger(L, (lua_Integer)ptl_abstract_generality(ptl_lua_check_abstract(L, 1, NULL)));
    return 1;
}

/* The instruction whose 1-based number is at index, or an argument error. */
static size_t check_instruction(lua_State* L, int index, const ptl_abstract* a) {
    return ptl_lua_check_position(L, index, a->length, "no such instruction");
}

/* block:schemes(i) -> sorted names of the schemes that instruction i represents. */
static int l_schemes(lua_State* L) {
    const ptl_abstract* a = ptl_lua_check_abstract(L, 1, NULL);
    const ptl_domain* d = ptl_lua_push_domain_of(L, 1);
    const ptl_bitset* set = &a->sets[check_instruction(L, 2, a)];
    lua_newtable(L);
    for (size_t k = ptl_bitset_next(set, 0); k < set->bits; k = ptl_bitset_next(set, k + 1))
        ptl_lua_add_string(L, d->schemes[k].name);
    return 1;
}

/* block:value(i, feature) -> the value of a feature of instruction i, nil for top (see lua_anica_value.c). */
static int l_value(lua_State* L) {
    const ptl_abstract* a = ptl_lua_check_abstract(L, 1, NULL);
    const ptl_domain* d = ptl_lua_push_domain_of(L, 1);
    uint8_t f;
    ptl_lattice* l = ptl_lua_check_feature(L, d, 3, &f);
    ptl_lua_push_node(L, l, a->nodes[check_instruction(L, 2, a) * d->feature_count + f]);
    return 1;
}

/* block:aliasing() -> list of {a = {instruction, operand}, b = {...}, kind = "must" | "must not"} in order.
 */
static int l_aliasing(lua_State* L) {
    const ptl_abstract* a = ptl_lua_check_abstract(L, 1, NULL);
    lua_createtable(L, (int)a->alias_count, 0);
    for (size_t k = 0; k < a->alias_count; k++) {
        lua_createtable(L, 0, 3);
        ptl_lua_set_operand(L, "a", a->aliases[k].a);
        ptl_lua_set_operand(L, "b", a->aliases[k].b);
        ptl_lua_set_string(L, "kind", a->aliases[k].kind == PTL_MUST_ALIAS ? "must" : "must not");
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    return 1;
}

/* block:contains(machine code) -> boolean | nil, message, status if it is no block. */
static int l_contains(lua_State* L) {
    const ptl_abstract* a = ptl_lua_check_abstract(L, 1, NULL);
    const ptl_domain* d = ptl_lua_push_domain_of(L, 1);
    ptl_lua_block block;
    ptl_error error;
    if (ptl_lua_read_block(L, 2, d, &block, &error)) return ptl_lua_failure(L, &error);
    lua_pushboolean(L, ptl_abstract_contains(a, block.instances, block.schemes, block.length));
    return 1;
}

/* block:leq(other) -> whether it is below the other or equal. */
static int l_leq(lua_State* L) {
    const ptl_abstract* a = ptl_lua_check_abstract(L, 1, NULL);
    const ptl_domain* d = ptl_lua_push_domain_of(L, 1);
    lua_pushboolean(L, ptl_abstract_leq(d, a, ptl_lua_check_abstract(L, 2, d)));
    return 1;
}

/* block:equal(other) -> boolean */
static int l_equal(lua_State* L) {
    const ptl_abstract* a = ptl_lua_check_abstract(L, 1, NULL);
    const ptl_domain* d = ptl_lua_push_domain_of(L, 1);
    lua_pushboolean(L, ptl_abstract_equal(d, a, ptl_lua_check_abstract(L, 2, d)));
    return 1;
}

const luaL_Reg ptl_lua_abstract_methods[] = {
    {"size", l_size},   {"generality", l_generality}, {"schemes", l_schemes},
    {"value", l_value}, {"aliasing", l_aliasing},     {"contains", l_contains},
    {"leq", l_leq},     {"equal", l_equal},           {NULL, NULL},
};
