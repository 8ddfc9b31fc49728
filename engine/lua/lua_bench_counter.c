/* core.bench: hardware counters. */
#include "bench/event.h"
#include "lua/bench_bind.h"
#include "lua/bind.h"

/* counter([event = cycles]) -> true | nil, reason: can this event (libpfm4's name) be counted in user mode?
 */
int ptl_lua_bench_counter(lua_State* L) {
    ptl_counter c;
    ptl_error error;
    ptl_status status = ptl_event_open(&c, luaL_optstring(L, 1, PTL_CYCLES), &error);
    if (!status) ptl_counter_close(&c);
    return ptl_lua_done(L, status, &error);
}

/* event(name) -> type, config of perf_event_open(2) | nil, message, status: what libpfm4 makes of an event's
 * name on this processor, counters or not. */
int ptl_lua_bench_event(lua_State* L) {
    struct perf_event_attr attribute;
    ptl_error error;
    if (ptl_event_encode(luaL_checkstring(L, 1), &attribute, &error)) return ptl_lua_failure(L, &error);
    lua_pushinteger(L, (lua_Integer)attribute.type);
    lua_pushinteger(L, (lua_Integer)attribute.config);
    return 2;
}
