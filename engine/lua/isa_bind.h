/* What the parts of core.isa share. */
#ifndef PTL_LUA_ISA_BIND_H
#define PTL_LUA_ISA_BIND_H

#include "isa/scheme.h"
#include "lua/bind.h"

/* Pushes a scheme as a table (see lua/portolan/isa.lua for its fields). */
void ptl_lua_push_scheme(lua_State* L, const ptl_scheme* s);

#endif
