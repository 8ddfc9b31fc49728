/* core.model: conjunctive resource mappings. */
#include <stdio.h>
#include <stdlib.h>

#include "algebra/conjunctive.h"
#include "lua/model.h"

static const ptl_lua_class conjunctive_class;

/* Its first user value is a table: scheme name -> index in the mapping. */
typedef struct conjunctive {
    ptl_lua_mapping scratch; /* its experiment is the last one read; its mapping is empty */
    ptl_conjunctive c;
} conjunctive;

static conjunctive* check(lua_State* L) {
    return ptl_lua_check(L, 1, &conjunctive_class);
}

static void free_conjunctive(void* object) {
    conjunctive* x = object;
    free(x->scratch.experiment.terms);
    ptl_conjunctive_free(&x->c);
}

/* m:throughput(experiment) -> inverse throughput in cycles | nil, message, status. */
static int l_throughput(lua_State* L) {
    conjunctive* x = check(L);
    double cycles;
    ptl_lua_read_experiment(L, 2, &x->scratch, 1);
    ptl_lua_try(L, ptl_conjunctive_throughput(&x->c, &x->scratch.experiment, &cycles, NULL, ptl_lua_error()));
    return ptl_lua_number(L, cycles);
}

/* Sums of roundings: closer than this is as good as equal. */
#define NEARLY (1 - 1e-12)

static void push_resources(lua_State* L, const ptl_conjunctive* c, const double* pressure, double least) {
    lua_newtable(L);
    for (size_t r = 0; r < c->resource_count; r++)
        if (!pressure || (pressure[r] >= least && pressure[r] > 0)) ptl_lua_add_string(L, c->resources[r]);
}

/* m:predict(experiment) -> {cycles, cpi, ipc, pressure = {resource = cycles}, bottleneck = {resource names}}
 * | nil, message, status. */
static int l_predict(lua_State* L) {
    conjunctive* x = check(L);
    double cycles;
    double* pressure = lua_newuserdatauv(L, (x->c.resource_count + 1) * sizeof *pressure, 0);
    ptl_lua_read_experiment(L, 2, &x->scratch, 1);
    ptl_lua_try(
        L, ptl_conjunctive_throughput(&x->c, &x->scratch.experiment, &cycles, pressure, ptl_lua_error()));
    double length = (double)ptl_experiment_length(&x->scratch.experiment);
    lua_newtable(L);
    ptl_lua_set_number(L, "cycles", cycles);
    if (length > 0) ptl_lua_set_number(L, "cpi", cycles / length);
    if (cycles > 0) ptl_lua_set_number(L, "ipc", length / cycles);
    push_resources(L, &x->c, pressure, cycles * NEARLY);
    lua_setfield(L, -2, "bottleneck");
    lua_createtable(L, 0, (int)x->c.resource_count);
    for (size_t r = 0; r < x->c.resource_count; r++) ptl_lua_set_number(L, x->c.resources[r], pressure[r]);
    lua_setfield(L, -2, "pressure");
    return 1;
}

/* m:resources() -> list of names. */
static int l_resources(lua_State* L) {
    push_resources(L, &check(L)->c, NULL, 0);
    return 1;
}

/* m:schemes() -> list of the names of the schemes that can be predicted. */
static int l_schemes(lua_State* L) {
    const ptl_conjunctive* c = &check(L)->c;
    lua_newtable(L);
    for (size_t i = 0; i < c->scheme_count; i++)
        if (c->schemes[i].known) ptl_lua_add_string(L, c->schemes[i].name);
    return 1;
}

/* m:loads() -> { scheme = { resource = load } }. */
static int l_loads(lua_State* L) {
    const ptl_conjunctive* c = &check(L)->c;
    lua_createtable(L, 0, (int)c->scheme_count);
    for (size_t i = 0; i < c->scheme_count; i++) {
        const ptl_resource_use* u = &c->schemes[i];
        if (!u->known) continue;
        lua_createtable(L, 0, (int)u->load_count);
        for (uint32_t k = 0; k < u->load_count; k++)
            ptl_lua_set_number(L, c->resources[u->loads[k].resource], u->loads[k].load);
        lua_setfield(L, -2, u->name);
    }
    return 1;
}

static const luaL_Reg methods[] = {
    {"throughput", l_throughput}, {"predict", l_predict}, {"resources", l_resources},
    {"schemes", l_schemes},       {"loads", l_loads},     {NULL, NULL},
};

static const ptl_lua_class conjunctive_class = {
    .name = "portolan.conjunctive", .what = "mapping", .free = free_conjunctive, .methods = methods};

/* An empty one, on top of the stack. */
static conjunctive* push_new(lua_State* L) {
    return ptl_lua_new(L, &conjunctive_class, sizeof(conjunctive), 1);
}

/* Gives the one on top its table of scheme names. */
static void index_schemes(lua_State* L, const ptl_conjunctive* c) {
    lua_createtable(L, 0, (int)c->scheme_count);
    for (size_t i = 0; i < c->scheme_count; i++) ptl_lua_set_integer(L, c->schemes[i].name, (lua_Integer)i);
    lua_setiuservalue(L, -2, 1);
}

/* m:conjunctive() -> the equivalent conjunctive mapping (conjunctive.h) | nil, message, status. */
int ptl_lua_model_conjunctive_of(lua_State* L) {
    ptl_lua_mapping* m = ptl_lua_check_mapping(L, 1);
    conjunctive* x = push_new(L);
    ptl_lua_try(L, ptl_conjunctive_of(&x->c, &m->mapping, ptl_lua_error()));
    index_schemes(L, &x->c);
    return 1;
}

/* The list at the top of the stack into names, and above it a table: resource name -> index. */
static const char** read_resources(lua_State* L, size_t* count) {
    char where[32];
    if (!lua_istable(L, -1)) ptl_lua_bad(L, "resources", NULL, "'resources' must be a list of names");
    int list = lua_gettop(L);
    *count = (size_t)lua_rawlen(L, list);
    if (*count > PTL_RESOURCES_MAX) ptl_lua_bad(L, "resources", NULL, "there are too many resources");
    const char** names = lua_newuserdatauv(L, (*count + 1) * sizeof *names, 0);
    lua_createtable(L, 0, (int)*count);
    for (size_t i = 0; i < *count; i++) {
        snprintf(where, sizeof where, "resources[%zu]", i + 1);
        if (!(names[i] = ptl_lua_text_item(L, list, (lua_Integer)i + 1)))
            ptl_lua_bad(L, where, NULL, "a resource's name must be a string");
        ptl_lua_set_integer(L, names[i], (lua_Integer)i);
    }
    return names;
}

/* The scheme's table at the top of the stack, { resource = load }; `indices`: where those of resources are.
 */
static void read_scheme(lua_State* L, ptl_conjunctive* c, const char* name, int indices) {
    char where[128];
    snprintf(where, sizeof where, "schemes.\"%.100s\"", name);
    if (!lua_istable(L, -1)) ptl_lua_bad(L, where, NULL, "a scheme must be a table of loads by resource");
    int scheme = lua_gettop(L);
    ptl_load* loads = lua_newuserdatauv(L, (c->resource_count + 1) * sizeof *loads, 0);
    size_t n = 0;
    for (lua_pushnil(L); lua_next(L, scheme); lua_pop(L, 2)) {
        if (lua_type(L, -2) != LUA_TSTRING)
            ptl_lua_bad(L, where, NULL, "the names of resources must be strings");
        lua_pushvalue(L, -2);
        if (lua_rawget(L, indices) == LUA_TNIL)
            ptl_lua_bad(L, where, NULL, "resource '%.40s' is not in the list of resources",
                        lua_tostring(L, -3));
        if (lua_type(L, -2) != LUA_TNUMBER) ptl_lua_bad(L, where, NULL, "a load must be a number of cycles");
        loads[n++] = (ptl_load){(uint32_t)lua_tointeger(L, -1), lua_tonumber(L, -2)};
    }
    ptl_error* error = ptl_lua_error();
    ptl_status s = ptl_conjunctive_add(c, name, loads, n, error);
    if (s == PTL_BAD_INPUT) snprintf(error->where, sizeof error->where, "%s", where);
    ptl_lua_try(L, s);
    lua_settop(L, scheme);
}

/* conjunctive { resources = {names}, schemes = { name = { resource = load } } } -> mapping (throughput,
 * predict, resources, schemes, loads) | nil, message with the path to the field, status. */
int ptl_lua_model_conjunctive(lua_State* L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_checkstack(L, 20, NULL);
    const char** names;
    size_t resource_count, count;
    conjunctive* x = push_new(L);
    int self = lua_gettop(L);
    ptl_lua_field(L, 1, "resources"); /* stays on the stack, as what follows: they own the names */
    const char** resources = read_resources(L, &resource_count);
    int indices = lua_gettop(L), schemes = ptl_lua_push_schemes(L, &names, &count);
    ptl_lua_try(L, ptl_conjunctive_new(&x->c, resources, resource_count, count, ptl_lua_error()));
    for (size_t i = 0; i < count; i++) {
        ptl_lua_field(L, schemes, names[i]);
        read_scheme(L, &x->c, names[i], indices);
        lua_pop(L, 1);
    }
    lua_settop(L, self);
    index_schemes(L, &x->c);
    return 1;
}
