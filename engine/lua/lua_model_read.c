/* core.model: mappings and experiments from Lua tables, with messages that name the field. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
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

typedef struct reader {
    lua_State* L;
    ptl_error* error;
    char where[128];
} reader;

__attribute__((format(printf, 2, 3))) static ptl_status bad(reader* r, const char* fmt, ...) {
    char what[256];
    va_list args;
    va_start(args, fmt);
    vsnprintf(what, sizeof what, fmt, args);
    va_end(args);
    return ptl_fail(r->error, PTL_BAD_INPUT, r->where, NULL, "%s", what);
}

/* The table at the top of the stack is a list, not an object with named fields. */
static bool is_list(reader* r) {
    if (!lua_istable(r->L, -1)) return false;
    if (lua_rawlen(r->L, -1)) return true;
    lua_pushnil(r->L);
    if (!lua_next(r->L, -2)) return true;
    lua_pop(r->L, 2);
    return false;
}

/* The ports list at the top of the stack into names (which live as long as the table). */
static ptl_status read_port_names(reader* r, const char** names, size_t* count) {
    snprintf(r->where, sizeof r->where, "ports");
    if (!is_list(r)) return bad(r, "'ports' must be a list of names");
    lua_Unsigned n = lua_rawlen(r->L, -1);
    if (n > PTL_PORTS_MAX) return bad(r, "%llu ports, but at most %d are supported", n, PTL_PORTS_MAX);
    for (lua_Unsigned i = 1; i <= n; i++) {
        if (lua_rawgeti(r->L, -1, (lua_Integer)i) != LUA_TSTRING) {
            snprintf(r->where, sizeof r->where, "ports[%llu]", i);
            return bad(r, "a port's name must be a string");
        }
        names[i - 1] = lua_tostring(r->L, -1);
        lua_pop(r->L, 1);
    }
    *count = (size_t)n;
    return PTL_OK;
}

/* The list of port names at the top of the stack. */
static ptl_status read_port_set(reader* r, const ptl_mapping* m, ptl_ports* out) {
    *out = 0;
    if (!is_list(r)) return bad(r, "the ports of a uop must be a list of names");
    lua_Unsigned n = lua_rawlen(r->L, -1);
    if (n == 0) return bad(r, "a uop needs at least one port");
    for (lua_Unsigned i = 1; i <= n; i++) {
        if (lua_rawgeti(r->L, -1, (lua_Integer)i) != LUA_TSTRING)
            return bad(r, "port %llu of the uop is no string", i);
        const char* name = lua_tostring(r->L, -1);
        unsigned k = 0;
        while (k < m->port_count && strcmp(m->ports[k], name)) k++;
        if (k == m->port_count) return bad(r, "port '%.40s' is not in the list of ports", name);
        if (*out >> k & 1) return bad(r, "port '%.40s' is there twice", name);
        *out |= UINT32_C(1) << k;
        lua_pop(r->L, 1);
    }
    return PTL_OK;
}

/* A whole number from 0 (or 1) to max at the top of the stack. */
static ptl_status read_count(reader* r, const char* what, lua_Integer least, lua_Integer most,
                             uint32_t* out) {
    int ok;
    lua_Integer value = lua_tointegerx(r->L, -1, &ok);
    if (!ok || lua_type(r->L, -1) != LUA_TNUMBER || value < least || value > most)
        return bad(r, "%s must be a whole number from %lld to %lld", what, least, most);
    *out = (uint32_t)value;
    return PTL_OK;
}

/* { {"0","1"}, 2 } at the top of the stack. */
static ptl_status read_uop(reader* r, const ptl_mapping* m, ptl_uop* out) {
    if (!lua_istable(r->L, -1)) return bad(r, "a uop must be a pair: list of ports, multiplicity");
    lua_rawgeti(r->L, -1, 1);
    ptl_status s = read_port_set(r, m, &out->ports);
    if (s) return s;
    lua_pop(r->L, 1);
    lua_rawgeti(r->L, -1, 2);
    if (lua_isnil(r->L, -1))
        out->count = 1;
    else
        s = read_count(r, "a uop's multiplicity", 1, PTL_UOP_COUNT_MAX, &out->count);
    lua_pop(r->L, 1);
    return s;
}

/* A number of issue slots of the table at the top of the stack; left alone if the field is not there. */
static ptl_status read_slots(reader* r, const char* field, uint32_t* out) {
    char what[24];
    snprintf(what, sizeof what, "'%s'", field);
    ptl_status s = PTL_OK;
    if (ptl_lua_field(r->L, -1, field) != LUA_TNIL) s = read_count(r, what, 0, PTL_SLOTS_MAX, out);
    lua_pop(r->L, 1);
    return s;
}

/* The scheme's table at the top of the stack. */
static ptl_status read_scheme(reader* r, ptl_mapping* m, const char* name) {
    snprintf(r->where, sizeof r->where, "schemes.\"%.90s\"", name);
    if (!lua_istable(r->L, -1)) return bad(r, "a scheme must be a table");
    uint32_t slots = 1, breakers = 0; /* zeroing idioms take slots, too */
    ptl_status s = read_slots(r, "slots", &slots);
    if (!s) s = read_slots(r, "breakers", &breakers);
    if (s) return s;
    slots += breakers;
    if (ptl_lua_field(r->L, -1, "uops") == LUA_TNIL) {
        lua_pop(r->L, 1);
        return ptl_mapping_add(m, name, NULL, 0, slots, r->error);
    }
    if (!is_list(r)) return bad(r, "'uops' must be a list");
    size_t n = (size_t)lua_rawlen(r->L, -1);
    ptl_uop* uops = lua_newuserdatauv(r->L, (n + 1) * sizeof *uops, 0);
    for (size_t i = 0; i < n; i++) {
        snprintf(r->where, sizeof r->where, "schemes.\"%.90s\".uops[%zu]", name, i + 1);
        lua_rawgeti(r->L, -2, (lua_Integer)i + 1);
        s = read_uop(r, m, &uops[i]);
        if (s) return s;
        lua_pop(r->L, 1);
    }
    s = ptl_mapping_add(m, name, uops, n, slots, r->error);
    lua_pop(r->L, 2);
    return s;
}

const char** ptl_lua_push_names(lua_State* L, int index, size_t* count) {
    size_t n = 0;
    index = lua_absindex(L, index);
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1), n++)
        if (lua_type(L, -2) != LUA_TSTRING) return NULL;
    const char** names = lua_newuserdatauv(L, (n + 1) * sizeof *names, 0);
    *count = 0;
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) names[(*count)++] = lua_tostring(L, -2);
    if (n > 1) qsort(names, n, sizeof *names, ptl_ascending_texts);
    return names;
}

static ptl_status read_rmax(reader* r, int table, double* rmax) {
    *rmax = 0;
    snprintf(r->where, sizeof r->where, "rmax");
    if (ptl_lua_field(r->L, table, "rmax") != LUA_TNIL) {
        if (lua_type(r->L, -1) == LUA_TNUMBER) *rmax = lua_tonumber(r->L, -1);
        if (!(*rmax >= PTL_RMAX_MIN && *rmax <= PTL_RMAX_MAX))
            return bad(r, "'rmax' must be a number of issue slots per cycle, from %g to %.0f", PTL_RMAX_MIN,
                       PTL_RMAX_MAX);
    }
    lua_pop(r->L, 1);
    return PTL_OK;
}

static ptl_status read_schemes(reader* r, int table, ptl_mapping* m, const char* const* ports,
                               size_t port_count, double rmax) {
    ptl_lua_field(r->L, table, "schemes");
    snprintf(r->where, sizeof r->where, "schemes");
    if (!lua_istable(r->L, -1)) return bad(r, "'schemes' must be a table of schemes by name");
    size_t count;
    const char** names = ptl_lua_push_names(r->L, -1, &count);
    if (!names) return bad(r, "the names of schemes must be strings");
    ptl_status s = ptl_mapping_new(m, ports, port_count, count, rmax, r->error);
    for (size_t i = 0; !s && i < count; i++) {
        ptl_lua_field(r->L, -2, names[i]);
        s = read_scheme(r, m, names[i]);
        if (!s) lua_pop(r->L, 1);
    }
    return s;
}

static ptl_status read_mapping(reader* r, int table, ptl_mapping* m) {
    const char* ports[PTL_PORTS_MAX];
    size_t port_count = 0;
    double rmax = 0;
    ptl_lua_field(r->L, table, "ports"); /* stays on the stack: it owns the names */
    ptl_status s = read_port_names(r, ports, &port_count);
    if (!s) s = read_rmax(r, table, &rmax);
    if (!s) s = read_schemes(r, table, m, ports, port_count, rmax);
    return s;
}

int ptl_lua_mapping_new(lua_State* L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_checkstack(L, 20, NULL);
    ptl_lua_mapping* m = ptl_lua_new(L, &ptl_lua_mapping_class, sizeof *m, 1);
    int self = lua_gettop(L);
    ptl_error error;
    reader r = {.L = L, .error = &error};
    if (read_mapping(&r, 1, &m->mapping)) return ptl_lua_failure(L, &error);
    lua_settop(L, self);
    lua_createtable(L, 0, (int)m->mapping.scheme_count);
    for (size_t i = 0; i < m->mapping.scheme_count; i++) {
        ptl_lua_set_integer(L, m->mapping.schemes[i].name, (lua_Integer)i);
    }
    lua_setiuservalue(L, self, 1);
    return 1;
}

ptl_status ptl_lua_read_experiment(lua_State* L, int index, ptl_lua_mapping* m, int mapping_index,
                                   ptl_error* error) {
    reader r = {.L = L, .error = error, .where = "experiment"};
    index = lua_absindex(L, index);
    int top = lua_gettop(L);
    luaL_checktype(L, index, LUA_TTABLE);
    lua_getiuservalue(L, mapping_index, 1);
    m->experiment.size = 0;
    ptl_status s = PTL_OK;
    for (lua_pushnil(L); !s && lua_next(L, index);) {
        if (lua_type(L, -2) != LUA_TSTRING) luaL_error(L, "an experiment maps scheme names to counts");
        const char* name = lua_tostring(L, -2);
        ptl_term t = {0};
        snprintf(r.where, sizeof r.where, "%.100s", name);
        s = read_count(&r, "the count of a scheme", 1, 1000000000, &t.count);
        if (s) break;
        lua_pop(L, 1);
        lua_pushvalue(L, -1);
        if (lua_rawget(L, top + 1) == LUA_TNIL) {
            s = bad(&r, "the mapping has no such scheme");
            break;
        }
        t.scheme = (uint32_t)lua_tointeger(L, -1);
        lua_pop(L, 1);
        if (!ptl_room(&m->experiment.terms, &m->capacity, m->experiment.size + 1, sizeof t))
            luaL_error(L, "no memory for an experiment");
        m->experiment.terms[m->experiment.size++] = t;
    }
    lua_settop(L, top);
    ptl_experiment_canonical(&m->experiment);
    return s;
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
