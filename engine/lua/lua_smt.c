/* core.smt: inference queries over union cardinalities.
 *
 * Schemes are numbered from 1; a set of schemes is an integer with bit i - 1 for scheme i. A mapping is a
 * list of integers, one per scheme, with bit k for port k. */
#include <stdlib.h>

#include "base/clock.h"
#include "lua/bind.h"
#include "lua/smt.h"
#include "smt/search.h"

static const ptl_lua_class search_class;

static ptl_search* check_search(lua_State* L) {
    return *(ptl_search**)ptl_lua_check(L, 1, &search_class);
}

/* The numbers in the list at index, from low to high, up to PTL_SCHEMES_MAX of them: how many there are. */
static size_t check_rows(lua_State* L, int index, lua_Integer low, lua_Integer high, uint32_t* rows) {
    luaL_checktype(L, index, LUA_TTABLE);
    size_t n = ptl_lua_length(L, index);
    luaL_argcheck(L, n >= 1 && n <= PTL_SCHEMES_MAX, index, "mapping with a wrong number of schemes");
    ptl_lua_check_ports(L, index, n, low, high, rows);
    return n;
}

static size_t check_any_mapping(lua_State* L, int index, uint32_t* mapping) {
    return check_rows(L, index, 1, UINT32_MAX, mapping);
}

static lua_Integer all_ports(const ptl_search* s) {
    return ((lua_Integer)1 << ptl_search_ports(s)) - 1;
}

/* A mapping of the search's uops to its ports. */
static size_t check_mapping(lua_State* L, int index, const ptl_search* s, uint32_t* mapping) {
    size_t n = check_rows(L, index, 1, all_ports(s), mapping);
    luaL_argcheck(L, n == ptl_search_rows(s), index, "mapping with a wrong number of uops");
    return n;
}

/* The set of the search's uops at index: at least one. */
static uint64_t check_set(lua_State* L, int index, const ptl_search* s) {
    uint64_t set = (uint64_t)luaL_checkinteger(L, index), all = UINT64_MAX >> (64 - ptl_search_rows(s));
    luaL_argcheck(L, set && !(set & ~all), index, "not a set of schemes of this search");
    return set;
}

/* A number of ports that a set may have, or one more than there can be. */
static unsigned check_count(lua_State* L, int index) {
    return (unsigned)ptl_lua_within(L, index, 0, PTL_CANDIDATE_PORTS_MAX + 1, "out of range");
}

/* search{schemes=, ports=, epsilon=CPI, rmax=IPC, counts={ports per scheme, 0 if unknown}, uops={uops per
 * scheme}, slots={issue slots per scheme}, slack=, seed=} -> search. */
static int l_search(lua_State* L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_Integer slack =
        ptl_lua_range_field(L, 1, "slack", 0, 0, 1000000, "option 'slack' must be from 0 to 1e6");
    ptl_lua_unknowns u;
    ptl_lua_check_unknowns(L, &u);
    ptl_search_options o = {.schemes = u.schemes,
                            .ports = u.ports,
                            .epsilon = u.epsilon,
                            .rmax = u.rmax,
                            .counts = u.counts,
                            .uops = u.uops,
                            .slots = u.slots,
                            .slack = (unsigned)slack,
                            .seed = u.seed};
    ptl_search** s = ptl_lua_new(L, &search_class, sizeof *s, 0);
    ptl_lua_try(L, ptl_search_new(s, &o, ptl_lua_error()));
    return 1;
}

/* s:deadline(seconds from now): queries give up then with the status "limit". */
static int l_deadline(lua_State* L) {
    ptl_search_deadline(check_search(L), ptl_now() + ptl_lua_check_seconds(L, 2));
    return 0;
}

/* s:observe({[scheme]=copies}, {upper=cycles, {bound=cycles, weight=}, ...}) -> true. Highest lower bound
 * first. */
static int l_observe(lua_State* L) {
    ptl_search* s = check_search(L);
    ptl_terms terms = ptl_lua_check_terms(L, 2);
    ptl_bounds bounds = ptl_lua_check_bounds(L, 3);
    return ptl_lua_done(L, ptl_search_observe(s, &terms, &bounds, ptl_lua_error()));
}

/* s:mapping() -> mapping, cost; or false if none admits the observations. */
static int l_mapping(lua_State* L) {
    ptl_search* s = check_search(L);
    uint32_t mapping[PTL_SCHEMES_MAX];
    bool found;
    unsigned cost;
    ptl_lua_try(L, ptl_search_mapping(s, &found, mapping, &cost, ptl_lua_error()));
    if (!found) return ptl_lua_boolean(L, false);
    ptl_lua_push_words(L, mapping, ptl_search_rows(s));
    lua_pushinteger(L, cost);
    return 2;
}

/* s:other(mapping[, max_size[, among]]) -> another mapping, the set that tells them apart; or false. */
static int l_other(lua_State* L) {
    ptl_search* s = check_search(L);
    uint32_t mapping[PTL_SCHEMES_MAX], other[PTL_SCHEMES_MAX];
    size_t n = check_mapping(L, 2, s, mapping);
    lua_Integer size = luaL_optinteger(L, 3, 0);
    uint64_t among = lua_isnoneornil(L, 4) ? UINT64_MAX : check_set(L, 4, s);
    bool found;
    uint64_t set;
    ptl_lua_try(L, ptl_search_other(s, mapping, size > 0 ? (size_t)size : 0, among, &found, other, &set,
                                    ptl_lua_error()));
    if (!found) return ptl_lua_boolean(L, false);
    ptl_lua_push_words(L, other, n);
    lua_pushinteger(L, (lua_Integer)set);
    return 2;
}

/* s:tell(mapping) -> another mapping, an experiment {[scheme]=copies} that tells them apart; or false. */
static int l_tell(lua_State* L) {
    ptl_search* s = check_search(L);
    uint32_t mapping[PTL_SCHEMES_MAX], other[PTL_SCHEMES_MAX];
    size_t n = check_mapping(L, 2, s, mapping);
    bool found;
    ptl_terms terms;
    ptl_lua_try(L, ptl_search_tell(s, mapping, &found, other, &terms, ptl_lua_error()));
    if (!found) return ptl_lua_boolean(L, false);
    ptl_lua_push_words(L, other, n);
    ptl_lua_push_terms(L, &terms);
    return 2;
}

/* s:same(scheme, set of schemes): some uop of the scheme has the ports of one of those with a single uop. */
static int l_same(lua_State* L) {
    ptl_search* s = check_search(L);
    size_t scheme = ptl_lua_check_position(L, 2, ptl_search_schemes(s), "no such scheme");
    return ptl_lua_done(L, ptl_search_same(s, scheme, (uint64_t)luaL_checkinteger(L, 3), ptl_lua_error()));
}

/* s:possible(set, low, high) -> a mapping of least cost with low <= c(set) <= high, or false. */
static int l_possible(lua_State* L) {
    ptl_search* s = check_search(L);
    uint32_t mapping[PTL_SCHEMES_MAX];
    bool found;
    ptl_lua_try(L, ptl_search_possible(s, check_set(L, 2, s), check_count(L, 3), check_count(L, 4), &found,
                                       mapping, ptl_lua_error()));
    if (!found) return ptl_lua_boolean(L, false);
    ptl_lua_push_words(L, mapping, ptl_search_rows(s));
    return 1;
}

/* s:fix{ports of each row, 0 where unknown}: see ptl_columns_fix. */
static int l_fix(lua_State* L) {
    ptl_search* s = check_search(L);
    uint32_t rows[PTL_SCHEMES_MAX] = {0};
    size_t n = check_rows(L, 2, 0, UINT32_MAX, rows); /* too many ports: the search says so */
    luaL_argcheck(L, n == ptl_search_rows(s), 2, "a wrong number of rows");
    return ptl_lua_done(L, ptl_search_fix(s, rows, ptl_lua_error()));
}

/* s:suppose(set, low, high): from now on only mappings with low <= c(set) <= high. */
static int l_suppose(lua_State* L) {
    ptl_search* s = check_search(L);
    ptl_search_suppose(s, check_set(L, 2, s), check_count(L, 3), check_count(L, 4));
    return 0;
}

/* s:supposed() -> how many suppositions there are. */
static int l_supposed(lua_State* L) {
    return ptl_lua_integer(L, (lua_Integer)ptl_search_supposed(check_search(L)));
}

/* s:forget(depth): drops the newest suppositions until that many are left. */
static int l_forget(lua_State* L) {
    ptl_search* s = check_search(L);
    ptl_search_forget(s, (size_t)ptl_lua_within(L, 2, 0, LUA_MAXINTEGER, "must not be negative"));
    return 0;
}

/* s:conflict() -> numbers (from 1) of a minimal set of observations that no mapping admits; empty if there is
 * none. */
static int l_conflict(lua_State* L) {
    ptl_search* s = check_search(L);
    size_t n = 0, *which = lua_newuserdatauv(L, (ptl_search_observations(s) + 1) * sizeof *which, 0);
    ptl_lua_try(L, ptl_search_conflict(s, which, &n, ptl_lua_error()));
    return ptl_lua_push_indices(L, which, n);
}

/* s:text(mapping[, max_size]) -> what s:other would ask, as SMT-LIB 2. */
static int l_text(lua_State* L) {
    ptl_search* s = check_search(L);
    uint32_t mapping[PTL_SCHEMES_MAX];
    check_mapping(L, 2, s, mapping);
    lua_Integer size = luaL_optinteger(L, 3, 0);
    void** text = ptl_lua_memory(L);
    if (!(*text = ptl_search_text(s, mapping, size > 0 ? (size_t)size : 0)))
        return luaL_error(L, "no memory");
    lua_pushstring(L, *text);
    return 1;
}

/* s:statistics() -> {observations=, seconds= in the solver, checks=, undecided=}. */
static int l_statistics(lua_State* L) {
    ptl_search* s = check_search(L);
    lua_createtable(L, 0, 3);
    ptl_lua_set_integer(L, "observations", (lua_Integer)ptl_search_observations(s));
    ptl_lua_set_number(L, "seconds", ptl_search_seconds(s));
    ptl_lua_set_integer(L, "checks", (lua_Integer)ptl_search_checks(s));
    ptl_lua_set_integer(L, "undecided", (lua_Integer)ptl_search_undecided(s));
    return 1;
}

/* cycles(mapping, {[scheme]=copies}) -> inverse throughput in cycles, without any limit of the front end. */
static int l_cycles(lua_State* L) {
    uint32_t mapping[PTL_SCHEMES_MAX];
    size_t n = check_any_mapping(L, 1, mapping);
    ptl_terms t = ptl_lua_check_terms(L, 2);
    luaL_argcheck(L, t.count <= PTL_TERMS_MAX, 2, "too many schemes in one experiment");
    for (size_t k = 0; k < t.count; k++) luaL_argcheck(L, t.scheme[k] < n, 2, "no such scheme");
    return ptl_lua_number(L, ptl_candidate_cycles(mapping, &t));
}

/* union(mapping, set) -> c(set), the number of ports that run at least one scheme of the set. */
static int l_union(lua_State* L) {
    uint32_t mapping[PTL_SCHEMES_MAX] = {0};
    check_any_mapping(L, 1, mapping);
    return ptl_lua_integer(L, ptl_union_ports(mapping, (uint64_t)luaL_checkinteger(L, 2)));
}

static const luaL_Reg methods[] = {
    {"deadline", l_deadline},
    {"observe", l_observe},
    {"mapping", l_mapping},
    {"other", l_other},
    {"tell", l_tell},
    {"same", l_same},
    {"possible", l_possible},
    {"fix", l_fix},
    {"suppose", l_suppose},
    {"supposed", l_supposed},
    {"forget", l_forget},
    {"conflict", l_conflict},
    {"text", l_text},
    {"statistics", l_statistics},
    {NULL, NULL},
};

static void free_search(void* object) {
    ptl_search_free(*(ptl_search**)object);
}

static const ptl_lua_class search_class = {
    .name = "portolan.search", .what = "search", .free = free_search, .methods = methods, .close = "close"};

static const luaL_Reg functions[] = {
    {"search", l_search},
    {"cycles", l_cycles},
    {"union", l_union},
    {"lira", ptl_lua_smt_lira},
    {"alone", ptl_lua_smt_alone},
    {"subsumes", ptl_lua_smt_subsumes},
    {NULL, NULL},
};

int ptl_open_smt(lua_State* L) {
    lua_newtable(L);
    ptl_lua_functions(L, functions);
    return 1;
}
