/* core.anica: abstract blocks. */
#include "anica/subsume.h"
#include "lua/anica_bind.h"

/* domain:represent(machine code) -> abstract block | nil, message, status */
int ptl_lua_anica_represent(lua_State* L) {
    ptl_domain* d = ptl_lua_check_domain(L, 1);
    ptl_lua_block block;
    ptl_lua_read_block(L, 2, d, &block);
    for (size_t i = 0; i < block.length; i++)
        if (block.schemes[i] == PTL_NO_NAME)
            ptl_lua_bad(L, block.instances[i].scheme.name, "load the domain with this scheme",
                        "instruction %zu is outside of the domain's universe", i + 1);
    size_t aliases = ptl_alias_represent(block.instances, block.length, NULL);
    ptl_abstract* a = ptl_lua_new_abstract(L, 1, block.length, aliases);
    ptl_lua_try(L, ptl_abstract_represent(d, block.instances, block.schemes, a, ptl_lua_error()));
    return 1;
}

/* domain:top(n) -> abstract block of n unconstrained instructions. */
int ptl_lua_anica_top(lua_State* L) {
    ptl_domain* d = ptl_lua_check_domain(L, 1);
    lua_Integer n = ptl_lua_within(L, 2, 1, PTL_BLOCK_LENGTH_MAX, "must be in 1 ... 16");
    ptl_abstract* a = ptl_lua_new_abstract(L, 1, (size_t)n, 0);
    ptl_lua_try(L, ptl_abstract_finish(d, a, ptl_lua_error()));
    return 1;
}

/* block:size() -> number of instructions. */
static int l_size(lua_State* L) {
    return ptl_lua_integer(L, (lua_Integer)ptl_lua_check_abstract(L, 1, NULL)->length);
}

/* block:generality() -> the least number of schemes that one of its instructions represents. */
static int l_generality(lua_State* L) {
    return ptl_lua_integer(L, (lua_Integer)ptl_abstract_generality(ptl_lua_check_abstract(L, 1, NULL)));
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
    ptl_lua_read_block(L, 2, d, &block);
    return ptl_lua_boolean(L, ptl_abstract_contains(a, block.instances, block.schemes, block.length));
}

/* block:leq(other) -> whether it is below the other or equal. */
static int l_leq(lua_State* L) {
    const ptl_abstract* a = ptl_lua_check_abstract(L, 1, NULL);
    const ptl_domain* d = ptl_lua_push_domain_of(L, 1);
    return ptl_lua_boolean(L, ptl_abstract_leq(d, a, ptl_lua_check_abstract(L, 2, d)));
}

/* block:equal(other) -> boolean */
static int l_equal(lua_State* L) {
    const ptl_abstract* a = ptl_lua_check_abstract(L, 1, NULL);
    const ptl_domain* d = ptl_lua_push_domain_of(L, 1);
    return ptl_lua_boolean(L, ptl_abstract_equal(d, a, ptl_lua_check_abstract(L, 2, d)));
}

/* block:subsumes(other) -> boolean; if true: and for each of its instructions that of the other. */
static int l_subsumes(lua_State* L) {
    const ptl_abstract* a = ptl_lua_check_abstract(L, 1, NULL);
    const ptl_domain* d = ptl_lua_push_domain_of(L, 1);
    uint8_t map[PTL_BLOCK_LENGTH_MAX];
    bool yes = ptl_subsumes(a, ptl_lua_check_abstract(L, 2, d), map);
    lua_pushboolean(L, yes);
    if (!yes) return 1;
    lua_createtable(L, (int)a->length, 0);
    for (size_t i = 0; i < a->length; i++) ptl_lua_put_integer(L, (lua_Integer)i + 1, map[i] + 1);
    return 2;
}

/* The abstract blocks in the list at index, which keeps them alive, in memory that is pushed. */
static const ptl_abstract** push_blocks(lua_State* L, int index, const ptl_domain* d, size_t* n) {
    luaL_checktype(L, index, LUA_TTABLE);
    *n = ptl_lua_length(L, index);
    const ptl_abstract** list = lua_newuserdatauv(L, (*n + 1) * sizeof *list, 0);
    for (size_t k = 0; k < *n; k++) {
        ptl_lua_item(L, index, (lua_Integer)k + 1);
        list[k] = ptl_lua_check_abstract(L, -1, d);
        lua_pop(L, 1);
    }
    return list;
}

/* domain:subsumers({abstract block, ...}, {abstract block, ...}) -> for each of the second list, the
 * positions of those in the first that subsume it. */
int ptl_lua_anica_subsumers(lua_State* L) {
    const ptl_domain* d = ptl_lua_check_domain(L, 1);
    size_t n, m;
    lua_settop(L, 3);
    const ptl_abstract** above = push_blocks(L, 2, d, &n);
    const ptl_abstract** below = push_blocks(L, 3, d, &m);
    lua_createtable(L, (int)m, 0);
    for (size_t j = 0; j < m; j++) {
        lua_Integer found = 0;
        lua_newtable(L);
        for (size_t i = 0; i < n; i++)
            if (ptl_subsumes(above[i], below[j], NULL)) ptl_lua_put_integer(L, ++found, (lua_Integer)i + 1);
        lua_rawseti(L, -2, (lua_Integer)j + 1);
    }
    return 1;
}

/* The schemes of all instructions as lists, in memory that Lua collects, which is pushed. */
static ptl_scheme_list* push_lists(lua_State* L, const ptl_abstract* a) {
    size_t total = 0;
    for (size_t i = 0; i < a->length; i++) total += ptl_bitset_count(&a->sets[i]);
    size_t head = a->length * sizeof(ptl_scheme_list);
    ptl_scheme_list* lists = lua_newuserdatauv(L, head + (total + 1) * sizeof(uint32_t), 0);
    uint32_t* at = (uint32_t*)(lists + a->length);
    for (size_t i = 0; i < a->length; i++) {
        const ptl_bitset* set = &a->sets[i];
        lists[i].schemes = at;
        for (size_t k = ptl_bitset_next(set, 0); k < set->bits; k = ptl_bitset_next(set, k + 1))
            *at++ = (uint32_t)k;
        lists[i].count = (size_t)(at - lists[i].schemes);
    }
    return lists;
}

enum { AT_ONCE = 64 }; /* blocks drawn before they become strings */

/* block:sample(rng, n) -> list of n machine code strings, number of draws that failed | nil, message, status
 * if none could be drawn. */
static int l_sample(lua_State* L) {
    const ptl_abstract* a = ptl_lua_check_abstract(L, 1, NULL);
    ptl_rng* rng = ptl_lua_check_rng(L, 2);
    lua_Integer n = ptl_lua_within(L, 3, 0, 1 << 24, "out of range"), drawn = 0, failed = 0;
    const ptl_sampler* sampler = ptl_lua_push_sampler_of(L, 1);
    if (!sampler) return luaL_error(L, "the domain was made without a policy");
    ptl_sample_request request = {.instructions = push_lists(L, a),
                                  .length = a->length,
                                  .aliases = a->aliases,
                                  .alias_count = a->alias_count};
    ptl_block* blocks = lua_newuserdatauv(L, AT_ONCE * sizeof *blocks, 0);
    lua_createtable(L, (int)n, 0);
    for (lua_Integer left = n; left > 0;) {
        ptl_sample_figures figures;
        size_t now = left < AT_ONCE ? (size_t)left : AT_ONCE;
        ptl_status status = ptl_sampler_draw(sampler, &request, rng, now, blocks, &figures, ptl_lua_error());
        if (status != PTL_UNSUPPORTED || drawn == 0) ptl_lua_try(L, status);
        for (size_t k = 0; k < figures.drawn; k++) {
            lua_pushlstring(L, (const char*)blocks[k].bytes, blocks[k].size);
            lua_rawseti(L, -2, ++drawn);
        }
        failed += (lua_Integer)(now - figures.drawn);
        left -= (lua_Integer)now;
    }
    lua_pushinteger(L, failed);
    return 2;
}

const luaL_Reg ptl_lua_abstract_methods[] = {
    {"size", l_size},         {"generality", l_generality}, {"schemes", l_schemes}, {"value", l_value},
    {"aliasing", l_aliasing}, {"contains", l_contains},     {"leq", l_leq},         {"equal", l_equal},
    {"subsumes", l_subsumes}, {"sample", l_sample},         {NULL, NULL},
};
