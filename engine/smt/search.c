#include "smt/search.h"

#include <stdlib.h>
#include <string.h>

#include "smt/conflict.h"
#include "smt/lazy.h"
#include "smt/search_state.h"

static ptl_status set_up(ptl_search* s, const ptl_search_options* o, ptl_error* error) {
    ptl_status status = ptl_uops_set(&s->uops, o->schemes, o->uops, o->slots, error);
    if (!status) status = ptl_z3_new(&s->z, o->seed, error);
    if (status) return status;
    s->two_level = s->uops.rows == o->schemes;
    for (size_t i = 0; o->counts && i < o->schemes; i++) s->counts[s->uops.first[i]] = o->counts[i];
    s->cost.z = s->z;
    status = ptl_columns_new(&s->columns, s->z, &s->arena, s->uops.rows, o->ports, s->options.counts, error);
    if (status) return status;
    ptl_uops_order(&s->uops, &s->columns);
    status = ptl_loose_new(&s->loose, &s->columns, &s->uops, error);
    if (status) return status;
    s->tell = (ptl_tell){.columns = &s->columns,
                         .uops = &s->uops,
                         .loose = &s->loose,
                         .epsilon = o->epsilon,
                         .rmax = o->rmax,
                         .seed = o->seed};
    return s->two_level ? ptl_select_new(&s->select, &s->columns, o->epsilon, o->rmax, error) : PTL_OK;
}

ptl_status ptl_search_new(ptl_search** out, const ptl_search_options* o, ptl_error* error) {
    *out = NULL;
    ptl_status status = ptl_uops_check(o->schemes, o->ports, o->counts, o->uops, error);
    if (status) return status;
    ptl_search* s = calloc(1, sizeof *s);
    if (!s) return ptl_no_memory_in(error, "search");
    s->options = *o;
    s->options.counts = s->counts;
    s->options.uops = s->options.slots = NULL; /* in s->uops */
    status = set_up(s, o, error);
    if (status) {
        ptl_search_free(s);
        return status;
    }
    *out = s;
    return PTL_OK;
}

void ptl_search_free(ptl_search* s) {
    if (!s) return;
    ptl_cost_free(&s->cost);
    ptl_demand_free(&s->demand);
    ptl_loose_free(&s->loose);
    ptl_columns_free(&s->columns);
    ptl_z3_free(s->z);
    ptl_arena_release(&s->arena);
    free(s->observed.list);
    free(s->supposed);
    free(s);
}

void ptl_search_deadline(ptl_search* s, double when) {
    s->deadline = when;
    ptl_z3_deadline(s->z, when);
}

ptl_status ptl_search_observe(ptl_search* s, const ptl_terms* terms, const ptl_bounds* bounds,
                              ptl_error* error) {
    ptl_status status = ptl_observed_check(terms, s->options.schemes, error);
    if (!status) status = ptl_observed_add(&s->observed, terms, bounds, error);
    if (status) return status;
    s->lazy += !ptl_uops_few(&s->uops, terms, &(ptl_terms){0});
    return ptl_observe_uops(&s->columns, &s->uops, &s->cost, terms, bounds, 0, error);
}

/* Does the mapping admit all observations, and at what cost? */
static ptl_status admitted(ptl_search* s, const uint32_t* mapping, bool* yes, unsigned* cost,
                           ptl_error* error) {
    *cost = 0;
    *yes = true;
    for (size_t k = s->observed.count; k-- > 0 && *yes;) { /* the newest are the most telling */
        unsigned one;
        double t;
        const ptl_observation* o = &s->observed.list[k];
        ptl_status status = ptl_uops_cycles(&s->uops, mapping, &o->terms, &s->demand, &t, error);
        if (status) return status;
        *yes = ptl_bounds_admit(&o->bounds, t, &one);
        *cost += one;
    }
    return PTL_OK;
}

size_t ptl_search_bytes(const ptl_search* s) {
    return s->uops.rows * sizeof(uint32_t);
}

void ptl_search_remember(ptl_search* s, const uint32_t* mapping) {
    size_t room = sizeof s->recent / sizeof *s->recent;
    memmove(s->recent[1], s->recent[0], (room - 1) * sizeof *s->recent);
    memcpy(s->recent[0], mapping, ptl_search_bytes(s));
    if (s->recents < room) s->recents++;
}

ptl_literal* ptl_search_assumptions(const ptl_search* s, size_t n, size_t* count) {
    ptl_literal* a = malloc((s->supposals + n + 1) * sizeof *a);
    if (a && s->supposals) memcpy(a, s->supposed, s->supposals * sizeof *a);
    *count = s->supposals;
    return a;
}

ptl_status ptl_search_check(ptl_search* s, const ptl_literal* a, size_t n, bool* sat, uint32_t* mapping,
                            ptl_error* error) {
    for (;;) {
        bool clean = true;
        ptl_status status = ptl_z3_check(s->z, a, n, sat, error);
        if (status || !*sat) return status;
        ptl_columns_read(&s->columns, mapping);
        if (s->lazy)
            status = ptl_observe_refine(&s->loose, s->observed.list, s->observed.count, NULL, mapping,
                                        &s->demand, &clean, error);
        if (status || clean) return status;
    }
}

/* One check with the standing assumptions and one more (0: none). */
static ptl_status ask(ptl_search* s, ptl_literal more, bool* sat, uint32_t* mapping, ptl_error* error) {
    size_t n;
    ptl_literal* a = ptl_search_assumptions(s, 1, &n);
    if (!a) return ptl_no_memory_in(error, "query");
    if (more) a[n++] = more;
    ptl_status status = ptl_search_check(s, a, n, sat, mapping, error);
    free(a);
    return status;
}

/* A mapping of that cost at most, from the solver. */
static ptl_status mapping_within(ptl_search* s, unsigned limit, bool* found, uint32_t* mapping,
                                 unsigned* cost, ptl_error* error) {
    bool fits;
    ptl_status status = ask(s, ptl_cost_within(&s->cost, limit), found, mapping, error);
    if (!status && *found) status = admitted(s, mapping, &fits, cost, error);
    if (status || !*found) return status;
    if (!fits || *cost > limit)
        return ptl_fail(error, PTL_INTERNAL, "query", NULL, "clauses and formula disagree");
    return PTL_OK;
}

/* The cheapest of the mappings seen last that admit all observations, if any. */
static ptl_status recent_mapping(ptl_search* s, bool* found, uint32_t* mapping, unsigned* cost,
                                 ptl_error* error) {
    *found = false;
    for (size_t k = 0; k < s->recents && s->supposals == 0; k++) {
        bool fits;
        unsigned c;
        ptl_status status = admitted(s, s->recent[k], &fits, &c, error);
        if (status) return status;
        if (!fits || (*found && c >= *cost)) continue;
        *found = true;
        *cost = c;
        memcpy(mapping, s->recent[k], ptl_search_bytes(s));
    }
    return PTL_OK;
}

typedef struct question {
    ptl_search* search;
    uint32_t* mapping; /* of the last check that found one */
} question;

static ptl_status check_for_cost(void* context, const ptl_literal* a, size_t n, bool* sat, ptl_error* error) {
    question* q = context;
    return ptl_search_check(q->search, a, n, sat, q->mapping, error);
}

/* The cheapest of all, from the solver. *found is false if there is none at any cost: that is asked first, as
 * no price has a part in it. */
static ptl_status cheapest_mapping(ptl_search* s, bool* found, uint32_t* mapping, unsigned* cost,
                                   ptl_error* error) {
    bool fits;
    ptl_status status = ask(s, 0, found, mapping, error);
    if (!status && *found)
        status = ptl_cost_minimise(&s->cost, check_for_cost, &(question){s, mapping}, found, error);
    if (!status && *found) status = admitted(s, mapping, &fits, cost, error);
    if (status || !*found) return status;
    if (!fits || *cost != s->cost.least)
        return ptl_fail(error, PTL_INTERNAL, "query", NULL, "clauses and formula disagree");
    return PTL_OK;
}

/* The cheapest of those that are supposed: any, then cheaper ones. */
static ptl_status supposed_mapping(ptl_search* s, bool* found, uint32_t* mapping, unsigned* cost,
                                   ptl_error* error) {
    bool fits, cheaper;
    ptl_status status = ask(s, 0, found, mapping, error);
    if (status || !*found) return status;
    status = admitted(s, mapping, &fits, cost, error);
    while (!status && *cost > s->cost.least) {
        uint32_t better[PTL_SCHEMES_MAX];
        status = mapping_within(s, *cost - 1, &cheaper, better, cost, error);
        if (status || !cheaper) break;
        memcpy(mapping, better, ptl_search_bytes(s));
    }
    return status;
}

ptl_status ptl_search_mapping(ptl_search* s, bool* found, uint32_t* mapping, unsigned* cost,
                              ptl_error* error) {
    *cost = 0;
    if (s->supposals) return supposed_mapping(s, found, mapping, cost, error);
    /* More observations never make a mapping cheaper: at the last known least cost none is better. */
    ptl_status status = recent_mapping(s, found, mapping, cost, error);
    if (!status && (!*found || *cost > s->cost.least))
        status = cheapest_mapping(s, found, mapping, cost, error);
    if (status || !*found) return status;
    s->least_cost = *cost;
    ptl_search_remember(s, mapping);
    return PTL_OK;
}

size_t ptl_search_undecided(const ptl_search* s) {
    return s->undecided;
}

ptl_status ptl_search_same(ptl_search* s, size_t scheme, uint64_t among, ptl_error* error) {
    size_t room = sizeof s->same / sizeof *s->same;
    if (s->sames == room)
        return ptl_fail(error, PTL_BAD_INPUT, NULL, "say it once for each scheme",
                        "uops that others have, too, are given more than %zu times", room);
    ptl_status status = ptl_uops_same(&s->uops, &s->columns, scheme, among, error);
    /* Only what holds: a search for contradictions would fail over the others. */
    if (!status) s->same[s->sames++] = (ptl_same){scheme, among};
    return status;
}

ptl_status ptl_search_fix(ptl_search* s, const uint32_t* rows, ptl_error* error) {
    ptl_status status = ptl_columns_fix(&s->columns, rows, error);
    if (!status) memcpy(s->fixed, rows, ptl_search_bytes(s));
    return status;
}

size_t ptl_search_schemes(const ptl_search* s) {
    return s->options.schemes;
}

size_t ptl_search_ports(const ptl_search* s) {
    return s->options.ports;
}

size_t ptl_search_rows(const ptl_search* s) {
    return s->uops.rows;
}

size_t ptl_search_observations(const ptl_search* s) {
    return s->observed.count;
}

double ptl_search_seconds(const ptl_search* s) {
    return ptl_z3_seconds(s->z);
}

size_t ptl_search_checks(const ptl_search* s) {
    return ptl_z3_checks(s->z);
}

ptl_status ptl_search_conflict(const ptl_search* s, size_t* which, size_t* n, ptl_error* error) {
    ptl_problem problem = {.ports = s->options.ports,
                           .counts = s->options.counts,
                           .uops = &s->uops,
                           .same = s->same,
                           .sames = s->sames,
                           .fixed = s->fixed,
                           .seed = s->options.seed,
                           .deadline = s->deadline};
    return ptl_conflict(&problem, s->observed.list, s->observed.count, which, n, error);
}
