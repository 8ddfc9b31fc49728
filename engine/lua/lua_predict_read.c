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

/* A number of the field of the table at index, or `otherwise`. `where`: for the message. */
static double read_number(lua_State* L, int index, const char* where, const char* field, double otherwise) {
    int type = ptl_lua_field(L, index, field);
    double number = type == LUA_TNIL ? otherwise : lua_tonumber(L, -1);
    bool right = type == LUA_TNIL || (type == LUA_TNUMBER && number >= 0 && number <= PTL_LATENCY_MAX);
    lua_pop(L, 1);
    if (!right)
        ptl_lua_bad(L, where, NULL, "'%s' must be a number of cycles from 0 to %.0f", field, PTL_LATENCY_MAX);
    return number;
}

static unsigned read_bytes(lua_State* L, const char* field) {
    return (unsigned)fmin(read_number(L, 2, "facts", field, 0), PTL_LINE);
}

static uint8_t read_place(lua_State* L, int index, const char* where, const ptl_architecture* a,
                          const char* name) {
    const char* text = ptl_lua_text_field(L, index, name);
    uint8_t place = text ? ptl_place_number(a, text) : PTL_NO_PLACE;
    if (place == PTL_NO_PLACE)
        ptl_lua_bad(L, where, "write one as \"2\", \"2.base\", \"cf\"", "'%s' is no place", name);
    return place;
}

/* { from =, to =, cycles =, same =, independent = } on top. */
static ptl_latency read_latency(lua_State* L, const char* where, const ptl_architecture* a) {
    if (!lua_istable(L, -1)) ptl_lua_bad(L, where, NULL, "a latency must be a table");
    int at = lua_gettop(L);
    ptl_latency l = {.from = read_place(L, at, where, a, "from"),
                     .to = read_place(L, at, where, a, "to"),
                     .cycles = read_number(L, at, where, "cycles", -1),
                     .same = read_number(L, at, where, "same", -1),
                     .independent = ptl_lua_boolean_field(L, at, "independent", false)};
    l.has_same = l.same >= 0;
    return l;
}

/* The list of the field `latencies`, in memory that is pushed. */
static void read_latencies(lua_State* L, int index, const char* where, const ptl_architecture* a,
                           ptl_block_facts* f) {
    if (ptl_lua_field(L, index, "latencies") == LUA_TNIL) return;
    if (!lua_istable(L, -1) || lua_rawlen(L, -1) > PTL_LATENCIES_MAX)
        ptl_lua_bad(L, where, NULL, "'latencies' must be a list of at most %d", PTL_LATENCIES_MAX);
    f->latency_count = (uint32_t)lua_rawlen(L, -1);
    ptl_latency* list = lua_newuserdatauv(L, (f->latency_count + 1) * sizeof *list, 0);
    f->latencies = list;
    for (uint32_t i = 0; i < f->latency_count; i++) {
        lua_rawgeti(L, -2, (lua_Integer)i + 1);
        list[i] = read_latency(L, where, a);
        lua_pop(L, 1);
    }
}

/* The list of mnemonics of the field `fuses`, which keeps them alive, in memory that is pushed. */
static void read_fused(lua_State* L, int index, const char* where, ptl_block_facts* f) {
    if (ptl_lua_field(L, index, "fuses") == LUA_TNIL) return;
    if (!lua_istable(L, -1) || lua_rawlen(L, -1) > PTL_FUSED_MAX)
        ptl_lua_bad(L, where, NULL, "'fuses' must be a list of at most %d mnemonics", PTL_FUSED_MAX);
    f->fused_count = (uint32_t)lua_rawlen(L, -1);
    const char** words = lua_newuserdatauv(L, (f->fused_count + 1) * sizeof *words, 0);
    f->fused = words;
    for (uint32_t i = 0; i < f->fused_count; i++)
        if (!(words[i] = ptl_lua_text_item(L, -2, (lua_Integer)i + 1)))
            ptl_lua_bad(L, where, NULL, "'fuses' must be a list of mnemonics");
}

/* The scheme that the field `other_form` names. */
static uint32_t read_other_form(lua_State* L, int index, const char* where, const ptl_block_model* m) {
    const char* name = ptl_lua_text_field(L, index, "other_form");
    uint32_t scheme = name ? ptl_block_model_find(m, name) : PTL_NO_SCHEME;
    bool right = scheme != PTL_NO_SCHEME || ptl_lua_field(L, index, "other_form") == LUA_TNIL;
    if (!right) ptl_lua_bad(L, where, NULL, "'other_form' must be a scheme of the mapping");
    return scheme;
}

/* The scheme's table at index. What is pushed owns its lists. */
static ptl_block_facts read_facts(lua_State* L, int index, const char* where, const ptl_block_model* m) {
    ptl_block_facts f = PTL_BLOCK_FACTS_NONE;
    if (!lua_istable(L, index)) ptl_lua_bad(L, where, NULL, "facts must be a table");
    read_latencies(L, index, where, m->architecture, &f);
    read_fused(L, index, where, &f);
    double unit = read_number(L, index, where, "unit", 0);
    f.unit_cycles = read_number(L, index, where, "unit_cycles", 0);
    f.other_value = read_number(L, index, where, "other_value", -1);
    f.other_address = read_number(L, index, where, "other_address", -1);
    f.indexed_slots = (uint32_t)read_number(L, index, where, "indexed_slots", 0);
    f.gives_late = ptl_lua_boolean_field(L, index, "gives_late", false);
    f.takes_late = ptl_lua_boolean_field(L, index, "takes_late", false);
    f.takes_copy = ptl_lua_boolean_field(L, index, "takes_copy", false);
    f.is_sum = ptl_lua_boolean_field(L, index, "is_sum", false);
    f.idiom = ptl_lua_boolean_field(L, index, "idiom", false);
    f.other_form = read_other_form(L, index, where, m);
    if (unit >= 1) f.unit = (uint32_t)unit - 1;
    return f;
}

/* Reads the tables of all schemes of the field `schemes` of the facts at index 2. */
static void read_schemes(lua_State* L, ptl_block_model* m) {
    if (ptl_lua_field(L, 2, "schemes") == LUA_TNIL) return;
    luaL_checktype(L, -1, LUA_TTABLE);
    int table = lua_gettop(L);
    for (uint32_t i = 0; i < m->mapping->scheme_count; i++) {
        const char* name = m->mapping->schemes[i].name;
        if (ptl_lua_field(L, table, name) != LUA_TNIL) {
            ptl_block_facts facts = read_facts(L, table + 1, name, m);
            ptl_lua_try(L, ptl_block_model_set(m, i, &facts, ptl_lua_error()));
        }
        lua_settop(L, table);
    }
}

static size_t count_stand_ins(lua_State* L) {
    size_t n = 0;
    if (ptl_lua_field(L, 2, "stand_ins") == LUA_TTABLE)
        for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) n++;
    lua_pop(L, 1);
    return n;
}

/* { name = name of a scheme of the mapping } */
static void read_stand_ins(lua_State* L, ptl_block_model* m) {
    if (ptl_lua_field(L, 2, "stand_ins") != LUA_TTABLE) return;
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
        bool names = lua_type(L, -1) == LUA_TSTRING && lua_type(L, -2) == LUA_TSTRING;
        uint32_t scheme = names ? ptl_block_model_find(m, lua_tostring(L, -1)) : PTL_NO_SCHEME;
        if (scheme == PTL_NO_SCHEME) ptl_lua_bad(L, "stand_ins", NULL, "no name of a scheme of the mapping");
        ptl_lua_try(L, ptl_block_model_stand_in(m, lua_tostring(L, -2), scheme, ptl_lua_error()));
    }
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

/* The width of the first cache, of the facts at index 2. */
static void read_memory(lua_State* L, ptl_cache_limits* c) {
    c->bank_loads = read_number(L, 2, "facts", "bank_loads", 0);
    c->crossing_loads = read_number(L, 2, "facts", "crossing_loads", 0);
    c->stored_lines = read_number(L, 2, "facts", "stored_lines", 0);
    c->held_up = read_number(L, 2, "facts", "held_up", 0);
    c->held_up_from_start = read_number(L, 2, "facts", "held_up_from_start", 0);
    c->narrow_stall = read_number(L, 2, "facts", "narrow_stall", 0);
    double bank_bytes = read_number(L, 2, "facts", "bank_bytes", 0);
    c->stored_at_once = read_bytes(L, "stored_at_once");
    c->stored_bytes = read_bytes(L, "stored_bytes");
    c->narrow_lines = read_bytes(L, "narrow_lines");
    c->narrow_bytes = read_bytes(L, "narrow_bytes");
    c->handed_alone = ptl_lua_boolean_field(L, 2, "handed_alone", false);
    c->bank_bytes = (unsigned)bank_bytes;
    if (bank_bytes != c->bank_bytes || bank_bytes > PTL_LINE || (c->bank_bytes & (c->bank_bytes - 1)))
        ptl_lua_bad(L, "bank_bytes", NULL, "a bank has 1, 2, 4, ... %d bytes", PTL_LINE);
}

/* {plain =, framed =, moved =, stack =, indexed =, other_base =, inside =, in_place = cycles, later = cycles,
 * chained = cycles} of the facts at 2: for what a core renames memory in one kind of code. */
static void read_renaming(lua_State* L, const char* name, ptl_memory_renaming* r) {
    *r = PTL_MEMORY_RENAMED;
    r->indexed = r->other_base = r->inside = true;
    if (ptl_lua_field(L, 2, name) == LUA_TTABLE) {
        r->in_place = read_number(L, -1, name, "in_place", 0);
        r->chained = read_number(L, -1, name, "chained", 0);
        r->later = read_number(L, -1, name, "later", 0);
        r->plain = ptl_lua_boolean_field(L, -1, "plain", r->plain);
        r->framed = ptl_lua_boolean_field(L, -1, "framed", r->framed);
        r->moved = ptl_lua_boolean_field(L, -1, "moved", r->moved);
        r->stack = ptl_lua_boolean_field(L, -1, "stack", r->stack);
        r->indexed = ptl_lua_boolean_field(L, -1, "indexed", r->indexed);
        r->other_base = ptl_lua_boolean_field(L, -1, "other_base", r->other_base);
        r->inside = ptl_lua_boolean_field(L, -1, "inside", r->inside);
    }
    lua_pop(L, 1);
}

/* One of the costs in the table on top. */
static void read_shape(lua_State* L, const char* name, uint32_t unit_count, ptl_shape_cost* cost) {
    if (ptl_lua_field(L, -1, name) == LUA_TTABLE) {
        double unit = read_number(L, -1, name, "unit", 0);
        cost->unit_cycles = read_number(L, -1, name, "cycles", 0);
        cost->later = read_number(L, -1, name, "later", 0);
        cost->later_by_index = read_number(L, -1, name, "later_by_index", cost->later);
        if (unit >= 1 && unit <= unit_count) cost->unit = (uint32_t)unit - 1;
    }
    lua_pop(L, 1);
}

/* { relative = {unit = number, cycles =, later =, later_by_index =}, scaled =, high = }: of shapes that cost
 * more than their schemes. */
static void read_shapes(lua_State* L, ptl_block_model* m) {
    static const char* const names[PTL_SHAPES] = {"plain",  "relative",      "scaled",
                                                  "summed", "summed_scaled", "high"};
    if (ptl_lua_field(L, 2, "shapes") != LUA_TTABLE) return;
    for (ptl_shape k = 0; k < PTL_SHAPES; k++) read_shape(L, names[k], m->unit_count, &m->shapes[k]);
    read_shape(L, "awaited", m->unit_count, &m->awaited);
}

/* { {slots =, cycles =}, ... } of the facts at index 2, ascending. */
static void read_lines(lua_State* L, ptl_block_model* m) {
    if (ptl_lua_field(L, 2, "straight_lines") == LUA_TNIL) return;
    if (!lua_istable(L, -1) || lua_rawlen(L, -1) > PTL_LINE_COSTS_MAX)
        ptl_lua_bad(L, "straight_lines", NULL, "must be a list of at most %d", PTL_LINE_COSTS_MAX);
    m->line_count = (uint32_t)lua_rawlen(L, -1);
    for (uint32_t i = 0; i < m->line_count; i++) {
        if (lua_rawgeti(L, -1, (lua_Integer)i + 1) != LUA_TTABLE)
            ptl_lua_bad(L, "straight_lines", NULL, "a line must be a table");
        int at = lua_gettop(L);
        m->lines[i] = (ptl_line_cost){.slots = read_number(L, at, "straight_lines", "slots", 0),
                                      .cycles = read_number(L, at, "straight_lines", "cycles", 0)};
        if (m->lines[i].slots < (i ? m->lines[i - 1].slots + PTL_LINE_COST_STEP : 1))
            ptl_lua_bad(L, "straight_lines", NULL, "'slots' must ascend from 1");
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static void read_model(lua_State* L, const ptl_mapping* mapping, ptl_block_model* m) {
    ptl_lua_try(L, ptl_block_model_new(m, mapping, count_stand_ins(L), ptl_lua_error()));
    m->taken_branch = read_number(L, 2, "facts", "taken_branch", 0);
    m->blocked = read_number(L, 2, "facts", "blocked", 0);
    m->load_cycles = read_number(L, 2, "facts", "load_cycles", 0);
    m->late_flags = read_number(L, 2, "facts", "late_flags", 0);
    m->late_sums = read_number(L, 2, "facts", "late_sums", 0);
    m->stack_sync = read_number(L, 2, "facts", "stack_sync", 0);
    m->stack_sync_address = read_number(L, 2, "facts", "stack_sync_address", 0);
    read_lines(L, m);
    read_memory(L, &m->cache);
    read_renaming(L, "in_loops", &m->renaming[PTL_CODE_LOOP]);
    read_renaming(L, "in_straight_code", &m->renaming[PTL_CODE_STRAIGHT]);
    m->load_ports = read_ports(L, "load_ports", mapping);
    m->add_ports = read_ports(L, "add_ports", mapping);
    if (ptl_lua_field(L, 2, "units") == LUA_TTABLE) {
        size_t n = ptl_lua_length(L, -1);
        luaL_argcheck(L, n <= PTL_UNITS_MAX, 2, "too many units");
        m->unit_count = (uint32_t)n;
    }
    read_shapes(L, m);
    read_schemes(L, m);
    read_stand_ins(L, m);
}

/* model(mapping, {schemes = {name = {latencies = {{from =, to =, cycles =, same =, independent =}, ...},
 * other_value =, other_address = (cycles of other pairs), unit = number, unit_cycles =, indexed_slots =,
 * idiom =, gives_late =, takes_late =, is_sum =, takes_copy =, fuses = {mnemonics}}}, units = {names},
 * taken_branch = cycles, blocked = cycles, load_cycles = (of a plain load), bank_loads =, stored_lines = (a
 * cycle), stored_at_once =, stored_bytes =, bank_bytes =, held_up =, held_up_from_start =, narrow_stall =
 * (cycles), narrow_lines =, narrow_bytes =, handed_alone = boolean, late_flags = cycles, late_sums = cycles,
 * stack_sync = cycles, stack_sync_address = cycles, straight_lines = {{slots =, cycles =}, ...}, in_loops
 * =, in_straight_code = (see read_renaming), shapes = (see read_shapes), load_ports = {names}, add_ports =
 * {names}, stand_ins = {name = name of the scheme that it is taken for}}) -> model | nil, message, status. */
int ptl_lua_block_model_new(lua_State* L) {
    ptl_lua_mapping* mapping = ptl_lua_check_mapping(L, 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    luaL_checkstack(L, 20, NULL);
    ptl_lua_block_model* m = ptl_lua_new(L, &ptl_lua_block_model_class, sizeof *m, PTL_LUA_MODEL_VALUES);
    int self = lua_gettop(L);
    ptl_lua_keep(L, 1, PTL_LUA_MODEL_MAPPING);
    m->work = PTL_BLOCK_WORK_EMPTY;
    read_model(L, &mapping->mapping, &m->model);
    lua_settop(L, self);
    ptl_lua_field(L, 2, "units");
    lua_setiuservalue(L, self, PTL_LUA_MODEL_UNITS);
    return 1;
}
