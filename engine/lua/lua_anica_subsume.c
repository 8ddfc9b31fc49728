/* core.anica: subsumption. */
#include "anica/subsume.h"
#include "lua/anica_bind.h"

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

const luaL_Reg ptl_lua_subsume_methods[] = {{"subsumes", l_subsumes}, {NULL, NULL}};
