/* core.anica: random blocks of abstract blocks. */
#include "lua/anica_bind.h"

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
    lua_Integer n = luaL_checkinteger(L, 3), drawn = 0, failed = 0;
    luaL_argcheck(L, n >= 0 && n <= 1 << 24, 3, "out of range");
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
        ptl_error error;
        size_t now = left < AT_ONCE ? (size_t)left : AT_ONCE;
        ptl_status status = ptl_sampler_draw(sampler, &request, rng, now, blocks, &figures, &error);
        if (status && (status != PTL_UNSUPPORTED || drawn == 0)) return ptl_lua_failure(L, &error);
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

const luaL_Reg ptl_lua_sample_methods[] = {{"sample", l_sample}, {NULL, NULL}};
