/* Controls in simulated weather: what share of their readings is spared. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/control.h"
#include "simulated_weather.h"

enum { CAPACITY = 400, CYCLES = 24 };

static const weather calm = {"calm", 500000, 235, 250, 0, 0, 2};
static const weather stalls = {"stalls", 6000, 235, 250, 0, 0, 0.005};
static const weather dense_stalls = {"dense stalls", 2500, 235, 250, 0, 0, 0.005};

typedef struct watched {
    ptl_calibration calibration;
    ptl_reading store[2][CAPACITY];
    ptl_watch watch;
    size_t truly; /* long readings that nothing hit */
} watched;

/* A control whose passes were calibrated to take `edge` cycles beside their iterations. */
static void begin(watched* w, double edge, size_t capacity) {
    *w = (watched){.calibration = {.granularity = 2, .control = {{.cycles = CYCLES, .edge = edge}}}};
    w->watch = ptl_watch_new(&w->calibration, 0, w->store[0], w->store[1], capacity);
}

static void visit(watched* w, machine* m, double long_cycles, unsigned visits) {
    loop l = loop_of(CYCLES, 1.8, long_cycles);
    for (unsigned i = 0; i < visits; i++) {
        ptl_visit v = visit_of(m, &l);
        double cycle;
        if (ptl_gate(&v, &simulated_reference, &cycle) != PTL_QUIET) continue;
        ptl_watch_add(&w->watch, &v, cycle, i);
        for (int k = 0; k < PTL_VISIT_PASSES; k++) {
            const ptl_pass* p = &v.pass[PTL_LONG][k];
            w->truly += fabs(p->ticks / cycle - EDGE - (double)CYCLES * p->iterations) < 100;
        }
    }
    ptl_watch_judge(&w->watch);
}

static double truly_spared(const watched* w) {
    return (double)w->truly / (double)w->watch.seen;
}

static void a_level_other_than_the_calibrated_one_is_found(void** state) {
    (void)state;
    static watched w;
    for (int off = -30; off <= 30; off += 15) {
        machine m = machine_in(&calm, 3);
        begin(&w, EDGE + off, CAPACITY);
        visit(&w, &m, 4000, 60);
        assert_true(ptl_watch_spared(&w.watch) > 0.93);
        assert_true(fabs(w.watch.base - EDGE) < 4);
    }
}

static void the_share_is_that_of_readings_that_nothing_hit(void** state) {
    (void)state;
    static watched w;
    machine m = machine_in(&stalls, 5);
    begin(&w, EDGE + 20, CAPACITY);
    visit(&w, &m, 4000, 90);
    assert_true(truly_spared(&w) > 0.3 && truly_spared(&w) < 0.7);
    assert_true(fabs(ptl_watch_spared(&w.watch) - truly_spared(&w)) < 0.06);
}

static void where_all_are_hit_none_is_spared(void** state) {
    (void)state;
    static watched w;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        machine m = machine_in(&dense_stalls, seed);
        begin(&w, EDGE, CAPACITY);
        visit(&w, &m, 40000, 90);
        assert_true(ptl_watch_spared(&w.watch) < 0.02);
    }
}

static void readings_beyond_the_capacity_count_all_the_same(void** state) {
    (void)state;
    static watched w;
    machine m = machine_in(&stalls, 9);
    begin(&w, EDGE + 20, 80);
    visit(&w, &m, 4000, 15);
    visit(&w, &m, 4000, 300);
    assert_true(w.watch.seen > 400 && w.watch.list[PTL_LONG].n <= 80);
    assert_true(fabs(ptl_watch_spared(&w.watch) - truly_spared(&w)) < 0.06);
}

static void wrong_clocks_leave_none(void** state) {
    (void)state;
    static watched w;
    machine m = machine_in(&calm, 11);
    begin(&w, EDGE, CAPACITY);
    loop l = loop_of(CYCLES, 1.8, 4000);
    for (uint32_t i = 0; i < 90; i++) {
        ptl_visit v = visit_of(&m, &l);
        double cycle;
        if (ptl_gate(&v, &simulated_reference, &cycle) != PTL_QUIET) continue;
        ptl_watch_add(&w.watch, &v, i % 3 ? cycle : cycle * (1 + 0.02 * (1 + i % 7)),
                      i); /* a third, each by another share */
    }
    ptl_watch_judge(&w.watch);
    assert_true(w.watch.fast > 50 && w.watch.undisturbed > 100);
    assert_true(ptl_watch_spared(&w.watch) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_level_other_than_the_calibrated_one_is_found),
        cmocka_unit_test(the_share_is_that_of_readings_that_nothing_hit),
        cmocka_unit_test(where_all_are_hit_none_is_spared),
        cmocka_unit_test(readings_beyond_the_capacity_count_all_the_same),
        cmocka_unit_test(wrong_clocks_leave_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
