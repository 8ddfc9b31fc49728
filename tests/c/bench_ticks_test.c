/* Counters that step less often than a core: 54 million times a second (Cortex-A72 of a Raspberry Pi 4), 24
 * million times (Apple's cores). Their steps are measured, samples become so much longer, and rates come out
 * as well as elsewhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "bench/reference.h"
#include "bench/ticks.h"
#include "simulated_weather.h"

enum { KEPT = 160, ROUND = 4, VISITS_MAX = 400, LOOPS = 200 };
static const double USUAL = 4000; /* cycles of a long pass with a fine counter */

static const weather calm = {"calm", 500000, 235, 250, 0, 0, 2};
static const weather busy = {"interrupts", 500000, 235, 2000, 0, 0, 0.01};

static void fill(uint64_t* reading, size_t n, double ticks_each, uint64_t step) {
    for (size_t i = 0; i < n; i++) reading[i] = (uint64_t)((double)i * ticks_each) / step * step;
}

/* Read after 28 ticks and up to 120 more, by a counter that is scaled from a slower one. */
static void fill_scaled(uint64_t* reading, size_t n, double step) {
    double time = 0;
    for (size_t i = 0; i < n; i++) {
        time += 28.3 + 2.93 * (double)(i % 41);
        reading[i] = (uint64_t)(floor(time / step) * step);
    }
}

static void steps_are_measured(void** state) {
    (void)state;
    enum { N = 100 };
    uint64_t r[N];
    const double steps[] = {24.454, 20, 33.333, 41.667, 8.2, 130.7};
    for (int i = 0; i < 6; i++) { /* 100 MHz, scaled to 2.4454 GHz, as on Zen 3, and others */
        fill_scaled(r, N, steps[i]);
        double found = ptl_ticks_granularity(r, N);
        if (fabs(found - steps[i]) > 0.02 * steps[i]) print_error("%g found for %g\n", found, steps[i]);
        assert_true(fabs(found - steps[i]) <= 0.02 * steps[i]);
    }
    fill_scaled(r, N, 1);
    assert_true(ptl_ticks_granularity(r, N) == 1);
    fill_scaled(r, N, 2);
    assert_true(ptl_ticks_granularity(r, N) == 2);
    fill(r, N, 31.7, 2); /* reading takes longer than a step */
    assert_true(ptl_ticks_granularity(r, N) == 2);
    fill(r, N, 0.4, 1); /* 54 MHz */
    assert_true(ptl_ticks_granularity(r, N) == 1);
    for (uint64_t i = 0; i < N; i++) r[i] = (uint64_t)(i / 3 * 41.667); /* 24 MHz, scaled to 1 GHz */
    assert_true(fabs(ptl_ticks_granularity(r, N) - 41.667) < 0.2);
    fill(r, N, 0, 1);
    assert_true(ptl_ticks_granularity(r, N) == 1);
}

static void coarse_counters_ask_for_longer_samples(void** state) {
    (void)state;
    const ptl_ticks fine[] = {{2.0e9, 2}, {2.3e9, 2}, {3.0e9, 1}, {1.0e9, 1}};
    for (int i = 0; i < 4; i++) assert_int_equal(ptl_ticks_coarseness(&fine[i]), 1);
    unsigned a72 = ptl_ticks_coarseness(&(ptl_ticks){54e6, 1}),
             apple = ptl_ticks_coarseness(&(ptl_ticks){24e6, 1}),
             scaled = ptl_ticks_coarseness(&(ptl_ticks){1e9, 41});
    assert_true(a72 > 5 && a72 < 9);
    assert_true(apple > 2 * a72 && apple < 3 * a72);
    assert_true(scaled + 1 >= apple && scaled <= apple);
    ptl_segments g = ptl_segments_of((uint32_t)USUAL * a72, a72), usual = ptl_segments_of((uint32_t)USUAL, 1);
    assert_int_equal(g.sentinel_iterations, a72 * usual.sentinel_iterations);
    assert_true(g.chain_cycles >= a72 * usual.chain_cycles);
    /* A chain is long beside the steps: 54 MHz at 1.5 GHz is a step every 28 cycles. */
    assert_true(g.chain_cycles > 100 * 28);
}

static void this_machines_counter_counts(void** state) {
    (void)state;
    ptl_ticks t = ptl_ticks_measure();
    assert_true(t.hz > 1e6 && t.hz < 1e10 && t.granularity >= 1);
}

static void what_is_resolved_is_told_in_cycles(void** state) {
    (void)state;
    const ptl_calibration a72 = {.granularity = 1, .ticks_per_cycle = 54e6 / 1.5e9};
    assert_true(fabs(ptl_resolution(&a72) - (4 + 2 * 27.8)) < 0.1);
}

typedef struct subject {
    ptl_reading store[2][KEPT];
    ptl_readings readings[2];
    size_t undisturbed, seen; /* long ones */
    uint32_t visits;
} subject;

static void visit(machine* m, subject* s, const loop* l, double resolution) {
    ptl_visit v = visit_of(m, l);
    double cycle;
    s->visits++;
    if (ptl_gate(&v, &m->reference, &cycle) != PTL_QUIET) return;
    for (int k = 0; k < 2; k++) ptl_readings_add_visit(&s->readings[k], KEPT, &v, k, cycle, s->visits);
    for (int i = 0; i < PTL_VISIT_PASSES; i++) {
        double expected = EDGE + l->cycles * v.pass[PTL_LONG][i].iterations;
        s->seen++;
        s->undisturbed +=
            fabs(v.pass[PTL_LONG][i].ticks / cycle - expected) <= ptl_agreement(expected, resolution);
    }
}

static void begin(subject* s, const loop* l) {
    *s = (subject){.visits = 0};
    for (int k = 0; k < 2; k++)
        s->readings[k] = (ptl_readings){.list = s->store[k], .nominal = l->nominal[k]};
}

typedef struct score {
    int certain, off, wrong; /* by more than 0.4 %, and than 1 % */
} score;

/* Measures random loops with such a counter, next to a control of 30 cycles. */
static score measure(const weather* w, double ticks, unsigned coarseness, uint64_t seed) {
    static subject control, s;
    machine m = coarse_machine_in(w, ticks, coarseness, seed);
    double resolution = 4 + 2 * m.hz / ticks, longest = USUAL * coarseness;
    score out = {0};
    for (int i = 0; i < LOOPS; i++) {
        double cycles = 8 + 200 * ptl_rng_unit(&m.rng) * ptl_rng_unit(&m.rng);
        loop known = loop_of(30, 1.8, longest), l = loop_of(cycles, 1.8, longest);
        begin(&control, &known), begin(&s, &l);
        ptl_estimate e;
        ptl_evidence evidence = PTL_MORE;
        while (evidence == PTL_MORE && s.visits < VISITS_MAX) {
            for (int k = 0; k < ROUND; k++)
                visit(&m, &s, &l, resolution), visit(&m, &control, &known, resolution);
            ptl_conditions c = {.spared =
                                    control.seen ? (double)control.undisturbed / (double)control.seen : 0,
                                .typical = longest,
                                .resolution = resolution};
            if (s.readings[1].n) evidence = ptl_estimate_rate(&s.readings[0], &s.readings[1], &c, &e);
        }
        if (evidence != PTL_CERTAIN) continue;
        out.certain++;
        out.off += fabs(e.cycles / cycles - 1) > 0.004;
        out.wrong += fabs(e.cycles / cycles - 1) > 0.01;
    }
    return out;
}

static void rates_are_right_with_a_coarse_counter(void** state) {
    (void)state;
    static const struct {
        const weather* weather;
        double ticks;
    } worlds[] = {{&calm, 100e6}, {&busy, 100e6}, {&calm, 54e6}, {&busy, 54e6}, {&calm, 24e6}, {&busy, 24e6}};
    for (int i = 0; i < 6; i++) {
        unsigned coarseness = ptl_ticks_coarseness(&(ptl_ticks){worlds[i].ticks, 1});
        score s = measure(worlds[i].weather, worlds[i].ticks, coarseness, 7 + (uint64_t)i);
        print_message("%-10s %.0f MHz, passes of %.0f cycles: %d of %d certain, %d off by more than 0.4 %%, "
                      "%d by 1 %%\n",
                      worlds[i].weather->name, worlds[i].ticks / 1e6, USUAL * coarseness, s.certain, LOOPS,
                      s.off, s.wrong);
        assert_int_equal(s.wrong, 0);
        assert_true(s.off <= LOOPS / 50);
        assert_true(s.certain >= 0.95 * LOOPS);
    }
}

/* Which is why they are longer. */
static void usual_samples_would_not_do(void** state) {
    (void)state;
    score s = measure(&calm, 54e6, 1, 3);
    print_message("usual passes of %.0f cycles: %d of %d certain, %d off by more than 0.4 %%, %d by 1 %%\n",
                  USUAL, s.certain, LOOPS, s.off, s.wrong);
    assert_true(s.off + LOOPS - s.certain > LOOPS / 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_measured),
        cmocka_unit_test(coarse_counters_ask_for_longer_samples),
        cmocka_unit_test(this_machines_counter_counts),
        cmocka_unit_test(what_is_resolved_is_told_in_cycles),
        cmocka_unit_test(rates_are_right_with_a_coarse_counter),
        cmocka_unit_test(usual_samples_would_not_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
