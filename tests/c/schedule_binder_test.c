#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "model/throughput.h"
#include "schedule/binder.h"

static const char* const port_names[] = {"0", "1", "2", "3", "4", "5", "6", "7"};
static const char* const scheme_names[] = {"s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7"};

static ptl_status bind_cycles(const ptl_mapping* m, const ptl_experiment* e, const ptl_binder* o,
                              double* cycles, ptl_error* error) {
    double loads[PTL_PORTS_MAX];
    return ptl_bind_loads(m, e, o, cycles, loads, error);
}

static double optimum(const ptl_mapping* m, const ptl_experiment* e) {
    ptl_demand d = PTL_DEMAND_EMPTY;
    ptl_bottleneck b;
    assert_int_equal(ptl_demand_fill(&d, m, e, NULL), PTL_OK);
    assert_int_equal(ptl_bottleneck_of(&d, &b, NULL), PTL_OK);
    double t = ptl_demand_cycles(&d, &b, m->rmax);
    ptl_demand_free(&d);
    return t;
}

static void random_mapping(ptl_mapping* m, ptl_rng* r) {
    static const double limits[] = {0, 4, 6, 2.5};
    unsigned ports = 1 + (unsigned)ptl_rng_below(r, 8);
    assert_int_equal(ptl_mapping_new(m, port_names, ports, 8, limits[ptl_rng_below(r, 4)], NULL), PTL_OK);
    for (int i = 0; i < 8; i++) {
        ptl_uop uops[3];
        size_t n = ptl_rng_below(r, 4);
        for (size_t u = 0; u < n; u++) {
            uops[u] = (ptl_uop){0, 1 + (uint32_t)ptl_rng_below(r, 2)};
            for (uint64_t k = 1 + ptl_rng_below(r, 4); k > 0; k--)
                uops[u].ports |= UINT32_C(1) << ptl_rng_below(r, ports);
        }
        ptl_mapping_add(m, scheme_names[i], uops, n, (uint32_t)ptl_rng_below(r, 3), NULL);
        if (i % 4 == 0) ptl_mapping_keep_busy(m, (uint32_t)i, 1, 1.5 + 0.25 * i, NULL);
    }
}

/* What a schedule must do, whoever made it: every uop is executed, on one of its ports, one per port and
 * cycle. By Hall's theorem it is enough to look at all sets of ports. */
static void assert_executes_everything(const ptl_mapping* m, const ptl_experiment* e, const ptl_binder* o) {
    double cycles, again, loads[PTL_PORTS_MAX], sum = 0;
    assert_int_equal(bind_cycles(m, e, o, &cycles, NULL), PTL_OK);
    assert_int_equal(ptl_bind_loads(m, e, o, &again, loads, NULL), PTL_OK);
    assert_true(cycles == again);
    ptl_demand d = PTL_DEMAND_EMPTY;
    assert_int_equal(ptl_demand_fill(&d, m, e, NULL), PTL_OK);
    for (unsigned k = 0; k < PTL_PORTS_MAX; k++) {
        /* ties at random: rates are means of some thousand cycles, and the scheduler may fill meanwhile */
        assert_true(loads[k] >= 0 && loads[k] <= cycles * (o->random ? 1.05 : 1) + 1e-9);
        sum += loads[k];
    }
    assert_true(fabs(sum - (double)d.mass) < 1e-9);
    for (ptl_ports q = 1; q < UINT32_C(1) << m->port_count; q++) {
        double on = 0, inside = 0;
        for (unsigned k = 0; k < m->port_count; k++) on += q >> k & 1 ? loads[k] : 0;
        for (size_t u = 0; u < d.size; u++) inside += d.uops[u].ports & ~q ? 0 : (double)d.uops[u].mass;
        assert_true(on >= inside - 1e-9);
    }
    ptl_demand_free(&d);
}

static void the_binder_is_never_faster_than_the_model_and_now_and_then_slower(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(1);
    int slower = 0, same = 0;
    for (int round = 0; round < 600; round++) {
        ptl_mapping m;
        random_mapping(&m, &r);
        ptl_term terms[4];
        ptl_experiment e = {terms, 1 + ptl_rng_below(&r, 4)};
        for (size_t i = 0; i < e.size; i++)
            terms[i] = (ptl_term){(uint32_t)ptl_rng_below(&r, 8), 1 + (uint32_t)ptl_rng_below(&r, 4)};
        ptl_experiment_canonical(&e);
        ptl_binder o = round % 2 ? PTL_BINDER_DEFAULT : PTL_BINDER_RECENT;
        if (ptl_rng_below(&r, 2))
            o = (ptl_binder){.scheduler = 1 + (unsigned)ptl_rng_below(&r, 60),
                             .memory = (unsigned)ptl_rng_below(&r, PTL_BINDER_MEMORY_MAX)};
        if (ptl_rng_below(&r, 2)) o.stale = (unsigned)ptl_rng_below(&r, o.memory + 1);
        double cycles, least = optimum(&m, &e);
        assert_int_equal(bind_cycles(&m, &e, &o, &cycles, NULL), PTL_OK);
        assert_true(cycles >= least - 1e-9);
        slower += cycles > least * 1.02;
        same += cycles < least * 1.001;
        /* the same experiment twice takes twice as long: it is the same steady state */
        ptl_term doubled[4];
        for (size_t i = 0; i < e.size; i++) doubled[i] = (ptl_term){terms[i].scheme, 2 * terms[i].count};
        double twice;
        assert_int_equal(bind_cycles(&m, &(ptl_experiment){doubled, e.size}, &o, &twice, NULL), PTL_OK);
        assert_true(fabs(twice - 2 * cycles) < 1e-9);
        assert_executes_everything(&m, &e, &o);
        ptl_mapping_free(&m);
    }
    assert_true(slower > 30);
    assert_true(same > 200);
}

/* Ports 0, 1, 5, 6, B of Golden Cove; what theory and binder.h say about it. */
static void it_is_slow_where_a_real_core_is(void** state) {
    (void)state;
    ptl_mapping m;
    ptl_mapping_new(&m, port_names, 5, 4, 6, NULL);
    ptl_mapping_add(&m, "vmovmskps", &(ptl_uop){1, 1}, 1, 1, NULL);
    ptl_mapping_add(&m, "add", &(ptl_uop){31, 1}, 1, 1, NULL);
    ptl_mapping_add(&m, "vmulpd", &(ptl_uop){3, 1}, 1, 1, NULL);
    ptl_mapping_add(&m, "vpaddd", &(ptl_uop){7, 1}, 1, 1, NULL);
    ptl_binder greedy = PTL_BINDER_RECENT;
    double cycles;
    ptl_term one_and_four[] = {{0, 1}, {1, 4}}, two_and_one[] = {{2, 2}, {3, 1}};
    bind_cycles(&m, &(ptl_experiment){one_and_four, 2}, &greedy, &cycles, NULL);
    assert_true(cycles > 1.1 && cycles < 1.8);
    bind_cycles(&m, &(ptl_experiment){two_and_one, 2}, &greedy, &cycles, NULL);
    assert_true(cycles > 1.05 && cycles < 1.5);
    for (uint32_t i = 0; i < 4; i++) { /* single schemes are as fast as they can be */
        ptl_term single = {i, 1};
        ptl_experiment e = {&single, 1};
        bind_cycles(&m, &e, &greedy, &cycles, NULL);
        assert_true(fabs(cycles - optimum(&m, &e)) < 2e-3);
    }
    ptl_mapping_free(&m);
}

static void a_small_scheduler_lets_ports_starve(void** state) {
    (void)state;
    ptl_mapping m;
    ptl_mapping_new(&m, port_names, 4, 1, 0, NULL);
    ptl_mapping_add(&m, "x", &(ptl_uop){15, 1}, 1, 1, NULL);
    ptl_term x = {0, 1};
    for (unsigned entries = 1; entries < 8;
         entries++) { /* so many uops a cycle at most, up to the number of ports */
        double cycles;
        assert_int_equal(bind_cycles(&m, &(ptl_experiment){&x, 1},
                                     &(ptl_binder){.scheduler = entries, .memory = 0}, &cycles, NULL),
                         PTL_OK);
        assert_true(fabs(cycles - 1.0 / (entries < 4 ? entries : 4)) < 1e-12);
    }
    ptl_mapping_free(&m);
}

static void long_experiments_and_bad_options_are_refused(void** state) {
    (void)state;
    ptl_mapping m;
    ptl_mapping_new(&m, port_names, 2, 2, 0, NULL);
    ptl_mapping_add(&m, "x", &(ptl_uop){1, 1}, 1, 1, NULL);
    ptl_mapping_add(&m, "y", &(ptl_uop){3, 1}, 1, 1, NULL);
    ptl_term huge[] = {{0, 1000000000}, {1, 999999999}}, fine[] = {{0, 1000000000}, {1, 500000000}};
    double cycles;
    ptl_binder o = PTL_BINDER_DEFAULT;
    assert_int_equal(bind_cycles(&m, &(ptl_experiment){huge, 2}, &o, &cycles, NULL), PTL_BAD_INPUT);
    assert_int_equal(bind_cycles(&m, &(ptl_experiment){fine, 2}, &o, &cycles, NULL), PTL_OK);
    assert_true(cycles >= 1e9);
    assert_int_equal(bind_cycles(&m, &(ptl_experiment){fine, 2}, &(ptl_binder){.scheduler = 0, .memory = 1},
                                 &cycles, NULL),
                     PTL_BAD_INPUT);
    assert_int_equal(bind_cycles(&m, &(ptl_experiment){fine, 2}, &(ptl_binder){.scheduler = 9, .memory = 99},
                                 &cycles, NULL),
                     PTL_BAD_INPUT);
    assert_int_equal(bind_cycles(&m, &(ptl_experiment){fine, 0}, &o, &cycles, NULL), PTL_OK);
    assert_true(cycles == 0);
    ptl_mapping_free(&m);
}

static double bound(const ptl_mapping* m, unsigned memory) {
    ptl_term x = {0, 1};
    double cycles;
    assert_int_equal(bind_cycles(m, &(ptl_experiment){&x, 1},
                                 &(ptl_binder){.scheduler = 97, .memory = memory}, &cycles, NULL),
                     PTL_OK);
    return cycles;
}

static void a_small_rmax_is_kept(void** state) {
    (void)state;
    static const double limits[] = {1e-3, 1.9e-3, 0.0123, 0.3, 0.75, 1, 1.7, 1e-4, 1e-50, 1e-310};
    ptl_mapping m;
    ptl_mapping_new(&m, port_names, 2, 1, 1, NULL);
    ptl_mapping_add(&m, "x", &(ptl_uop){3, 1}, 1, 1, NULL);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        m.rmax = limits[i]; /* smaller ones than a mapping may have: nothing may go wrong with them, either */
        double cycles = bound(&m, 4);
        assert_true(cycles >= fmax(0.5, 1 / m.rmax));
        assert_true(m.rmax < PTL_RMAX_MIN || cycles <= 1.002 / m.rmax);
    }
    ptl_mapping_free(&m);
}

static void counters_may_remember_as_long_as_is_allowed(void** state) {
    (void)state;
    ptl_mapping m;
    ptl_mapping_new(&m, port_names, 4, 1, 3, NULL);
    ptl_mapping_add(&m, "x", &(ptl_uop){15, 1}, 1, 1, NULL);
    for (unsigned memory = 0; memory <= PTL_BINDER_MEMORY_MAX; memory++)
        assert_true(fabs(bound(&m, memory) - 1.0 / 3) < 1e-12);
    ptl_mapping_free(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_binder_is_never_faster_than_the_model_and_now_and_then_slower),
        cmocka_unit_test(it_is_slow_where_a_real_core_is),
        cmocka_unit_test(a_small_scheduler_lets_ports_starve),
        cmocka_unit_test(long_experiments_and_bad_options_are_refused),
        cmocka_unit_test(a_small_rmax_is_kept),
        cmocka_unit_test(counters_may_remember_as_long_as_is_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
