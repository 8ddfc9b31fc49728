/* Laws of the throughput model (Definitions 3.3 and 3.9, Theorem 5.2) on random three-level mappings, by
 * every way to compute it. All of it in whole numbers: the model's times are ratios. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "model/flow.h"
#include "model/throughput.h"

#define SCHEMES 6
#define UOPS 4
#define ROUNDS 1500

static const char* const scheme_names[] = {"s0", "s1", "s2", "s3", "s4", "s5"};
static const char* const port_names[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};

/* What a mapping is made from, so that it can be changed and made again. */
typedef struct plan {
    unsigned ports;
    double rmax;
    ptl_uop uops[SCHEMES][UOPS];
    size_t count[SCHEMES];
    uint32_t slots[SCHEMES];
} plan;

typedef ptl_status way(const ptl_demand* d, ptl_bottleneck* out, ptl_error* error);

static ptl_status by_unions(const ptl_demand* d, ptl_bottleneck* out, ptl_error* error) {
    (void)error;
    ptl_bottleneck_by_unions(d, out);
    return PTL_OK;
}

static way* const ways[] = {ptl_bottleneck_of, by_unions, ptl_bottleneck_by_zeta, ptl_bottleneck_by_flow};
#define WAYS (sizeof ways / sizeof *ways)

static ptl_ports random_ports(ptl_rng* r, unsigned ports) {
    ptl_ports p = 0;
    for (uint64_t k = 1 + ptl_rng_below(r, 4); k > 0; k--) p |= UINT32_C(1) << ptl_rng_below(r, ports);
    return p;
}

static plan random_plan(ptl_rng* r) {
    static const double limits[] = {0, 2, 4.5, 6};
    plan p = {.ports = 1 + (unsigned)ptl_rng_below(r, 10), .rmax = limits[ptl_rng_below(r, 4)]};
    for (int i = 0; i < SCHEMES; i++) {
        p.slots[i] = (uint32_t)ptl_rng_below(r, 4);
        p.count[i] = ptl_rng_below(r, UOPS + 1);
        for (size_t j = 0; j < p.count[i]; j++)
            p.uops[i][j] = (ptl_uop){random_ports(r, p.ports), 1 + (uint32_t)ptl_rng_below(r, 3)};
    }
    return p;
}

static ptl_experiment random_experiment(ptl_rng* r, ptl_term* terms) {
    ptl_experiment e = {terms, 1 + ptl_rng_below(r, 4)};
    for (size_t i = 0; i < e.size; i++)
        terms[i] = (ptl_term){(uint32_t)ptl_rng_below(r, SCHEMES), 1 + (uint32_t)ptl_rng_below(r, 5)};
    ptl_experiment_canonical(&e);
    return e;
}

/* A time with and without R_max. */
typedef struct timing {
    ptl_bottleneck ports;
    uint64_t slots;
    double cycles;
} timing;

static timing time_of(const plan* p, const ptl_experiment* e, way* by) {
    ptl_mapping m;
    ptl_demand d = PTL_DEMAND_EMPTY;
    timing t;
    assert_int_equal(ptl_mapping_new(&m, port_names, p->ports, SCHEMES, p->rmax, NULL), PTL_OK);
    for (int i = 0; i < SCHEMES; i++)
        assert_int_equal(ptl_mapping_add(&m, scheme_names[i], p->uops[i], p->count[i], p->slots[i], NULL),
                         PTL_OK);
    assert_int_equal(ptl_demand_fill(&d, &m, e, NULL), PTL_OK);
    assert_int_equal(by(&d, &t.ports, NULL), PTL_OK);
    t.slots = d.slots;
    t.cycles = ptl_limited_cycles(&t.ports, d.slots, p->rmax);
    ptl_demand_free(&d);
    ptl_mapping_free(&m);
    return t;
}

/* a / b as whole numbers; that of the empty demand is 0 / 1. */
static uint64_t width(const timing* t) {
    return t->ports.width ? t->ports.width : 1;
}

static int compare(const timing* x, const timing* y) {
    uint64_t a = x->ports.mass * width(y), b = y->ports.mass * width(x);
    return (a > b) - (a < b);
}

/* x <= y, by the ports and with the limit. */
static void assert_not_slower(const timing* x, const timing* y) {
    assert_true(compare(x, y) <= 0);
    assert_true(x->cycles <= y->cycles * (1 + 1e-12));
}

static void assert_same(const timing* x, const timing* y) {
    assert_int_equal(compare(x, y), 0);
    assert_true(fabs(x->cycles - y->cycles) <= 1e-12 * y->cycles);
}

static void n_times_as_much_takes_n_times_as_long(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(1);
    for (int round = 0; round < ROUNDS; round++) {
        plan p = random_plan(&r);
        ptl_term terms[4], more[4];
        ptl_experiment e = random_experiment(&r, terms), f = {more, e.size};
        uint32_t n = 2 + (uint32_t)ptl_rng_below(&r, 100);
        for (size_t i = 0; i < e.size; i++) more[i] = (ptl_term){terms[i].scheme, n * terms[i].count};
        for (size_t w = 0; w < WAYS; w++) {
            timing one = time_of(&p, &e, ways[w]), all = time_of(&p, &f, ways[w]);
            one.ports.mass *= n;
            one.cycles *= n;
            assert_same(&all, &one);
            assert_int_equal(all.ports.ports, one.ports.ports);
        }
    }
}

static void together_is_not_slower_than_one_after_the_other(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(2);
    int faster = 0;
    for (int round = 0; round < ROUNDS; round++) {
        plan p = random_plan(&r);
        ptl_term terms[4], others[4], both[8];
        ptl_experiment e = random_experiment(&r, terms), f = random_experiment(&r, others),
                       g = {both, e.size + f.size};
        memcpy(both, terms, e.size * sizeof *both);
        memcpy(both + e.size, others, f.size * sizeof *both);
        ptl_experiment_canonical(&g);
        for (size_t w = 0; w < WAYS; w++) {
            timing x = time_of(&p, &e, ways[w]), y = time_of(&p, &f, ways[w]), z = time_of(&p, &g, ways[w]);
            timing sum = {.ports = {.mass = x.ports.mass * width(&y) + y.ports.mass * width(&x),
                                    .width = (unsigned)(width(&x) * width(&y))},
                          .cycles = x.cycles + y.cycles};
            assert_not_slower(&z, &sum);
            assert_not_slower(&x, &z); /* nor is a part of it */
            assert_not_slower(&y, &z);
            faster += compare(&z, &sum) < 0;
        }
    }
    assert_true(faster > ROUNDS);
}

/* Changes that can only help: a uop less, one instance less, one more port for a uop. */
static void help(plan* p, ptl_experiment* e, ptl_rng* r) {
    size_t i = ptl_rng_below(r, SCHEMES), j = ptl_rng_below(r, UOPS);
    switch (ptl_rng_below(r, 5)) {
    case 0:
        if (j < p->count[i]) p->uops[i][j] = p->uops[i][--p->count[i]];
        break;
    case 1:
        if (j < p->count[i] && p->uops[i][j].count > 1) p->uops[i][j].count--;
        break;
    case 2:
        if (j < p->count[i]) p->uops[i][j].ports |= UINT32_C(1) << ptl_rng_below(r, p->ports);
        break;
    case 3:
        e->terms[ptl_rng_below(r, e->size)].count--;
        ptl_experiment_canonical(e);
        break;
    default:
        if (p->slots[i]) p->slots[i]--;
    }
}

static void less_work_and_more_ports_are_never_slower(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(3);
    int faster = 0;
    for (int round = 0; round < ROUNDS; round++) {
        plan p = random_plan(&r), q = p;
        ptl_term terms[4], fewer[4];
        ptl_experiment e = random_experiment(&r, terms), f = {fewer, e.size};
        memcpy(fewer, terms, e.size * sizeof *fewer);
        for (uint64_t n = 1 + ptl_rng_below(&r, 3); n > 0 && f.size; n--) help(&q, &f, &r);
        for (size_t w = 0; w < WAYS; w++) {
            timing before = time_of(&p, &e, ways[w]), after = time_of(&q, &f, ways[w]);
            assert_not_slower(&after, &before);
            faster += after.cycles < before.cycles;
        }
    }
    assert_true(faster > ROUNDS / 2);
}

static ptl_ports permute(ptl_ports p, const size_t* to) {
    ptl_ports out = 0;
    for (; p; p &= p - 1) out |= UINT32_C(1) << to[__builtin_ctz(p)];
    return out;
}

static void names_of_ports_do_not_matter(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(4);
    for (int round = 0; round < ROUNDS; round++) {
        plan p = random_plan(&r), q = p;
        size_t to[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
        ptl_rng_shuffle(&r, to, p.ports);
        for (int i = 0; i < SCHEMES; i++)
            for (size_t j = 0; j < p.count[i]; j++) q.uops[i][j].ports = permute(p.uops[i][j].ports, to);
        ptl_term terms[4];
        ptl_experiment e = random_experiment(&r, terms);
        for (size_t w = 0; w < WAYS; w++) {
            timing x = time_of(&p, &e, ways[w]), y = time_of(&q, &e, ways[w]);
            assert_same(&x, &y);
            assert_int_equal(permute(x.ports.ports, to), y.ports.ports);
        }
    }
}

/* With R_max the time is the larger of two; a lower R_max is never faster, and a high one changes nothing. */
static void the_limit_on_issue_is_a_lower_bound(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(5);
    int limited = 0;
    for (int round = 0; round < ROUNDS; round++) {
        plan p = random_plan(&r), free = p, high = p, low = p;
        p.rmax = 1 + 5 * ptl_rng_unit(&r);
        free.rmax = 0;
        high.rmax = 1e6;
        low.rmax = p.rmax / 2;
        ptl_term terms[4];
        ptl_experiment e = random_experiment(&r, terms);
        for (size_t w = 0; w < WAYS; w++) {
            timing t = time_of(&p, &e, ways[w]), unbound = time_of(&free, &e, ways[w]);
            timing up = time_of(&high, &e, ways[w]), down = time_of(&low, &e, ways[w]);
            double issue = (double)t.slots / p.rmax;
            assert_true(t.cycles == fmax(unbound.cycles, issue));
            assert_true(unbound.cycles == ptl_bottleneck_cycles(&t.ports));
            assert_true(unbound.cycles <= up.cycles && up.cycles <= t.cycles && t.cycles <= down.cycles);
            assert_true(down.cycles <= 2 * t.cycles * (1 + 1e-12));
            if (unbound.cycles > 0) assert_true(up.cycles == unbound.cycles);
            limited += issue > unbound.cycles;
        }
    }
    assert_true(limited > ROUNDS / 10);
}

/* No time is below the work over all ports it can use, nor above the work on one port. */
static void times_lie_between_their_bounds(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(6);
    for (int round = 0; round < ROUNDS; round++) {
        plan p = random_plan(&r);
        ptl_term terms[4];
        ptl_experiment e = random_experiment(&r, terms);
        uint64_t mass = 0;
        ptl_ports ports = 0;
        for (size_t i = 0; i < e.size; i++)
            for (size_t j = 0; j < p.count[e.terms[i].scheme]; j++) {
                mass += (uint64_t)e.terms[i].count * p.uops[e.terms[i].scheme][j].count;
                ports |= p.uops[e.terms[i].scheme][j].ports;
            }
        timing least = {.ports = {.mass = mass, .width = ptl_ports_count(ports)}};
        timing most = {.ports = {.mass = mass, .width = mass ? 1 : 0}};
        for (size_t w = 0; w < WAYS; w++) {
            timing t = time_of(&p, &e, ways[w]);
            assert_true(compare(&least, &t) <= 0 && compare(&t, &most) <= 0);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(n_times_as_much_takes_n_times_as_long),
        cmocka_unit_test(together_is_not_slower_than_one_after_the_other),
        cmocka_unit_test(less_work_and_more_ports_are_never_slower),
        cmocka_unit_test(names_of_ports_do_not_matter),
        cmocka_unit_test(the_limit_on_issue_is_a_lower_bound),
        cmocka_unit_test(times_lie_between_their_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
