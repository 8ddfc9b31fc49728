/* A small inference of the dissertation's own form of the search, for its tests: schemes, ports,
 * observations. Include after <cmocka.h>. */
#ifndef PTL_TESTS_LIRA_WORLD_H
#define PTL_TESTS_LIRA_WORLD_H

#include "brute_force.h"
#include "smt/lira.h"

enum { ROWS_MAX = 6, OBSERVATIONS_MAX = 40 };

typedef struct world {
    size_t schemes, ports;
    unsigned uops[ROWS_MAX];
    ptl_uops rows;
    double epsilon, rmax;
    ptl_observation seen[OBSERVATIONS_MAX];
    size_t count;
} world;

static inline double cycles(const world* w, const uint32_t* mapping, const ptl_terms* e) {
    return most_loaded(&w->rows, w->ports, mapping, e);
}

static inline double measured(const world* w, const uint32_t* mapping, const ptl_terms* e) {
    return fmax(cycles(w, mapping, e), w->rmax > 0 ? length(e) / w->rmax : 0);
}

static inline ptl_lira* start(world* w, bool free_form) {
    ptl_lira* s;
    ptl_lira_options o = {.mapping = {.schemes = w->schemes,
                                      .ports = w->ports,
                                      .uops = free_form ? NULL : w->uops,
                                      .free = free_form},
                          .epsilon = w->epsilon,
                          .rmax = w->rmax,
                          .seed = 1};
    assert_int_equal(ptl_uops_set(&w->rows, w->schemes, w->uops, NULL, NULL), PTL_OK);
    assert_int_equal(ptl_lira_new(&s, &o, NULL), PTL_OK);
    return s;
}

/* Notes what says that e takes t cycles; symmetric reading. */
static inline const ptl_observation* note(world* w, const ptl_terms* e, double t) {
    double noise = w->epsilon * length(e);
    assert_true(w->count < OBSERVATIONS_MAX);
    ptl_observation* o = &w->seen[w->count++];
    *o = (ptl_observation){.terms = *e, .bounds = {.upper = t + noise}};
    if (t - noise > (w->rmax > 0 ? length(e) / w->rmax : 0)) {
        o->bounds.lowers = 1;
        o->bounds.lower[0].bound = t - noise;
    }
    return o;
}

static inline void observe(world* w, ptl_lira* s, const ptl_terms* e, double t) {
    const ptl_observation* o = note(w, e, t);
    assert_int_equal(ptl_lira_observe(s, &o->terms, &o->bounds, NULL), PTL_OK);
}

static inline void singletons(world* w, ptl_lira* s, const uint32_t* truth) {
    for (size_t i = 0; i < w->schemes; i++) {
        ptl_terms e = {.count = 1, .scheme = {(uint8_t)i}, .copies = {1}};
        observe(w, s, &e, measured(w, truth, &e));
    }
}

#endif
