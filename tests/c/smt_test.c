#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>
#include <pthread.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/rng.h"
#include "smt/search.h"

static ptl_z3* solver(void) {
    ptl_z3* z;
    assert_int_equal(ptl_z3_new(&z, 1, NULL), PTL_OK);
    return z;
}

static bool satisfiable(ptl_z3* z, const ptl_literal* assumptions, size_t n) {
    bool sat;
    assert_int_equal(ptl_z3_check(z, assumptions, n, &sat, NULL), PTL_OK);
    return sat;
}

static void clauses_have_models_and_cores(void** state) {
    (void)state;
    ptl_z3* z = solver();
    ptl_literal a = ptl_z3_variable(z, "a"), b = ptl_z3_variable(z, "b"), c = ptl_z3_variable(z, "a");
    ptl_z3_or(z, -a, b, 0, 0);
    ptl_z3_or(z, PTL_TRUE, PTL_FALSE, 0, 0);
    ptl_literal both[] = {a, c, PTL_TRUE};
    assert_true(satisfiable(z, both, 3));
    assert_true(ptl_z3_value(z, a) && ptl_z3_value(z, b) && ptl_z3_value(z, c) && ptl_z3_value(z, PTL_TRUE));
    assert_false(ptl_z3_value(z, -b));
    ptl_literal against[] = {c, a, -b}, core[3] = {0};
    assert_false(satisfiable(z, against, 3));
    assert_int_equal(ptl_z3_core(z, core, 3), 2);
    assert_true(core[0] == a && core[1] == -b);
    ptl_literal never = PTL_FALSE;
    assert_false(satisfiable(z, &never, 1));
    char* text = ptl_z3_text(z, against, 3);
    assert_non_null(strstr(text, "(assert (or"));
    assert_non_null(strstr(text, "(check-sat-assuming"));
    free(text);
    ptl_z3_or(z, PTL_FALSE, 0, 0, 0);
    assert_false(satisfiable(z, NULL, 0));
    ptl_z3_free(z);
}

static void counts_are_exact_in_both_directions(void** state) {
    (void)state;
    for (size_t n = 1; n <= 7; n++) {
        ptl_z3* z = solver();
        ptl_literal in[7], out[7], assumed[7];
        for (size_t i = 0; i < n; i++) in[i] = ptl_z3_variable(z, "in");
        assert_true(ptl_count(z, in, n, out));
        for (unsigned bits = 0; bits < 1u << n; bits++) {
            for (size_t i = 0; i < n; i++) assumed[i] = bits >> i & 1 ? in[i] : -in[i];
            assert_true(satisfiable(z, assumed, n));
            for (size_t x = 1; x <= n; x++)
                assert_int_equal(ptl_z3_value(z, out[x - 1]), (size_t)__builtin_popcount(bits) >= x);
        }
        ptl_z3_free(z);
    }
}

/* The pigeonhole principle: no short resolution proof, so it runs until it is stopped. */
static ptl_z3* endless(void) {
    enum { HOLES = 14 };
    ptl_z3* z = solver();
    static ptl_literal in[HOLES + 1][HOLES];
    for (int p = 0; p <= HOLES; p++) {
        for (int h = 0; h < HOLES; h++) in[p][h] = ptl_z3_variable(z, "p");
        ptl_z3_clause(z, in[p], HOLES);
    }
    for (int h = 0; h < HOLES; h++)
        for (int p = 0; p <= HOLES; p++)
            for (int q = 0; q < p; q++) ptl_z3_or(z, -in[p][h], -in[q][h], 0, 0);
    return z;
}

static void* interrupt_soon(void* unused) {
    (void)unused;
    usleep(100 * 1000);
    ptl_interrupt_set(true);
    return NULL;
}

static void a_check_ends_at_the_deadline_and_on_interruption(void** state) {
    (void)state;
    bool sat;
    ptl_error e;
    ptl_z3* z = endless();
    ptl_z3_deadline(z, ptl_now() + 0.1);
    assert_int_equal(ptl_z3_check(z, NULL, 0, &sat, &e), PTL_LIMIT);
    assert_int_equal(ptl_z3_check(z, NULL, 0, &sat, &e), PTL_LIMIT); /* and stays over */
    ptl_z3_free(z);

    z = endless();
    pthread_t thread;
    pthread_create(&thread, NULL, interrupt_soon, NULL);
    assert_int_equal(ptl_z3_check(z, NULL, 0, &sat, &e), PTL_INTERRUPTED);
    pthread_join(thread, NULL);
    ptl_interrupt_set(false);
    ptl_z3_free(z);
}

enum { SCHEMES = 3, PORTS = 3, MAPPINGS = 7 * 7 * 7 };

static void nth_mapping(unsigned n, uint32_t* mapping) {
    for (size_t i = 0; i < SCHEMES; i++, n /= 7) mapping[i] = 1 + n % 7;
}

static ptl_terms random_terms(ptl_rng* r) {
    ptl_terms t = {0};
    for (uint8_t i = 0; i < SCHEMES; i++) {
        uint32_t copies = (uint32_t)ptl_rng_below(r, 4);
        if (copies == 0 && (t.count > 0 || i + 1 < SCHEMES)) continue;
        t.scheme[t.count] = i;
        t.copies[t.count++] = copies ? copies : 1;
    }
    return t;
}

/* Some around the truth, some off it; some bounds for certain, some for a price. */
static ptl_bounds random_bounds(ptl_rng* r, double t) {
    ptl_bounds b = {.upper = t * (ptl_rng_below(r, 8) ? 1.05 : 0.8), .lowers = 1 + ptl_rng_below(r, 3)};
    bool certain = ptl_rng_below(r, 2);
    for (size_t k = 0; k < b.lowers; k++) {
        b.lower[k].bound = t * ((ptl_rng_below(r, 4) ? 0.97 : 1.02) - 0.3 * (double)k);
        b.lower[k].weight = certain ? 0 : 1 + (unsigned)ptl_rng_below(r, 5);
    }
    return b;
}

typedef struct seen {
    ptl_terms terms[6];
    ptl_bounds bounds[6];
    size_t count;
} seen;

static bool brute_admits(const seen* o, size_t without, const uint32_t* mapping, unsigned* cost) {
    *cost = 0;
    for (size_t k = 0; k < o->count; k++) {
        unsigned one;
        if (k == without) continue;
        if (!ptl_bounds_admit(&o->bounds[k], ptl_candidate_cycles(mapping, &o->terms[k]), &one)) return false;
        *cost += one;
    }
    return true;
}

/* Least cost over all mappings, or UINT_MAX if none is admitted. `without`: an observation to leave out. */
static unsigned brute_least(const seen* o, size_t without) {
    unsigned least = UINT32_MAX, cost;
    uint32_t mapping[SCHEMES];
    for (unsigned n = 0; n < MAPPINGS; n++) {
        nth_mapping(n, mapping);
        if (brute_admits(o, without, mapping, &cost) && cost < least) least = cost;
    }
    return least;
}

static bool brute_other(const seen* o, const uint32_t* mapping, unsigned limit, double epsilon, double rmax) {
    uint32_t other[SCHEMES];
    unsigned cost;
    for (unsigned n = 0; n < MAPPINGS; n++) {
        nth_mapping(n, other);
        if (!brute_admits(o, SIZE_MAX, other, &cost) || cost > limit) continue;
        for (uint64_t set = 1; set < 1 << SCHEMES; set++)
            if (ptl_distinct(ptl_union_ports(mapping, set), ptl_union_ports(other, set), epsilon, rmax))
                return true;
    }
    return false;
}

static bool brute_possible(const seen* o, uint64_t set, unsigned low, unsigned high, unsigned limit) {
    uint32_t mapping[SCHEMES];
    unsigned cost;
    for (unsigned n = 0; n < MAPPINGS; n++) {
        nth_mapping(n, mapping);
        unsigned c = ptl_union_ports(mapping, set);
        if (c >= low && c <= high && brute_admits(o, SIZE_MAX, mapping, &cost) && cost <= limit) return true;
    }
    return false;
}

static void check_conflict(const ptl_search* s, const seen* o) {
    size_t which[6], n;
    assert_int_equal(ptl_search_conflict(s, which, &n, NULL), PTL_OK);
    assert_in_range(n, 1, o->count);
    seen core = {.count = n};
    for (size_t k = 0; k < n; k++) core.terms[k] = o->terms[which[k]], core.bounds[k] = o->bounds[which[k]];
    assert_int_equal(brute_least(&core, SIZE_MAX), UINT32_MAX);
    for (size_t k = 0; k < n; k++) assert_int_not_equal(brute_least(&core, k), UINT32_MAX); /* minimal */
}

static void check_answers(ptl_search* s, const seen* o, const ptl_search_options* options) {
    bool found;
    uint32_t mapping[SCHEMES], other[SCHEMES];
    unsigned cost, least = brute_least(o, SIZE_MAX), unused;
    assert_int_equal(ptl_search_mapping(s, &found, mapping, &cost, NULL), PTL_OK);
    assert_int_equal(found, least != UINT32_MAX);
    if (!found) {
        check_conflict(s, o);
        return;
    }
    assert_int_equal(cost, least);
    assert_true(brute_admits(o, SIZE_MAX, mapping, &unused));
    assert_int_equal(unused, least);
    uint64_t set;
    unsigned limit = least + options->slack;
    assert_int_equal(ptl_search_other(s, mapping, 0, UINT64_MAX, &found, other, &set, NULL), PTL_OK);
    assert_int_equal(found, brute_other(o, mapping, limit, options->epsilon, options->rmax));
    if (found) {
        assert_true(brute_admits(o, SIZE_MAX, other, &unused));
        assert_in_range(unused, least, limit);
        assert_true(ptl_distinct(ptl_union_ports(mapping, set), ptl_union_ports(other, set), options->epsilon,
                                 options->rmax));
    }
    for (set = 1; set < 1 << SCHEMES; set++)
        for (unsigned low = 1; low <= PORTS; low++) {
            assert_int_equal(ptl_search_possible(s, set, low, low, &found, NULL, NULL), PTL_OK);
            assert_int_equal(found, brute_possible(o, set, low, low, least));
        }
}

static void every_answer_is_that_of_brute_force(void** state) {
    (void)state;
    for (uint64_t seed = 0; seed < 25; seed++) {
        ptl_rng r = ptl_rng_seed(seed);
        ptl_search_options options = {.schemes = SCHEMES,
                                      .ports = PORTS,
                                      .epsilon = 0.02,
                                      .rmax = ptl_rng_below(&r, 2) ? 2 : 0,
                                      .slack = (unsigned)ptl_rng_below(&r, 3),
                                      .seed = seed};
        ptl_search* s;
        assert_int_equal(ptl_search_new(&s, &options, NULL), PTL_OK);
        uint32_t truth[SCHEMES];
        nth_mapping((unsigned)ptl_rng_below(&r, MAPPINGS), truth);
        seen o = {0};
        while (o.count < 6) {
            o.terms[o.count] = random_terms(&r);
            o.bounds[o.count] = random_bounds(&r, ptl_candidate_cycles(truth, &o.terms[o.count]));
            assert_int_equal(ptl_search_observe(s, &o.terms[o.count], &o.bounds[o.count], NULL), PTL_OK);
            o.count++;
            check_answers(s, &o, &options); /* incrementally, after each observation */
        }
        ptl_search_free(s);
    }
}

static void suppositions_hold_until_they_are_forgotten(void** state) {
    (void)state;
    ptl_search_options options = {.schemes = 2, .ports = 4, .epsilon = 0.02, .counts = (unsigned[]){2, 2}};
    ptl_search* s;
    bool found;
    uint32_t mapping[2];
    unsigned cost;
    assert_int_equal(ptl_search_new(&s, &options, NULL), PTL_OK);
    ptl_search_suppose(s, 3, 3, 3);
    assert_int_equal(ptl_search_supposed(s), 1);
    assert_int_equal(ptl_search_mapping(s, &found, mapping, &cost, NULL), PTL_OK);
    assert_true(found);
    assert_int_equal(ptl_union_ports(mapping, 3), 3);
    assert_int_equal(ptl_search_possible(s, 3, 4, 4, &found, mapping, NULL), PTL_OK);
    assert_false(found);
    ptl_search_forget(s, 0);
    assert_int_equal(ptl_search_possible(s, 3, 4, 4, &found, mapping, NULL), PTL_OK);
    assert_true(found);
    char* text = ptl_search_text(s, mapping, 2);
    assert_non_null(strstr(text, "m.0.1"));
    free(text);
    ptl_search_free(s);
}

static void sizes_out_of_range_are_refused(void** state) {
    (void)state;
    ptl_search* s;
    ptl_error e;
    ptl_search_options options = {.schemes = 65, .ports = 4};
    assert_int_equal(ptl_search_new(&s, &options, &e), PTL_BAD_INPUT);
    assert_null(s);
    options = (ptl_search_options){.schemes = 2, .ports = 0};
    assert_int_equal(ptl_search_new(&s, &options, &e), PTL_BAD_INPUT);
    options = (ptl_search_options){.schemes = 2, .ports = 3, .counts = (unsigned[]){1, 4}};
    assert_int_equal(ptl_search_new(&s, &options, &e), PTL_BAD_INPUT);
    options.counts = NULL;
    assert_int_equal(ptl_search_new(&s, &options, &e), PTL_OK);
    ptl_terms unknown = {.count = 1, .scheme = {2}, .copies = {1}}, none = {.count = 0};
    ptl_bounds bounds = {.upper = 1};
    assert_int_equal(ptl_search_observe(s, &unknown, &bounds, &e), PTL_BAD_INPUT);
    assert_int_equal(ptl_search_observe(s, &none, &bounds, &e), PTL_BAD_INPUT);
    ptl_search_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clauses_have_models_and_cores),
        cmocka_unit_test(counts_are_exact_in_both_directions),
        cmocka_unit_test(a_check_ends_at_the_deadline_and_on_interruption),
        cmocka_unit_test(every_answer_is_that_of_brute_force),
        cmocka_unit_test(suppositions_hold_until_they_are_forgotten),
        cmocka_unit_test(sizes_out_of_range_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
