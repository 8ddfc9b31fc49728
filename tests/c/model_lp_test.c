#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <glpk.h>

#include "model/batch.h"
#include "model/bottleneck.h"
#include "model/flow.h"
#include "model/lp.h"
#include "model/lp_guard.h"
#include "model/throughput.h"
#include "random_model.h"

#define PAIRS (SANITIZED ? 10000 : 100000)
#define LENGTH_MOST 8
#define COUNT_MOST 9

/* Two-level in one of three cases, with R_max in one of two. */
static random_shape any_shape(ptl_rng* r) {
    static const double limits[] = {0, 0, 0, 2, 4.5, 5};
    bool two_level = ptl_rng_below(r, 3) == 0;
    unsigned ports = 1 + (unsigned)ptl_rng_below(r, 12);
    return (random_shape){.ports = ports,
                          .schemes = 1 + (unsigned)ptl_rng_below(r, LENGTH_MOST),
                          .widest = 1 + (unsigned)ptl_rng_below(r, ports),
                          .uops = two_level ? 1 : 4,
                          .count = two_level ? 1 : 3,
                          .slots = two_level ? 1 : 4,
                          .eliminated = two_level ? 0 : 0.05,
                          .rmax = limits[ptl_rng_below(r, 6)],
                          .units = (unsigned)ptl_rng_below(r, 3)};
}

/* A batch of one: exact, but where R_max is no whole number. */
static void assert_batch(const ptl_mapping* m, const ptl_experiment* e, double expected) {
    static const double tolerance = 3e-7;
    ptl_port_sets sets = PTL_PORT_SETS_EMPTY;
    ptl_load_tree tree = PTL_LOAD_TREE_EMPTY;
    ptl_batch batch = PTL_BATCH_EMPTY;
    double cycles;
    assert_int_equal(ptl_port_sets_unions(&sets, m, NULL), PTL_OK);
    assert_int_equal(ptl_load_tree_fill(&tree, &sets, m, NULL), PTL_OK);
    assert_int_equal(ptl_batch_add(&batch, e, NULL), PTL_OK);
    for (ptl_kernel k = PTL_KERNEL_SCALAR; k < PTL_KERNEL_COUNT; k++) {
        if (!ptl_kernel_of(k)) continue;
        assert_int_equal(ptl_batch_run(&batch, &tree, k, &cycles, NULL), PTL_OK);
        ptl_batch_keep_busy(&batch, m, &cycles);
        assert_true(m->rmax == 4.5 ? fabs(cycles - expected) <= tolerance * expected : cycles == expected);
    }
    ptl_batch_free(&batch);
    ptl_load_tree_free(&tree);
    ptl_port_sets_free(&sets);
}

/* All ways to compute the bottleneck formula agree exactly; returns the cycles. */
static double by_formula(const ptl_mapping* m, const ptl_experiment* e, ptl_demand* d) {
    ptl_bottleneck chosen, unions, zeta, flow, vectors, query;
    uint64_t slots;
    assert_int_equal(ptl_demand_fill(d, m, e, NULL), PTL_OK);
    assert_int_equal(ptl_bottleneck_of(d, &chosen, NULL), PTL_OK);
    assert_int_equal(ptl_bottleneck_by_zeta(d, &zeta, NULL), PTL_OK);
    assert_int_equal(ptl_bottleneck_by_flow(d, &flow, NULL), PTL_OK);
    assert_int_equal(ptl_bottleneck_compare(&chosen, &zeta), 0);
    assert_int_equal(ptl_bottleneck_compare(&chosen, &flow), 0);
    assert_true(chosen.ports == zeta.ports && chosen.ports == flow.ports);
    assert_int_equal(ptl_bottleneck_by_vectors(d, &vectors, NULL), PTL_OK);
    assert_int_equal(ptl_query(m, e, &query, &slots, NULL), PTL_OK);
    assert_int_equal(ptl_bottleneck_compare(&chosen, &vectors), 0);
    assert_int_equal(ptl_bottleneck_compare(&chosen, &query), 0);
    assert_true(chosen.ports == vectors.ports && chosen.ports == query.ports && slots == d->slots);
    if (d->size <= 14) { /* 2^k sets */
        ptl_bottleneck_by_unions(d, &unions);
        assert_int_equal(ptl_bottleneck_compare(&chosen, &unions), 0);
        assert_true(chosen.ports == unions.ports);
    }
    return ptl_demand_cycles(d, &chosen, m->rmax);
}

static void assert_close(double a, double b, double relative) {
    if (!(fabs(a - b) <= relative * fmax(fabs(a), fabs(b)))) fail_msg("%.17g and %.17g", a, b);
}

/* The loads are what a solution of the program has: they sum to the mass and none is above t. */
static void assert_feasible(const ptl_demand* d, double cycles, const double* loads) {
    double sum = 0;
    for (unsigned k = 0; k < PTL_PORTS_MAX; k++) {
        assert_true(loads[k] >= -1e-9 * (double)d->mass);
        assert_true(loads[k] <= cycles * (1 + 1e-9) + 1e-12);
        if (!(d->ports >> k & 1)) assert_true(loads[k] == 0);
        sum += loads[k];
    }
    assert_close(sum, (double)d->mass, 1e-9);
}

static void the_program_has_the_value_of_the_formula(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(1);
    ptl_demand d = PTL_DEMAND_EMPTY;
    int by_issue = 0;
    for (int n = 0; n < PAIRS; n++) {
        ptl_mapping m;
        ptl_term terms[RANDOM_TERMS_MAX];
        double cycles, loads[PTL_PORTS_MAX];
        random_shape shape = any_shape(&r);
        random_mapping(&m, &r, &shape);
        ptl_experiment e = random_experiment(&r, m.scheme_count, LENGTH_MOST, COUNT_MOST, terms);
        double expected = by_formula(&m, &e, &d);
        assert_batch(&m, &e, expected);
        assert_int_equal(ptl_lp_throughput(&m, &e, false, &cycles, loads, NULL), PTL_OK);
        assert_close(cycles, expected, 1e-6);
        assert_feasible(&d, cycles, loads);
        by_issue += m.rmax > 0 && expected == (double)d.slots / m.rmax;
        ptl_mapping_free(&m);
    }
    assert_in_range(by_issue, PAIRS / 100, PAIRS / 2);
    ptl_demand_free(&d);
}

static void exact_means_the_same_double(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(2);
    ptl_demand d = PTL_DEMAND_EMPTY;
    for (int n = 0; n < PAIRS / 50; n++) {
        ptl_mapping m;
        ptl_term terms[RANDOM_TERMS_MAX];
        double cycles, loads[PTL_PORTS_MAX];
        random_shape shape = any_shape(&r);
        random_mapping(&m, &r, &shape);
        uint32_t most = n % 4 ? COUNT_MOST : 100000000; /* masses where 1e-9 of tolerance is a whole uop */
        ptl_experiment e = random_experiment(&r, m.scheme_count, LENGTH_MOST, most, terms);
        double expected = by_formula(&m, &e, &d);
        assert_int_equal(ptl_lp_throughput(&m, &e, true, &cycles, loads, NULL), PTL_OK);
        assert_true(cycles == expected);
        assert_feasible(&d, cycles, loads);
        ptl_mapping_free(&m);
    }
    ptl_demand_free(&d);
}

static const char* const port_names[] = {"0", "1", "2"};

/* Example 3.8 of the dissertation's kind: mul on one port, add on two, store on the third. */
static void a_known_program(void** state) {
    (void)state;
    ptl_mapping m;
    ptl_error error;
    double cycles, loads[PTL_PORTS_MAX];
    ptl_term terms[] = {{0, 1}, {1, 2}, {2, 1}};
    ptl_mapping_new(&m, port_names, 3, 5, 0, NULL);
    ptl_mapping_add(&m, "mul", &(ptl_uop){1, 1}, 1, 1, NULL);
    ptl_mapping_add(&m, "add", &(ptl_uop){3, 1}, 1, 1, NULL);
    ptl_mapping_add(&m, "store", &(ptl_uop){4, 1}, 1, 1, NULL);
    ptl_mapping_add(&m, "mov", (ptl_uop[1]){{0}}, 0, 1, NULL);
    ptl_mapping_add(&m, "cpuid", NULL, 0, 1, NULL);
    for (int exact = 0; exact < 2; exact++) {
        assert_int_equal(ptl_lp_throughput(&m, &(ptl_experiment){terms, 3}, exact, &cycles, loads, &error),
                         PTL_OK);
        assert_close(cycles, 1.5, 1e-9);
        assert_close(loads[0], 1.5, 1e-9);
        assert_close(loads[1], 1.5, 1e-9);
        assert_close(loads[2], 1, 1e-9);
        m.rmax = 2;
        assert_int_equal(ptl_lp_throughput(&m, &(ptl_experiment){terms, 3}, exact, &cycles, NULL, &error),
                         PTL_OK);
        assert_close(cycles, 2, 1e-9);
        ptl_term moves = {3, 5}; /* no uops, only slots */
        assert_int_equal(ptl_lp_throughput(&m, &(ptl_experiment){&moves, 1}, exact, &cycles, loads, &error),
                         PTL_OK);
        assert_true(cycles == 2.5 && loads[0] == 0);
        m.rmax = 0;
        assert_int_equal(ptl_lp_throughput(&m, &(ptl_experiment){NULL, 0}, exact, &cycles, loads, &error),
                         PTL_OK);
        assert_true(cycles == 0);
        ptl_term unknown = {4, 1};
        assert_int_equal(ptl_lp_throughput(&m, &(ptl_experiment){&unknown, 1}, exact, &cycles, loads, &error),
                         PTL_BAD_INPUT);
        assert_string_equal(error.where, "cpuid");
    }
    ptl_mapping_free(&m);
}

static void what_glpk_would_abort_on_is_refused(void** state) {
    (void)state;
    ptl_mapping m;
    ptl_error error;
    double cycles;
    ptl_uop heavy = {7, PTL_UOP_COUNT_MAX};
    ptl_mapping_new(&m, port_names, 3, 8000, 0, NULL);
    for (int i = 0; i < 8000; i++) ptl_mapping_add(&m, "s", &heavy, 1, PTL_SLOTS_MAX, NULL);
    ptl_term* terms = test_malloc(80000 * sizeof *terms);
    for (uint32_t i = 0; i < 80000; i++) terms[i] = (ptl_term){i % 8000, 1};
    assert_int_equal(ptl_lp_throughput(&m, &(ptl_experiment){terms, 80000}, false, &cycles, NULL, &error),
                     PTL_LIMIT);
    for (uint32_t i = 0; i < 8000; i++) terms[i].count = UINT32_MAX;
    assert_int_equal(ptl_lp_throughput(&m, &(ptl_experiment){terms, 8000}, true, &cycles, NULL, &error),
                     PTL_BAD_INPUT);
    assert_int_equal(ptl_lp_throughput(&m, &(ptl_experiment){terms, 1000}, true, &cycles, NULL, &error),
                     PTL_OK);
    assert_close(cycles, 1000.0 * UINT32_MAX * PTL_UOP_COUNT_MAX / 3, 1e-15);
    terms[0].scheme = 8000;
    assert_int_equal(ptl_lp_throughput(&m, &(ptl_experiment){terms, 1}, true, &cycles, NULL, &error),
                     PTL_INTERNAL);
    test_free(terms);
    ptl_mapping_free(&m);
}

static ptl_status misuse(void* data, ptl_error* e) {
    (void)e;
    glp_prob* lp = glp_create_prob();
    glp_add_rows(lp, 1);
    glp_set_row_bnds(lp, *(int*)data, GLP_UP, 0, 0); /* there is no row 7 */
    return PTL_OK;
}

static void misuse_of_glpk_is_an_error_not_the_end(void** state) {
    (void)state;
    ptl_error error;
    int row = 7;
    assert_int_equal(ptl_lp_guarded(misuse, &row, &error), PTL_INTERNAL);
    assert_non_null(strstr(error.what, "GLPK failed"));
    row = 1; /* and it still works; the problem that is left behind is freed */
    assert_int_equal(ptl_lp_guarded(misuse, &row, &error), PTL_OK);
    assert_int_equal(glp_init_env(), 0);
    glp_free_env();
}

static void* in_a_thread(void* seed) {
    ptl_rng r = ptl_rng_seed((uint64_t)(uintptr_t)seed);
    ptl_demand d = PTL_DEMAND_EMPTY;
    uintptr_t wrong = 0;
    for (int n = 0; n < 50; n++) { /* no assertions: cmocka's belong to the main thread */
        ptl_mapping m;
        ptl_term terms[RANDOM_TERMS_MAX];
        double cycles = 0;
        ptl_bottleneck b;
        random_mapping(
            &m, &r,
            &(random_shape){.ports = 6, .schemes = 5, .widest = 4, .uops = 3, .count = 2, .slots = 1});
        ptl_experiment e = random_experiment(&r, 5, 5, 5, terms);
        wrong += ptl_lp_throughput(&m, &e, n % 2, &cycles, NULL, NULL) != PTL_OK;
        ptl_demand_fill(&d, &m, &e, NULL);
        wrong += ptl_bottleneck_of(&d, &b, NULL) || fabs(cycles - ptl_bottleneck_cycles(&b)) > 1e-6 * cycles;
        ptl_mapping_free(&m);
    }
    ptl_demand_free(&d);
    return (void*)wrong;
}

static void threads_do_not_meet(void** state) {
    (void)state;
    pthread_t threads[4];
    for (uintptr_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, in_a_thread, (void*)(i + 1)), 0);
    for (int i = 0; i < 4; i++) {
        void* wrong;
        assert_int_equal(pthread_join(threads[i], &wrong), 0);
        assert_null(wrong);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_program_has_the_value_of_the_formula),
        cmocka_unit_test(exact_means_the_same_double),
        cmocka_unit_test(a_known_program),
        cmocka_unit_test(what_glpk_would_abort_on_is_refused),
        cmocka_unit_test(misuse_of_glpk_is_an_error_not_the_end),
        cmocka_unit_test(threads_do_not_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
