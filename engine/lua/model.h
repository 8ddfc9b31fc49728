/* Declares what the files of core.model share. */
#ifndef PTL_LUA_MODEL_H
#define PTL_LUA_MODEL_H

#include "lua/bind.h"
#include "model/bottleneck.h"
#include "schedule/binder.h"

/* A mapping as Lua holds it. Its first user value is a table: scheme name -> index in the mapping. */
typedef struct ptl_lua_mapping {
    ptl_mapping mapping;
    ptl_demand demand;         /* scratch of the queries */
    ptl_experiment experiment; /* scratch: the last experiment read */
    size_t capacity;           /* terms there is room for */
} ptl_lua_mapping;

/* The mapping at a stack position, or an argument error. */
ptl_lua_mapping* ptl_lua_check_mapping(lua_State* L, int index);

/* core.model.mapping(table): pushes a mapping, or nil, message, status. */
int ptl_lua_mapping_new(lua_State* L);

/* Reads the experiment { scheme = count } at index into m->experiment. */
void ptl_lua_read_experiment(lua_State* L, int index, ptl_lua_mapping* m, int mapping_index);

/* Pushes a userdata with the sorted keys of the table at index: neither the order of schemes nor sums may
 * depend on hashes. NULL if a key is no string. */
const char** ptl_lua_push_names(lua_State* L, int index, size_t* count);

/* Pushes the field `schemes` of the table at index 1, a table by name, and a userdata with its names (see
 * ptl_lua_push_names); returns where on the stack the table is. */
int ptl_lua_push_schemes(lua_State* L, const char*** names, size_t* count);

/* load = { port = number }, of the table on top of the stack. */
void ptl_lua_set_load(lua_State* L, const ptl_mapping* m, const double* loads);

/* Pushes { scheme = count }. */
void ptl_lua_push_experiment(lua_State* L, const ptl_mapping* m, const ptl_experiment* e);

/* Pushes the list of the names of these ports. */
void ptl_lua_push_ports(lua_State* L, const ptl_mapping* m, ptl_ports ports);

/* The greedy binder of the options at index (nil or none: `otherwise`). */
ptl_binder ptl_lua_binder(lua_State* L, int index, ptl_binder otherwise);

/* Functions of the other files, for the tables of lua_model.c. */
int ptl_lua_model_batch(lua_State* L);
int ptl_lua_model_kernels(lua_State* L);
int ptl_lua_model_population(lua_State* L);
int ptl_lua_model_throughputs(lua_State* L);
int ptl_lua_model_canonical(lua_State* L);
int ptl_lua_model_compare(lua_State* L);
int ptl_lua_model_conjunctive(lua_State* L);
int ptl_lua_model_conjunctive_of(lua_State* L);
int ptl_lua_model_congruence(lua_State* L);
int ptl_lua_model_cover(lua_State* L);
int ptl_lua_model_cycle_ratio(lua_State* L);
int ptl_lua_model_deviation(lua_State* L);
int ptl_lua_model_heatmap(lua_State* L);
int ptl_lua_model_metrics(lua_State* L);
int ptl_lua_model_relate(lua_State* L);
int ptl_lua_model_solve(lua_State* L);

extern const ptl_lua_class ptl_lua_mapping_class;

#endif
