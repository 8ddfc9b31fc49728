/* The estimator in simulated weather: right, or no answer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "simulated_weather.h"

enum { KEPT = 160, LONG_CYCLES = 4000, ROUND = 4, VISITS_MAX = 2000 };

static const weather calm = {"calm", 500000, 235, 250, 0, 0, 2};
static const weather stalls = {"stalls", 6000, 235, 250, 0, 0, 0.005};
static const weather dense_stalls = {"dense stalls", 2500, 235, 250, 0, 0, 0.005};
static const weather neighbour = {"neighbour", 50000, 235, 250, 0.9, 0.0003, 0.01};
static const weather everything = {"everything", 5000, 235, 2000, 0.7, 0.0001, 0.003};
static const weather* const weathers[] = {&calm, &stalls, &dense_stalls, &neighbour, &everything};
enum { WEATHERS = sizeof weathers / sizeof *weathers };

/* A loop under measurement: what was read of it so far. */
typedef struct subject {
    loop loop;
    ptl_reading store[2][KEPT];
    ptl_readings readings[2];
    size_t undisturbed, seen; /* of a control */
    uint32_t visits;
} subject;

static void begin(subject* s, loop l) {
    *s = (subject){.loop = l};
    for (int k = 0; k < 2; k++) s->readings[k] = (ptl_readings){.list = s->store[k], .nominal = l.nominal[k]};
}

static void visit(machine* m, subject* s) {
    ptl_visit v = visit_of(m, &s->loop);
    double cycle;
    s->visits++;
    if (ptl_gate(&v, &simulated_reference, &cycle) != PTL_QUIET) return;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < PTL_VISIT_PASSES; i++) {
            const ptl_pass* p = &v.pass[k][i];
            double expected = EDGE + s->loop.cycles * p->iterations, cycles = p->ticks / cycle;
            ptl_readings_add(
                &s->readings[k], KEPT,
                (ptl_reading){.cycles = cycles, .iterations = p->iterations, .visit = s->visits});
            if (k == 0) continue;
            s->seen++;
            s->undisturbed += fabs(cycles - expected) <= ptl_agreement(expected, 8);
        }
}

/* Measures a loop as a batch does, next to a control of 90 cycles an iteration. */
static ptl_evidence measure(machine* m, loop l, ptl_estimate* out) {
    static subject control, s;
    begin(&control, loop_of(30, 1.8, LONG_CYCLES));
    begin(&s, l);
    ptl_evidence evidence = PTL_MORE;
    while (evidence == PTL_MORE && s.visits < VISITS_MAX) {
        for (int i = 0; i < ROUND; i++) visit(m, &s), visit(m, &control), visit(m, &control);
        ptl_conditions c = {.spared = control.seen ? (double)control.undisturbed / (double)control.seen : 0,
                            .typical = LONG_CYCLES,
                            .resolution = 8,
                            .edge = 0};
        if (s.readings[1].n) evidence = ptl_estimate_rate(&s.readings[0], &s.readings[1], &c, out);
    }
    return evidence;
}

static void certain_rates_are_right_in_any_weather(void** state) {
    (void)state;
    for (int w = 0; w < WEATHERS; w++) {
        machine m = machine_in(weathers[w], 7 + (uint64_t)w);
        int certain = 0, wrong = 0, far = 0;
        enum { LOOPS = 300 };
        for (int i = 0; i < LOOPS; i++) {
            double cycles = 8 + 200 * ptl_rng_unit(&m.rng) * ptl_rng_unit(&m.rng);
            ptl_estimate e;
            if (measure(&m, loop_of(cycles, 1 + ptl_rng_unit(&m.rng), LONG_CYCLES), &e) != PTL_CERTAIN)
                continue;
            certain++;
            wrong += fabs(e.cycles / cycles - 1) > 0.01;
            far += fabs(e.cycles / cycles - 1) > 0.004;
        }
        print_message("%-14s %d of %d certain, %d off by more than 0.4 %%, %d by more than 1 %%\n",
                      weathers[w]->name, certain, LOOPS, far, wrong);
        assert_int_equal(wrong, 0);
        assert_true(far <= LOOPS / 50);
        assert_true(certain >= 0.95 * LOOPS);
    }
}

static void stalls_that_hit_all_readings_leave_no_answer(void** state) {
    (void)state;
    /* Passes of 40,000 cycles, a stall every 2,500: hardly any is spared, and many are hit equally often. */
    machine m = machine_in(&dense_stalls, 3);
    for (int i = 0; i < 20; i++) {
        ptl_estimate e = {0};
        ptl_evidence evidence = measure(&m, loop_of(100, 1.5, 40000), &e);
        assert_true(evidence != PTL_CERTAIN || fabs(e.cycles / 100 - 1) < 0.01);
    }
}

static void of_two_rates_the_fast_one_counts_and_both_are_told(void** state) {
    (void)state;
    for (int w = 0; w < 2; w++) {
        machine m = machine_in(weathers[w], 5);
        for (int i = 0; i < 20; i++) {
            loop l = loop_of(40, 1.8, LONG_CYCLES);
            l.other_rate = 1.018, l.other_share = 0.4;
            ptl_estimate e;
            assert_int_equal(measure(&m, l, &e), PTL_CERTAIN);
            assert_true(fabs(e.cycles / 40 - 1) < 0.004);
            if (w == 0) assert_true(fabs(e.slow_cycles / 40 / 1.018 - 1) < 0.006 && e.slow_share > 0.15);
        }
    }
}

static void code_without_a_rate_is_unsteady(void** state) {
    (void)state;
    machine m = machine_in(&calm, 11);
    for (int i = 0; i < 20; i++) {
        loop l = loop_of(40, 1.8, LONG_CYCLES);
        l.unsteady = 0.5;
        ptl_estimate e;
        assert_int_equal(measure(&m, l, &e), PTL_UNSTEADY);
    }
}

static void without_spared_readings_nothing_is_certain(void** state) {
    (void)state;
    ptl_reading list[2][20];
    ptl_readings r[2];
    for (int k = 0; k < 2; k++) {
        r[k] = (ptl_readings){.list = list[k], .nominal = k ? 40 : 10};
        for (uint32_t i = 0; i < 20; i++)
            ptl_readings_add(
                &r[k], 20, (ptl_reading){.cycles = k ? 4060 : 1060, .iterations = r[k].nominal, .visit = i});
    }
    ptl_estimate e;
    ptl_conditions none = {.spared = 0, .typical = 4000, .resolution = 8}, few = none, all = none;
    few.spared = 0.1, all.spared = 1;
    assert_int_equal(ptl_estimate_rate(&r[0], &r[1], &none, &e), PTL_MORE);
    assert_int_equal(ptl_estimate_rate(&r[0], &r[1], &few, &e), PTL_MORE);
    assert_int_equal(ptl_estimate_rate(&r[0], &r[1], &all, &e), PTL_CERTAIN);
    assert_true(e.cycles == 100 && e.share == 1 && e.slow_cycles == 0);
}

static void a_full_list_drops_the_slowest_and_counts_all(void** state) {
    (void)state;
    ptl_reading list[8];
    ptl_readings r = {.list = list, .nominal = 1};
    for (uint32_t i = 0; i < 1000; i++)
        ptl_readings_add(&r, 8, (ptl_reading){.cycles = 10 + (i * 37) % 1000, .iterations = 1, .visit = i});
    assert_int_equal(r.seen, 1000);
    assert_true(r.n <= 8);
    double least = INFINITY;
    for (size_t i = 0; i < r.n; i++) least = fmin(least, list[i].cycles);
    assert_true(least == 10);
}

static void one_fast_reading_is_no_cluster(void** state) {
    (void)state;
    ptl_reading r[30];
    for (uint32_t i = 0; i < 30; i++)
        r[i] = (ptl_reading){.level = i == 0  ? 900
                                      : i < 4 ? 950 + i / 10.0
                                              : 1000 + i / 10.0,
                             .visit = i < 4 ? 1 : i};
    ptl_cluster c;
    assert_true(ptl_fastest_cluster(r, 30, 4, 3, &c)); /* three at 950 are of one visit */
    assert_true(c.centre > 1000 && c.centre < 1003 && c.n == 26);
    assert_false(ptl_fastest_cluster(r, 30, 4, 27, &c));
    assert_false(ptl_fastest_cluster(r, 0, 4, 1, &c));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(certain_rates_are_right_in_any_weather),
        cmocka_unit_test(stalls_that_hit_all_readings_leave_no_answer),
        cmocka_unit_test(of_two_rates_the_fast_one_counts_and_both_are_told),
        cmocka_unit_test(code_without_a_rate_is_unsteady),
        cmocka_unit_test(without_spared_readings_nothing_is_certain),
        cmocka_unit_test(a_full_list_drops_the_slowest_and_counts_all),
        cmocka_unit_test(one_fast_reading_is_no_cluster),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
