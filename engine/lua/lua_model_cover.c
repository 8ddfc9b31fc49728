/* core.model: which k sets cover most. */
#include <stdlib.h>

#include "lua/model.h"
#include "model/cover.h"

/* Reads { { set, ... } per element }; frees nothing on a Lua error, so arguments are checked before. */
static void check_rows(lua_State* L, int index, lua_Integer sets) {
    luaL_checktype(L, index, LUA_TTABLE);
    for (lua_Integer j = (lua_Integer)ptl_lua_length(L, index); j > 0; j--) {
        luaL_argcheck(L, ptl_lua_item(L, index, j) == LUA_TTABLE, index, "an element without a list of sets");
        for (lua_Integer n = (lua_Integer)ptl_lua_length(L, -1); n > 0; n--) {
            ptl_lua_item(L, -1, n);
            int whole;
            lua_Integer i = lua_tointegerx(L, -1, &whole);
            luaL_argcheck(L, whole && i >= 1 && i <= sets, index, "no such set");
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
}

static void read_rows(lua_State* L, int index, uint64_t* rows, size_t elements, size_t words) {
    for (size_t j = 0; j < elements; j++) {
        ptl_lua_item(L, index, (lua_Integer)j + 1);
        for (lua_Integer n = (lua_Integer)ptl_lua_length(L, -1); n > 0; n--) {
            ptl_lua_item(L, -1, n);
            size_t i = (size_t)lua_tointeger(L, -1) - 1;
            rows[j * words + i / 64] |= UINT64_C(1) << (i % 64);
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
}

/* cover(sets, {{numbers of sets that cover it} per element}, k[, {seconds=}]) -> list of at most k numbers of
 * sets that together cover most elements, how many they cover, whether it is proven that no others cover more
 * (not within the seconds or on Ctrl-C: the best choice so far) | nil, message, status. */
int ptl_lua_model_cover(lua_State* L) {
    lua_Integer sets = luaL_checkinteger(L, 1), k = luaL_checkinteger(L, 3);
    luaL_argcheck(L, sets >= 0 && sets <= PTL_COVER_SETS_MAX, 1, "too many sets");
    luaL_argcheck(L, k >= 0, 3, "must not be negative");
    double seconds = ptl_lua_number_field(L, 4, "seconds", 0);
    check_rows(L, 2, sets);
    ptl_cover c = {
        .sets = (size_t)sets, .k = (size_t)k, .elements = ptl_lua_length(L, 2), .seconds = seconds};
    size_t words = ptl_cover_words(c.sets);
    uint64_t* rows = lua_newuserdatauv(L, (c.elements * words + 1) * sizeof *rows, 0);
    bool* chosen = lua_newuserdatauv(L, c.sets + 1, 0);
    for (size_t w = 0; w < c.elements * words; w++) rows[w] = 0;
    read_rows(L, 2, rows, c.elements, words);
    c.rows = rows;
    ptl_cover_answer answer;
    ptl_error e;
    if (ptl_cover_best(&c, chosen, &answer, &e)) return ptl_lua_failure(L, &e);
    lua_newtable(L);
    for (size_t i = 0, n = 0; i < c.sets; i++) {
        if (!chosen[i]) continue;
        lua_pushinteger(L, (lua_Integer)i + 1);
        lua_rawseti(L, -2, (lua_Integer)++n);
    }
    lua_pushinteger(L, (lua_Integer)answer.covered);
    lua_pushboolean(L, answer.proven);
    return 3;
}
