/* Assembler text and operand allocation for core.isa; opened by lua_isa.c. */
#ifndef PTL_LUA_ISA_TEXT_H
#define PTL_LUA_ISA_TEXT_H

#include <lua.h>

#include "isa/policy.h"

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

/* The policy at this position: what policy() returned, or a table, which is compiled and pushed. NULL with
 * the error filled, and nothing pushed, if the table is wrong. */
const ptl_policy* ptl_lua_to_policy(lua_State* L, int index, ptl_error* error);

/* Pushes {{scheme=, text=, bytes=, offset=}, ...} for the instructions in the code. */
ptl_status ptl_lua_push_instructions(lua_State* L, const ptl_architecture* architecture,
                                     const unsigned char* code, size_t size, ptl_error* error);

#endif
