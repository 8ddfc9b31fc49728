/* Schemes of several uops: every answer is compared with what trying all mappings gives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "algebra/distinguish.h"
#include "base/rng.h"
#include "brute_force.h"
#include "random_model.h"
#include "smt/search.h"
#include "smt/uops.h"

enum { ROWS_MAX = 8, OBSERVATIONS_MAX = 24 };

typedef struct world {
    size_t schemes, ports;
    unsigned uops[ROWS_MAX];
    ptl_uops rows;
    double epsilon, rmax;
    ptl_observation seen[OBSERVATIONS_MAX];
    size_t count;
    uint64_t store, partners; /* schemes of ptl_search_same; 0: not asked for */
} world;

static double cycles(const world* w, const uint32_t* mapping, const ptl_terms* e) {
    return most_loaded(&w->rows, w->ports, mapping, e);
}

static bool shares(const world* w, const uint32_t* mapping) {
    if (!w->partners) return true;
    size_t store = (size_t)__builtin_ctzll(w->store);
    for (size_t j = 0; j < w->schemes; j++)
        for (size_t r = w->rows.first[store]; r < w->rows.first[store + 1]; r++)
            if ((w->partners >> j & 1) && mapping[r] == mapping[w->rows.first[j]]) return true;
    return false;
}

static bool admitted(const world* w, const uint32_t* mapping) {
    unsigned cost;
    for (size_t k = 0; k < w->count; k++)
        if (!ptl_bounds_admit(&w->seen[k].bounds, cycles(w, mapping, &w->seen[k].terms), &cost)) return false;
    return shares(w, mapping);
}

/* The next one of all mappings in a fixed order; false at the end. */
static bool next(const world* w, uint32_t* mapping) {
    for (size_t r = 0; r < w->rows.rows; r++) {
        if (++mapping[r] < 1u << w->ports) return true;
        mapping[r] = 1;
    }
    return false;
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

static void observe(world* w, ptl_search* s, const ptl_terms* e, double t) {
    double noise = w->epsilon * length(e);
    ptl_observation* o = &w->seen[w->count++];
    *o = (ptl_observation){.terms = *e, .bounds = {.upper = t + noise}};
    if (t - noise > (w->rmax > 0 ? length(e) / w->rmax : 0)) {
        o->bounds.lowers = 1;
        o->bounds.lower[0].bound = t - noise;
    }
    assert_int_equal(ptl_search_observe(s, &o->terms, &o->bounds, NULL), PTL_OK);
}

static double measured(const world* w, const uint32_t* mapping, const ptl_terms* e) {
    return fmax(cycles(w, mapping, e), w->rmax > 0 ? length(e) / w->rmax : 0);
}

static ptl_search* start(world* w) {
    ptl_search* s;
    ptl_search_options o = {.schemes = w->schemes,
                            .ports = w->ports,
                            .epsilon = w->epsilon,
                            .rmax = w->rmax,
                            .uops = w->uops,
                            .seed = 1};
    assert_int_equal(ptl_uops_set(&w->rows, w->schemes, w->uops, NULL, NULL), PTL_OK);
    assert_int_equal(ptl_search_new(&s, &o, NULL), PTL_OK);
    if (w->partners)
        assert_int_equal(ptl_search_same(s, (size_t)__builtin_ctzll(w->store), w->partners, NULL), PTL_OK);
    return s;
}

static void all_ones(const world* w, uint32_t* mapping) {
    for (size_t r = 0; r < w->rows.rows; r++) mapping[r] = 1;
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
        if (admitted(w, m) && distinguishable(w, mapping, m)) return true;
    while (next(w, m));
    return false;
}

/* The loop of Algorithm 4.1; at its end trying all mappings must find no other one either. */
static void infer(world* w, ptl_search* s, const uint32_t* truth) {
    for (;;) {
        uint32_t mapping[PTL_SCHEMES_MAX], other[PTL_SCHEMES_MAX];
        bool found;
        unsigned cost;
        ptl_terms e;
        assert_int_equal(ptl_search_mapping(s, &found, mapping, &cost, NULL), PTL_OK);
        assert_true(found && admitted(w, mapping));
        assert_int_equal(ptl_search_tell(s, mapping, &found, other, &e, NULL), PTL_OK);
        if (!found) {
            assert_false(another(w, mapping));
            assert_false(distinguishable(w, mapping, truth));
            return;
        }
        assert_true(admitted(w, other));
        double gap = fabs(measured(w, mapping, &e) - measured(w, other, &e)) / length(&e);
        assert_true(gap > 2 * w->epsilon);
        assert_true(w->count < OBSERVATIONS_MAX);
        observe(w, s, &e, measured(w, truth, &e));
    }
}

static void random_truth(const world* w, ptl_rng* r, uint32_t* truth) {
    do
        for (size_t k = 0; k < w->rows.rows; k++)
            truth[k] = 1 + (uint32_t)ptl_rng_below(r, (1u << w->ports) - 1);
    while (!shares(w, truth));
}

static void inference_ends_when_trying_all_mappings_would(void** state) {
    (void)state;
    for (uint64_t seed = 0; seed < (SANITIZED ? 4 : 16); seed++) {
        ptl_rng r = ptl_rng_seed(seed);
        bool wide = seed % 2;
        world w = {.schemes = wide ? 3 : 2,
                   .ports = wide ? 3 : 2,
                   .epsilon = seed % 3 ? 0.02 : 0.08,
                   .rmax = seed % 4 >= 2 ? 2 : 0};
        if (wide)
            w.uops[0] = 2, w.uops[1] = w.uops[2] = 1;
        else
            w.uops[0] = 4, w.uops[1] = 3; /* too many uops for the solver to know all bounds at once */
        if (wide && seed % 3 == 0) w.store = 1, w.partners = 6;
        uint32_t truth[ROWS_MAX];
        ptl_search* s = start(&w);
        random_truth(&w, &r, truth);
        infer(&w, s, truth);
        assert_int_equal(ptl_search_undecided(s), 0);
        ptl_search_free(s);
    }
}

/* A minimal set: it contradicts, and no longer does when any one is left out. */
static bool contradict(const world* all, const size_t* which, size_t n, size_t left_out) {
    world w = *all;
    uint32_t m[ROWS_MAX];
    w.count = 0;
    for (size_t k = 0; k < n; k++)
        if (k != left_out) w.seen[w.count++] = all->seen[which[k]];
    all_ones(&w, m);
    do
        if (admitted(&w, m)) return false;
    while (next(&w, m));
    return true;
}

static void what_contradicts_is_found_and_named(void** state) {
    (void)state;
    size_t contradictions = 0;
    for (uint64_t seed = 0; seed < 24; seed++) {
        ptl_rng r = ptl_rng_seed(1000 + seed);
        world w = {.schemes = 2, .ports = 2, .epsilon = 0.02, .uops = {4, 3}};
        if (seed % 2)
            w = (world){
                .schemes = 3, .ports = 2, .epsilon = 0.02, .uops = {2, 1, 1}, .store = 1, .partners = 4};
        uint32_t truth[ROWS_MAX], m[PTL_SCHEMES_MAX];
        ptl_search* s = start(&w);
        random_truth(&w, &r, truth);
        for (int k = 0; k < 5; k++) {
            ptl_terms e;
            random_terms(&w, &r, &e);
            double wrong = ptl_rng_below(&r, 3) ? 0 : 0.3 * length(&e);
            observe(&w, s, &e, measured(&w, truth, &e) + (ptl_rng_below(&r, 2) ? wrong : -wrong));
        }
        bool found, possible = false;
        unsigned cost;
        assert_int_equal(ptl_search_mapping(s, &found, m, &cost, NULL), PTL_OK);
        all_ones(&w, m);
        do possible = admitted(&w, m);
        while (!possible && next(&w, m));
        assert_int_equal(found, possible);
        size_t which[OBSERVATIONS_MAX], n;
        assert_int_equal(ptl_search_conflict(s, which, &n, NULL), PTL_OK);
        assert_int_equal(n == 0, possible);
        contradictions += !possible;
        if (n) assert_true(contradict(&w, which, n, n));
        for (size_t k = 0; k < n; k++) assert_false(contradict(&w, which, n, k));
        ptl_search_free(s);
    }
    assert_true(contradictions >= 5 && contradictions <= 20); /* both cases were met */
}

static void possible_unions_are_those_of_all_mappings(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(7);
    world w = {.schemes = 2, .ports = 3, .epsilon = 0.02, .uops = {2, 1}};
    uint32_t truth[ROWS_MAX], m[ROWS_MAX];
    ptl_search* s = start(&w);
    random_truth(&w, &r, truth);
    for (int k = 0; k < 3; k++) {
        ptl_terms e;
        random_terms(&w, &r, &e);
        observe(&w, s, &e, measured(&w, truth, &e));
    }
    bool found;
    unsigned cost;
    uint32_t any[PTL_SCHEMES_MAX];
    assert_int_equal(ptl_search_mapping(s, &found, any, &cost, NULL), PTL_OK);
    for (unsigned c = 1; c <= 3; c++) {
        bool expected = false;
        all_ones(&w, m);
        do expected = admitted(&w, m) && ptl_union_ports(m, 7) == c;
        while (!expected && next(&w, m));
        assert_int_equal(ptl_search_possible(s, 7, c, c, &found, NULL, NULL), PTL_OK);
        assert_int_equal(found, expected);
    }
    ptl_search_free(s);
}

static void wrong_numbers_are_refused(void** state) {
    (void)state;
    ptl_search* s;
    unsigned none[] = {1, 0}, many[] = {40, 40}, two[] = {2, 1}, counts[] = {2, 0};
    ptl_error e;
    ptl_search_options o = {.schemes = 2, .ports = 3, .uops = none};
    assert_int_equal(ptl_search_new(&s, &o, &e), PTL_BAD_INPUT);
    o.uops = many;
    assert_int_equal(ptl_search_new(&s, &o, &e), PTL_BAD_INPUT);
    o.uops = two;
    o.counts = counts; /* of the ports of a scheme of two uops */
    assert_int_equal(ptl_search_new(&s, &o, &e), PTL_BAD_INPUT);
    o.counts = NULL;
    assert_int_equal(ptl_search_new(&s, &o, &e), PTL_OK);
    assert_int_equal(ptl_search_same(s, 0, 1, &e), PTL_BAD_INPUT); /* only itself */
    assert_int_equal(ptl_search_same(s, 1, 1, &e), PTL_BAD_INPUT); /* not a single uop */
    bool found;
    uint64_t set;
    uint32_t m[PTL_SCHEMES_MAX] = {1, 1, 1}, other[PTL_SCHEMES_MAX];
    assert_int_equal(ptl_search_other(s, m, 0, 3, &found, other, &set, &e), PTL_BAD_INPUT);
    ptl_search_free(s);
}

/* One more than there is room for is refused; the question which observations contradict each other still has
 * its answer then, and after one that was refused for what it says. */
static void too_many_shared_uops_are_refused(void** state) {
    (void)state;
    world w = {.schemes = 2, .ports = 2, .epsilon = 0.02, .uops = {2, 1}, .store = 1, .partners = 2};
    ptl_search* s = start(&w); /* the first one */
    ptl_error e;
    assert_int_equal(ptl_search_same(s, 0, 1, &e), PTL_BAD_INPUT); /* only itself */
    for (int k = 1; k < PTL_SCHEMES_MAX; k++) assert_int_equal(ptl_search_same(s, 0, 2, &e), PTL_OK);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(ptl_search_same(s, 0, 2, &e), PTL_BAD_INPUT);
        assert_non_null(strstr(e.what, "more than 64 times"));
    }
    ptl_terms alone = {.count = 1, .scheme = {1}, .copies = {1}};
    observe(&w, s, &alone, 1);
    observe(&w, s, &alone, 0.5);
    size_t which[OBSERVATIONS_MAX], n;
    assert_int_equal(ptl_search_conflict(s, which, &n, &e), PTL_OK);
    assert_int_equal(n, 2);
    ptl_search_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inference_ends_when_trying_all_mappings_would),
        cmocka_unit_test(what_contradicts_is_found_and_named),
        cmocka_unit_test(possible_unions_are_those_of_all_mappings),
        cmocka_unit_test(wrong_numbers_are_refused),
        cmocka_unit_test(too_many_shared_uops_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
