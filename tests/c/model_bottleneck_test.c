#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "model/flow.h"
#include "model/throughput.h"

/* The formula of Theorem 5.2, read aloud: every Q, every uop. The slow, obvious twin of the three ways. */
static ptl_bottleneck by_all_port_sets(const ptl_demand* d, unsigned ports) {
    ptl_bottleneck best = {0};
    for (uint32_t q = 1; q < UINT32_C(1) << ports; q++) {
        ptl_bottleneck candidate = {0, ptl_ports_count(q), q};
        for (size_t u = 0; u < d->size; u++)
            if (!(d->uops[u].ports & ~q)) candidate.mass += d->uops[u].mass;
        int order = ptl_bottleneck_compare(&candidate, &best);
        if (order > 0) best = candidate;
        if (order == 0 && candidate.mass) best.ports |= q;
    }
    return best;
}

static size_t random_masses(ptl_rng* r, ptl_mass* out, size_t most, unsigned ports, unsigned widest) {
    size_t n = ptl_rng_below(r, most + 1);
    for (size_t i = 0; i < n; i++) {
        out[i] = (ptl_mass){0, ptl_rng_below(r, 6)};
        for (uint64_t k = 1 + ptl_rng_below(r, widest); k > 0; k--)
            out[i].ports |= UINT32_C(1) << ptl_rng_below(r, ports);
    }
    return n;
}

static void assert_same(const ptl_bottleneck* a, const ptl_bottleneck* b) {
    assert_int_equal(ptl_bottleneck_compare(a, b), 0);
    assert_int_equal(a->ports, b->ports);
}

static void all_ways_agree_with_every_port_set(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(1);
    ptl_demand d = PTL_DEMAND_EMPTY;
    for (int round = 0; round < 3000; round++) {
        unsigned ports = 1 + (unsigned)ptl_rng_below(&r, 9);
        ptl_mass masses[12];
        size_t n = random_masses(&r, masses, 12, ports, 1 + (unsigned)ptl_rng_below(&r, 5));
        assert_int_equal(ptl_demand_masses(&d, masses, n, NULL), PTL_OK);
        ptl_bottleneck truth = by_all_port_sets(&d, ports), unions, zeta, flow, chosen;
        ptl_bottleneck_by_unions(&d, &unions);
        assert_int_equal(ptl_bottleneck_by_zeta(&d, &zeta, NULL), PTL_OK);
        assert_int_equal(ptl_bottleneck_by_flow(&d, &flow, NULL), PTL_OK);
        assert_int_equal(ptl_bottleneck_of(&d, &chosen, NULL), PTL_OK);
        assert_same(&truth, &unions);
        assert_same(&truth, &zeta);
        assert_same(&truth, &flow);
        assert_same(&truth, &chosen);
    }
    ptl_demand_free(&d);
}

static void wide_machines_are_exact_too(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(2);
    ptl_demand d = PTL_DEMAND_EMPTY;
    for (int round = 0; round < 60; round++) {
        ptl_mass masses[80];
        unsigned ports = 12 + (unsigned)ptl_rng_below(&r, round < 50 ? 5 : 21);
        size_t n = random_masses(&r, masses, round < 50 ? 80 : 12, ports, 6);
        assert_int_equal(ptl_demand_masses(&d, masses, n, NULL), PTL_OK);
        ptl_bottleneck flow, other;
        assert_int_equal(ptl_bottleneck_by_flow(&d, &flow, NULL), PTL_OK);
        if (round < 50)
            assert_int_equal(ptl_bottleneck_by_zeta(&d, &other, NULL), PTL_OK);
        else
            ptl_bottleneck_by_unions(&d, &other);
        assert_same(&flow, &other);
    }
    /* 32 ports, many distinct uops, huge masses: only the flow can do it, and the even spread is known */
    ptl_mass ring[32];
    for (unsigned k = 0; k < 32; k++)
        ring[k] = (ptl_mass){UINT32_C(1) << k | UINT32_C(1) << ((k + 1) % 32), UINT64_C(1) << 52};
    assert_int_equal(ptl_demand_masses(&d, ring, 32, NULL), PTL_OK);
    ptl_bottleneck b;
    assert_int_equal(ptl_bottleneck_of(&d, &b, NULL), PTL_OK);
    assert_true(ptl_bottleneck_cycles(&b) == 0x1p52);
    assert_int_equal(b.ports, UINT32_MAX);
    ptl_demand_free(&d);
}

/* Can the demand be served when port k carries at most cap[k]? Hall's condition over all Q. */
static int feasible(const ptl_demand* d, unsigned ports, const double* cap) {
    for (uint32_t q = 1; q < UINT32_C(1) << ports; q++) {
        double mass = 0, room = 1e-9;
        for (size_t u = 0; u < d->size; u++)
            if (!(d->uops[u].ports & ~q)) mass += (double)d->uops[u].mass;
        for (unsigned k = 0; k < ports; k++)
            if (q >> k & 1) room += cap[k];
        if (mass > room) return 0;
    }
    return 1;
}

static void bottleneck_ports_are_full_in_every_optimal_solution(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(3);
    ptl_demand d = PTL_DEMAND_EMPTY;
    for (int round = 0; round < 400; round++) {
        unsigned ports = 2 + (unsigned)ptl_rng_below(&r, 5);
        ptl_mass masses[7];
        ptl_demand_masses(&d, masses, random_masses(&r, masses, 7, ports, 3), NULL);
        ptl_bottleneck b;
        ptl_bottleneck_by_unions(&d, &b);
        if (!b.mass) continue;
        double t = ptl_bottleneck_cycles(&b);
        for (unsigned k = 0; k < ports; k++) {
            double cap[8];
            for (unsigned j = 0; j < ports; j++) cap[j] = t;
            cap[k] = t - 1e-4; /* ratios of these small masses and widths differ by more */
            assert_int_equal(feasible(&d, ports, cap), !(b.ports >> k & 1));
        }
    }
    ptl_demand_free(&d);
}

static void loads_are_an_optimal_and_even_solution(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(4);
    ptl_demand d = PTL_DEMAND_EMPTY;
    for (int round = 0; round < 400; round++) {
        unsigned ports = 1 + (unsigned)ptl_rng_below(&r, 7);
        ptl_mass masses[8];
        ptl_demand_masses(&d, masses, random_masses(&r, masses, 8, ports, 4), NULL);
        ptl_bottleneck b;
        ptl_bottleneck_by_unions(&d, &b);
        double loads[PTL_PORTS_MAX], sum = 0, most = 0;
        assert_int_equal(ptl_loads(&d, loads, NULL), PTL_OK);
        for (unsigned k = 0; k < PTL_PORTS_MAX; k++) sum += loads[k], most = fmax(most, loads[k]);
        assert_true(fabs(sum - (double)d.mass) < 1e-9);
        assert_true(fabs(most - ptl_bottleneck_cycles(&b)) < 1e-12);
        assert_true(feasible(&d, ports, loads));
        /* even: no port could carry less without a port that carries at least as much carrying more */
        for (unsigned k = 0; k < ports; k++) {
            double cap[8];
            for (unsigned j = 0; j < ports; j++) cap[j] = loads[j] < loads[k] ? loads[j] + 1e-5 : loads[j];
            cap[k] = loads[k] - 1e-6;
            if (loads[k] > 0) assert_false(feasible(&d, ports, cap) && loads[k] > 1e-3);
        }
    }
    ptl_demand_free(&d);
}

/* Figure 3.1: mul {1}, add and sub {1, 2}, store {3}. */
static void figure_3_1(ptl_mapping* m) {
    const char* ports[] = {"1", "2", "3"};
    assert_int_equal(ptl_mapping_new(m, ports, 3, 5, 0, NULL), PTL_OK);
    ptl_mapping_add(m, "mul", &(ptl_uop){1, 1}, 1, 1, NULL);
    ptl_mapping_add(m, "add", &(ptl_uop){3, 1}, 1, 1, NULL);
    ptl_mapping_add(m, "store", &(ptl_uop){4, 1}, 1, 1, NULL);
    ptl_mapping_add(m, "move", &(ptl_uop){0}, 0, 1, NULL);
    ptl_mapping_add(m, "cpuid", NULL, 0, 1, NULL);
}

static void example_3_8_takes_one_and_a_half_cycles(void** state) {
    (void)state;
    ptl_mapping m;
    figure_3_1(&m);
    ptl_term terms[] = {{2, 1}, {0, 1}, {1, 1}, {3, 0}, {1, 1}};
    ptl_experiment e = {terms, 5};
    ptl_experiment_canonical(&e);
    assert_int_equal(e.size, 3);
    assert_int_equal(ptl_experiment_length(&e), 4);
    ptl_demand d = PTL_DEMAND_EMPTY;
    ptl_bottleneck b;
    assert_int_equal(ptl_demand_fill(&d, &m, &e, NULL), PTL_OK);
    assert_int_equal(ptl_bottleneck_of(&d, &b, NULL), PTL_OK);
    assert_true(ptl_bottleneck_cycles(&b) == 1.5);
    assert_int_equal(b.ports, 3); /* ports 1 and 2, not the store port */
    assert_true(ptl_limited_cycles(&b, d.slots, 2) == 2);
    assert_true(ptl_limited_cycles(&b, d.slots, 0) == 1.5);
    double loads[PTL_PORTS_MAX];
    ptl_loads(&d, loads, NULL);
    assert_true(loads[0] == 1.5 && loads[1] == 1.5 && loads[2] == 1);
    ptl_demand_free(&d);
    ptl_mapping_free(&m);
}

static void what_is_eliminated_or_unexplained_is_told_apart(void** state) {
    (void)state;
    ptl_mapping m;
    figure_3_1(&m);
    ptl_demand d = PTL_DEMAND_EMPTY;
    ptl_error error;
    ptl_term moves = {3, 6}, unknown = {4, 1};
    ptl_bottleneck b;
    assert_int_equal(ptl_demand_fill(&d, &m, &(ptl_experiment){&moves, 1}, &error), PTL_OK);
    assert_int_equal(ptl_bottleneck_of(&d, &b, &error), PTL_OK);
    assert_true(ptl_bottleneck_cycles(&b) == 0);
    assert_true(ptl_limited_cycles(&b, d.slots, 6) == 1);
    assert_int_equal(ptl_demand_fill(&d, &m, &(ptl_experiment){&unknown, 1}, &error), PTL_BAD_INPUT);
    assert_string_equal(error.where, "cpuid");
    ptl_demand_free(&d);
    ptl_mapping_free(&m);
}

static double throughput(const ptl_mapping* m, ptl_experiment e) {
    ptl_demand d = PTL_DEMAND_EMPTY;
    ptl_bottleneck b;
    assert_int_equal(ptl_demand_fill(&d, m, &e, NULL), PTL_OK);
    assert_int_equal(ptl_bottleneck_of(&d, &b, NULL), PTL_OK);
    double t = ptl_limited_cycles(&b, d.slots, m->rmax);
    ptl_demand_free(&d);
    return t;
}

/* A three-level mapping of 6 schemes; renamed: the ports permuted. */
static void random_mapping(ptl_mapping* m, ptl_rng* r, unsigned ports, const size_t* renamed, double rmax) {
    const char* names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    const char* schemes[] = {"s0", "s1", "s2", "s3", "s4", "s5"};
    ptl_mapping_new(m, names, ports, 6, rmax, NULL);
    for (int i = 0; i < 6; i++) {
        ptl_uop uops[3];
        size_t n = 1 + ptl_rng_below(r, 3);
        for (size_t u = 0; u < n; u++) {
            uops[u] = (ptl_uop){0, 1 + (uint32_t)ptl_rng_below(r, 2)};
            for (uint64_t k = 1 + ptl_rng_below(r, 4); k > 0; k--)
                uops[u].ports |= UINT32_C(1) << renamed[ptl_rng_below(r, ports)];
        }
        assert_int_equal(ptl_mapping_add(m, schemes[i], uops, n, 1, NULL), PTL_OK);
    }
}

static ptl_experiment random_experiment(ptl_rng* r, ptl_term* terms) {
    ptl_experiment e = {terms, 1 + ptl_rng_below(r, 5)};
    for (size_t i = 0; i < e.size; i++)
        terms[i] = (ptl_term){(uint32_t)ptl_rng_below(r, 6), 1 + (uint32_t)ptl_rng_below(r, 4)};
    ptl_experiment_canonical(&e);
    return e;
}

static void throughput_scales_adds_up_and_ignores_port_names(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(5);
    for (int round = 0; round < 500; round++) {
        unsigned ports = 2 + (unsigned)ptl_rng_below(&r, 7);
        size_t same[8], permuted[8];
        for (size_t k = 0; k < 8; k++) same[k] = permuted[k] = k;
        ptl_rng_shuffle(&r, permuted, ports);
        double rmax = ptl_rng_below(&r, 2) ? 4 : 0;
        ptl_rng stream = ptl_rng_split(&r, (uint64_t)round), again = stream;
        ptl_mapping m, renamed;
        random_mapping(&m, &stream, ports, same, rmax);
        random_mapping(&renamed, &again, ports, permuted, rmax);
        ptl_term ta[5], tb[5], tab[10], t3[5];
        ptl_experiment a = random_experiment(&r, ta), b = random_experiment(&r, tb),
                       ab = {tab, a.size + b.size}, a3 = {t3, a.size};
        memcpy(tab, ta, a.size * sizeof *ta);
        memcpy(tab + a.size, tb, b.size * sizeof *tb);
        ptl_experiment_canonical(&ab);
        for (size_t i = 0; i < a.size; i++) t3[i] = (ptl_term){ta[i].scheme, 3 * ta[i].count};
        double x = throughput(&m, a), y = throughput(&m, b), both = throughput(&m, ab);
        assert_true(fabs(throughput(&m, a3) - 3 * x) < 1e-9);
        assert_true(both <= x + y + 1e-9);
        assert_true(both >= fmax(x, y) - 1e-9);
        assert_true(fabs(throughput(&renamed, ab) - both) < 1e-12);
        ptl_mapping_free(&m);
        ptl_mapping_free(&renamed);
    }
}

static void bad_mappings_are_refused(void** state) {
    (void)state;
    ptl_mapping m;
    ptl_error error;
    const char *good[] = {"0", "1"}, *twice[] = {"0", "0"}, *empty[] = {""}, *many[33];
    for (int i = 0; i < 33; i++) many[i] = "x";
    assert_int_equal(ptl_mapping_new(&m, good, 0, 1, 0, &error), PTL_BAD_INPUT);
    assert_int_equal(ptl_mapping_new(&m, twice, 2, 1, 0, &error), PTL_BAD_INPUT);
    assert_int_equal(ptl_mapping_new(&m, empty, 1, 1, 0, &error), PTL_BAD_INPUT);
    assert_int_equal(ptl_mapping_new(&m, many, 33, 1, 0, &error), PTL_BAD_INPUT);
    assert_int_equal(ptl_mapping_new(&m, good, 2, 1, -1, &error), PTL_BAD_INPUT);
    assert_int_equal(ptl_mapping_new(&m, good, 2, 1, NAN, &error), PTL_BAD_INPUT);
    assert_int_equal(ptl_mapping_new(&m, good, 2, SIZE_MAX / 2, 0, &error), PTL_NO_MEMORY);
    assert_int_equal(ptl_mapping_new(&m, good, 2, 2, 0, &error), PTL_OK);
    assert_int_equal(ptl_mapping_add(&m, "x", &(ptl_uop){0, 1}, 1, 1, &error), PTL_BAD_INPUT);
    assert_int_equal(ptl_mapping_add(&m, "x", &(ptl_uop){4, 1}, 1, 1, &error), PTL_BAD_INPUT);
    assert_int_equal(ptl_mapping_add(&m, "x", &(ptl_uop){1, 0}, 1, 1, &error), PTL_BAD_INPUT);
    assert_int_equal(ptl_mapping_add(&m, "x", &(ptl_uop){1, 10001}, 1, 1, &error), PTL_BAD_INPUT);
    ptl_uop repeated[] = {{3, 1}, {1, 2}, {3, 4}};
    assert_int_equal(ptl_mapping_add(&m, "x", repeated, 3, 1, &error), PTL_OK);
    assert_int_equal(m.schemes[0].uop_count, 2);
    assert_int_equal(m.schemes[0].uops[1].count, 5);
    assert_int_equal(ptl_mapping_used_ports(&m), 3);
    ptl_mapping_free(&m);
    ptl_demand d = PTL_DEMAND_EMPTY;
    ptl_mass huge[] = {{1, UINT64_C(1) << 58}, {1, 1}};
    assert_int_equal(ptl_demand_masses(&d, huge, 2, &error), PTL_BAD_INPUT);
    ptl_demand_free(&d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_ways_agree_with_every_port_set),
        cmocka_unit_test(wide_machines_are_exact_too),
        cmocka_unit_test(bottleneck_ports_are_full_in_every_optimal_solution),
        cmocka_unit_test(loads_are_an_optimal_and_even_solution),
        cmocka_unit_test(example_3_8_takes_one_and_a_half_cycles),
        cmocka_unit_test(what_is_eliminated_or_unexplained_is_told_apart),
        cmocka_unit_test(throughput_scales_adds_up_and_ignores_port_names),
        cmocka_unit_test(bad_mappings_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
