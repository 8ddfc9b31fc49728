/* What all bindings share. A binding checks arguments, calls, pushes results; nothing else. */
#ifndef PTL_LUA_BIND_H
#define PTL_LUA_BIND_H

#include <lauxlib.h>
#include <lua.h>

#include "base/error.h"
#include "base/rng.h"

/* What a user can cause: pushes nil, "what (where); mend" and the status name. Returns 3. */
int ptl_lua_failure(lua_State* L, const ptl_error* e);

/* The rng at a stack position, or an argument error. */
ptl_rng* ptl_lua_check_rng(lua_State* L, int index);

/* The length of the list at index; an error if memory could not hold so many. */
size_t ptl_lua_length(lua_State* L, int index);

/* Optional fields of an options table at index (which may be nil or none). */
double ptl_lua_number_field(lua_State* L, int index, const char* name, double otherwise);
lua_Integer ptl_lua_integer_field(lua_State* L, int index, const char* name, lua_Integer otherwise);
int ptl_lua_boolean_field(lua_State* L, int index, const char* name, int otherwise);

/* Gives the userdata on top its metatable, which is made the first time: metamethods, and methods under
 * __index. */
void ptl_lua_set_class(lua_State* L, const char* name, const luaL_Reg* meta, const luaL_Reg* methods);

/* core.base.limited (lua_limited.c). */
int ptl_lua_limited(lua_State* L);

/* One subtable of portolan.core each; they leave it on the stack and return 1. */
int ptl_open_base(lua_State* L);
int ptl_open_model(lua_State* L);
int ptl_open_isa(lua_State* L);
int ptl_open_bench(lua_State* L);
int ptl_open_smt(lua_State* L);
int ptl_open_anica(lua_State* L);
int ptl_open_evo(lua_State* L);

#endif
