/* What the bindings of the inference queries share. */
#ifndef PTL_LUA_SMT_H
#define PTL_LUA_SMT_H

#include <lua.h>

#include "candidates/candidate.h"

/* { [scheme number] = copies }, in ascending order of the schemes: the same table, the same formulas. With
 * more than PTL_TERMS_MAX schemes only the count is right. */
ptl_terms ptl_lua_check_terms(lua_State* L, int index);

/* { upper = cycles, { bound = cycles, weight = }, ... }, the highest lower bound first. */
ptl_bounds ptl_lua_check_bounds(lua_State* L, int index);

/* Seconds from now, within 1e9. */
double ptl_lua_check_seconds(lua_State* L, int index);

/* The list of whole numbers in a field of the table at 1, one per scheme; NULL if there is none. */
const unsigned* ptl_lua_list_field(lua_State* L, const char* name, lua_Integer schemes, unsigned* numbers);

/* Pushes { [scheme number] = copies }. */
void ptl_lua_push_terms(lua_State* L, const ptl_terms* terms);

/* Adds the constructor core.smt.lira to the table on the top of the stack. */
void ptl_lua_add_lira(lua_State* L);

/* Adds the constructor core.smt.alone to the table on the top of the stack. */
void ptl_lua_add_alone(lua_State* L);

/* Adds the function core.smt.subsumes to the table on the top of the stack. */
void ptl_lua_add_subsume(lua_State* L);

#endif
