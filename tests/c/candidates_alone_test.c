#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/interrupt.h"
#include "base/rng.h"
#include "candidates/alone.h"

#define EPSILON 0.02
#define MANY 256 /* sets of the ports that brute force goes through */

static uint32_t random_ports(ptl_rng* r, size_t ports) {
    return 1 + (uint32_t)ptl_rng_below(r, ((uint64_t)1 << ports) - 1);
}

static void random_ground(ptl_ground* g, ptl_rng* r, size_t ports, size_t schemes, double rmax) {
    assert_int_equal(ptl_ground_init(g, ports, EPSILON, rmax, NULL), PTL_OK);
    for (size_t i = 0; i < schemes; i++) {
        uint32_t few = random_ports(r, ports) & random_ports(r, ports);
        assert_int_equal(ptl_ground_add(g, few ? few : 1, 1, NULL), PTL_OK);
    }
}

static ptl_alone whole(const ptl_ground* g) {
    ptl_alone a = {.slots = 1, .counts = UINT32_MAX};
    assert_int_equal(ptl_alone_init(&a, g, NULL), PTL_OK);
    return a;
}

static ptl_bounds exactly(double cycles, double noise) {
    return (ptl_bounds){.upper = cycles + noise, .lowers = 1, .lower = {{cycles - noise, 0}}};
}

static uint32_t mix_length(const ptl_mix* mix) {
    uint32_t length = mix->own;
    for (size_t k = 0; k < mix->count; k++) length += mix->copies[k];
    return length;
}

/* The same by the formula over the whole mapping: the scheme itself comes after the known ones. */
static double reference(const ptl_ground* g, const ptl_mix* mix, uint32_t ports) {
    uint32_t mapping[PTL_SCHEMES_MAX];
    ptl_terms terms = {.count = mix->count};
    memcpy(mapping, g->masks, g->count * sizeof *mapping);
    mapping[g->count] = ports;
    for (size_t k = 0; k < mix->count; k++) {
        terms.scheme[k] = (uint8_t)mix->scheme[k];
        terms.copies[k] = mix->copies[k];
    }
    if (mix->own) {
        terms.scheme[terms.count] = (uint8_t)g->count;
        terms.copies[terms.count++] = mix->own;
    }
    return ptl_candidate_cycles(mapping, &terms);
}

static ptl_mix random_mix(ptl_rng* r, const ptl_ground* g) {
    ptl_mix mix = {.own = 1 + (uint32_t)ptl_rng_below(r, 3)};
    for (size_t i = 0; i < g->count && mix.count < 5; i++) {
        if (ptl_rng_below(r, 2)) continue;
        mix.scheme[mix.count] = (uint16_t)i;
        mix.copies[mix.count++] = 1 + (uint32_t)ptl_rng_below(r, 3);
    }
    return mix;
}

/* Equal numbers of ports per class. */
static bool alike(const ptl_ground* g, uint32_t a, uint32_t b) {
    for (size_t j = 0; j < g->classes; j++)
        if (__builtin_popcount(a & g->class_ports[j]) != __builtin_popcount(b & g->class_ports[j]))
            return false;
    return true;
}

static void classes_are_ports_with_equal_columns(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(1);
    for (int round = 0; round < 200; round++) {
        ptl_ground g;
        random_ground(&g, &r, 1 + ptl_rng_below(&r, 8), ptl_rng_below(&r, 6), 0);
        for (unsigned p = 0; p < g.ports; p++) {
            for (unsigned q = 0; q < g.ports; q++) {
                bool same = true, together = false;
                for (size_t i = 0; i < g.count; i++) same &= (g.masks[i] >> p & 1) == (g.masks[i] >> q & 1);
                for (size_t j = 0; j < g.classes; j++)
                    together |= g.class_ports[j] >> p & 1 && g.class_ports[j] >> q & 1;
                assert_int_equal(same, together);
            }
        }
        uint32_t all = 0;
        for (size_t j = 0; j < g.classes; j++) {
            assert_false(all & g.class_ports[j]);
            assert_false(ptl_ground_splits(&g, all |= g.class_ports[j]));
        }
        assert_int_equal(all, ((uint32_t)1 << g.ports) - 1);
        ptl_ground_free(&g);
    }
}

static void unions_are_all_that_can_tell(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(2);
    for (int round = 0; round < 100; round++) {
        ptl_ground g;
        random_ground(&g, &r, 1 + ptl_rng_below(&r, 8), ptl_rng_below(&r, 7), round % 3 ? 0 : 4);
        bool expected[MANY] = {false}, found[MANY] = {false};
        for (uint32_t set = 0; set < (uint32_t)1 << g.count; set++) {
            uint32_t ports = 0;
            for (uint32_t rest = set; rest; rest &= rest - 1) ports |= g.masks[__builtin_ctz(rest)];
            expected[ports] = !ports || ptl_distinct((unsigned)__builtin_popcount(ports), (unsigned)g.ports,
                                                     EPSILON, g.rmax);
        }
        for (size_t u = 0; u < g.unions; u++) {
            uint16_t schemes[PTL_TERMS_MAX];
            uint32_t ports = 0;
            size_t n = ptl_ground_schemes(&g, u, schemes);
            for (size_t k = 0; k < n; k++) {
                assert_true(g.masks[schemes[k]] & ~ports); /* each adds ports */
                ports |= g.masks[schemes[k]];
            }
            assert_int_equal(ports, g.joined[u].ports);
            assert_false(found[ports]);
            found[ports] = true;
        }
        assert_memory_equal(expected, found, sizeof found);
        ptl_ground_free(&g);
    }
}

/* Candidates after observations and refinements in any order are those that brute force finds. */
static void candidates_are_those_that_admit(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(3);
    for (int round = 0; round < 300; round++) {
        ptl_ground g;
        size_t ports = 2 + ptl_rng_below(&r, 6);
        random_ground(&g, &r, ports, 1, 0);
        ptl_alone a = whole(&g);
        uint32_t truth = random_ports(&r, ports);
        for (int step = 0; step < 4; step++) {
            assert_int_equal(ptl_alone_refine(&a, &g, NULL), PTL_OK);
            ptl_mix mix = random_mix(&r, &g);
            double cycles = ptl_alone_cycles(&g, &mix, truth);
            assert_true(fabs(cycles - reference(&g, &mix, truth)) < 1e-12);
            ptl_bounds b = exactly(cycles, EPSILON * mix_length(&mix));
            assert_int_equal(ptl_alone_observe(&a, &g, &mix, &b, NULL), PTL_OK);
            assert_int_equal(ptl_ground_add(&g, random_ports(&r, ports), 1, NULL), PTL_OK);
        }
        assert_int_equal(ptl_alone_refine(&a, &g, NULL), PTL_OK);
        for (uint32_t p = 1; p < (uint32_t)1 << ports; p++) {
            bool admits = true;
            unsigned cost;
            size_t copies = 0;
            for (size_t k = 0; k < a.observed; k++)
                admits &= ptl_bounds_admit(&a.seen[k].bounds, reference(&g, &a.seen[k].mix, p), &cost);
            for (size_t i = 0; i < a.candidates; i++) copies += alike(&g, p, a.ports[i]);
            assert_int_equal(copies, admits);
        }
        ptl_alone_free(&a);
        ptl_ground_free(&g);
    }
}

/* By Theorem B, over all sets of known schemes. */
static bool can_be_told(const ptl_ground* g, uint32_t p, uint32_t q) {
    for (uint32_t set = 0; set < (uint32_t)1 << g->count; set++) {
        uint32_t joined = 0;
        for (uint32_t rest = set; rest; rest &= rest - 1) joined |= g->masks[__builtin_ctz(rest)];
        if (ptl_distinct((unsigned)__builtin_popcount(joined | p), (unsigned)__builtin_popcount(joined | q),
                         g->epsilon, g->rmax))
            return true;
    }
    return false;
}

static double limited(const ptl_ground* g, const ptl_mix* mix, uint32_t ports) {
    double t = reference(g, mix, ports);
    return g->rmax > 0 ? fmax(t, mix_length(mix) / g->rmax) : t;
}

static void it_asks_until_nothing_can_be_told(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(4);
    size_t single = 0, several = 0;
    for (int round = 0; round < 300; round++) {
        ptl_ground g;
        size_t ports = 2 + ptl_rng_below(&r, 6);
        random_ground(&g, &r, ports, 1 + ptl_rng_below(&r, 7), round % 3 ? 0 : 4);
        ptl_alone a = whole(&g);
        a.flood = round % 2;
        assert_int_equal(ptl_alone_refine(&a, &g, NULL), PTL_OK);
        uint32_t truth = random_ports(&r, ports);
        for (bool found = true; found;) {
            ptl_mix mix;
            size_t before = a.candidates;
            assert_int_equal(ptl_alone_next(&a, &g, &found, &mix, NULL), PTL_OK);
            if (!found) break;
            double t = limited(&g, &mix, truth), noise = EPSILON * mix_length(&mix);
            t += (2 * ptl_rng_unit(&r) - 1) * noise * 0.999;
            ptl_bounds b = {.upper = t + noise};
            if (g.rmax <= 0 || t - noise > mix_length(&mix) / g.rmax) b.lower[b.lowers++].bound = t - noise;
            assert_int_equal(ptl_alone_observe(&a, &g, &mix, &b, NULL), PTL_OK);
            assert_true(a.candidates < before);
        }
        bool there = false;
        for (size_t i = 0; i < a.candidates; i++) {
            there |= alike(&g, truth, a.ports[i]);
            for (size_t k = 0; k < i; k++) assert_false(can_be_told(&g, a.ports[i], a.ports[k]));
        }
        assert_true(there);
        single += a.candidates == 1;
        several += a.candidates > 1;
        ptl_alone_free(&a);
        ptl_ground_free(&g);
    }
    assert_true(single > 50 && several > 20);
}

static void soft_bounds_have_a_price(void** state) {
    (void)state;
    ptl_ground g;
    assert_int_equal(ptl_ground_init(&g, 4, 0.01, 0, NULL), PTL_OK);
    assert_int_equal(ptl_ground_add(&g, 3, 1, NULL), PTL_OK);
    ptl_alone a = whole(&g);
    a.slack = 2;
    assert_int_equal(ptl_alone_refine(&a, &g, NULL), PTL_OK);
    /* Alone half a cycle at most: two ports or more; slower than 1/3 for sure, than 0.45 at a price. */
    ptl_mix mix = {.own = 1};
    ptl_bounds b = {.upper = 0.5, .lowers = 2, .lower = {{0.45, 2}, {0.3, 5}}};
    assert_int_equal(ptl_alone_observe(&a, &g, &mix, &b, NULL), PTL_OK);
    for (size_t i = 0; i < a.candidates; i++) {
        int ports = __builtin_popcount(a.ports[i]);
        assert_true(ports >= 2);
        assert_int_equal(a.cost[i], ports == 2 ? 0 : ports == 3 ? 2 : 7);
    }
    assert_int_equal(a.candidates, 3 + 2 + 1);
    assert_int_equal(ptl_alone_least(&a), 0);
    uint32_t left[8];
    unsigned cost[8];
    assert_int_equal(ptl_alone_remaining(&a, left, cost, 8), 5);
    for (size_t i = 0; i < 5; i++) assert_int_equal(cost[i], __builtin_popcount(left[i]) == 2 ? 0 : 2);
    assert_int_equal(ptl_alone_remaining(&a, NULL, NULL, 0), 5);
    ptl_alone_free(&a);
    ptl_ground_free(&g);
}

static bool contradict(const ptl_ground* g, const ptl_alone* a, const size_t* which, size_t n) {
    for (uint32_t p = 1; p < (uint32_t)1 << g->ports; p++) {
        bool admits = true;
        unsigned cost;
        for (size_t k = 0; k < n; k++)
            admits &=
                ptl_bounds_admit(&a->seen[which[k]].bounds, reference(g, &a->seen[which[k]].mix, p), &cost);
        if (admits) return false;
    }
    return true;
}

static size_t smallest(const ptl_ground* g, const ptl_alone* a) {
    size_t best = 0;
    for (uint32_t set = 1; set < (uint32_t)1 << a->observed; set++) {
        size_t which[16], n = 0;
        for (uint32_t rest = set; rest; rest &= rest - 1) which[n++] = (size_t)__builtin_ctz(rest);
        if ((!best || n < best) && contradict(g, a, which, n)) best = n;
    }
    return best;
}

static void conflicts_are_smallest(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(5);
    size_t sizes[8] = {0};
    for (int round = 0; round < 300; round++) {
        ptl_ground g;
        size_t ports = 2 + ptl_rng_below(&r, 4);
        random_ground(&g, &r, ports, 3, 0);
        ptl_alone a = whole(&g);
        assert_int_equal(ptl_alone_refine(&a, &g, NULL), PTL_OK);
        for (int k = 0; k < 7; k++) { /* each is true of some ports, not of the same ones */
            ptl_mix mix = random_mix(&r, &g);
            double noise = EPSILON * mix_length(&mix) * (double)(1 + ptl_rng_below(&r, 8));
            ptl_bounds b = exactly(ptl_alone_cycles(&g, &mix, random_ports(&r, ports)), noise);
            assert_int_equal(ptl_alone_observe(&a, &g, &mix, &b, NULL), PTL_OK);
        }
        size_t which[7], n, least = smallest(&g, &a);
        assert_int_equal(ptl_alone_conflict(&a, &g, which, &n, NULL), PTL_OK);
        assert_int_equal(n != 0, a.candidates == 0);
        if (least <= 3) assert_int_equal(n, least);
        if (n) assert_true(contradict(&g, &a, which, n));
        for (size_t k = 0; k < n; k++) { /* nothing in it is superfluous */
            size_t rest[7], m = 0;
            for (size_t j = 0; j < n; j++)
                if (j != k) rest[m++] = which[j];
            assert_false(contradict(&g, &a, rest, m));
        }
        sizes[n]++;
        ptl_alone_free(&a);
        ptl_ground_free(&g);
    }
    assert_true(sizes[0] && sizes[2] && sizes[3]);
}

static void what_is_wrong_is_refused(void** state) {
    (void)state;
    ptl_ground g;
    ptl_error e;
    assert_int_equal(ptl_ground_init(&g, PTL_GROUND_PORTS_MAX + 1, EPSILON, 0, &e), PTL_BAD_INPUT);
    assert_non_null(strstr(e.what, "21 ports"));
    assert_int_equal(ptl_ground_init(&g, 0, EPSILON, 0, NULL), PTL_BAD_INPUT);
    assert_int_equal(ptl_ground_init(&g, 4, EPSILON, 0, NULL), PTL_OK);
    assert_int_equal(ptl_ground_add(&g, 0, 1, NULL), PTL_BAD_INPUT);
    assert_int_equal(ptl_ground_add(&g, 16, 1, NULL), PTL_BAD_INPUT);
    assert_int_equal(g.count, 0);
    ptl_alone a = whole(&g);
    ptl_mix mix = {.count = 1, .copies = {1}, .own = 1};
    ptl_bounds b = {.upper = 1};
    assert_int_equal(ptl_alone_observe(&a, &g, &mix, &b, NULL), PTL_BAD_INPUT);
    assert_int_equal(a.observed, 0);
    ptl_alone_free(&a);
    ptl_ground_free(&g);
}

static void ctrl_c_ends_it(void** state) {
    (void)state;
    ptl_ground g;
    assert_int_equal(ptl_ground_init(&g, 6, EPSILON, 0, NULL), PTL_OK);
    ptl_alone a = whole(&g);
    bool found;
    ptl_mix mix;
    ptl_interrupt_set(true);
    assert_int_equal(ptl_alone_next(&a, &g, &found, &mix, NULL), PTL_INTERRUPTED);
    assert_false(found);
    ptl_interrupt_set(false);
    assert_int_equal(ptl_alone_next(&a, &g, &found, &mix, NULL), PTL_OK);
    assert_true(found && mix.count == 0 && mix.own >= 1); /* how many ports? */
    ptl_alone_free(&a);
    ptl_ground_free(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_are_ports_with_equal_columns),
        cmocka_unit_test(unions_are_all_that_can_tell),
        cmocka_unit_test(candidates_are_those_that_admit),
        cmocka_unit_test(it_asks_until_nothing_can_be_told),
        cmocka_unit_test(soft_bounds_have_a_price),
        cmocka_unit_test(conflicts_are_smallest),
        cmocka_unit_test(what_is_wrong_is_refused),
        cmocka_unit_test(ctrl_c_ends_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
