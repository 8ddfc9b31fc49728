/* What the parts of core.bench share. */
#ifndef PTL_LUA_BENCH_BIND_H
#define PTL_LUA_BENCH_BIND_H

#include <lua.h>

/* Adds the functions for hardware counters to the table at the top of the stack. */
void ptl_lua_add_counters(lua_State* L);

#endif
