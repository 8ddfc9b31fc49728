#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "algebra/compare.h"
#include "base/rng.h"

#define SCHEMES 6

static const char* const scheme_names[] = {"s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9"};
static const char* const port_names[] = {"0", "1", "2", "3", "4", "5", "6", "7"};

static ptl_ports random_ports(ptl_rng* r, unsigned ports, unsigned widest) {
    ptl_ports p = 0;
    for (uint64_t k = 1 + ptl_rng_below(r, widest); k > 0; k--) p |= UINT32_C(1) << ptl_rng_below(r, ports);
    return p;
}

static ptl_ports permute(ptl_ports p, const size_t* to) {
    ptl_ports out = 0;
    for (; p; p &= p - 1) out |= UINT32_C(1) << to[__builtin_ctz(p)];
    return out;
}

/* uops_most = 1: two-level. order: in which the schemes are added. */
static void make(ptl_mapping* m, uint64_t seed, unsigned ports, unsigned uops_most, const size_t* to,
                 double rmax) {
    ptl_rng r = ptl_rng_seed(seed);
    assert_int_equal(ptl_mapping_new(m, port_names, ports, SCHEMES, rmax, NULL), PTL_OK);
    for (int i = 0; i < SCHEMES; i++) {
        ptl_uop uops[4];
        size_t n = 1 + ptl_rng_below(&r, uops_most);
        for (size_t u = 0; u < n; u++) uops[u] = (ptl_uop){permute(random_ports(&r, ports, 4), to), 1};
        assert_int_equal(ptl_mapping_add(m, scheme_names[i], uops, n, 1, NULL), PTL_OK);
    }
}

static const size_t identity[] = {0, 1, 2, 3, 4, 5, 6, 7};

static void renamed_ports_are_found(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(1);
    for (uint64_t round = 0; round < 500; round++) {
        unsigned ports = 1 + (unsigned)ptl_rng_below(&r, 8);
        size_t to[8];
        memcpy(to, identity, sizeof to);
        ptl_rng_shuffle(&r, to, ports);
        ptl_mapping a, b;
        unsigned uops = 1 + (unsigned)ptl_rng_below(&r, 3);
        make(&a, round, ports, uops, identity, 0);
        make(&b, round, ports, uops, to, 0);
        ptl_arena arena = PTL_ARENA_EMPTY;
        ptl_comparison c;
        assert_int_equal(ptl_compare(&a, &b, 0.02, 0, &arena, &c, NULL), PTL_OK);
        assert_true(c.equal && c.decided && c.same_limits && c.distinction.complete && !c.distinction.found);
        assert_int_equal(c.matching, SCHEMES);
        for (size_t i = 0; i < SCHEMES; i++) assert_true(ptl_renaming_matches(&c.renaming, &c.pairs, i));
        ptl_arena_release(&arena);
        ptl_mapping_free(&a);
        ptl_mapping_free(&b);
    }
}

/* All renamings, one by one. */
static bool equal_by_trying(const ptl_pairs* p, ptl_renaming* r, unsigned next, unsigned ports,
                            ptl_ports taken) {
    if (next == ports) {
        for (size_t i = 0; i < p->count; i++)
            if (!ptl_renaming_matches(r, p, i)) return false;
        return true;
    }
    for (unsigned k = 0; k < ports; k++) {
        if (taken >> k & 1) continue;
        r->port[next] = (int)k;
        if (equal_by_trying(p, r, next + 1, ports, taken | UINT32_C(1) << k)) return true;
    }
    return false;
}

static void equality_agrees_with_trying_all_renamings(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(2);
    int equal = 0;
    for (uint64_t round = 0; round < 1500; round++) {
        unsigned ports = 2 + (unsigned)ptl_rng_below(&r, 3); /* few, so that some come out equal */
        ptl_mapping a, b;
        assert_int_equal(ptl_mapping_new(&a, port_names, ports, 3, 0, NULL), PTL_OK);
        assert_int_equal(ptl_mapping_new(&b, port_names, ports, 3, 0, NULL), PTL_OK);
        for (int i = 0; i < 3; i++) {
            ptl_uop x[2], y[2];
            size_t n = 1 + ptl_rng_below(&r, 2);
            for (size_t u = 0; u < n; u++)
                x[u] = (ptl_uop){random_ports(&r, ports, 2), 1},
                y[u] = (ptl_uop){random_ports(&r, ports, 2), 1};
            ptl_mapping_add(&a, scheme_names[i], x, n, 1, NULL);
            ptl_mapping_add(&b, scheme_names[i], y, n, 1, NULL);
        }
        ptl_arena arena = PTL_ARENA_EMPTY;
        ptl_comparison c;
        ptl_renaming trial = {{0}};
        assert_int_equal(ptl_compare(&a, &b, 0.02, 0, &arena, &c, NULL), PTL_OK);
        assert_int_equal(c.equal, equal_by_trying(&c.pairs, &trial, 0, ports, 0));
        equal += c.equal;
        ptl_arena_release(&arena);
        ptl_mapping_free(&a);
        ptl_mapping_free(&b);
    }
    assert_in_range(equal, 20, 1400);
}

static double value(const ptl_mapping* m, uint32_t set) {
    ptl_ports u = 0;
    for (int i = 0; i < SCHEMES; i++)
        if (set >> i & 1) u |= m->schemes[i].uops[0].ports;
    double v = 1.0 / ptl_ports_count(u);
    return m->rmax > 0 ? fmax(v, 1 / m->rmax) : v;
}

/* Theorem B, read aloud: the size of the smallest set of schemes that tells, or 0. */
static unsigned smallest_set(const ptl_mapping* a, const ptl_mapping* b, double epsilon) {
    unsigned smallest = 0;
    for (uint32_t set = 1; set < 1u << SCHEMES; set++) {
        unsigned size = ptl_ports_count(set);
        if (fabs(value(a, set) - value(b, set)) > 2 * epsilon + PTL_CPI_ROUNDING &&
            (!smallest || size < smallest))
            smallest = size;
    }
    return smallest;
}

static ptl_experiment random_experiment(ptl_rng* r, ptl_term* terms) {
    ptl_experiment e = {terms, 1 + ptl_rng_below(r, 4)};
    for (size_t i = 0; i < e.size; i++)
        terms[i] = (ptl_term){(uint32_t)ptl_rng_below(r, SCHEMES), 1 + (uint32_t)ptl_rng_below(r, 5)};
    ptl_experiment_canonical(&e);
    return e;
}

static void two_level_mappings_are_told_apart_exactly(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(3);
    int found = 0, none = 0;
    static const double limits[] = {0, 3, 4.5};
    for (uint64_t round = 0; round < 1500; round++) {
        unsigned ports = 2 + (unsigned)ptl_rng_below(&r, 7);
        double epsilon = 0.01 * (double)ptl_rng_below(&r, 12);
        ptl_mapping a, b;
        make(&a, round, ports, 1, identity, limits[ptl_rng_below(&r, 3)]);
        make(&b, round, ports, 1, identity, limits[ptl_rng_below(&r, 3)]);
        /* near misses are the interesting ones: change one port of one scheme or two */
        for (uint64_t n = ptl_rng_below(&r, 3); n > 0; n--) {
            ptl_uop* u = (ptl_uop*)b.schemes[ptl_rng_below(&r, SCHEMES)].uops;
            ptl_ports flipped = u->ports ^ (UINT32_C(1) << ptl_rng_below(&r, ports));
            if (flipped) u->ports = flipped;
        }
        ptl_arena arena = PTL_ARENA_EMPTY;
        ptl_pairs p;
        ptl_distinction d;
        assert_int_equal(ptl_pairs_find(&p, &a, &b, &arena, NULL), PTL_OK);
        assert_int_equal(ptl_distinguish(&p, epsilon, 0, &arena, &d, NULL), PTL_OK);
        unsigned smallest = smallest_set(&a, &b, epsilon);
        assert_true(d.complete);
        assert_int_equal(d.found, smallest > 0);
        if (d.found) {
            found++;
            double length = (double)ptl_experiment_length(&d.experiment);
            assert_true(fabs(d.cycles_a - d.cycles_b) / length > 2 * epsilon);
            assert_true(d.experiment.size <= smallest);
        } else {
            none++;
            for (int n = 0; n < 20; n++) {
                ptl_term terms[4];
                ptl_experiment e = random_experiment(&r, terms);
                double x, y;
                ptl_both_cycles(&p, &e, &x, &y, NULL);
                assert_true(fabs(x - y) / (double)ptl_experiment_length(&e) <= 2 * epsilon + 1e-8);
            }
        }
        ptl_arena_release(&arena);
        ptl_mapping_free(&a);
        ptl_mapping_free(&b);
    }
    assert_true(found > 100 && none > 100);
}

static void three_level_mappings_are_told_apart_by_an_experiment_that_does_it(void** state) {
    (void)state;
    for (uint64_t round = 0; round < 40; round++) {
        ptl_mapping a, b;
        make(&a, round, 6, 3, identity, 0);
        make(&b, round + 1000, 6, 3, identity, 0);
        ptl_arena arena = PTL_ARENA_EMPTY;
        ptl_comparison c, again;
        assert_int_equal(ptl_compare(&a, &b, 0.02, 7, &arena, &c, NULL), PTL_OK);
        assert_int_equal(ptl_compare(&a, &b, 0.02, 7, &arena, &again, NULL), PTL_OK);
        assert_true(c.distinction.found && !c.equal);
        double x, y;
        ptl_both_cycles(&c.pairs, &c.distinction.experiment, &x, &y, NULL);
        assert_true(x == c.distinction.cycles_a && y == c.distinction.cycles_b);
        assert_true(fabs(x - y) / (double)ptl_experiment_length(&c.distinction.experiment) > 0.04);
        assert_int_equal(again.distinction.experiment.size, c.distinction.experiment.size);
        assert_true(again.distinction.cycles_a == x);
        ptl_arena_release(&arena);
        ptl_mapping_free(&a);
        ptl_mapping_free(&b);
    }
}

static void the_closest_renaming_leaves_out_what_was_changed(void** state) {
    (void)state;
    ptl_mapping a, b;
    static const size_t to[] = {3, 1, 0, 4, 2};
    static const ptl_ports usage[] = {1, 2, 4, 8, 16, 3, 7, 31};
    assert_int_equal(ptl_mapping_new(&a, port_names, 5, 9, 0, NULL), PTL_OK);
    assert_int_equal(ptl_mapping_new(&b, port_names, 5, 9, 0, NULL), PTL_OK);
    for (int i = 0; i < 8; i++) {
        ptl_mapping_add(&a, scheme_names[i], &(ptl_uop){usage[i], 1}, 1, 1, NULL);
        ptl_mapping_add(&b, scheme_names[i], &(ptl_uop){i == 6 ? 31 : permute(usage[i], to), 1}, 1, 1, NULL);
    }
    ptl_mapping_add(&a, "only a", &(ptl_uop){1, 1}, 1, 1, NULL);
    ptl_mapping_add(&b, "only b, not explained", NULL, 0, 1, NULL);
    ptl_arena arena = PTL_ARENA_EMPTY;
    ptl_comparison c;
    assert_int_equal(ptl_compare(&a, &b, 0.02, 0, &arena, &c, NULL), PTL_OK);
    assert_false(c.equal);
    assert_int_equal(c.pairs.count, 8);
    assert_int_equal(c.pairs.only_a, 1);
    assert_int_equal(c.pairs.only_b, 0);
    assert_int_equal(c.matching, 7);
    for (size_t i = 0; i < 8; i++) assert_int_equal(ptl_renaming_matches(&c.renaming, &c.pairs, i), i != 6);
    for (int k = 0; k < 5; k++) assert_int_equal(c.renaming.port[k], to[k]);
    ptl_mapping_free(&b);
    ptl_mapping_new(&b, port_names, 2, 1, 0, NULL);
    ptl_error e;
    assert_int_equal(ptl_compare(&a, &b, 0.02, 0, &arena, &c, &e), PTL_BAD_INPUT);
    ptl_arena_release(&arena);
    ptl_mapping_free(&a);
    ptl_mapping_free(&b);
}

/* Regular structures are what colour refinement alone cannot tell apart: a ring of 6 ports and two rings
 * of 3. */
static void rings_are_told_apart(void** state) {
    (void)state;
    ptl_mapping a, b;
    ptl_uop ring[6], two[6];
    for (unsigned k = 0; k < 6; k++) {
        ring[k] = (ptl_uop){1u << k | 1u << (k + 1) % 6, 1};
        unsigned base = k / 3 * 3;
        two[k] = (ptl_uop){1u << k | 1u << (base + (k + 1) % 3), 1};
    }
    ptl_mapping_new(&a, port_names, 6, 1, 0, NULL);
    ptl_mapping_new(&b, port_names, 6, 1, 0, NULL);
    ptl_mapping_add(&a, "s", ring, 6, 1, NULL);
    ptl_mapping_add(&b, "s", two, 6, 1, NULL);
    ptl_arena arena = PTL_ARENA_EMPTY;
    ptl_comparison c;
    assert_int_equal(ptl_compare(&a, &b, 0.02, 0, &arena, &c, NULL), PTL_OK);
    assert_true(c.decided && !c.equal && !c.distinction.found && c.distinction.complete);
    assert_int_equal(ptl_compare(&a, &a, 0.02, 0, &arena, &c, NULL), PTL_OK);
    assert_true(c.decided && c.equal);
    ptl_arena_release(&arena);
    ptl_mapping_free(&a);
    ptl_mapping_free(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(renamed_ports_are_found),
        cmocka_unit_test(equality_agrees_with_trying_all_renamings),
        cmocka_unit_test(two_level_mappings_are_told_apart_exactly),
        cmocka_unit_test(three_level_mappings_are_told_apart_by_an_experiment_that_does_it),
        cmocka_unit_test(the_closest_renaming_leaves_out_what_was_changed),
        cmocka_unit_test(rings_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
