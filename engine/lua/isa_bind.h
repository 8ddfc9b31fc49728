/* Declares what the parts of core.isa share. */
#ifndef PTL_LUA_ISA_BIND_H
#define PTL_LUA_ISA_BIND_H

#include "isa/architecture.h"
#include "isa/policy.h"
#include "lua/bind.h"

/* The architecture of the name at index, or an argument error; without (nil, none) that of
 * ptl_architecture_default. */
const ptl_architecture* ptl_lua_opt_architecture(lua_State* L, int index);

/* The same of the field `architecture` of the options at index. */
const ptl_architecture* ptl_lua_architecture_field(lua_State* L, int index);

/* Adds architectures, sets and host to the table on top of the stack. */
void ptl_lua_isa_architecture(lua_State* L);

/* Pushes a scheme as a table (see lua/portolan/scheme/isa.lua for its fields). */
void ptl_lua_push_scheme(lua_State* L, const ptl_scheme* s);

/* The policy at this position: what policy() returned, or a table, which is compiled and pushed. */
const ptl_policy* ptl_lua_to_policy(lua_State* L, int index);

/* Pushes {{scheme=, text=, bytes=, offset=}, ...} for the instructions in the code. */
void ptl_lua_push_instructions(lua_State* L, const ptl_architecture* architecture, const unsigned char* code,
                               size_t size);

/* Adds instantiate and kernel to the table on top of the stack. */
void ptl_lua_isa_allocate(lua_State* L);

/* Functions of the other files, for the table of lua_isa.c. */
int ptl_lua_isa_assemble(lua_State* L);
int ptl_lua_isa_decode(lua_State* L);
int ptl_lua_isa_policy(lua_State* L);
int ptl_lua_isa_accesses(lua_State* L);
int ptl_lua_isa_rename(lua_State* L);
int ptl_lua_isa_places(lua_State* L);
int ptl_lua_isa_chain(lua_State* L);

#endif
