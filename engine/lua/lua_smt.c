/* core.smt */
#include "lua/bind.h"

static const luaL_Reg functions[] = {
    {NULL, NULL},
};

int ptl_open_smt(lua_State* L) {
    luaL_newlib(L, functions);
    return 1;
}
