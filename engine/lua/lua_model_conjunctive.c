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
    ptl_error error;
    double cycles;
    ptl_status s = ptl_lua_read_experiment(L, 2, &x->scratch, 1, &error);
    if (!s) s = ptl_conjunctive_throughput(&x->c, &x->scratch.experiment, &cycles, NULL, &error);
    if (s) return ptl_lua_failure(L, &error);
    lua_pushnumber(L, cycles);
    return 1;
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
    ptl_error error;
    double cycles;
    double* pressure = lua_newuserdatauv(L, (x->c.resource_count + 1) * sizeof *pressure, 0);
    ptl_status s = ptl_lua_read_experiment(L, 2, &x->scratch, 1, &error);
    if (!s) s = ptl_conjunctive_throughput(&x->c, &x->scratch.experiment, &cycles, pressure, &error);
    if (s) return ptl_lua_failure(L, &error);
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

/* Gives the one at index its table of scheme names. */
static void index_schemes(lua_State* L, int index, const ptl_conjunctive* c) {
    lua_createtable(L, 0, (int)c->scheme_count);
    for (size_t i = 0; i < c->scheme_count; i++) {
        ptl_lua_set_integer(L, c->schemes[i].name, (lua_Integer)i);
    }
    lua_setiuservalue(L, index, 1);
}

/* m:conjunctive() -> the equivalent conjunctive mapping (conjunctive.h) | nil, message, status. */
int ptl_lua_model_conjunctive_of(lua_State* L) {
    ptl_lua_mapping* m = ptl_lua_check_mapping(L, 1);
    conjunctive* x = push_new(L);
    ptl_error error;
    if (ptl_conjunctive_of(&x->c, &m->mapping, &error)) return ptl_lua_failure(L, &error);
    index_schemes(L, lua_gettop(L), &x->c);
    return 1;
}

typedef struct reader {
    lua_State* L;
    ptl_error* error;
    int resource_index; /* stack position of a table: resource name -> index */
    char where[128];
} reader;

static ptl_status bad(reader* r, const char* what) {
    return ptl_fail(r->error, PTL_BAD_INPUT, r->where, NULL, "%s", what);
}

/* The list at the top of the stack into names, and the table of indices above it. */
static ptl_status read_resources(reader* r, const char*** names, size_t* count) {
    lua_State* L = r->L;
    snprintf(r->where, sizeof r->where, "resources");
    if (!lua_istable(L, -1)) return bad(r, "'resources' must be a list of names");
    int list = lua_gettop(L);
    *count = (size_t)lua_rawlen(L, list);
    if (*count > PTL_RESOURCES_MAX) return bad(r, "there are too many resources");
    *names = lua_newuserdatauv(L, (*count + 1) * sizeof **names, 0);
    lua_createtable(L, 0, (int)*count);
    r->resource_index = lua_gettop(L);
    for (size_t i = 0; i < *count; i++) {
        if (lua_rawgeti(L, list, (lua_Integer)i + 1) != LUA_TSTRING) {
            snprintf(r->where, sizeof r->where, "resources[%zu]", i + 1);
            return bad(r, "a resource's name must be a string");
        }
        (*names)[i] = lua_tostring(L, -1);
        lua_pushinteger(L, (lua_Integer)i);
        lua_rawset(L, r->resource_index);
    }
    return PTL_OK;
}

/* The scheme's table at the top of the stack, { resource = load }. */
static ptl_status read_scheme(reader* r, ptl_conjunctive* c, const char* name) {
    lua_State* L = r->L;
    snprintf(r->where, sizeof r->where, "schemes.\"%.100s\"", name);
    if (!lua_istable(L, -1)) return bad(r, "a scheme must be a table of loads by resource");
    int scheme = lua_gettop(L);
    ptl_load* loads = lua_newuserdatauv(L, (c->resource_count + 1) * sizeof *loads, 0);
    size_t n = 0;
    for (lua_pushnil(L); lua_next(L, scheme); lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TSTRING) return bad(r, "the names of resources must be strings");
        lua_pushvalue(L, -2);
        if (lua_rawget(L, r->resource_index) == LUA_TNIL)
            return ptl_fail(r->error, PTL_BAD_INPUT, r->where, NULL,
                            "resource '%.40s' is not in the list of resources", lua_tostring(L, -3));
        if (lua_type(L, -2) != LUA_TNUMBER) return bad(r, "a load must be a number of cycles");
        loads[n++] = (ptl_load){(uint32_t)lua_tointeger(L, -1), lua_tonumber(L, -2)};
        lua_pop(L, 1);
    }
    ptl_status s = ptl_conjunctive_add(c, name, loads, n, r->error);
    if (s == PTL_BAD_INPUT && r->error) snprintf(r->error->where, sizeof r->error->where, "%s", r->where);
    lua_settop(L, scheme);
    return s;
}

static ptl_status read_mapping(reader* r, int table, ptl_conjunctive* c) {
    const char** resources = NULL;
    size_t resource_count = 0, count;
    ptl_lua_field(r->L, table, "resources"); /* stays on the stack, as what follows: they own the names */
    ptl_status s = read_resources(r, &resources, &resource_count);
    if (s) return s;
    ptl_lua_field(r->L, table, "schemes");
    int schemes = lua_gettop(r->L);
    snprintf(r->where, sizeof r->where, "schemes");
    if (!lua_istable(r->L, schemes)) return bad(r, "'schemes' must be a table of schemes by name");
    const char** names = ptl_lua_push_names(r->L, schemes, &count);
    if (!names) return bad(r, "the names of schemes must be strings");
    s = ptl_conjunctive_new(c, resources, resource_count, count, r->error);
    for (size_t i = 0; !s && i < count; i++) {
        ptl_lua_field(r->L, schemes, names[i]);
        s = read_scheme(r, c, names[i]);
        if (!s) lua_pop(r->L, 1);
    }
    return s;
}

/* conjunctive { resources = {names}, schemes = { name = { resource = load } } } -> mapping (throughput,
 * predict, resources, schemes, loads) | nil, message with the path to the field, status. */
int ptl_lua_model_conjunctive(lua_State* L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_checkstack(L, 20, NULL);
    conjunctive* x = push_new(L);
    int self = lua_gettop(L);
    ptl_error error;
    reader r = {.L = L, .error = &error};
    if (read_mapping(&r, 1, &x->c)) return ptl_lua_failure(L, &error);
    lua_settop(L, self);
    index_schemes(L, self, &x->c);
    return 1;
}
