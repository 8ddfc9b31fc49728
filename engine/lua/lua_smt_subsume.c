/* core.smt: subsumption of abstract blocks. */
#include "lua/bind.h"
#include "lua/smt.h"
#include "smt/subsume_formula.h"

/* { i, p, j, q, kind }, counted from 1. */
static ptl_subsume_alias check_alias(lua_State* L, int index, lua_Integer instructions) {
    lua_Integer v[5];
    luaL_argcheck(L, lua_istable(L, -1), index, "a constraint that is no list");
    for (int n = 0; n < 5; n++) {
        v[n] = ptl_lua_integer_item(L, -1, n + 1);
        lua_Integer most = n == 0 || n == 2 ? instructions : 255;
        luaL_argcheck(L, v[n] >= 1 && v[n] <= most, index, "a constraint on no operand");
    }
    return (ptl_subsume_alias){.instruction = {(uint8_t)(v[0] - 1), (uint8_t)(v[2] - 1)},
                               .operand = {(uint8_t)(v[1] - 1), (uint8_t)(v[3] - 1)},
                               .kind = (uint8_t)v[4]};
}

/* The block { instructions =, aliasing = { ... } } at index; leaves its memory on the stack. */
static ptl_subsume_block check_block(lua_State* L, int index) {
    lua_Integer n = ptl_lua_integer_field(L, index, "instructions", 0);
    luaL_argcheck(L, n >= 1 && n <= PTL_SUBSUME_INSTRUCTIONS_MAX, index, "a wrong number of instructions");
    luaL_argcheck(L, ptl_lua_field(L, index, "aliasing") == LUA_TTABLE, index, "a block without constraints");
    lua_Integer count = (lua_Integer)ptl_lua_length(L, -1);
    ptl_subsume_alias* aliases = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *aliases, 0);
    for (lua_Integer c = 0; c < count; c++) {
        ptl_lua_item(L, -2, c + 1);
        aliases[c] = check_alias(L, index, n);
        lua_pop(L, 1);
    }
    return (ptl_subsume_block){.instructions = (size_t)n, .aliases = aliases, .alias_count = (size_t)count};
}

/* subsumes(a, b, within) -> boolean, list of the instructions of b that those of a are mapped to | nil,
 * message, status. a and b are { instructions = how many, aliasing = { { instruction, operand, instruction,
 * operand, kind }, ... } }, within[i][k] is whether instruction k of b represents nothing that i of a does
 * not. */
int ptl_lua_smt_subsumes(lua_State* L) {
    luaL_checktype(L, 3, LUA_TTABLE);
    ptl_subsume_block a = check_block(L, 1), b = check_block(L, 2);
    bool within[PTL_SUBSUME_INSTRUCTIONS_MAX * PTL_SUBSUME_INSTRUCTIONS_MAX], answer;
    for (size_t i = 0; i < a.instructions; i++) {
        luaL_argcheck(L, ptl_lua_item(L, 3, (lua_Integer)i + 1) == LUA_TTABLE, 3,
                      "an instruction is missing");
        for (size_t k = 0; k < b.instructions; k++) {
            ptl_lua_item(L, -1, (lua_Integer)k + 1);
            within[i * b.instructions + k] = lua_toboolean(L, -1);
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
    uint8_t mapping[PTL_SUBSUME_INSTRUCTIONS_MAX];
    ptl_lua_try(L, ptl_smt_subsumes(&a, &b, within, mapping, &answer, ptl_lua_error()));
    lua_pushboolean(L, answer);
    if (!answer) return 1;
    lua_newtable(L);
    for (size_t i = 0; i < a.instructions; i++) ptl_lua_put_integer(L, (lua_Integer)i + 1, mapping[i] + 1);
    return 2;
}
