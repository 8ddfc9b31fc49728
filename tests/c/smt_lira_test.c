/* The dissertation's own encodings: every answer is compared with what trying all mappings gives, and with
 * the encoding by union cardinalities. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <math.h>

#include "algebra/distinguish.h"
#include "base/rng.h"
#include "lira_world.h"
#include "random_model.h"
#include "smt/lira.h"
#include "smt/search.h"

static bool admitted(const world* w, const uint32_t* mapping, const bool* chosen) {
    unsigned cost;
    for (size_t k = 0; k < w->count; k++)
        if ((!chosen || chosen[k]) &&
            !ptl_bounds_admit(&w->seen[k].bounds, cycles(w, mapping, &w->seen[k].terms), &cost))
            return false;
    return true;
}

static void all_ones(const world* w, uint32_t* mapping) {
    for (size_t r = 0; r < w->rows.rows; r++) mapping[r] = 1;
}

/* The next one of all mappings in a fixed order; false at the end. */
static bool next(const world* w, uint32_t* mapping) {
    for (size_t r = 0; r < w->rows.rows; r++) {
        if (++mapping[r] < 1u << w->ports) return true;
        mapping[r] = 1;
    }
    return false;
}

static bool possible(const world* w, const bool* chosen) {
    uint32_t m[ROWS_MAX];
    all_ones(w, m);
    do
        if (admitted(w, m, chosen)) return true;
    while (next(w, m));
    return false;
}

static bool distinguishable(const world* w, const uint32_t* one, const uint32_t* other) {
    ptl_arena arena = PTL_ARENA_EMPTY;
    ptl_mapping a, b;
    ptl_pairs pairs;
    ptl_distinction d;
    assert_int_equal(ptl_uops_mapping(&w->rows, one, w->ports, w->rmax, &a, NULL), PTL_OK);
    assert_int_equal(ptl_uops_mapping(&w->rows, other, w->ports, w->rmax, &b, NULL), PTL_OK);
    assert_int_equal(ptl_pairs_find(&pairs, &a, &b, &arena, NULL), PTL_OK);
    assert_int_equal(ptl_distinguish(&pairs, w->epsilon, 1, &arena, &d, NULL), PTL_OK);
    assert_true(d.complete);
    ptl_mapping_free(&a);
    ptl_mapping_free(&b);
    ptl_arena_release(&arena);
    return d.found;
}

/* Another admitted mapping that some experiment tells, by trying all of them. */
static bool another(const world* w, const uint32_t* mapping) {
    uint32_t m[ROWS_MAX];
    all_ones(w, m);
    do
        if (admitted(w, m, NULL) && distinguishable(w, mapping, m)) return true;
    while (next(w, m));
    return false;
}

/* findOtherMapping with growing bounds, then without any (section 4.3). Without a bound there is an answer
 * whenever there is one with a bound. */
static bool other(ptl_lira* s, const ptl_known* mapping, ptl_known* rival, ptl_terms* e) {
    bool found;
    for (size_t bound = 1; bound <= 4; bound++) {
        assert_int_equal(ptl_lira_other(s, mapping, bound, &found, rival, e, NULL), PTL_OK);
        if (found) {
            assert_true(length(e) <= (double)bound);
            return true;
        }
    }
    assert_int_equal(ptl_lira_other(s, mapping, 0, &found, rival, e, NULL), PTL_OK);
    return found;
}

/* Algorithm 4.1; at its end trying all mappings must find no other one either. */
static void infer(world* w, ptl_lira* s, const uint32_t* truth) {
    for (;;) {
        ptl_known mapping, rival;
        bool found;
        ptl_terms e;
        assert_int_equal(ptl_lira_mapping(s, &found, &mapping, NULL), PTL_OK);
        assert_true(found && admitted(w, mapping.ports, NULL));
        if (!other(s, &mapping, &rival, &e)) {
            assert_false(another(w, mapping.ports));
            assert_false(distinguishable(w, mapping.ports, truth));
            return;
        }
        assert_true(admitted(w, rival.ports, NULL));
        double gap = fabs(measured(w, mapping.ports, &e) - measured(w, rival.ports, &e));
        assert_true(gap > 2 * w->epsilon * length(&e));
        observe(w, s, &e, measured(w, truth, &e));
    }
}

static void random_truth(const world* w, ptl_rng* r, uint32_t* truth) {
    for (size_t k = 0; k < w->rows.rows; k++) truth[k] = 1 + (uint32_t)ptl_rng_below(r, (1u << w->ports) - 1);
}

/* Two-level (2 to 3 ports, 2 to 3 schemes), and three-level with known numbers of uops. */
static world random_world(uint64_t seed) {
    world w = {.schemes = 2 + seed % 2,
               .ports = 2 + seed / 2 % 2,
               .epsilon = seed % 3 ? 0.02 : 0.08,
               .rmax = seed % 5 >= 3 ? 2 : 0,
               .uops = {1, 1, 1}};
    if (seed % 4 >= 2 && seed % 3 == 1) w.uops[0] = 2;
    return w;
}

static void inference_ends_when_trying_all_mappings_would(void** state) {
    (void)state;
    for (uint64_t seed = 0; seed < (SANITIZED ? 6 : 32); seed++) {
        ptl_rng r = ptl_rng_seed(seed);
        world w = random_world(seed);
        uint32_t truth[ROWS_MAX];
        ptl_lira* s = start(&w, false);
        random_truth(&w, &r, truth);
        singletons(&w, s, truth);
        infer(&w, s, truth);
        ptl_lira_free(s);
    }
}

static void random_terms(const world* w, ptl_rng* r, ptl_terms* e) {
    *e = (ptl_terms){0};
    for (size_t i = 0; i < w->schemes; i++) {
        uint32_t copies = (uint32_t)ptl_rng_below(r, 3);
        if (!copies && !(i + 1 == w->schemes && e->count == 0)) continue;
        e->scheme[e->count] = (uint8_t)i;
        e->copies[e->count++] = copies ? copies : 1;
    }
}

/* A minimal set: it contradicts, and no longer does when any one is left out. */
static void check_conflict(const world* w, const ptl_lira* s) {
    size_t which[OBSERVATIONS_MAX], n;
    bool chosen[OBSERVATIONS_MAX] = {0};
    assert_int_equal(ptl_lira_conflict(s, which, &n, NULL), PTL_OK);
    assert_true(n >= 1);
    for (size_t k = 0; k < n; k++) chosen[which[k]] = true;
    assert_false(possible(w, chosen));
    for (size_t k = 0; k < n; k++) {
        chosen[which[k]] = false;
        assert_true(possible(w, chosen));
        chosen[which[k]] = true;
    }
}

/* Observations of different truths: the answer turns from yes to no on the way, in both encodings at once. */
static void feasibility_is_that_of_the_other_encoding(void** state) {
    (void)state;
    unsigned contradictions = 0;
    for (uint64_t seed = 0; seed < (SANITIZED ? 8 : 40); seed++) {
        ptl_rng r = ptl_rng_seed(100 + seed);
        world w = random_world(seed);
        uint32_t truth[ROWS_MAX], masks[PTL_SCHEMES_MAX];
        ptl_lira* s = start(&w, false);
        ptl_search* u;
        ptl_search_options o = {.schemes = w.schemes,
                                .ports = w.ports,
                                .epsilon = w.epsilon,
                                .rmax = w.rmax,
                                .uops = w.uops,
                                .seed = 1};
        assert_int_equal(ptl_search_new(&u, &o, NULL), PTL_OK);
        bool found = true, same;
        for (unsigned k = 0; k < 8 && found; k++) {
            ptl_known mapping;
            unsigned cost;
            ptl_terms e;
            random_truth(&w, &r, truth);
            if (k) random_terms(&w, &r, &e);
            if (!k) e = (ptl_terms){.count = 1, .copies = {1}};
            const ptl_observation* n = note(&w, &e, measured(&w, truth, &e));
            assert_int_equal(ptl_lira_observe(s, &n->terms, &n->bounds, NULL), PTL_OK);
            assert_int_equal(ptl_search_observe(u, &n->terms, &n->bounds, NULL), PTL_OK);
            assert_int_equal(ptl_lira_mapping(s, &found, &mapping, NULL), PTL_OK);
            assert_int_equal(ptl_search_mapping(u, &same, masks, &cost, NULL), PTL_OK);
            assert_int_equal(found, same);
            assert_int_equal(found, possible(&w, NULL));
            if (found) assert_true(admitted(&w, mapping.ports, NULL));
        }
        if (!found) check_conflict(&w, s);
        contradictions += !found;
        ptl_search_free(u);
        ptl_lira_free(s);
    }
    assert_true(contradictions >= (SANITIZED ? 2 : 10));
}

/* Bounds at exactly what a mapping takes, in doubles that are a little off. */
static void bounds_are_met_up_to_rounding(void** state) {
    (void)state;
    world w = {.schemes = 2, .ports = 3, .uops = {1, 1}};
    ptl_lira* s = start(&w, false);
    ptl_terms e = {.count = 2, .scheme = {0, 1}, .copies = {1, 1}};
    ptl_bounds b = {.upper = 0.1 + 0.2 + (2.0 / 3 - 0.3), .lowers = 1, .lower = {{.bound = 1 - 1.0 / 3}}};
    ptl_known m;
    bool found;
    assert_int_equal(ptl_lira_observe(s, &e, &b, NULL), PTL_OK);
    assert_int_equal(ptl_lira_mapping(s, &found, &m, NULL), PTL_OK);
    assert_true(found);
    double t;
    assert_int_equal(ptl_lira_cycles(s, &m, &e, &t, NULL), PTL_OK);
    assert_true(fabs(t - 2.0 / 3) < 1e-12);
    ptl_lira_free(s);
}

static void side_conditions_hold(void** state) {
    (void)state;
    world w = {.schemes = 3, .ports = 3, .epsilon = 0.02, .uops = {2, 1, 1}};
    ptl_lira* s = start(&w, false);
    ptl_known m;
    bool found;
    assert_int_equal(ptl_lira_same(s, 0, 6, NULL), PTL_OK);
    assert_int_equal(ptl_lira_same(s, 1, 2, NULL), PTL_BAD_INPUT);
    assert_int_equal(ptl_lira_fix(s, (uint32_t[]){0, 0, 3, 5}, NULL), PTL_OK);
    assert_int_equal(ptl_lira_fix(s, (uint32_t[]){8, 0, 0, 0}, NULL), PTL_BAD_INPUT);
    assert_int_equal(ptl_lira_mapping(s, &found, &m, NULL), PTL_OK);
    assert_true(found);
    assert_int_equal(m.ports[2], 3);
    assert_int_equal(m.ports[3], 5);
    assert_true(m.ports[0] == 3 || m.ports[0] == 5 || m.ports[1] == 3 || m.ports[1] == 5);
    ptl_lira_free(s);
}

/* Is the cost of every experiment of up to six instructions the same, up to 2 epsilon? */
static void check_like(const ptl_lira* s, const ptl_known* m, const ptl_known* truth, double epsilon) {
    for (uint32_t a = 0; a <= 6; a++)
        for (uint32_t b = 0; a + b <= 6; b++) {
            ptl_terms e = {0};
            double one, two;
            if (a) e.scheme[e.count] = 0, e.copies[e.count++] = a;
            if (b) e.scheme[e.count] = 1, e.copies[e.count++] = b;
            if (e.count == 0) continue;
            assert_int_equal(ptl_lira_cycles(s, m, &e, &one, NULL), PTL_OK);
            assert_int_equal(ptl_lira_cycles(s, truth, &e, &two, NULL), PTL_OK);
            assert_true(fabs(one - two) <= 2 * epsilon * (a + b) + 1e-9);
        }
}

/* 2 ports, 2 schemes: numbers of uops are unknown, too. */
static void free_form_finds_tiny_mappings(void** state) {
    (void)state;
    static const ptl_known truths[] = {
        {.first = {0, 2, 3}, .ports = {3, 3, 1}},
        {.first = {0, 1, 3}, .ports = {1, 1, 2}},
        {.first = {0, 1, 2}, .ports = {3, 3}},
    };
    for (size_t k = 0; k < (SANITIZED ? 1 : 3); k++) {
        world w = {.schemes = 2, .ports = 2, .epsilon = 0.02, .uops = {1, 1}};
        ptl_lira* s = start(&w, true);
        ptl_known mapping, rival;
        ptl_terms e = {.count = 1, .scheme = {0}, .copies = {1}};
        bool found = true;
        for (uint8_t i = 0; i < 2; i++) {
            double t;
            e.scheme[0] = i;
            assert_int_equal(ptl_lira_cycles(s, &truths[k], &e, &t, NULL), PTL_OK);
            observe(&w, s, &e, t);
        }
        while (found) {
            double t;
            assert_int_equal(ptl_lira_mapping(s, &found, &mapping, NULL), PTL_OK);
            assert_true(found);
            found = other(s, &mapping, &rival, &e);
            if (!found) break;
            assert_int_equal(ptl_lira_cycles(s, &truths[k], &e, &t, NULL), PTL_OK);
            observe(&w, s, &e, t);
        }
        check_like(s, &mapping, &truths[k], w.epsilon);
        ptl_lira_free(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inference_ends_when_trying_all_mappings_would),
        cmocka_unit_test(feasibility_is_that_of_the_other_encoding),
        cmocka_unit_test(bounds_are_met_up_to_rounding),
        cmocka_unit_test(side_conditions_hold),
        cmocka_unit_test(free_form_finds_tiny_mappings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
