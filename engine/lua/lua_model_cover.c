/* core.model: which k sets cover most. */
#include <stdlib.h>

#include "anica/cover.h"
#include "lua/model.h"

/* Adds the numbers of sets in the list on top to a row. */
static void read_row(lua_State* L, lua_Integer sets, uint64_t* row) {
    luaL_argcheck(L, lua_istable(L, -1), 2, "an element without a list of sets");
    for (lua_Integer n = (lua_Integer)ptl_lua_length(L, -1); n > 0; n--) {
        int whole;
        lua_rawgeti(L, -1, n);
        lua_Integer i = lua_tointegerx(L, -1, &whole) - 1;
        luaL_argcheck(L, whole && i >= 0 && i < sets, 2, "no such set");
        row[i / 64] |= UINT64_C(1) << (i % 64);
        lua_pop(L, 1);
    }
}

/* The lists at index 2 as rows of bits, in memory that is pushed. */
static const uint64_t* read_rows(lua_State* L, lua_Integer sets, size_t elements, size_t words) {
    uint64_t* rows = lua_newuserdatauv(L, (elements * words + 1) * sizeof *rows, 0);
    for (size_t w = 0; w < elements * words; w++) rows[w] = 0;
    for (size_t j = 0; j < elements; j++) {
        ptl_lua_item(L, 2, (lua_Integer)j + 1);
        read_row(L, sets, rows + j * words);
        lua_pop(L, 1);
    }
    return rows;
}

/* cover(sets, {{numbers of sets that cover it} per element}, k[, {seconds=}]) -> list of at most k numbers of
 * sets that together cover most elements, how many they cover, whether it is proven that no others cover more
 * (not within the seconds or on Ctrl-C: the best choice so far) | nil, message, status. */
int ptl_lua_model_cover(lua_State* L) {
    lua_Integer sets = ptl_lua_within(L, 1, 0, PTL_COVER_SETS_MAX, "too many sets");
    lua_Integer k = ptl_lua_within(L, 3, 0, LUA_MAXINTEGER, "must not be negative");
    ptl_cover c = {.sets = (size_t)sets,
                   .k = (size_t)k,
                   .elements = ptl_lua_length(L, 2),
                   .seconds = ptl_lua_number_field(L, 4, "seconds", 0)};
    c.rows = read_rows(L, sets, c.elements, ptl_cover_words(c.sets));
    bool* chosen = lua_newuserdatauv(L, c.sets + 1, 0);
    ptl_cover_answer answer;
    ptl_lua_try(L, ptl_cover_best(&c, chosen, &answer, ptl_lua_error()));
    lua_newtable(L);
    lua_Integer n = 0;
    for (size_t i = 0; i < c.sets; i++)
        if (chosen[i]) ptl_lua_put_integer(L, ++n, (lua_Integer)i + 1);
    lua_pushinteger(L, (lua_Integer)answer.covered);
    lua_pushboolean(L, answer.proven);
    return 3;
}
