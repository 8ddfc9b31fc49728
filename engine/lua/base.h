/* What the parts of core.base share. */
#ifndef PTL_LUA_BASE_H
#define PTL_LUA_BASE_H

#include "lua/bind.h"

int ptl_lua_raise_interrupts(lua_State* L);

#endif
