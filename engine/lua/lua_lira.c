/* core.smt.lira: both inference queries in the dissertation's own form.
 *
 * As core.smt.search: schemes are numbered from 1, a mapping is a list of integers, one per uop (scheme after
 * scheme), with bit k for port k. In the free form, where numbers of uops are unknown, a mapping is a list of
 * such lists, one per scheme; a uop that a scheme has several times is in its list several times. */
#include <stdlib.h>

#include "base/clock.h"
#include "lua/bind.h"
#include "lua/smt.h"
#include "smt/lira.h"

static const ptl_lua_class lira_class;

static ptl_lira* check_lira(lua_State* L) {
    return *(ptl_lira**)ptl_lua_check(L, 1, &lira_class);
}

/* The set of the search's ports at position i of the list at `list`. */
static uint32_t check_ports(lua_State* L, int index, const ptl_unknown* u, int list, lua_Integer i) {
    lua_Integer ports = ptl_lua_integer_item(L, list, i);
    luaL_argcheck(L, ports > 0 && ports >> u->ports == 0, index, "a uop without a set of ports");
    return (uint32_t)ports;
}

/* The list of one scheme's uops on the top of the stack. */
static size_t check_uops(lua_State* L, int index, const ptl_unknown* u, ptl_known* m, size_t n) {
    luaL_argcheck(L, lua_istable(L, -1), index, "a scheme without a list of uops");
    size_t size = ptl_lua_length(L, -1);
    luaL_argcheck(L, size >= 1 && n + size <= PTL_UNKNOWN_ROWS_MAX, index, "a wrong number of uops");
    for (lua_Integer r = 1; r <= (lua_Integer)size; r++) m->ports[n++] = check_ports(L, index, u, -1, r);
    return n;
}

static ptl_known check_mapping(lua_State* L, int index, const ptl_unknown* u) {
    ptl_known m = {0};
    size_t entries = u->free ? u->schemes : u->rows;
    luaL_checktype(L, index, LUA_TTABLE);
    luaL_argcheck(L, ptl_lua_length(L, index) == entries, index, "mapping with a wrong number of uops");
    for (size_t i = 0, n = 0; i < entries; i++) {
        if (u->free) {
            ptl_lua_item(L, index, (lua_Integer)i + 1);
            m.first[i + 1] = n = check_uops(L, index, u, &m, n);
            lua_pop(L, 1);
        } else {
            m.ports[i] = check_ports(L, index, u, index, (lua_Integer)i + 1);
        }
    }
    for (size_t i = 0; !u->free && i <= u->schemes; i++) m.first[i] = u->uops.first[i];
    return m;
}

static void push_mapping(lua_State* L, const ptl_known* m, const ptl_unknown* u) {
    lua_newtable(L);
    for (size_t i = 0; i < u->schemes; i++) {
        if (u->free) lua_newtable(L);
        for (size_t r = m->first[i]; r < m->first[i + 1]; r++)
            ptl_lua_put_integer(L, (lua_Integer)(u->free ? r - m->first[i] : r) + 1, m->ports[r]);
        if (u->free) lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

/* lira{schemes=, ports=, epsilon=CPI, rmax=IPC, counts={ports per scheme, 0 if unknown}, uops={uops per
 * scheme}, slots={issue slots per scheme}, free=boolean, seed=} -> search. */
int ptl_lua_smt_lira(lua_State* L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    ptl_lua_unknowns u;
    ptl_lua_check_unknowns(L, &u);
    ptl_lira_options o = {.mapping = {.schemes = u.schemes,
                                      .ports = u.ports,
                                      .counts = u.counts,
                                      .uops = u.uops,
                                      .slots = u.slots,
                                      .free = ptl_lua_boolean_field(L, 1, "free", false)},
                          .epsilon = u.epsilon,
                          .rmax = u.rmax,
                          .seed = u.seed};
    ptl_lira** s = ptl_lua_new(L, &lira_class, sizeof *s, 0);
    ptl_lua_try(L, ptl_lira_new(s, &o, ptl_lua_error()));
    return 1;
}

/* s:deadline(seconds from now): queries give up then with the status "limit reached". */
static int l_deadline(lua_State* L) {
    ptl_lira_deadline(check_lira(L), ptl_now() + ptl_lua_check_seconds(L, 2));
    return 0;
}

/* s:observe({[scheme]=copies}, {upper=cycles, {bound=cycles}, ...}) -> true. */
static int l_observe(lua_State* L) {
    ptl_lira* s = check_lira(L);
    ptl_terms terms = ptl_lua_check_terms(L, 2);
    ptl_bounds bounds = ptl_lua_check_bounds(L, 3);
    return ptl_lua_done(L, ptl_lira_observe(s, &terms, &bounds, ptl_lua_error()));
}

/* s:fix{ports of each row, 0 where unknown} -> true. */
static int l_fix(lua_State* L) {
    ptl_lira* s = check_lira(L);
    const ptl_uops* u = &ptl_lira_unknown(s)->uops;
    uint32_t rows[PTL_SCHEMES_MAX] = {0};
    luaL_checktype(L, 2, LUA_TTABLE);
    luaL_argcheck(L, ptl_lua_length(L, 2) == u->rows, 2, "a wrong number of rows");
    ptl_lua_check_ports(L, 2, u->rows, 0, UINT32_MAX, rows); /* too many ports: the search says so */
    return ptl_lua_done(L, ptl_lira_fix(s, rows, ptl_lua_error()));
}

/* s:same(scheme, set of schemes): some uop of the scheme has the ports of one of those with a single uop. */
static int l_same(lua_State* L) {
    ptl_lira* s = check_lira(L);
    size_t scheme = ptl_lua_check_position(L, 2, ptl_lira_unknown(s)->schemes, "no such scheme");
    return ptl_lua_done(L, ptl_lira_same(s, scheme, (uint64_t)luaL_checkinteger(L, 3), ptl_lua_error()));
}

/* s:mapping() -> mapping, 0 (what it costs: nothing here has a price); or false if none admits the
 * observations. */
static int l_mapping(lua_State* L) {
    ptl_lira* s = check_lira(L);
    ptl_known mapping;
    bool found;
    ptl_lua_try(L, ptl_lira_mapping(s, &found, &mapping, ptl_lua_error()));
    if (!found) return ptl_lua_boolean(L, false);
    push_mapping(L, &mapping, ptl_lira_unknown(s));
    lua_pushinteger(L, 0);
    return 2;
}

/* s:other(mapping[, max_length]) -> another mapping, an experiment {[scheme]=copies} of at most that many
 * instructions (0: any number) that tells them apart; or false. */
static int l_other(lua_State* L) {
    ptl_lira* s = check_lira(L);
    ptl_known mapping = check_mapping(L, 2, ptl_lira_unknown(s)), other;
    lua_Integer length = luaL_optinteger(L, 3, 0);
    bool found;
    ptl_terms terms;
    ptl_lua_try(L, ptl_lira_other(s, &mapping, length > 0 ? (size_t)length : 0, &found, &other, &terms,
                                  ptl_lua_error()));
    if (!found) return ptl_lua_boolean(L, false);
    push_mapping(L, &other, ptl_lira_unknown(s));
    ptl_lua_push_terms(L, &terms);
    return 2;
}

/* s:conflict() -> numbers (from 1) of a minimal set of observations that no mapping admits; empty if there is
 * none. */
static int l_conflict(lua_State* L) {
    ptl_lira* s = check_lira(L);
    size_t n = 0, *which = lua_newuserdatauv(L, (ptl_lira_observations(s) + 1) * sizeof *which, 0);
    ptl_lua_try(L, ptl_lira_conflict(s, which, &n, ptl_lua_error()));
    return ptl_lua_push_indices(L, which, n);
}

/* s:text([mapping[, max_length]]) -> what s:other (without a mapping: s:mapping) asks, as SMT-LIB 2. */
static int l_text(lua_State* L) {
    ptl_lira* s = check_lira(L);
    bool given = !lua_isnoneornil(L, 2);
    ptl_known mapping = given ? check_mapping(L, 2, ptl_lira_unknown(s)) : (ptl_known){0};
    lua_Integer length = luaL_optinteger(L, 3, 0);
    void** text = ptl_lua_memory(L);
    if (!(*text = ptl_lira_text(s, given ? &mapping : NULL, length > 0 ? (size_t)length : 0)))
        return luaL_error(L, "no memory");
    lua_pushstring(L, *text);
    return 1;
}

/* s:statistics() -> {observations=, seconds= in the solver, checks=}. */
static int l_statistics(lua_State* L) {
    ptl_lira* s = check_lira(L);
    lua_createtable(L, 0, 3);
    ptl_lua_set_integer(L, "observations", (lua_Integer)ptl_lira_observations(s));
    ptl_lua_set_number(L, "seconds", ptl_lira_seconds(s));
    ptl_lua_set_integer(L, "checks", (lua_Integer)ptl_lira_checks(s));
    return 1;
}

static const luaL_Reg methods[] = {
    {"deadline", l_deadline},     {"observe", l_observe}, {"fix", l_fix},           {"same", l_same},
    {"mapping", l_mapping},       {"other", l_other},     {"conflict", l_conflict}, {"text", l_text},
    {"statistics", l_statistics}, {NULL, NULL},
};

static void free_lira(void* object) {
    ptl_lira_free(*(ptl_lira**)object);
}

static const ptl_lua_class lira_class = {
    .name = "portolan.lira", .what = "search", .free = free_lira, .methods = methods, .close = "close"};
