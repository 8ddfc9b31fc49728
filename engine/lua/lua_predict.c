/* core.predict: models of blocks of code. */
#include "lua/predict_bind.h"

static const luaL_Reg methods[] = {
    {"explain", ptl_lua_block_explain},
    {"what_if", ptl_lua_block_what_if},
    {"bounds", ptl_lua_block_bounds},
    {"simulate", ptl_lua_block_simulate},
    {"timeline", ptl_lua_block_timeline},
    {NULL, NULL},
};

static const luaL_Reg functions[] = {
    {"model", ptl_lua_block_model_new},
    {NULL, NULL},
};

int ptl_open_predict(lua_State* L) {
    ptl_lua_methods(L, &ptl_lua_block_model_class, methods);
    lua_newtable(L);
    ptl_lua_functions(L, functions);
    return 1;
}
