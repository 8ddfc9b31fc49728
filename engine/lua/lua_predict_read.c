/* core.predict: models from Lua tables, with messages that name the field. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lua/model.h"
#include "lua/predict_bind.h"

static void free_model(void* object) {
    ptl_lua_block_model* m = object;
    ptl_block_work_free(&m->work);
    ptl_block_model_free(&m->model);
}

const ptl_lua_class ptl_lua_block_model_class = {
    .name = "portolan.block_model", .what = "model of blocks", .free = free_model};

ptl_lua_block_model* ptl_lua_check_block_model(lua_State* L, int index) {
    return ptl_lua_check(L, index, &ptl_lua_block_model_class);
}

/* The number of the word in a field of the options at index; 0, the first one, if it is not there. */
static int word_field(lua_State* L, int index, const char* field, const char* const words[]) {
    ptl_lua_field(L, index, field);
    int which = luaL_checkoption(L, -1, words[0], words);
    lua_pop(L, 1);
    return which;
}

ptl_premises ptl_lua_premises(lua_State* L, int index) {
    static const char* const aliasing[] = {"same", "no", "all", NULL};
    static const char* const start[] = {"apart", "alike", NULL};
    if (lua_isnoneornil(L, index)) return (ptl_premises){0};
    return (ptl_premises){.aliasing = (ptl_aliasing)word_field(L, index, "aliasing", aliasing),
                          .start = (ptl_start)word_field(L, index, "start", start)};
}

/* A number of the field of the table on top, or `otherwise`; PTL_BAD_INPUT if it is something else. */
static ptl_status read_number(lua_State* L, const char* where, const char* field, double otherwise,
                              double* out, ptl_error* error) {
    int type = ptl_lua_field(L, -1, field);
    *out = type == LUA_TNIL ? otherwise : lua_tonumber(L, -1);
    bool right = type == LUA_TNIL || (type == LUA_TNUMBER && *out >= 0 && *out <= PTL_LATENCY_MAX);
    lua_pop(L, 1);
    if (right) return PTL_OK;
    return ptl_fail(error, PTL_BAD_INPUT, where, NULL, "'%s' must be a number of cycles from 0 to %.0f",
                    field, PTL_LATENCY_MAX);
}

static ptl_status read_place(lua_State* L, const char* where, const ptl_architecture* a, const char* field,
                             uint8_t* out, ptl_error* error) {
    *out = PTL_NO_PLACE;
    if (ptl_lua_field(L, -1, field) == LUA_TSTRING) *out = ptl_place_number(a, lua_tostring(L, -1));
    lua_pop(L, 1);
    if (*out != PTL_NO_PLACE) return PTL_OK;
    return ptl_fail(error, PTL_BAD_INPUT, where, "write one as \"2\", \"2.base\", \"cf\"", "'%s' is no place",
                    field);
}

/* { from =, to =, cycles =, same = } on top. */
static ptl_status read_latency(lua_State* L, const char* where, const ptl_architecture* a, ptl_latency* out,
                               ptl_error* error) {
    if (!lua_istable(L, -1)) return ptl_fail(error, PTL_BAD_INPUT, where, NULL, "a latency must be a table");
    ptl_status s = read_place(L, where, a, "from", &out->from, error);
    if (!s) s = read_place(L, where, a, "to", &out->to, error);
    if (!s) s = read_number(L, where, "cycles", -1, &out->cycles, error);
    if (!s) s = read_number(L, where, "same", -1, &out->same, error);
    out->has_same = !s && out->same >= 0;
    out->independent = !s && ptl_lua_boolean_field(L, -1, "independent", false);
    return s;
}

/* The list of the field `latencies` of the table on top, in memory that is pushed below it. */
static ptl_status read_latencies(lua_State* L, const char* where, const ptl_architecture* a,
                                 ptl_block_facts* f, ptl_error* error) {
    if (ptl_lua_field(L, -1, "latencies") == LUA_TNIL) {
        lua_insert(L, -2);
        return PTL_OK;
    }
    if (!lua_istable(L, -1) || lua_rawlen(L, -1) > PTL_LATENCIES_MAX)
        return ptl_fail(error, PTL_BAD_INPUT, where, NULL, "'latencies' must be a list of at most %d",
                        PTL_LATENCIES_MAX);
    size_t n = lua_rawlen(L, -1);
    ptl_latency* list = lua_newuserdatauv(L, (n + 1) * sizeof *list, 0);
    lua_insert(L, -3);
    for (size_t i = 0; i < n; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        ptl_status s = read_latency(L, where, a, &list[i], error);
        if (s) return s;
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    f->latencies = list;
    f->latency_count = (uint32_t)n;
    return PTL_OK;
}

/* The list of mnemonics of the field `fuses`, in memory that is pushed below the table on top. The strings
 * stay in the table. */
static ptl_status read_fused(lua_State* L, const char* where, ptl_block_facts* f, ptl_error* error) {
    if (ptl_lua_field(L, -1, "fuses") == LUA_TNIL) {
        lua_insert(L, -2);
        return PTL_OK;
    }
    if (!lua_istable(L, -1) || lua_rawlen(L, -1) > PTL_FUSED_MAX)
        return ptl_fail(error, PTL_BAD_INPUT, where, NULL, "'fuses' must be a list of at most %d mnemonics",
                        PTL_FUSED_MAX);
    size_t n = lua_rawlen(L, -1);
    const char** words = lua_newuserdatauv(L, (n + 1) * sizeof *words, 0);
    lua_insert(L, -3);
    for (size_t i = 0; i < n; i++) {
        if (lua_rawgeti(L, -1, (lua_Integer)i + 1) != LUA_TSTRING)
            return ptl_fail(error, PTL_BAD_INPUT, where, NULL, "'fuses' must be a list of mnemonics");
        words[i] = lua_tostring(L, -1);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    f->fused = words;
    f->fused_count = (uint32_t)n;
    return PTL_OK;
}

/* The scheme that the field `other_form` of the table on top names. */
static ptl_status read_other_form(lua_State* L, const char* where, const ptl_block_model* m, uint32_t* out,
                                  ptl_error* error) {
    int type = ptl_lua_field(L, -1, "other_form");
    *out = type == LUA_TSTRING ? ptl_block_model_find(m, lua_tostring(L, -1)) : PTL_NO_SCHEME;
    lua_pop(L, 1);
    if (type == LUA_TNIL || *out != PTL_NO_SCHEME) return PTL_OK;
    return ptl_fail(error, PTL_BAD_INPUT, where, NULL, "'other_form' must be a scheme of the mapping");
}

/* The scheme's table on top; the lists that it pushes stay below. */
static ptl_status read_facts(lua_State* L, const char* where, const ptl_block_model* m, ptl_block_facts* f,
                             ptl_error* error) {
    double unit = 0, indexed_slots = 0;
    *f = PTL_BLOCK_FACTS_NONE;
    if (!lua_istable(L, -1)) return ptl_fail(error, PTL_BAD_INPUT, where, NULL, "facts must be a table");
    ptl_status s = read_latencies(L, where, m->architecture, f, error);
    if (!s) s = read_fused(L, where, f, error);
    if (!s) s = read_number(L, where, "unit", 0, &unit, error);
    if (!s) s = read_number(L, where, "unit_cycles", 0, &f->unit_cycles, error);
    if (!s) s = read_number(L, where, "other_value", -1, &f->other_value, error);
    if (!s) s = read_number(L, where, "other_address", -1, &f->other_address, error);
    if (!s) s = read_number(L, where, "indexed_slots", 0, &indexed_slots, error);
    if (!s) s = read_other_form(L, where, m, &f->other_form, error);
    f->indexed_slots = (uint32_t)indexed_slots;
    if (unit >= 1) f->unit = (uint32_t)unit - 1;
    f->gives_late = !s && ptl_lua_boolean_field(L, -1, "gives_late", false);
    f->takes_late = !s && ptl_lua_boolean_field(L, -1, "takes_late", false);
    f->is_sum = !s && ptl_lua_boolean_field(L, -1, "is_sum", false);
    f->idiom = !s && ptl_lua_boolean_field(L, -1, "idiom", false);
    return s;
}

/* Reads the tables of all schemes of the field `schemes` of the facts at index 2. */
static ptl_status read_schemes(lua_State* L, ptl_block_model* m, ptl_error* error) {
    if (ptl_lua_field(L, 2, "schemes") == LUA_TNIL) return PTL_OK;
    luaL_checktype(L, -1, LUA_TTABLE);
    int table = lua_gettop(L);
    for (uint32_t i = 0; i < m->mapping->scheme_count; i++) {
        ptl_block_facts facts;
        const char* name = m->mapping->schemes[i].name;
        if (ptl_lua_field(L, table, name) != LUA_TNIL) {
            ptl_status s = read_facts(L, name, m, &facts, error);
            if (!s) s = ptl_block_model_set(m, i, &facts, error);
            if (s) return s;
        }
        lua_settop(L, table);
    }
    return PTL_OK;
}

static size_t count_stand_ins(lua_State* L) {
    size_t n = 0;
    if (ptl_lua_field(L, 2, "stand_ins") == LUA_TTABLE)
        for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) n++;
    lua_pop(L, 1);
    return n;
}

/* { name = name of a scheme of the mapping } */
static ptl_status read_stand_ins(lua_State* L, ptl_block_model* m, ptl_error* error) {
    ptl_status s = PTL_OK;
    if (ptl_lua_field(L, 2, "stand_ins") != LUA_TTABLE) return s;
    for (lua_pushnil(L); !s && lua_next(L, -2); lua_pop(L, 1)) {
        bool names = lua_type(L, -1) == LUA_TSTRING && lua_type(L, -2) == LUA_TSTRING;
        uint32_t scheme = names ? ptl_block_model_find(m, lua_tostring(L, -1)) : PTL_NO_SCHEME;
        if (scheme == PTL_NO_SCHEME)
            return ptl_fail(error, PTL_BAD_INPUT, "stand_ins", NULL, "no name of a scheme of the mapping");
        s = ptl_block_model_stand_in(m, lua_tostring(L, -2), scheme, error);
    }
    return s;
}

/* A bit for each port of the list in a field. */
static ptl_ports read_ports(lua_State* L, const char* field, const ptl_mapping* m) {
    ptl_ports ports = 0;
    if (ptl_lua_field(L, 2, field) != LUA_TTABLE) return ports;
    for (lua_Integer i = 1; lua_rawgeti(L, -1, i) == LUA_TSTRING; i++, lua_pop(L, 1))
        for (unsigned k = 0; k < m->port_count; k++)
            if (!strcmp(m->ports[k], lua_tostring(L, -1))) ports |= UINT32_C(1) << k;
    return ports;
}

/* The width of the first cache, of the facts on top. */
static ptl_status read_memory(lua_State* L, ptl_block_model* m, ptl_error* error) {
    double bank_bytes = 0, stored_bytes = 0, at_once = 0, narrow_lines = 0, narrow_bytes = 0;
    ptl_status s = read_number(L, "facts", "bank_loads", 0, &m->cache.bank_loads, error);
    if (!s) s = read_number(L, "facts", "stored_lines", 0, &m->cache.stored_lines, error);
    if (!s) s = read_number(L, "facts", "stored_at_once", 0, &at_once, error);
    if (!s) s = read_number(L, "facts", "stored_bytes", 0, &stored_bytes, error);
    if (!s) s = read_number(L, "facts", "held_up", 0, &m->cache.held_up, error);
    if (!s) s = read_number(L, "facts", "held_up_from_start", 0, &m->cache.held_up_from_start, error);
    if (!s) s = read_number(L, "facts", "narrow_stall", 0, &m->cache.narrow_stall, error);
    if (!s) s = read_number(L, "facts", "narrow_lines", 0, &narrow_lines, error);
    if (!s) s = read_number(L, "facts", "narrow_bytes", 0, &narrow_bytes, error);
    if (!s) s = read_number(L, "facts", "bank_bytes", 0, &bank_bytes, error);
    if (s) return s;
    m->cache.bank_bytes = (unsigned)bank_bytes;
    m->cache.stored_at_once = (unsigned)fmin(at_once, PTL_LINE);
    m->cache.stored_bytes = (unsigned)fmin(stored_bytes, PTL_LINE);
    m->cache.narrow_lines = (unsigned)fmin(narrow_lines, PTL_LINE);
    m->cache.narrow_bytes = (unsigned)fmin(narrow_bytes, PTL_LINE);
    m->cache.handed_alone = ptl_lua_boolean_field(L, 2, "handed_alone", false);
    if (bank_bytes != m->cache.bank_bytes || bank_bytes > PTL_LINE ||
        (m->cache.bank_bytes & (m->cache.bank_bytes - 1)))
        return ptl_fail(error, PTL_BAD_INPUT, "bank_bytes", NULL, "a bank has 1, 2, 4, ... %d bytes",
                        PTL_LINE);
    return s;
}

/* {plain =, framed =, moved =, stack =, indexed =, other_base =, inside =, in_place = cycles, later = cycles,
 * chained = cycles} of the facts at 2: for what a core renames memory in one kind of code. */
static ptl_status read_renaming(lua_State* L, const char* name, ptl_memory_renaming* r, ptl_error* error) {
    ptl_status s = PTL_OK;
    *r = PTL_MEMORY_RENAMED;
    r->indexed = r->other_base = r->inside = true;
    if (ptl_lua_field(L, 2, name) == LUA_TTABLE) {
        r->plain = ptl_lua_boolean_field(L, -1, "plain", r->plain);
        r->framed = ptl_lua_boolean_field(L, -1, "framed", r->framed);
        r->moved = ptl_lua_boolean_field(L, -1, "moved", r->moved);
        r->stack = ptl_lua_boolean_field(L, -1, "stack", r->stack);
        r->indexed = ptl_lua_boolean_field(L, -1, "indexed", r->indexed);
        r->other_base = ptl_lua_boolean_field(L, -1, "other_base", r->other_base);
        r->inside = ptl_lua_boolean_field(L, -1, "inside", r->inside);
        s = read_number(L, name, "in_place", 0, &r->in_place, error);
        if (!s) s = read_number(L, name, "chained", 0, &r->chained, error);
        if (!s) s = read_number(L, name, "later", 0, &r->later, error);
    }
    lua_pop(L, 1);
    return s;
}

/* One of the costs in the table on top. */
static ptl_status read_shape(lua_State* L, const char* name, uint32_t unit_count, ptl_shape_cost* cost,
                             ptl_error* error) {
    double unit = 0;
    ptl_status s = PTL_OK;
    if (ptl_lua_field(L, -1, name) == LUA_TTABLE) {
        s = read_number(L, name, "unit", 0, &unit, error);
        if (!s) s = read_number(L, name, "cycles", 0, &cost->unit_cycles, error);
        if (!s) s = read_number(L, name, "later", 0, &cost->later, error);
        if (!s) s = read_number(L, name, "later_by_index", cost->later, &cost->later_by_index, error);
        if (!s && unit >= 1 && unit <= unit_count) cost->unit = (uint32_t)unit - 1;
    }
    lua_pop(L, 1);
    return s;
}

/* { relative = {unit = number, cycles =, later =, later_by_index =}, scaled =, high = }: of shapes that cost
 * more than their schemes. */
static ptl_status read_shapes(lua_State* L, ptl_block_model* m, ptl_error* error) {
    static const char* const names[PTL_SHAPES] = {"plain",  "relative",      "scaled",
                                                  "summed", "summed_scaled", "high"};
    ptl_status s = PTL_OK;
    if (ptl_lua_field(L, 2, "shapes") != LUA_TTABLE) return s;
    for (ptl_shape k = 0; !s && k < PTL_SHAPES; k++)
        s = read_shape(L, names[k], m->unit_count, &m->shapes[k], error);
    return s ? s : read_shape(L, "awaited", m->unit_count, &m->awaited, error);
}

static ptl_status read_model(lua_State* L, const ptl_mapping* mapping, ptl_block_model* m, ptl_error* error) {
    ptl_status s = ptl_block_model_new(m, mapping, count_stand_ins(L), error);
    if (s) return s;
    lua_pushvalue(L, 2);
    s = read_number(L, "facts", "taken_branch", 0, &m->taken_branch, error);
    if (!s) s = read_number(L, "facts", "blocked", 0, &m->blocked, error);
    if (!s) s = read_number(L, "facts", "load_cycles", 0, &m->load_cycles, error);
    if (!s) s = read_number(L, "facts", "late_flags", 0, &m->late_flags, error);
    if (!s) s = read_number(L, "facts", "late_sums", 0, &m->late_sums, error);
    if (!s) s = read_number(L, "facts", "stack_sync", 0, &m->stack_sync, error);
    if (!s) s = read_memory(L, m, error);
    if (!s) s = read_renaming(L, "in_loops", &m->renaming[PTL_CODE_LOOP], error);
    if (!s) s = read_renaming(L, "in_straight_code", &m->renaming[PTL_CODE_STRAIGHT], error);
    if (s) return s;
    m->load_ports = read_ports(L, "load_ports", mapping);
    m->add_ports = read_ports(L, "add_ports", mapping);
    if (ptl_lua_field(L, 2, "units") == LUA_TTABLE) {
        size_t n = ptl_lua_length(L, -1);
        luaL_argcheck(L, n <= PTL_UNITS_MAX, 2, "too many units");
        m->unit_count = (uint32_t)n;
    }
    s = read_shapes(L, m, error);
    if (!s) s = read_schemes(L, m, error);
    return s ? s : read_stand_ins(L, m, error);
}

/* model(mapping, {schemes = {name = {latencies = {{from =, to =, cycles =, same =, independent =}, ...},
 * other_value =, other_address = (cycles of other pairs), unit = number, unit_cycles =, indexed_slots =,
 * idiom =, gives_late =, takes_late =, is_sum =, fuses = {mnemonics}}}, units = {names}, taken_branch =
 * cycles, blocked = cycles, load_cycles = (of a plain load), bank_loads =, stored_lines = (a cycle),
 * stored_at_once =, stored_bytes =, bank_bytes =, held_up =, held_up_from_start =, narrow_stall = (cycles),
 * narrow_lines =, narrow_bytes =, handed_alone = boolean, late_flags = cycles, late_sums = cycles, stack_sync
 * = cycles, in_loops
 * =, in_straight_code = (see read_renaming), shapes = (see read_shapes), load_ports = {names}, add_ports =
 * {names}, stand_ins = {name = name of the scheme that it is taken for}}) -> model | nil, message, status. */
int ptl_lua_block_model_new(lua_State* L) {
    ptl_error error;
    ptl_lua_mapping* mapping = ptl_lua_check_mapping(L, 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    luaL_checkstack(L, 20, NULL);
    ptl_lua_block_model* m = ptl_lua_new(L, &ptl_lua_block_model_class, sizeof *m, PTL_LUA_MODEL_VALUES);
    int self = lua_gettop(L);
    lua_pushvalue(L, 1);
    lua_setiuservalue(L, self, PTL_LUA_MODEL_MAPPING);
    m->work = PTL_BLOCK_WORK_EMPTY;
    if (read_model(L, &mapping->mapping, &m->model, &error)) return ptl_lua_failure(L, &error);
    lua_settop(L, self);
    ptl_lua_field(L, 2, "units");
    lua_setiuservalue(L, self, PTL_LUA_MODEL_UNITS);
    return 1;
}
