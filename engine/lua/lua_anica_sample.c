/* core.anica: random blocks of abstract blocks. */
#include "lua/anica_bind.h"

const luaL_Reg ptl_lua_sample_methods[] = {{NULL, NULL}};
