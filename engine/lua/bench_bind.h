/* Declares what the parts of core.bench share. */
#ifndef PTL_LUA_BENCH_BIND_H
#define PTL_LUA_BENCH_BIND_H

#include <lua.h>

#include "bench/session.h"

/* Counts the kernels in a list of `groups` lists at this index. Raises an error where that is no such
 * list. */
size_t ptl_lua_count_kernels(lua_State* L, int index, size_t groups);

/* Reads them; the table at `anchor` keeps lists of pages, the one at `index` all bytes. */
void ptl_lua_read_kernels(lua_State* L, int index, size_t groups, int anchor, ptl_kernel* out);

/* Pushes a measurement as a table, with counts of so many events. `kernels`: of the whole run; `pages`: those
 * of the group, or NULL. */
void ptl_lua_push_measurement(lua_State* L, const ptl_measurement* m, size_t events,
                              const ptl_kernel* kernels, const ptl_page_list* pages);

#endif
