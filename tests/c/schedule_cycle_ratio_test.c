#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "schedule/cycle_ratio.h"

enum { NODES_MAX = 7, EDGES_MAX = 16 };

/* The slow, obvious way: all cycles that visit no node twice, from each node that is the smallest of its
 * cycle. */
typedef struct brute {
    const ptl_waits* g;
    double best;
    bool stuck; /* a cycle of positive latency without distance */
} brute;

static void extend(brute* b, uint32_t start, uint32_t at, unsigned visited, double latency, double distance) {
    for (size_t i = 0; i < b->g->count; i++) {
        const ptl_wait* e = &b->g->edges[i];
        if (e->from != at || e->to < start) continue;
        double l = latency + e->latency, d = distance + e->distance;
        if (e->to == start) {
            if (d > 0) b->best = fmax(b->best, l / d);
            if (d == 0 && l > 0) b->stuck = true;
        } else if (!(visited >> e->to & 1)) {
            extend(b, start, e->to, visited | 1u << e->to, l, d);
        }
    }
}

static brute by_force(const ptl_waits* g) {
    brute b = {.g = g};
    for (uint32_t start = 0; start < g->nodes; start++) extend(&b, start, start, 1u << start, 0, 0);
    return b;
}

static ptl_waits random_graph(ptl_rng* rng, ptl_wait edges[EDGES_MAX], bool whole) {
    ptl_waits g = {.nodes = 1 + ptl_rng_below(rng, NODES_MAX), .edges = edges};
    g.count = ptl_rng_below(rng, EDGES_MAX + 1);
    for (size_t i = 0; i < g.count; i++) {
        uint32_t from = (uint32_t)ptl_rng_below(rng, g.nodes), to = (uint32_t)ptl_rng_below(rng, g.nodes);
        double latency = (double)ptl_rng_below(rng, 7) * (whole ? 1 : 0.37);
        uint32_t distance = from < to && ptl_rng_below(rng, 3) ? 0 : (uint32_t)ptl_rng_below(rng, 3);
        edges[i] = (ptl_wait){from, to, latency, distance};
    }
    return g;
}

/* What is returned with a ratio is a cycle that has it. */
static void assert_cycle_has_ratio(const ptl_waits* g, const size_t* cycle, size_t length, double ratio) {
    double latency = 0, distance = 0;
    for (size_t i = 0; i < length; i++) {
        const ptl_wait *e = &g->edges[cycle[i]], *next = &g->edges[cycle[(i + 1) % length]];
        assert_int_equal(e->to, next->from);
        latency += e->latency, distance += e->distance;
    }
    if (length) assert_true(fabs(latency / distance - ratio) < 1e-9);
    if (!length) assert_true(ratio == 0);
}

static void test_agrees_with_all_cycles(void** state) {
    (void)state;
    ptl_rng rng = ptl_rng_seed(7);
    int stuck = 0, idle = 0;
    for (int k = 0; k < 20000; k++) {
        ptl_wait edges[EDGES_MAX];
        ptl_waits g = random_graph(&rng, edges, k % 2);
        brute b = by_force(&g);
        double ratio;
        size_t cycle[NODES_MAX], length;
        ptl_status status = ptl_cycle_ratio(&g, &ratio, cycle, &length, NULL);
        assert_int_equal(status, b.stuck ? PTL_BAD_INPUT : PTL_OK);
        stuck += b.stuck, idle += b.best == 0;
        if (b.stuck) continue;
        assert_true(fabs(ratio - b.best) < 1e-9);
        assert_cycle_has_ratio(&g, cycle, length, ratio);
    }
    assert_true(stuck > 1000 && idle > 1000);
}

static void test_knows_small_loops(void** state) {
    (void)state;
    double ratio;
    /* acc = acc * x + y: a multiplication of 4 and an addition of 3 cycles on the way round; and over three
     * iterations */
    ptl_wait edges[] = {{0, 1, 4, 0}, {1, 0, 3, 1}, {1, 1, 18, 3}};
    ptl_waits g = {.nodes = 2, .count = 2, .edges = edges};
    assert_int_equal(ptl_cycle_ratio(&g, &ratio, NULL, &(size_t){0}, NULL), PTL_OK);
    assert_true(ratio == 7);
    g.count = 3;
    edges[2].latency = 24;
    assert_int_equal(ptl_cycle_ratio(&g, &ratio, NULL, &(size_t){0}, NULL), PTL_OK);
    assert_true(ratio == 8);
}

static void test_refuses_what_is_no_graph(void** state) {
    (void)state;
    double ratio;
    size_t length;
    const ptl_wait wrong[] = {{0, 2, 1, 1},   {2, 0, 1, 1},        {0, 1, -1, 1},
                              {0, 1, NAN, 1}, {0, 1, INFINITY, 1}, {1, 1, 1, 0}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ptl_waits g = {.nodes = 2, .count = 1, .edges = &wrong[i]};
        assert_int_equal(ptl_cycle_ratio(&g, &ratio, NULL, &length, NULL), PTL_BAD_INPUT);
    }
    ptl_waits none = {0};
    assert_int_equal(ptl_cycle_ratio(&none, &ratio, NULL, &length, NULL), PTL_OK);
    assert_true(ratio == 0 && length == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agrees_with_all_cycles),
        cmocka_unit_test(test_knows_small_loops),
        cmocka_unit_test(test_refuses_what_is_no_graph),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
