/* The Lua module portolan.core: one subtable per folder of the engine. */
#include "lua/bind.h"

static const luaL_Reg parts[] = {
    {"base", ptl_open_base},   {"model", ptl_open_model},     {"isa", ptl_open_isa},
    {"bench", ptl_open_bench}, {"smt", ptl_open_smt},         {"anica", ptl_open_anica},
    {"evo", ptl_open_evo},     {"predict", ptl_open_predict}, {NULL, NULL},
};

__attribute__((visibility("default"))) int luaopen_portolan_core(lua_State* L) {
    lua_newtable(L);
    for (const luaL_Reg* part = parts; part->name; part++) {
        luaL_requiref(L, part->name, part->func, 0);
        lua_setfield(L, -2, part->name);
    }
    lua_pushliteral(L, PTL_VERSION);
    lua_setfield(L, -2, "version");
    return 1;
}
