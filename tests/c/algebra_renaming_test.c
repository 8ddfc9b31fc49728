#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "algebra/renaming.h"
#include "base/rng.h"

static const char* const port_names[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"};

static ptl_ports random_ports(ptl_rng* r, unsigned ports) {
    ptl_ports p = 0;
    for (uint64_t k = 1 + ptl_rng_below(r, 4); k > 0; k--) p |= UINT32_C(1) << ptl_rng_below(r, ports);
    return p;
}

static ptl_ports permute(ptl_ports p, const size_t* to) {
    ptl_ports out = 0;
    for (; p; p &= p - 1) out |= UINT32_C(1) << to[__builtin_ctz(p)];
    return out;
}

/* Random mappings a and b: b is a with its ports renamed, but a share of its schemes is drawn anew. */
static void plant(ptl_mapping* a, ptl_mapping* b, ptl_rng* r, unsigned ports, unsigned ports_b,
                  size_t schemes, double noise, const size_t* to) {
    assert_int_equal(ptl_mapping_new(a, port_names, ports, schemes, 0, NULL), PTL_OK);
    assert_int_equal(ptl_mapping_new(b, port_names, ports_b, schemes, 0, NULL), PTL_OK);
    for (size_t i = 0; i < schemes; i++) {
        ptl_uop x[3], y[3];
        char name[24];
        size_t n = 1 + ptl_rng_below(r, 3);
        bool anew = ptl_rng_unit(r) < noise;
        for (size_t j = 0; j < n; j++) {
            x[j] = (ptl_uop){random_ports(r, ports), 1 + (uint32_t)ptl_rng_below(r, 2)};
            y[j] = (ptl_uop){anew ? random_ports(r, ports_b) : permute(x[j].ports, to), x[j].count};
        }
        snprintf(name, sizeof name, "s%zu", i);
        assert_int_equal(ptl_mapping_add(a, name, x, n, 1, NULL), PTL_OK);
        assert_int_equal(ptl_mapping_add(b, name, y, n, 1, NULL), PTL_OK);
    }
}

static size_t count_matching(const ptl_pairs* p, const ptl_renaming* r) {
    size_t n = 0;
    for (size_t i = 0; i < p->count; i++) n += ptl_renaming_matches(r, p, i);
    return n;
}

/* Uops of scheme i on each port. */
static void edges_of(const ptl_mapping* m, uint32_t i, long* edges) {
    memset(edges, 0, PTL_PORTS_MAX * sizeof *edges);
    for (uint32_t j = 0; j < m->schemes[i].uop_count; j++)
        for (unsigned k = 0; k < PTL_PORTS_MAX; k++)
            if (m->schemes[i].uops[j].ports >> k & 1) edges[k] += m->schemes[i].uops[j].count;
}

static long edges_apart(const ptl_pairs* p, const ptl_renaming* r) {
    long sum = 0;
    for (size_t i = 0; i < p->count; i++) {
        long a[PTL_PORTS_MAX], b[PTL_PORTS_MAX];
        edges_of(p->a, p->in_a[i], a);
        edges_of(p->b, p->in_b[i], b);
        for (unsigned k = 0; k < p->a->port_count; k++) {
            if (r->port[k] == PTL_NO_PORT)
                sum += a[k];
            else
                b[r->port[k]] -= a[k];
        }
        for (unsigned k = 0; k < PTL_PORTS_MAX; k++) sum += labs(b[k]);
    }
    return sum;
}

typedef struct optimum {
    size_t matching;
    long edges;
} optimum;

/* The best of all renamings that give a counterpart to as many ports as possible. */
static void try_all(const ptl_pairs* p, ptl_renaming* r, unsigned next, ptl_ports taken, unsigned idle,
                    optimum* best) {
    if (next == p->a->port_count) {
        optimum o = {count_matching(p, r), edges_apart(p, r)};
        if (o.matching > best->matching || (o.matching == best->matching && o.edges < best->edges)) *best = o;
        return;
    }
    for (unsigned k = 0; k < p->b->port_count; k++) {
        if (taken >> k & 1) continue;
        r->port[next] = (int)k;
        try_all(p, r, next + 1, taken | UINT32_C(1) << k, idle, best);
    }
    r->port[next] = PTL_NO_PORT;
    if (idle) try_all(p, r, next + 1, taken, idle - 1, best);
}

static void assert_one_to_one(const ptl_pairs* p, const ptl_renaming* r) {
    ptl_ports taken = 0;
    unsigned given = 0, least = p->a->port_count < p->b->port_count ? p->a->port_count : p->b->port_count;
    for (unsigned k = 0; k < PTL_PORTS_MAX; k++) {
        if (r->port[k] == PTL_NO_PORT) continue;
        assert_in_range(k, 0, p->a->port_count - 1);
        assert_in_range(r->port[k], 0, p->b->port_count - 1);
        assert_false(taken >> r->port[k] & 1);
        taken |= UINT32_C(1) << r->port[k];
        given++;
    }
    assert_int_equal(given, least);
}

static void it_is_nearly_always_the_best_of_all(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(4);
    int best = 0, rounds = 400;
    for (int round = 0; round < rounds; round++) {
        unsigned ports = 2 + (unsigned)ptl_rng_below(&r, 5), ports_b = ports;
        size_t to[12] = {0, 1, 2, 3, 4, 5};
        ptl_rng_shuffle(&r, to, ports);
        if (ports < 6 && ptl_rng_below(&r, 3) == 0) ports_b++;
        double noise = 0.1 * (double)ptl_rng_below(&r, 11);
        ptl_mapping a, b;
        plant(&a, &b, &r, ports, ports_b, 1 + ptl_rng_below(&r, 12), noise, to);
        ptl_arena arena = PTL_ARENA_EMPTY;
        ptl_pairs p;
        bool back = ptl_rng_below(&r, 2); /* also more ports in a than in b */
        assert_int_equal(ptl_pairs_find(&p, back ? &b : &a, back ? &a : &b, &arena, NULL), PTL_OK);
        ptl_renaming found, trial;
        size_t matching;
        assert_int_equal(ptl_renaming_closest(&p, &found, &matching, NULL), PTL_OK);
        assert_one_to_one(&p, &found);
        assert_int_equal(matching, count_matching(&p, &found));
        optimum o = {0, 1000000};
        for (unsigned k = 0; k < PTL_PORTS_MAX; k++) trial.port[k] = PTL_NO_PORT;
        unsigned idle = p.a->port_count > p.b->port_count ? p.a->port_count - p.b->port_count : 0;
        try_all(&p, &trial, 0, 0, idle, &o);
        assert_true(matching <= o.matching);
        if (matching == o.matching) assert_true(edges_apart(&p, &found) >= o.edges);
        best += matching == o.matching && edges_apart(&p, &found) == o.edges;
        ptl_mapping_free(&a);
        ptl_mapping_free(&b);
        ptl_arena_release(&arena);
    }
    print_message("best of all: %d of %d\n", best, rounds);
    assert_true(best >= rounds * 99 / 100);
}

/* On 12 ports, with a third of the schemes drawn anew. */
static void planted_renamings_are_found_through_noise(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(5);
    for (int round = 0; round < 100; round++) {
        size_t to[12];
        for (size_t k = 0; k < 12; k++) to[k] = k;
        ptl_rng_shuffle(&r, to, 12);
        ptl_mapping a, b;
        plant(&a, &b, &r, 12, 12, 60, 0.33, to);
        ptl_arena arena = PTL_ARENA_EMPTY;
        ptl_pairs p;
        ptl_renaming found, planted;
        size_t matching;
        assert_int_equal(ptl_pairs_find(&p, &a, &b, &arena, NULL), PTL_OK);
        assert_int_equal(ptl_renaming_closest(&p, &found, &matching, NULL), PTL_OK);
        for (unsigned k = 0; k < PTL_PORTS_MAX; k++) planted.port[k] = k < 12 ? (int)to[k] : PTL_NO_PORT;
        assert_true(matching >= count_matching(&p, &planted));
        assert_memory_equal(&found, &planted, sizeof found);
        ptl_mapping_free(&a);
        ptl_mapping_free(&b);
        ptl_arena_release(&arena);
    }
}

static void names_decide_where_nothing_else_does(void** state) {
    (void)state;
    ptl_mapping a, b;
    static const char* const other[] = {"5", "1", "0", "7"};
    ptl_arena arena = PTL_ARENA_EMPTY;
    ptl_pairs p;
    ptl_renaming r;
    size_t matching;
    ptl_mapping_new(&a, port_names, 3, 1, 0, NULL);
    ptl_mapping_new(&b, other, 4, 1, 0, NULL);
    ptl_mapping_add(&a, "s", &(ptl_uop){7, 1}, 1, 1, NULL);
    ptl_mapping_add(&b, "s", &(ptl_uop){15, 1}, 1, 1, NULL);
    assert_int_equal(ptl_pairs_find(&p, &a, &b, &arena, NULL), PTL_OK);
    assert_int_equal(ptl_renaming_closest(&p, &r, &matching, NULL), PTL_OK);
    assert_int_equal(matching, 0);
    assert_int_equal(r.port[0], 2);
    assert_int_equal(r.port[1], 1);
    assert_true(r.port[2] == 0 || r.port[2] == 3);
    ptl_mapping_free(&a);
    ptl_mapping_free(&b);
    ptl_arena_release(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_nearly_always_the_best_of_all),
        cmocka_unit_test(planted_renamings_are_found_through_noise),
        cmocka_unit_test(names_decide_where_nothing_else_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
