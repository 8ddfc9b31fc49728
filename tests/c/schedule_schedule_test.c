#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/bottleneck.h"
#include "schedule/schedule.h"
#include "random_model.h"

#define MAPPINGS (SANITIZED ? 300 : 3000)

static const char* const port_names[] = {"1", "2", "3"};

/* Figure 3.1: mul on port 1, add and sub on 1 and 2, store on 3. */
static void figure(ptl_mapping* m, double rmax) {
    ptl_mapping_new(m, port_names, 3, 6, rmax, NULL);
    ptl_mapping_add(m, "mul", &(ptl_uop){1, 1}, 1, 1, NULL);
    ptl_mapping_add(m, "add", &(ptl_uop){3, 1}, 1, 1, NULL);
    ptl_mapping_add(m, "sub", &(ptl_uop){3, 1}, 1, 1, NULL);
    ptl_mapping_add(m, "store", &(ptl_uop){4, 1}, 1, 1, NULL);
    ptl_mapping_add(m, "mov", (ptl_uop[1]){{0}}, 0, 1, NULL);
    ptl_mapping_add(m, "cpuid", NULL, 0, 1, NULL);
}

/* max over sets Q of ports of ceil(N mass(Q) / |Q|), and ceil(N slots / R_max): one by one. */
static size_t shortest(const ptl_mapping* m, const ptl_demand* d, uint64_t n) {
    uint64_t cycles = 0;
    for (ptl_ports q = 1; q < UINT32_C(1) << m->port_count; q++) {
        uint64_t mass = 0, width = ptl_ports_count(q);
        for (size_t u = 0; u < d->size; u++) mass += d->uops[u].ports & ~q ? 0 : d->uops[u].mass;
        uint64_t needed = (n * mass + width - 1) / width;
        cycles = needed > cycles ? needed : cycles;
    }
    while (m->rmax > 0 && (double)cycles * m->rmax < (double)(n * d->slots)) cycles++;
    return (size_t)cycles;
}

/* Both conditions of Definition 3.3, for uops: all are there, N times, each once; and only where they may
 * run. */
static void assert_valid(const ptl_schedule* s, const ptl_mapping* m, const ptl_experiment* e, uint64_t n) {
    for (size_t t = 0; t < e->size; t++) {
        const ptl_usage* u = &m->schemes[e->terms[t].scheme];
        for (uint32_t j = 0; j < u->uop_count; j++) {
            size_t places = (size_t)n * e->terms[t].count;
            uint32_t* found = calloc(places, sizeof *found);
            assert_non_null(found);
            for (size_t i = 0; i < s->cycles * s->port_count; i++) {
                if (s->slots[i].scheme != e->terms[t].scheme || s->slots[i].uop != j) continue;
                assert_true(s->slots[i].iteration < n && s->slots[i].instance < e->terms[t].count);
                found[s->slots[i].iteration * e->terms[t].count + s->slots[i].instance]++;
                assert_true(u->uops[j].ports >> i % s->port_count & 1);
            }
            for (size_t i = 0; i < places; i++) assert_int_equal(found[i], u->uops[j].count);
            free(found);
        }
    }
}

static size_t busy(const ptl_schedule* s, size_t cycle) {
    size_t count = 0;
    for (unsigned k = 0; k < s->port_count; k++)
        count += s->slots[cycle * s->port_count + k].scheme != PTL_IDLE;
    return count;
}

/* Nothing is there that was not asked for. */
static void assert_complete(const ptl_schedule* s, uint64_t uops) {
    size_t count = 0;
    for (size_t c = 0; c < s->cycles; c++) count += busy(s, c);
    assert_int_equal(count, uops);
}

/* On each port, iterations come in order as long as the uops are of one kind; and in a two-level mapping the
 * schemes of a port set are interchangeable, so there they do as well. */
static void assert_in_order(const ptl_schedule* s, const ptl_mapping* m) {
    for (unsigned k = 0; k < s->port_count; k++) {
        uint32_t last[64] = {0};
        for (size_t c = 0; c < s->cycles; c++) {
            ptl_slot x = s->slots[c * s->port_count + k];
            if (x.scheme == PTL_IDLE) continue;
            ptl_ports p = m->schemes[x.scheme].uops[x.uop].ports;
            if (p >= 64) continue;
            assert_true(last[p] <= x.iteration);
            last[p] = x.iteration;
        }
    }
}

static void example_3_4(void** state) {
    (void)state;
    ptl_mapping m;
    ptl_schedule s;
    ptl_term terms[] = {{0, 1}, {1, 2}, {3, 1}};
    ptl_experiment e = {terms, 3};
    const size_t expected[] = {2, 3, 5, 6, 8};
    figure(&m, 0);
    for (uint64_t n = 1; n <= 5; n++) {
        assert_int_equal(ptl_schedule_of(&s, &m, &e, n, NULL), PTL_OK);
        assert_int_equal(s.cycles, expected[n - 1]);
        assert_valid(&s, &m, &e, n);
        assert_complete(&s, 4 * n);
        ptl_schedule_free(&s);
    }
    ptl_mapping_free(&m);
}

static void schedules_are_valid_and_optimal(void** state) {
    (void)state;
    static const double limits[] = {0, 0, 1.5, 4};
    ptl_rng r = ptl_rng_seed(1);
    ptl_demand d = PTL_DEMAND_EMPTY;
    for (int k = 0; k < MAPPINGS; k++) {
        ptl_mapping m;
        ptl_schedule s;
        ptl_term terms[RANDOM_TERMS_MAX];
        unsigned ports = 1 + (unsigned)ptl_rng_below(&r, 7);
        random_shape shape = {.ports = ports,
                              .schemes = 6,
                              .widest = ports,
                              .uops = 3,
                              .count = 3,
                              .slots = 4,
                              .eliminated = 0.1,
                              .rmax = limits[ptl_rng_below(&r, 4)]};
        random_mapping(&m, &r, &shape);
        ptl_experiment e = random_experiment(&r, 6, 5, 4, terms);
        assert_int_equal(ptl_demand_fill(&d, &m, &e, NULL), PTL_OK);
        for (uint64_t n = 1; n <= 5; n++) {
            assert_int_equal(ptl_schedule_of(&s, &m, &e, n, NULL), PTL_OK);
            assert_int_equal(s.cycles, shortest(&m, &d, n));
            assert_valid(&s, &m, &e, n);
            assert_complete(&s, n * d.mass);
            assert_in_order(&s, &m);
            for (size_t c = 0; m.rmax > 0 && c < s.cycles; c++)
                assert_true((double)busy(&s, c) <=
                            fmax(m.rmax, ceil((double)(n * d.mass) / (double)s.cycles)));
            ptl_schedule_free(&s);
        }
        ptl_mapping_free(&m);
    }
    ptl_demand_free(&d);
}

/* Theorem 3.6: T / N comes down to the inverse throughput, and is never below it. */
static void the_ratio_tends_to_the_inverse_throughput(void** state) {
    (void)state;
    ptl_mapping m;
    ptl_schedule s;
    ptl_term terms[] = {{0, 1}, {1, 2}, {3, 1}};
    ptl_experiment e = {terms, 3};
    figure(&m, 0);
    for (uint64_t n = 1; n < 20000; n = 3 * n + 1) {
        assert_int_equal(ptl_schedule_of(&s, &m, &e, n, NULL), PTL_OK);
        double ratio = (double)s.cycles / (double)n;
        assert_true(ratio >= 1.5 && ratio < 1.5 + 1.0 / (double)n);
        ptl_schedule_free(&s);
    }
    ptl_mapping_free(&m);
}

static void issue_slots_are_kept(void** state) {
    (void)state;
    ptl_mapping m;
    ptl_schedule s;
    ptl_term terms[] = {{0, 1}, {1, 1}, {3, 1}}, moves = {4, 3};
    figure(&m, 2);
    assert_int_equal(ptl_schedule_of(&s, &m, &(ptl_experiment){terms, 3}, 4, NULL), PTL_OK);
    assert_int_equal(s.cycles, 6); /* 12 slots; the ports alone would need 4 */
    assert_valid(&s, &m, &(ptl_experiment){terms, 3}, 4);
    for (size_t c = 0; c < s.cycles; c++) assert_int_equal(busy(&s, c), 2);
    ptl_schedule_free(&s);
    assert_int_equal(ptl_schedule_of(&s, &m, &(ptl_experiment){&moves, 1}, 3, NULL), PTL_OK);
    assert_int_equal(s.cycles, 5); /* nothing to execute, 9 slots */
    assert_complete(&s, 0);
    ptl_schedule_free(&s);
    ptl_mapping_free(&m);
}

static void what_is_too_large_is_refused(void** state) {
    (void)state;
    ptl_mapping m;
    ptl_schedule s;
    ptl_error error;
    ptl_term many = {3, 1000000000}, one = {3, 1}, moves = {4, 1000000000}, unknown = {5, 1};
    figure(&m, 0);
    assert_int_equal(ptl_schedule_of(&s, &m, &(ptl_experiment){&many, 1}, 1, &error), PTL_LIMIT);
    assert_non_null(strstr(error.mend, "fewer iterations"));
    assert_int_equal(ptl_schedule_of(&s, &m, &(ptl_experiment){&one, 1}, UINT64_MAX, NULL), PTL_LIMIT);
    assert_int_equal(ptl_schedule_of(&s, &m, &(ptl_experiment){&one, 1}, PTL_SCHEDULE_UOPS_MAX, NULL),
                     PTL_OK);
    assert_int_equal(s.cycles, PTL_SCHEDULE_UOPS_MAX);
    ptl_schedule_free(&s);
    assert_int_equal(ptl_schedule_of(&s, &m, &(ptl_experiment){&one, 1}, 0, NULL), PTL_BAD_INPUT);
    assert_int_equal(ptl_schedule_of(&s, &m, &(ptl_experiment){&unknown, 1}, 1, NULL), PTL_BAD_INPUT);
    assert_int_equal(ptl_schedule_of(&s, &m, &(ptl_experiment){NULL, 0}, 1, NULL), PTL_OK);
    assert_int_equal(s.cycles, 0);
    ptl_schedule_free(&s);
    static const double limits[] = {4, 1e-6, 1e-50, 1e-310}; /* with the last ones, cycles - 1 == cycles */
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        m.rmax = limits[i];
        assert_int_equal(ptl_schedule_of(&s, &m, &(ptl_experiment){&moves, 1}, 1, NULL), PTL_LIMIT);
    }
    ptl_mapping_free(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(example_3_4),
        cmocka_unit_test(schedules_are_valid_and_optimal),
        cmocka_unit_test(the_ratio_tends_to_the_inverse_throughput),
        cmocka_unit_test(issue_slots_are_kept),
        cmocka_unit_test(what_is_too_large_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
