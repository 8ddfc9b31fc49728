/* Declares what the bindings of evolution share. */
#ifndef PTL_LUA_EVO_H
#define PTL_LUA_EVO_H

#include "evo/problem.h"
#include "evo/usage.h"
#include "lua/bind.h"

extern const ptl_lua_class ptl_lua_problem_class;

const ptl_evo_problem* ptl_lua_check_evo_problem(lua_State* L, int index);

/* Pushes the text of a mapping (evo/text.h). */
void ptl_lua_push_evo_text(lua_State* L, const ptl_evo_usage* usages, size_t schemes);

/* Reads the text at index into memory of Lua's, which stays on the stack; an argument error if it is wrong.
 */
ptl_evo_usage* ptl_lua_read_evo_text(lua_State* L, int index, const ptl_evo_problem* p, bool whole);

/* Methods of problems: they make a population, or islands. */
int ptl_lua_evo_population(lua_State* L);
int ptl_lua_evo_islands(lua_State* L);

/* Puts the table mpi into the one on top, if it was built. */
void ptl_lua_evo_mpi(lua_State* L);

#endif
