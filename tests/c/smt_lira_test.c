/* The dissertation's own encodings: every answer is compared with what trying all mappings gives, and with
 * the encoding by union cardinalities. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>
#include <pthread.h>
#include <time.h>

#include "algebra/distinguish.h"
#include "base/clock.h"
#include "base/interrupt.h"
#include "base/rng.h"
#include "random_model.h"
#include "smt/lira.h"
#include "smt/search.h"

enum { ROWS_MAX = 6, OBSERVATIONS_MAX = 40 };

typedef struct world {
    size_t schemes, ports;
    unsigned uops[ROWS_MAX];
    ptl_uops rows;
    double epsilon, rmax;
    ptl_observation seen[OBSERVATIONS_MAX];
    size_t count;
} world;

static double length(const ptl_terms* e) {
    double n = 0;
    for (size_t k = 0; k < e->count; k++) n += e->copies[k];
    return n;
}

/* By the definition: the most loaded set of ports. */
static double cycles(const world* w, const uint32_t* mapping, const ptl_terms* e) {
    double worst = 0;
    for (uint32_t q = 1; q < 1u << w->ports; q++) {
        double mass = 0;
        for (size_t k = 0; k < e->count; k++)
            for (size_t r = w->rows.first[e->scheme[k]]; r < w->rows.first[e->scheme[k] + 1]; r++)
                if (!(mapping[r] & ~q)) mass += e->copies[k];
        worst = fmax(worst, mass / __builtin_popcount(q));
    }
    return worst;
}

static double measured(const world* w, const uint32_t* mapping, const ptl_terms* e) {
    return fmax(cycles(w, mapping, e), w->rmax > 0 ? length(e) / w->rmax : 0);
}

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

static ptl_lira* start(world* w, bool free_form) {
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
static const ptl_observation* note(world* w, const ptl_terms* e, double t) {
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

static void observe(world* w, ptl_lira* s, const ptl_terms* e, double t) {
    const ptl_observation* o = note(w, e, t);
    assert_int_equal(ptl_lira_observe(s, &o->terms, &o->bounds, NULL), PTL_OK);
}

static void singletons(world* w, ptl_lira* s, const uint32_t* truth) {
    for (size_t i = 0; i < w->schemes; i++) {
        ptl_terms e = {.count = 1, .scheme = {(uint8_t)i}, .copies = {1}};
        observe(w, s, &e, measured(w, truth, &e));
    }
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

/* Known numbers of ports, and what is refused. */
static void options_are_kept_or_refused(void** state) {
    (void)state;
    unsigned counts[] = {3, 1}, many[] = {5, 1}, uops[] = {2, 1};
    ptl_lira* s;
    ptl_known m;
    bool found;
    ptl_lira_options o = {.mapping = {.schemes = 2, .ports = 4, .counts = counts}, .epsilon = 0.02};
    assert_int_equal(ptl_lira_new(&s, &o, NULL), PTL_OK);
    ptl_bounds soft = {.upper = 9, .lowers = 1, .lower = {{.bound = 1, .weight = 2}}};
    ptl_terms e = {.count = 1, .copies = {1}}, none = {0},
              stranger = {.count = 1, .scheme = {2}, .copies = {1}};
    assert_int_equal(ptl_lira_observe(s, &e, &soft, NULL), PTL_BAD_INPUT);
    soft.lower[0].weight = 0;
    soft.upper = NAN;
    assert_int_equal(ptl_lira_observe(s, &e, &soft, NULL), PTL_BAD_INPUT);
    assert_int_equal(ptl_lira_observe(s, &none, &(ptl_bounds){.upper = 1}, NULL), PTL_BAD_INPUT);
    assert_int_equal(ptl_lira_observe(s, &stranger, &(ptl_bounds){.upper = 1}, NULL), PTL_BAD_INPUT);
    assert_int_equal(ptl_lira_observations(s), 0);
    assert_int_equal(ptl_lira_mapping(s, &found, &m, NULL), PTL_OK);
    assert_true(found);
    assert_int_equal(__builtin_popcount(m.ports[0]), 3);
    assert_int_equal(__builtin_popcount(m.ports[1]), 1);
    ptl_lira_free(s);
    o.mapping.counts = many;
    assert_int_equal(ptl_lira_new(&s, &o, NULL), PTL_BAD_INPUT);
    o.mapping.counts = counts;
    o.mapping.uops = uops;
    assert_int_equal(ptl_lira_new(&s, &o, NULL), PTL_BAD_INPUT);
    o.mapping = (ptl_unknown_options){.schemes = 2, .ports = PTL_FREE_PORTS_MAX + 1, .free = true};
    assert_int_equal(ptl_lira_new(&s, &o, NULL), PTL_BAD_INPUT);
    o.mapping = (ptl_unknown_options){.schemes = 0, .ports = 2};
    assert_int_equal(ptl_lira_new(&s, &o, NULL), PTL_BAD_INPUT);
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

static ptl_lira* hard_question(world* w, ptl_known* mapping) {
    *w = (world){.schemes = 4, .ports = 4, .epsilon = 0.02, .uops = {1, 1, 1, 1}};
    ptl_lira* s = start(w, true);
    bool found;
    static const uint32_t truth[] = {3, 6, 12, 9};
    singletons(w, s, truth);
    assert_int_equal(ptl_lira_mapping(s, &found, mapping, NULL), PTL_OK);
    assert_true(found);
    return s;
}

static void* stop_soon(void* unused) {
    (void)unused;
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    ptl_interrupt_set(true);
    return NULL;
}

/* Asks until that fails: the first answers may come at once. */
static ptl_status ask_on(ptl_lira* s, const ptl_known* mapping, double* seconds) {
    ptl_known rival;
    ptl_terms e;
    bool found;
    ptl_status status = PTL_OK;
    double began = ptl_now();
    while (status == PTL_OK && ptl_now() - began < 20)
        status = ptl_lira_other(s, mapping, 0, &found, &rival, &e, NULL);
    *seconds = ptl_now() - began;
    return status;
}

/* A question that takes hours ends in time. */
static void queries_end_at_the_deadline_and_on_interruption(void** state) {
    (void)state;
    world w;
    ptl_known mapping;
    ptl_lira* s = hard_question(&w, &mapping);
    double seconds;
    pthread_t thread;
    ptl_lira_deadline(s, ptl_now() + 0.3);
    assert_int_equal(ask_on(s, &mapping, &seconds), PTL_LIMIT);
    assert_true(seconds < (SANITIZED ? 10 : 2));
    ptl_lira_deadline(s, 0);
    assert_int_equal(pthread_create(&thread, NULL, stop_soon, NULL), 0);
    assert_int_equal(ask_on(s, &mapping, &seconds), PTL_INTERRUPTED);
    assert_true(seconds < (SANITIZED ? 10 : 2));
    pthread_join(thread, NULL);
    ptl_interrupt_set(false);
    ptl_lira_free(s);
}

static void questions_are_shown_and_repeat_themselves(void** state) {
    (void)state;
    world w = {.schemes = 2, .ports = 3, .epsilon = 0.02, .uops = {1, 1}}, again = w;
    static const uint32_t truth[] = {3, 6};
    ptl_lira *one = start(&w, false), *two = start(&again, false);
    singletons(&w, one, truth);
    singletons(&again, two, truth);
    ptl_known a, b;
    bool found;
    assert_int_equal(ptl_lira_mapping(one, &found, &a, NULL), PTL_OK);
    assert_int_equal(ptl_lira_mapping(two, &found, &b, NULL), PTL_OK);
    assert_memory_equal(&a, &b, sizeof a);
    char *text = ptl_lira_text(one, &a, 3), *same = ptl_lira_text(two, &b, 3),
         *plain = ptl_lira_text(one, NULL, 0);
    assert_non_null(text);
    assert_non_null(plain);
    assert_string_equal(text, same);
    assert_non_null(strstr(text, "exp.0"));
    assert_non_null(strstr(text, "(check-sat)"));
    assert_null(strstr(plain, "exp.0"));
    free(text);
    free(same);
    free(plain);
    assert_int_equal(ptl_lira_checks(one), 1);
    ptl_lira_free(one);
    ptl_lira_free(two);
}

static void fractions_are_small(void** state) {
    (void)state;
    int64_t n, d;
    ptl_fraction(0.02, &n, &d);
    assert_int_equal(n * 50, d);
    ptl_fraction(2 * 0.015, &n, &d);
    assert_true(n == 3 && d == 100);
    ptl_fraction(0, &n, &d);
    assert_true(n == 0 && d > 0);
    ptl_fraction(1.0 / 6, &n, &d);
    assert_true(n == 1 && d == 6);
    ptl_most_cycles(0.7, 4, &n, &d); /* 2/3 is the largest of 0/1, 1/2, 2/3, 2/4 */
    assert_true(n == 2 && d == 3);
    ptl_least_cycles(0.7, 4, &n, &d); /* 3/4 */
    assert_true(n == 3 && d == 4);
    ptl_least_cycles(-1, 4, &n, &d);
    assert_int_equal(n, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inference_ends_when_trying_all_mappings_would),
        cmocka_unit_test(feasibility_is_that_of_the_other_encoding),
        cmocka_unit_test(bounds_are_met_up_to_rounding),
        cmocka_unit_test(side_conditions_hold),
        cmocka_unit_test(options_are_kept_or_refused),
        cmocka_unit_test(free_form_finds_tiny_mappings),
        cmocka_unit_test(queries_end_at_the_deadline_and_on_interruption),
        cmocka_unit_test(questions_are_shown_and_repeat_themselves),
        cmocka_unit_test(fractions_are_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
