/* core.isa */
#include "lua/bind.h"
#include "lua/lua_isa_text.h"

static const luaL_Reg functions[] = {
    {NULL, NULL},
};

int ptl_open_isa(lua_State* L) {
    luaL_newlib(L, functions);
    ptl_lua_isa_text(L);
    return 1;
}
