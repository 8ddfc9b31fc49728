/* core.model: mappings and experiments from Lua tables, with messages that name the field. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/room.h"
#include "lua/model.h"

static void free_mapping(void* object) {
    ptl_lua_mapping* m = object;
    free(m->experiment.terms);
    ptl_demand_free(&m->demand);
    ptl_mapping_free(&m->mapping);
}

const ptl_lua_class ptl_lua_mapping_class = {
    .name = "portolan.mapping", .what = "mapping", .free = free_mapping};

ptl_lua_mapping* ptl_lua_check_mapping(lua_State* L, int index) {
    return ptl_lua_check(L, index, &ptl_lua_mapping_class);
}

/* The table at the top of the stack is a list, not an object with named fields. */
static bool is_list(lua_State* L) {
    if (!lua_istable(L, -1)) return false;
    if (lua_rawlen(L, -1)) return true;
    lua_pushnil(L);
    if (!lua_next(L, -2)) return true;
    lua_pop(L, 2);
    return false;
}

/* The ports list at the top of the stack into names (which live as long as the table). */
static size_t read_port_names(lua_State* L, const char** names) {
    char where[32];
    if (!is_list(L)) ptl_lua_bad(L, "ports", NULL, "'ports' must be a list of names");
    size_t n = lua_rawlen(L, -1);
    if (n > PTL_PORTS_MAX)
        ptl_lua_bad(L, "ports", NULL, "%zu ports, but at most %d are supported", n, PTL_PORTS_MAX);
    for (size_t i = 0; i < n; i++) {
        snprintf(where, sizeof where, "ports[%zu]", i + 1);
        if (!(names[i] = ptl_lua_text_item(L, -1, (lua_Integer)i + 1)))
            ptl_lua_bad(L, where, NULL, "a port's name must be a string");
    }
    return n;
}

/* The list of port names at the top of the stack. `where`, here and below: for messages. */
static ptl_ports read_port_set(lua_State* L, const char* where, const ptl_mapping* m) {
    ptl_ports ports = 0;
    if (!is_list(L)) ptl_lua_bad(L, where, NULL, "the ports of a uop must be a list of names");
    lua_Unsigned n = lua_rawlen(L, -1);
    if (n == 0) ptl_lua_bad(L, where, NULL, "a uop needs at least one port");
    for (lua_Unsigned i = 1; i <= n; i++) {
        const char* name = ptl_lua_text_item(L, -1, (lua_Integer)i);
        if (!name) ptl_lua_bad(L, where, NULL, "port %llu of the uop is no string", i);
        unsigned k = 0;
        while (k < m->port_count && strcmp(m->ports[k], name)) k++;
        if (k == m->port_count) ptl_lua_bad(L, where, NULL, "port '%.40s' is not in the list of ports", name);
        if (ports >> k & 1) ptl_lua_bad(L, where, NULL, "port '%.40s' is there twice", name);
        ports |= UINT32_C(1) << k;
    }
    return ports;
}

/* A whole number from `least` to `most` at the top of the stack. */
static uint32_t read_count(lua_State* L, const char* where, const char* what, lua_Integer least,
                           lua_Integer most) {
    int whole;
    lua_Integer value = lua_tointegerx(L, -1, &whole);
    if (!whole || lua_type(L, -1) != LUA_TNUMBER || value < least || value > most)
        ptl_lua_bad(L, where, NULL, "%s must be a whole number from %lld to %lld", what, least, most);
    return (uint32_t)value;
}

/* { {"0","1"}, 2 } at the top of the stack. */
static ptl_uop read_uop(lua_State* L, const char* where, const ptl_mapping* m) {
    if (!lua_istable(L, -1)) ptl_lua_bad(L, where, NULL, "a uop must be a pair: list of ports, multiplicity");
    ptl_uop uop = {.count = 1};
    lua_rawgeti(L, -1, 1);
    uop.ports = read_port_set(L, where, m);
    if (lua_rawgeti(L, -2, 2) != LUA_TNIL)
        uop.count = read_count(L, where, "a uop's multiplicity", 1, PTL_UOP_COUNT_MAX);
    lua_pop(L, 2);
    return uop;
}

/* A number of issue slots of the table at the top of the stack. */
static uint32_t read_slots(lua_State* L, const char* where, const char* field, uint32_t otherwise) {
    char what[24];
    snprintf(what, sizeof what, "'%s'", field);
    uint32_t slots =
        ptl_lua_field(L, -1, field) == LUA_TNIL ? otherwise : read_count(L, where, what, 0, PTL_SLOTS_MAX);
    lua_pop(L, 1);
    return slots;
}

/* The scheme's table at the top of the stack. */
static void read_scheme(lua_State* L, ptl_mapping* m, const char* name) {
    char where[128];
    snprintf(where, sizeof where, "schemes.\"%.90s\"", name);
    if (!lua_istable(L, -1)) ptl_lua_bad(L, where, NULL, "a scheme must be a table");
    uint32_t slots = read_slots(L, where, "slots", 1);
    slots += read_slots(L, where, "breakers", 0); /* zeroing idioms take slots, too */
    bool known = ptl_lua_field(L, -1, "uops") != LUA_TNIL;
    if (known && !is_list(L)) ptl_lua_bad(L, where, NULL, "'uops' must be a list");
    size_t n = known ? (size_t)lua_rawlen(L, -1) : 0;
    ptl_uop* uops = lua_newuserdatauv(L, (n + 1) * sizeof *uops, 0);
    for (size_t i = 0; i < n; i++) {
        snprintf(where, sizeof where, "schemes.\"%.90s\".uops[%zu]", name, i + 1);
        lua_rawgeti(L, -2, (lua_Integer)i + 1);
        uops[i] = read_uop(L, where, m);
        lua_pop(L, 1);
    }
    ptl_lua_try(L, ptl_mapping_add(m, name, known ? uops : NULL, n, slots, ptl_lua_error()));
    lua_pop(L, 2);
}

static double read_rmax(lua_State* L) {
    if (ptl_lua_field(L, 1, "rmax") == LUA_TNIL) return 0;
    double rmax = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : 0;
    if (!(rmax >= PTL_RMAX_MIN && rmax <= PTL_RMAX_MAX))
        ptl_lua_bad(L, "rmax", NULL, "'rmax' must be a number of issue slots per cycle, from %g to %.0f",
                    PTL_RMAX_MIN, PTL_RMAX_MAX);
    return rmax;
}

int ptl_lua_push_schemes(lua_State* L, const char*** names, size_t* count) {
    ptl_lua_field(L, 1, "schemes");
    if (!lua_istable(L, -1)) ptl_lua_bad(L, "schemes", NULL, "'schemes' must be a table of schemes by name");
    *names = ptl_lua_push_names(L, -1, count);
    if (!*names) ptl_lua_bad(L, "schemes", NULL, "the names of schemes must be strings");
    return lua_gettop(L) - 1;
}

/* Reads the table at index 1. What stays on the stack owns names. */
static void read_mapping(lua_State* L, ptl_mapping* m) {
    const char *ports[PTL_PORTS_MAX], **names;
    size_t count;
    ptl_lua_field(L, 1, "ports");
    size_t port_count = read_port_names(L, ports);
    double rmax = read_rmax(L);
    int schemes = ptl_lua_push_schemes(L, &names, &count);
    ptl_lua_try(L, ptl_mapping_new(m, ports, port_count, count, rmax, ptl_lua_error()));
    for (size_t i = 0; i < count; i++) {
        ptl_lua_field(L, schemes, names[i]);
        read_scheme(L, m, names[i]);
        lua_pop(L, 1);
    }
}

int ptl_lua_mapping_new(lua_State* L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_checkstack(L, 20, NULL);
    ptl_lua_mapping* m = ptl_lua_new(L, &ptl_lua_mapping_class, sizeof *m, 1);
    int self = lua_gettop(L);
    read_mapping(L, &m->mapping);
    lua_settop(L, self);
    lua_createtable(L, 0, (int)m->mapping.scheme_count);
    for (size_t i = 0; i < m->mapping.scheme_count; i++)
        ptl_lua_set_integer(L, m->mapping.schemes[i].name, (lua_Integer)i);
    lua_setiuservalue(L, self, 1);
    return 1;
}

void ptl_lua_read_experiment(lua_State* L, int index, ptl_lua_mapping* m, int mapping_index) {
    char where[128];
    index = lua_absindex(L, index);
    int top = lua_gettop(L);
    luaL_checktype(L, index, LUA_TTABLE);
    lua_getiuservalue(L, mapping_index, 1);
    m->experiment.size = 0;
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 2)) {
        if (lua_type(L, -2) != LUA_TSTRING) luaL_error(L, "an experiment maps scheme names to counts");
        snprintf(where, sizeof where, "%.100s", lua_tostring(L, -2));
        ptl_term t = {.count = read_count(L, where, "the count of a scheme", 1, 1000000000)};
        lua_pushvalue(L, -2);
        if (lua_rawget(L, top + 1) == LUA_TNIL) ptl_lua_bad(L, where, NULL, "the mapping has no such scheme");
        t.scheme = (uint32_t)lua_tointeger(L, -1);
        if (!ptl_room(&m->experiment.terms, &m->capacity, m->experiment.size + 1, sizeof t))
            luaL_error(L, "no memory for an experiment");
        m->experiment.terms[m->experiment.size++] = t;
    }
    lua_settop(L, top);
    ptl_experiment_canonical(&m->experiment);
}

void ptl_lua_push_experiment(lua_State* L, const ptl_mapping* m, const ptl_experiment* e) {
    lua_createtable(L, 0, (int)e->size);
    for (size_t i = 0; i < e->size; i++) {
        ptl_lua_set_integer(L, m->schemes[e->terms[i].scheme].name, e->terms[i].count);
    }
}

void ptl_lua_push_ports(lua_State* L, const ptl_mapping* m, ptl_ports ports) {
    lua_newtable(L);
    for (unsigned k = 0; k < m->port_count; k++)
        if (ports >> k & 1) ptl_lua_add_string(L, m->ports[k]);
}

void ptl_lua_set_load(lua_State* L, const ptl_mapping* m, const double* loads) {
    lua_createtable(L, 0, (int)m->port_count);
    for (unsigned k = 0; k < m->port_count; k++) ptl_lua_set_number(L, m->ports[k], loads[k]);
    lua_setfield(L, -2, "load");
}
