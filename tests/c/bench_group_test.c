/* Experiments of several variants in simulated weather: code of which some visits see a faster rate than
 * most. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "bench/group.h"
#include "simulated_weather.h"

enum { VARIANTS = 3, LONG_CYCLES = 4000, CYCLES = 40, GROUPS = 100 };

static const weather calm = {"calm", 500000, 235, 250, 0, 0, 2};
static const double SLOWER = 1.06; /* the usual rate, in fast ones */

static const ptl_conditions conditions = {
    .spared = 0.95, .typical = LONG_CYCLES, .resolution = 8, .edge = EDGE};

/* A visit that sees the fast rate, or the slow one, in all of its passes. */
static void visit(machine* m, ptl_group* g, ptl_variant* v, bool fast, uint32_t number) {
    loop l = loop_of(CYCLES, 1, LONG_CYCLES);
    if (!fast) l.cycles *= SLOWER;
    ptl_visit seen = visit_of(m, &l);
    double cycle;
    if (ptl_gate(&seen, &simulated_reference, &cycle) != PTL_QUIET) cycle = 0;
    ptl_group_add(g, v, &seen, cycle, m->tsc_hz, number);
}

typedef struct outcome {
    ptl_measurement measurement;
    unsigned visits;
} outcome;

/* Measures one experiment of which `share` of the visits are fast. */
static outcome measure(machine* m, double share) {
    ptl_arena arena = PTL_ARENA_EMPTY;
    ptl_kernel kernel[VARIANTS];
    ptl_variant variant[VARIANTS];
    outcome out = {.visits = 0};
    ptl_group g = {.variants = variant, .count = VARIANTS, .kernels = kernel, .out = &out.measurement};
    for (unsigned i = 0; i < VARIANTS; i++) {
        kernel[i] = (ptl_kernel){.copies = 1};
        assert_true(ptl_variant_open(&variant[i], &kernel[i], 0, &arena));
    }
    while (!g.done) {
        for (unsigned i = 0; i < VARIANTS; i++)
            for (unsigned k = ptl_group_wants(&g, &variant[i]); k > 0; k--) {
                bool fast = ptl_rng_unit(&m->rng) < share;
                visit(m, &g, &variant[i], fast, ++out.visits);
            }
        ptl_group_judge(&g, &conditions);
    }
    ptl_arena_release(&arena);
    return out;
}

static bool is(double cycles, double rate) {
    return fabs(cycles / rate - 1) < 0.004;
}

static void the_faster_rate_counts_though_most_visits_see_the_slower(void** state) {
    (void)state;
    machine m = machine_in(&calm, 11);
    unsigned fast = 0;
    for (int i = 0; i < GROUPS; i++) {
        outcome o = measure(&m, 0.2);
        assert_int_equal(o.measurement.status, PTL_BENCH_OK);
        bool is_fast = is(o.measurement.cycles, CYCLES);
        fast += is_fast;
        assert_true(is_fast || is(o.measurement.cycles, SLOWER * CYCLES));
        if (is_fast && o.measurement.slow_cycles > 0)
            assert_true(is(o.measurement.slow_cycles, SLOWER * CYCLES));
    }
    print_message("%u of %d with the faster rate, which one visit of five sees\n", fast, GROUPS);
    assert_true(fast >= 0.7 * GROUPS); /* of others, fewer than two visits saw it */
}

static void one_rate_takes_no_further_visits(void** state) {
    (void)state;
    machine m = machine_in(&calm, 12);
    for (int i = 0; i < GROUPS; i++) {
        outcome o = measure(&m, 0);
        assert_int_equal(o.measurement.status, PTL_BENCH_OK);
        assert_true(is(o.measurement.cycles, SLOWER * CYCLES));
        assert_true(o.visits <= 8 * VARIANTS);
    }
}

static void a_faster_rate_that_is_never_seen_again_is_chance(void** state) {
    (void)state;
    machine m = machine_in(&calm, 13);
    for (int i = 0; i < GROUPS; i++) {
        outcome o = measure(&m, 0.004);
        bool usual = is(o.measurement.cycles, SLOWER * CYCLES);
        assert_true(o.measurement.status == PTL_BENCH_UNSTABLE || usual);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_faster_rate_counts_though_most_visits_see_the_slower),
        cmocka_unit_test(one_rate_takes_no_further_visits),
        cmocka_unit_test(a_faster_rate_that_is_never_seen_again_is_chance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
