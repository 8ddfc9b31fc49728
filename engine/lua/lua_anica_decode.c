/* core.anica: abstract blocks from tables. */
#include <stdlib.h>
#include <string.h>

#include "lua/anica_bind.h"

/* An instruction's or operand's number (1 ... most) at position k of the table on top; 0 if it is wrong. */
static lua_Integer number_at(lua_State* L, lua_Integer k, lua_Integer most) {
    lua_rawgeti(L, -1, k);
    int is_number;
    lua_Integer n = lua_tointegerx(L, -1, &is_number);
    is_number = is_number && lua_type(L, -1) == LUA_TNUMBER && n >= 1 && n <= most;
    lua_pop(L, 1);
    return is_number ? n : 0;
}

static ptl_operand_ref read_reference(lua_State* L, const char* name, const char* where, size_t length) {
    lua_Integer i = 0, k = 0;
    if (ptl_lua_field(L, -1, name) == LUA_TTABLE) {
        i = number_at(L, 1, (lua_Integer)length);
        k = number_at(L, 2, PTL_OPERANDS_MAX);
    }
    lua_pop(L, 1);
    if (!i || !k)
        ptl_lua_bad(L, where, "write { instruction, operand } of the block",
                    "'%s' is no operand of the block", name);
    return (ptl_operand_ref){(uint8_t)(i - 1), (uint8_t)(k - 1)};
}

static bool before(ptl_operand_ref x, ptl_operand_ref y) {
    return x.instruction != y.instruction ? x.instruction < y.instruction : x.operand < y.operand;
}

/* The constraint in the table on top, the earlier operand first. */
static ptl_alias read_alias(lua_State* L, const char* where, size_t length) {
    static const char mend[] = "write { a =, b =, kind = \"must\" or \"must not\" }";
    if (!lua_istable(L, -1)) ptl_lua_bad(L, where, mend, "not a constraint");
    ptl_operand_ref x = read_reference(L, "a", where, length), y = read_reference(L, "b", where, length);
    bool ordered = before(x, y);
    if (!ordered && !before(y, x)) ptl_lua_bad(L, where, "name two", "an operand and itself");
    const char* kind = ptl_lua_text_field(L, -1, "kind");
    bool must = kind && strcmp(kind, "must") == 0, must_not = kind && strcmp(kind, "must not") == 0;
    if (!must && !must_not) ptl_lua_bad(L, where, mend, "a kind that is not known");
    return (ptl_alias){
        .a = ordered ? x : y, .b = ordered ? y : x, .kind = must ? PTL_MUST_ALIAS : PTL_MUST_NOT_ALIAS};
}

static int compare(const void* p, const void* q) {
    const ptl_alias *x = p, *y = q;
    if (before(x->a, y->a) || before(y->a, x->a)) return before(x->a, y->a) ? -1 : 1;
    return before(x->b, y->b) ? -1 : before(y->b, x->b);
}

/* The list of constraints at index 3, sorted. */
static void read_aliasing(lua_State* L, ptl_abstract* a) {
    char where[64];
    for (size_t k = 0; k < a->alias_count; k++) {
        snprintf(where, sizeof where, "aliasing[%zu]", k + 1);
        lua_rawgeti(L, 3, (lua_Integer)k + 1);
        a->aliases[k] = read_alias(L, where, a->length);
        lua_pop(L, 1);
    }
    if (a->alias_count) qsort(a->aliases, a->alias_count, sizeof *a->aliases, compare);
    for (size_t k = 1; k < a->alias_count; k++)
        if (compare(&a->aliases[k - 1], &a->aliases[k]) == 0)
            ptl_lua_bad(L, "aliasing", "keep one of them", "two constraints on the same pair");
}

/* The list of lists of values at index 2: false or nil is top. */
static void read_rows(lua_State* L, const ptl_domain* d, ptl_abstract* a) {
    char where[80];
    for (size_t i = 0; i < a->length; i++) {
        lua_rawgeti(L, 2, (lua_Integer)i + 1);
        luaL_checktype(L, -1, LUA_TTABLE);
        for (size_t f = 0; f < d->feature_count; f++) {
            lua_rawgeti(L, -1, (lua_Integer)f + 1);
            snprintf(where, sizeof where, "instructions[%zu], feature %zu", i + 1, f + 1);
            if (lua_toboolean(L, -1))
                a->nodes[i * d->feature_count + f] = ptl_lua_to_node(L, -1, d->features[f], where);
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
}

/* domain:decode({{value of feature 1 or false, ...}, ...}, {{a =, b =, kind =}, ...}) -> abstract block |
 * nil, message, status. Values as in block:value, constraints as in block:aliasing. */
int ptl_lua_anica_decode(lua_State* L) {
    ptl_domain* d = ptl_lua_check_domain(L, 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    luaL_checktype(L, 3, LUA_TTABLE);
    lua_settop(L, 3);
    size_t length = lua_rawlen(L, 2), aliases = lua_rawlen(L, 3),
           most = PTL_BLOCK_LENGTH_MAX * PTL_OPERANDS_MAX;
    luaL_argcheck(L, length >= 1 && length <= PTL_BLOCK_LENGTH_MAX, 2, "1 to 16 instructions are expected");
    luaL_argcheck(L, aliases <= most * most / 2, 3, "too many constraints");
    ptl_abstract* a = ptl_lua_new_abstract(L, 1, length, aliases);
    read_rows(L, d, a);
    read_aliasing(L, a);
    ptl_lua_try(L, ptl_abstract_finish(d, a, ptl_lua_error()));
    return 1;
}
