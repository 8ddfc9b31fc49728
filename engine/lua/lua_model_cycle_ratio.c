/* core.model: the largest ratio of a cycle of dependencies. */
#include "lua/model.h"
#include "schedule/cycle_ratio.h"

/* The number at place `k` of the edge on top. */
static double edge_number(lua_State* L, int k) {
    int is_number;
    lua_rawgeti(L, -1, k);
    double value = lua_tonumberx(L, -1, &is_number);
    luaL_argcheck(L, is_number, 2, "an edge is {from, to, latency, distance}");
    lua_pop(L, 1);
    return value;
}

/* A whole number in [low, high] there. */
static uint32_t edge_whole(lua_State* L, int k, double low, double high) {
    double value = edge_number(L, k);
    luaL_argcheck(L, value >= low && value <= high && value == (double)(uint32_t)value, 2,
                  "an edge leads from and to the numbers of nodes, over a whole number of iterations");
    return (uint32_t)value;
}

/* The list of edges at index 2, in memory that is pushed. */
static const ptl_wait* read_edges(lua_State* L, size_t nodes, size_t* count) {
    *count = ptl_lua_length(L, 2);
    luaL_argcheck(L, *count <= PTL_WAITS_MAX, 2, "too many edges");
    ptl_wait* edges = lua_newuserdatauv(L, (*count + 1) * sizeof *edges, 0);
    for (size_t i = 0; i < *count; i++) {
        luaL_argcheck(L, ptl_lua_item(L, 2, (lua_Integer)i + 1) == LUA_TTABLE, 2, "an edge is a table");
        edges[i] = (ptl_wait){.from = edge_whole(L, 1, 1, (double)nodes) - 1,
                              .to = edge_whole(L, 2, 1, (double)nodes) - 1,
                              .latency = edge_number(L, 3),
                              .distance = edge_whole(L, 4, 0, 1e9)};
        lua_pop(L, 1);
    }
    return edges;
}

/* cycle_ratio(nodes, {{from, to, latency, distance in iterations}, ...}) -> the largest sum of latencies by
 * sum of distances of a cycle, 0 if there is none; the positions of the edges of such a cycle, in their order
 * | nil, message, status. */
int ptl_lua_model_cycle_ratio(lua_State* L) {
    double ratio;
    size_t length;
    size_t nodes = (size_t)ptl_lua_within(L, 1, 0, PTL_WAITS_NODES_MAX, "out of range");
    ptl_waits graph = {.nodes = nodes};
    graph.edges = read_edges(L, nodes, &graph.count);
    size_t* cycle = lua_newuserdatauv(L, (nodes + 1) * sizeof *cycle, 0);
    ptl_lua_try(L, ptl_cycle_ratio(&graph, &ratio, cycle, &length, ptl_lua_error()));
    lua_pushnumber(L, ratio);
    return 1 + ptl_lua_push_indices(L, cycle, length);
}
