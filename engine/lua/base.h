/* Declares what the parts of core.base share. */
#ifndef PTL_LUA_BASE_H
#define PTL_LUA_BASE_H

#include "lua/bind.h"

int ptl_lua_interrupted(lua_State* L);
int ptl_lua_interruptible(lua_State* L);
int ptl_lua_limited(lua_State* L);

#endif
