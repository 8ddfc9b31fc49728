/* What the parts of core.isa share. */
#ifndef PTL_LUA_ISA_BIND_H
#define PTL_LUA_ISA_BIND_H

#include "isa/architecture.h"
#include "lua/bind.h"

/* The architecture of the name at index, or an argument error; without (nil, none) that of
 * ptl_architecture_default. */
const ptl_architecture* ptl_lua_opt_architecture(lua_State* L, int index);

/* The same of the field `architecture` of the options at index. */
const ptl_architecture* ptl_lua_architecture_field(lua_State* L, int index);

/* Adds architectures, sets and host to the table on top of the stack. */
void ptl_lua_isa_architecture(lua_State* L);

/* Pushes a scheme as a table (see lua/portolan/isa.lua for its fields). */
void ptl_lua_push_scheme(lua_State* L, const ptl_scheme* s);

#endif
