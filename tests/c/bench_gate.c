/* The noise gate on made-up samples: what it must let through, and what it must not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "bench/gate.h"

static const ptl_reference REFERENCE = {.chain_cycles = 18000,
                                        .overhead_ticks = 60,
                                        .sentinel_units = 32000,
                                        .sentinel_cycles = 0.25,
                                        .tsc_hz = 2.5e9};

/* A quiet sample of a body of `cycles` per iteration on a core at `ticks` ticks a cycle. */
static ptl_sample quiet(double cycles, double ticks) {
    ptl_sample s = {.iterations = 1000};
    for (int i = 0; i < 2; i++) {
        s.chain[i] = (uint64_t)(18000 * ticks + 60);
        s.sentinel[i] = (uint64_t)(8000 * ticks + 60);
        s.body[i] = (uint64_t)((i + 1) * 1000 * cycles * ticks + 60);
    }
    return s;
}

static void a_quiet_sample_gives_cycles_at_any_clock_rate(void** state) {
    (void)state;
    for (double ticks = 0.6; ticks < 1.6; ticks += 0.1) {
        ptl_sample s = quiet(25, ticks);
        ptl_reading r;
        assert_int_equal(ptl_gate(&s, &REFERENCE, &r), PTL_QUIET);
        assert_true(r.cycles > 24.95 && r.cycles < 25.05);
        assert_true(r.frequency * ticks > 2.49e9 && r.frequency * ticks < 2.51e9);
    }
}

static void counts_are_those_of_the_second_half(void** state) {
    (void)state;
    ptl_sample s = quiet(25, 1);
    ptl_reading r;
    s.event[0][0] = 40000 + 77, s.event[1][0] = 80000 + 77; /* 40 an iteration, 77 around the loop */
    s.event[0][3] = s.event[1][3] = 5;
    assert_int_equal(ptl_gate(&s, &REFERENCE, &r), PTL_QUIET);
    assert_false(r.counted);
    s.counted = true;
    assert_int_equal(ptl_gate(&s, &REFERENCE, &r), PTL_QUIET);
    assert_true(r.counted);
    assert_true(r.event[0] == 40 && r.event[1] == 0 && r.event[3] == 0);
}

static void a_clock_that_moves_is_rejected(void** state) {
    (void)state;
    ptl_sample s = quiet(25, 0.8);
    ptl_reading r;
    s.chain[1] += s.chain[1] / 50;
    assert_int_equal(ptl_gate(&s, &REFERENCE, &r), PTL_CLOCK_MOVED);
    s = quiet(25, 0.8);
    s.chain[0] = 10; /* less than an empty segment takes */
    assert_int_equal(ptl_gate(&s, &REFERENCE, &r), PTL_CLOCK_MOVED);
}

static void a_sentinel_off_its_rate_is_rejected(void** state) {
    (void)state;
    for (int i = 0; i < 2; i++)
        for (int sign = -1; sign < 2; sign += 2) {
            ptl_sample s = quiet(25, 0.8);
            s.sentinel[i] = (uint64_t)((double)s.sentinel[i] * (1 + sign * 0.1));
            ptl_reading r;
            assert_int_equal(ptl_gate(&s, &REFERENCE, &r), PTL_DISTURBED);
        }
}

static void an_interrupted_body_is_rejected(void** state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        ptl_sample s = quiet(25, 0.8);
        s.body[i] += 10000;
        ptl_reading r;
        assert_int_equal(ptl_gate(&s, &REFERENCE, &r), PTL_UNEVEN);
    }
}

static void a_summary_is_median_and_spread(void** state) {
    (void)state;
    double odd[] = {3, 1, 2, 5, 4}, even[] = {4, 1, 2, 3};
    ptl_summary s = ptl_summarise(odd, 5);
    assert_true(s.n == 5 && s.median == 3 && s.spread == 2.0 / 3);
    assert_true(ptl_summarise(even, 4).median == 2.5);
    assert_true(ptl_summarise(odd, 0).n == 0);
}

static void the_fastest_cluster_is_not_the_minimum(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(3);
    double v[300];
    for (int i = 0; i < 300; i++) {
        double jitter = 0.001 * ptl_rng_normal(&r);
        v[i] = i < 5     ? 0.15 + 0.02 * i                /* corrupted brackets: too fast, and scattered */
               : i < 100 ? 0.25 + jitter / 4              /* quiet */
                         : 0.45 + 0.1 * ptl_rng_unit(&r); /* a busy neighbour */
    }
    double c = ptl_fastest_cluster(v, 300, 20);
    assert_true(c > 0.247 && c < 0.253);
    assert_true(ptl_fastest_cluster(v, 10, 20) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_quiet_sample_gives_cycles_at_any_clock_rate),
        cmocka_unit_test(counts_are_those_of_the_second_half),
        cmocka_unit_test(a_clock_that_moves_is_rejected),
        cmocka_unit_test(a_sentinel_off_its_rate_is_rejected),
        cmocka_unit_test(an_interrupted_body_is_rejected),
        cmocka_unit_test(a_summary_is_median_and_spread),
        cmocka_unit_test(the_fastest_cluster_is_not_the_minimum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
