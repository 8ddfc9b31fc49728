#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/batch.h"
#include "model/batch_mappings.h"
#include "model/throughput.h"
#include "random_model.h"

#define TERMS_MAX 100

typedef struct fixture {
    ptl_mapping m;
    ptl_port_sets sets;
    ptl_load_tree tree;
    ptl_batch batch;
    double* expected;
    size_t size;
} fixture;

static double single(const ptl_mapping* m, const ptl_experiment* e) {
    ptl_bottleneck b;
    uint64_t slots;
    assert_int_equal(ptl_query(m, e, &b, &slots, NULL), PTL_OK);
    return fmax(ptl_limited_cycles(&b, slots, m->rmax), ptl_busy_cycles(m, e, NULL));
}

/* A mapping, its tree, `size` experiments of up to `longest` terms, and what single queries say of them. */
static void set_up(fixture* f, ptl_rng* r, const random_shape* shape, size_t size, size_t longest,
                   uint32_t count_most) {
    *f = (fixture){.size = size};
    random_mapping(&f->m, r, shape);
    assert_int_equal(ptl_port_sets_unions(&f->sets, &f->m, NULL), PTL_OK);
    assert_int_equal(ptl_load_tree_fill(&f->tree, &f->sets, &f->m, NULL), PTL_OK);
    f->expected = test_calloc(size, sizeof *f->expected);
    for (size_t j = 0; j < size; j++) {
        ptl_term terms[TERMS_MAX];
        ptl_experiment e = {terms, ptl_rng_below(r, longest + 1)};
        for (size_t k = 0; k < e.size; k++)
            terms[k] = (ptl_term){(uint32_t)ptl_rng_below(r, shape->schemes),
                                  1 + (uint32_t)ptl_rng_below(r, count_most)};
        ptl_experiment_canonical(&e);
        assert_int_equal(ptl_batch_add(&f->batch, &e, NULL), PTL_OK);
        f->expected[j] = single(&f->m, &e);
    }
}

static void tear_down(fixture* f) {
    test_free(f->expected);
    ptl_batch_free(&f->batch);
    ptl_load_tree_free(&f->tree);
    ptl_port_sets_free(&f->sets);
    ptl_mapping_free(&f->m);
}

/* tolerance 0: the same bits. */
static void assert_kernels_agree(const fixture* f, double tolerance) {
    double* cycles = test_calloc(f->size, sizeof *cycles);
    for (ptl_kernel k = PTL_KERNEL_AUTO; k < PTL_KERNEL_COUNT; k++) {
        if (!ptl_kernel_of(k)) continue;
        memset(cycles, 0xff, f->size * sizeof *cycles);
        assert_int_equal(ptl_batch_run(&f->batch, &f->tree, k, cycles, NULL), PTL_OK);
        for (size_t j = 0; j < f->size; j++)
            if (!(fabs(cycles[j] - f->expected[j]) <= tolerance * f->expected[j]))
                fail_msg("%s, experiment %zu: %.17g instead of %.17g", ptl_kernel_of(k)->name, j, cycles[j],
                         f->expected[j]);
    }
    test_free(cycles);
}

static const double whole_limits[] = {0, 0, 1, 4, 5, 6};

static void every_kernel_is_exact(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(1);
    for (int round = 0; round < (SANITIZED ? 60 : 400); round++) {
        unsigned ports = 1 + (unsigned)ptl_rng_below(&r, 12);
        random_shape shape = {.ports = ports,
                              .schemes = 1 + (unsigned)ptl_rng_below(&r, 40),
                              .widest = 1 + (unsigned)ptl_rng_below(&r, ports),
                              .uops = 6,
                              .count = 2,
                              .slots = 3,
                              .eliminated = 0.05,
                              .rmax = whole_limits[ptl_rng_below(&r, 6)]};
        fixture f;
        set_up(&f, &r, &shape, 1 + ptl_rng_below(&r, 60), 1 + ptl_rng_below(&r, 8), 3);
        assert_kernels_agree(&f, 0);
        tear_down(&f);
    }
}

static void many_ports_and_levels(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(2);
    unsigned most = 0;
    for (unsigned ports = 13; ports <= (SANITIZED ? 14 : 16); ports++) {
        random_shape shape = {.ports = ports, .schemes = 60, .widest = 4, .uops = 4, .count = 2, .slots = 1};
        fixture f;
        set_up(&f, &r, &shape, 200, 5, 1);
        most = f.tree.levels > most ? f.tree.levels : most;
        assert_kernels_agree(&f, 2e-7); /* the common multiple of the widths is large: some are rounded */
        tear_down(&f);
    }
    assert_true(most >= 3);
}

static void more_ports_than_can_be_tabulated(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(9);
    random_shape shape = {
        .ports = 28, .schemes = 9, .widest = 28, .uops = 1, .count = 3, .slots = 1, .rmax = 6};
    fixture f;
    set_up(&f, &r, &shape, 200, 6, 2);
    assert_true(ptl_ports_count(ptl_mapping_used_ports(&f.m)) > PTL_PORT_SETS_PORTS_MAX);
    assert_kernels_agree(&f, 2e-7);
    tear_down(&f);
    ptl_mapping m; /* too many unions */
    ptl_port_sets sets = PTL_PORT_SETS_EMPTY;
    shape = (random_shape){.ports = 24, .schemes = 200, .widest = 2, .uops = 4, .count = 1, .slots = 1};
    random_mapping(&m, &r, &shape);
    assert_int_equal(ptl_port_sets_unions(&sets, &m, NULL), PTL_LIMIT);
    ptl_port_sets_free(&sets);
    ptl_mapping_free(&m);
}

static void odd_limits_and_large_counts_are_rounded(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(3);
    for (int round = 0; round < 60; round++) {
        random_shape shape = {.ports = 9,
                              .schemes = 30,
                              .widest = 5,
                              .uops = 4,
                              .count = 3,
                              .slots = 3,
                              .rmax = round % 2 ? 4.3 : 0};
        fixture f;
        set_up(&f, &r, &shape, 50, 6, round % 3 ? 5 : 100000);
        assert_kernels_agree(&f, 1e-6);
        tear_down(&f);
    }
}

static void long_and_empty_experiments(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(4);
    random_shape shape = {
        .ports = 10, .schemes = 200, .widest = 6, .uops = 3, .count = 2, .slots = 1, .rmax = 4};
    fixture f;
    set_up(&f, &r, &shape, 70, TERMS_MAX, 1);
    assert_kernels_agree(&f, 0);
    ptl_batch_add(&f.batch, &(ptl_experiment){NULL, 0}, NULL);
    double* cycles = test_calloc(f.size + 1, sizeof *cycles);
    cycles[f.size] = -1;
    assert_int_equal(ptl_batch_run(&f.batch, &f.tree, PTL_KERNEL_AUTO, cycles, NULL), PTL_OK);
    assert_true(cycles[f.size] == 0);
    test_free(cycles);
    tear_down(&f);
}

static void port_sets_are_the_unions(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(5);
    ptl_port_sets sets = PTL_PORT_SETS_EMPTY;
    for (int round = 0; round < 100; round++) {
        ptl_mapping m;
        random_shape shape = {.ports = 9, .schemes = 5, .widest = 4, .uops = 2, .count = 1, .slots = 1};
        random_mapping(&m, &r, &shape);
        assert_int_equal(ptl_port_sets_unions(&sets, &m, NULL), PTL_OK);
        size_t expected = 0;
        for (ptl_ports q = 1; q < 1u << 9; q++) {
            ptl_ports cover = 0;
            for (size_t i = 0; i < m.scheme_count; i++)
                for (uint32_t u = 0; u < m.schemes[i].uop_count; u++)
                    if (!(m.schemes[i].uops[u].ports & ~q)) cover |= m.schemes[i].uops[u].ports;
            if (cover != q) continue;
            expected++;
            size_t at = 0;
            while (at < sets.count && sets.sets[at] != q) at++;
            assert_true(at < sets.count);
            if (at) assert_true(ptl_ports_count(sets.sets[at - 1]) >= ptl_ports_count(q));
        }
        assert_int_equal(sets.count, expected);
        ptl_mapping_free(&m);
    }
    ptl_port_sets_free(&sets);
}

/* With the port sets of a mapping a scheme can change and the rest stays. */
static void rows_are_filled_anew(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(6);
    random_shape shape = {
        .ports = 8, .schemes = 20, .widest = 5, .uops = 3, .count = 2, .slots = 2, .rmax = 5};
    fixture f;
    ptl_mapping other;
    set_up(&f, &r, &shape, 300, 4, 2);
    random_mapping(&other, &r, &shape);
    assert_int_equal(ptl_load_tree_fill(&f.tree, &f.sets, &other, NULL), PTL_OK);
    for (size_t i = 0; i < f.m.scheme_count; i++) ptl_load_tree_row(&f.tree, i, &f.m.schemes[i]);
    assert_kernels_agree(&f, 0);
    double cycles[300];
    ptl_usage unknown = {.name = "gone", .slots = 1};
    ptl_load_tree_row(&f.tree, f.batch.scheme[0], &unknown); /* of the first experiment */
    assert_int_equal(ptl_batch_run(&f.batch, &f.tree, PTL_KERNEL_AUTO, cycles, NULL), PTL_BAD_INPUT);
    ptl_load_tree_row(&f.tree, f.batch.scheme[0], &f.m.schemes[f.batch.scheme[0]]);
    assert_int_equal(f.tree.unknown_count, 0);
    assert_kernels_agree(&f, 0);
    ptl_mapping_free(&other);
    tear_down(&f);
}

static void what_cannot_be_asked(void** state) {
    (void)state;
    static const char* const ports[] = {"0", "1"};
    ptl_mapping m;
    ptl_error error;
    fixture f = {0};
    double cycles[2];
    ptl_mapping_new(&m, ports, 2, 2, 0, NULL);
    ptl_mapping_add(&m, "add", &(ptl_uop){3, 1}, 1, 1, NULL);
    ptl_mapping_add(&m, "cpuid", NULL, 0, 1, NULL);
    ptl_port_sets_unions(&f.sets, &m, NULL);
    ptl_load_tree_fill(&f.tree, &f.sets, &m, NULL);
    ptl_term add = {0, 3}, cpuid = {1, 1}, third = {2, 1}, many = {0, (1u << 24) + 1};
    ptl_batch_add(&f.batch, &(ptl_experiment){&add, 1}, NULL);
    assert_int_equal(ptl_batch_run(&f.batch, &f.tree, PTL_KERNEL_AUTO, cycles, &error), PTL_OK);
    assert_true(cycles[0] == 1.5);
    assert_int_equal(ptl_batch_add(&f.batch, &(ptl_experiment){&many, 1}, &error), PTL_BAD_INPUT);
    assert_int_equal(f.batch.size, 1);
    ptl_batch_add(&f.batch, &(ptl_experiment){&cpuid, 1}, NULL);
    assert_int_equal(ptl_batch_run(&f.batch, &f.tree, PTL_KERNEL_AUTO, cycles, &error), PTL_BAD_INPUT);
    assert_non_null(strstr(error.what, "experiment 2"));
    ptl_batch_add(&f.batch, &(ptl_experiment){&third, 1}, NULL);
    assert_int_equal(ptl_batch_run(&f.batch, &f.tree, PTL_KERNEL_AUTO, cycles, &error), PTL_BAD_INPUT);
    assert_int_equal(ptl_batch_run(&f.batch, &f.tree, PTL_KERNEL_COUNT, cycles, &error), PTL_UNSUPPORTED);
    assert_int_equal(ptl_kernel_named("avx512"), PTL_KERNEL_AVX512);
    assert_int_equal(ptl_kernel_named("mmx"), PTL_KERNEL_COUNT);
    ptl_batch_free(&f.batch);
    ptl_load_tree_free(&f.tree);
    ptl_port_sets_free(&f.sets);
    ptl_mapping_free(&m);
}

#define MAPPINGS 37

typedef struct collected {
    double* cycles; /* MAPPINGS times the size of the batch */
    size_t size;
} collected;

static void collect(void* context, size_t i, const double* cycles) {
    const collected* c = context;
    memcpy(c->cycles + i * c->size, cycles, c->size * sizeof *cycles);
}

static void threads_change_nothing(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(7);
    random_shape shape = {
        .ports = 9, .schemes = 25, .widest = 9, .uops = 3, .count = 2, .slots = 2, .rmax = 4.7, .units = 3};
    ptl_mapping mappings[MAPPINGS];
    const ptl_mapping* list[MAPPINGS];
    ptl_batch batch = PTL_BATCH_EMPTY;
    for (int i = 0; i < MAPPINGS; i++) random_mapping(&mappings[i], &r, &shape), list[i] = &mappings[i];
    for (int j = 0; j < 500; j++) {
        ptl_term terms[RANDOM_TERMS_MAX];
        ptl_experiment e = random_experiment(&r, 25, 5, 7, terms);
        ptl_batch_add(&batch, &e, NULL);
    }
    collected one = {test_calloc(MAPPINGS * batch.size, sizeof(double)), batch.size}, many = one;
    many.cycles = test_calloc(MAPPINGS * batch.size, sizeof(double));
    static const unsigned threads[] = {1, 2, 16};
    for (int t = 0; t < 3; t++) {
        ptl_pool* pool;
        ptl_error error;
        assert_int_equal(ptl_pool_new(&pool, threads[t], NULL), PTL_OK);
        assert_int_equal(ptl_batch_mappings_run(pool, list, MAPPINGS, &batch, PTL_KERNEL_AUTO, collect,
                                                t ? &many : &one, NULL),
                         PTL_OK);
        if (t) assert_memory_equal(one.cycles, many.cycles, MAPPINGS * batch.size * sizeof(double));
        mappings[30].schemes[batch.scheme[0]].known = mappings[11].schemes[batch.scheme[1]].known = false;
        assert_int_equal(
            ptl_batch_mappings_run(pool, list, MAPPINGS, &batch, PTL_KERNEL_AUTO, collect, &many, &error),
            PTL_BAD_INPUT);
        assert_non_null(strstr(error.what, "mapping 12: ")); /* the first one, by its index */
        mappings[30].schemes[batch.scheme[0]].known = mappings[11].schemes[batch.scheme[1]].known = true;
        ptl_pool_free(pool);
    }
    const double* last =
        one.cycles + (MAPPINGS - 1) * batch.size; /* and they are the numbers of single queries */
    for (size_t j = 0; j < batch.size; j++) {
        ptl_term terms[RANDOM_TERMS_MAX];
        ptl_experiment e = {terms, batch.start[j + 1] - batch.start[j]};
        for (uint32_t k = 0; k < e.size; k++)
            terms[k] =
                (ptl_term){batch.scheme[batch.start[j] + k], (uint32_t)batch.count[batch.start[j] + k]};
        assert_true(fabs(single(&mappings[MAPPINGS - 1], &e) - last[j]) <= 1e-6 * last[j]);
    }
    test_free(one.cycles);
    test_free(many.cycles);
    ptl_batch_free(&batch);
    for (int i = 0; i < MAPPINGS; i++) ptl_mapping_free(&mappings[i]);
}

static void single_queries_agree_with_the_plain_transform(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(8);
    ptl_demand d = PTL_DEMAND_EMPTY;
    for (int round = 0; round < (SANITIZED ? 1000 : 10000); round++) {
        unsigned ports = 1 + (unsigned)ptl_rng_below(&r, 14);
        random_shape shape = {.ports = ports,
                              .schemes = 12,
                              .widest = ports,
                              .uops = 5,
                              .count = 3,
                              .slots = 4,
                              .eliminated = 0.1};
        ptl_mapping m;
        ptl_term terms[RANDOM_TERMS_MAX];
        random_mapping(&m, &r, &shape);
        ptl_experiment e = random_experiment(&r, 12, 8, round % 5 ? 9 : 30000000, terms);
        ptl_bottleneck query, vectors, zeta;
        uint64_t slots;
        assert_int_equal(ptl_query(&m, &e, &query, &slots, NULL), PTL_OK);
        assert_int_equal(ptl_demand_fill(&d, &m, &e, NULL), PTL_OK);
        assert_int_equal(ptl_bottleneck_by_zeta(&d, &zeta, NULL), PTL_OK);
        assert_int_equal(ptl_bottleneck_by_vectors(&d, &vectors, NULL), PTL_OK);
        assert_int_equal(ptl_bottleneck_compare(&query, &zeta), 0);
        assert_int_equal(ptl_bottleneck_compare(&vectors, &zeta), 0);
        assert_true(query.ports == zeta.ports && vectors.ports == zeta.ports);
        assert_true(slots == d.slots);
        ptl_mapping_free(&m);
    }
    ptl_demand_free(&d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kernel_is_exact),
        cmocka_unit_test(many_ports_and_levels),
        cmocka_unit_test(more_ports_than_can_be_tabulated),
        cmocka_unit_test(odd_limits_and_large_counts_are_rounded),
        cmocka_unit_test(long_and_empty_experiments),
        cmocka_unit_test(port_sets_are_the_unions),
        cmocka_unit_test(rows_are_filled_anew),
        cmocka_unit_test(what_cannot_be_asked),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(single_queries_agree_with_the_plain_transform),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
