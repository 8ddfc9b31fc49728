/* The noise gate over made-up ticks: what passes, and that a clock is never slower than it was. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/noise_gate.h"

static const ptl_reference reference = {
    .chain_cycles = 1080, .sentinel_cycles = 300, .tsc_hz = 2.5e9, .granularity = 2};

static ptl_visit quiet(double ticks_per_cycle) {
    ptl_visit v = {.nominal = {10, 40}};
    for (int i = 0; i < PTL_VISIT_CHAINS; i++) v.chain[i] = (uint32_t)(1080 * ticks_per_cycle);
    for (int i = 0; i < 2; i++) v.sentinel[i] = (uint32_t)(300 * ticks_per_cycle);
    return v;
}

static void quiet_visits_pass_and_tell_the_clock(void** state) {
    (void)state;
    for (double ticks = 0.6; ticks < 1.2; ticks += 0.1) {
        ptl_visit v = quiet(ticks);
        double cycle = 0;
        assert_int_equal(ptl_gate(&v, &reference, &cycle), PTL_QUIET);
        assert_true(cycle > 0.998 * ticks && cycle <= ticks);
    }
}

static void chains_that_were_hit_do_not_change_the_clock(void** state) {
    (void)state;
    ptl_visit v = quiet(0.8);
    double cycle = 0;
    v.chain[1] += 180;
    v.chain[3] += 180; /* equal stalls: these two agree as well as the others */
    assert_int_equal(ptl_gate(&v, &reference, &cycle), PTL_QUIET);
    assert_true(cycle <= 0.8);
}

static void no_clock_is_made_of_two_chains(void** state) {
    (void)state;
    ptl_visit v = quiet(0.8);
    double cycle = 0;
    v.chain[0] += 180, v.chain[2] += 180, v.chain[4] += 400;
    assert_int_equal(ptl_gate(&v, &reference, &cycle), PTL_CLOCK_MOVED);
    assert_true(ptl_clock(v.chain, 2, 2) == 0);
    assert_true(ptl_clock((const uint32_t[3]){0, 0, 0}, 3, 2) == 0);
}

static void a_core_that_speeds_up_is_noticed(void** state) {
    (void)state;
    ptl_visit v = quiet(0.8);
    double cycle = 0;
    v.chain[4] = (uint32_t)(1080 * 0.77); /* one chain at the new speed: not enough for a clock */
    assert_int_equal(ptl_gate(&v, &reference, &cycle), PTL_CLOCK_MOVED);
    v.chain[2] = v.chain[3] = v.chain[4]; /* three: the faster clock counts, and passes before look slow */
    assert_int_equal(ptl_gate(&v, &reference, &cycle), PTL_QUIET);
    assert_true(cycle < 0.771);
}

static void slow_sentinels_are_rejected(void** state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        ptl_visit v = quiet(0.8);
        double cycle = 0;
        v.sentinel[i] = (uint32_t)(v.sentinel[i] * 1.06);
        assert_int_equal(ptl_gate(&v, &reference, &cycle), PTL_DISTURBED);
        ptl_reference unknown = reference;
        unknown.sentinel_cycles = 0;
        assert_int_equal(ptl_gate(&v, &unknown, &cycle), PTL_QUIET);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quiet_visits_pass_and_tell_the_clock),
        cmocka_unit_test(chains_that_were_hit_do_not_change_the_clock),
        cmocka_unit_test(no_clock_is_made_of_two_chains),
        cmocka_unit_test(a_core_that_speeds_up_is_noticed),
        cmocka_unit_test(slow_sentinels_are_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
