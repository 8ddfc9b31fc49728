/* Declares what the bindings of the inference queries share. */
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

/* n sets of ports, from low to high, of the list at index. */
void ptl_lua_check_ports(lua_State* L, int index, size_t n, lua_Integer low, lua_Integer high,
                         uint32_t* rows);

/* The fields epsilon and rmax of the options at 1. */
void ptl_lua_check_resolution(lua_State* L, double* epsilon, double* rmax);

/* Holds what the options at 1 say of the unknown mapping, and of the machine. The lists are NULL if there is
 * none. */
typedef struct ptl_lua_unknowns {
    size_t schemes, ports; /* 0 if they are not positive */
    const unsigned *counts, *uops, *slots;
    unsigned lists[3][PTL_SCHEMES_MAX]; /* their memory */
    double epsilon, rmax;
    uint64_t seed;
} ptl_lua_unknowns;
void ptl_lua_check_unknowns(lua_State* L, ptl_lua_unknowns* u);

/* Pushes { [scheme number] = copies }. */
void ptl_lua_push_terms(lua_State* L, const ptl_terms* terms);

/* Functions of the other files, for the table of lua_smt.c. */
int ptl_lua_smt_lira(lua_State* L);
int ptl_lua_smt_alone(lua_State* L);
int ptl_lua_smt_subsumes(lua_State* L);

#endif
