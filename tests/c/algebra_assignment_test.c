#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "algebra/assignment.h"
#include "base/rng.h"

#define SMALL 7

/* The least cost, by trying everything: rows <= columns. */
static double least(const double* cost, unsigned rows, unsigned columns, unsigned row, unsigned taken) {
    if (row == rows) return 0;
    double best = INFINITY;
    for (unsigned c = 0; c < columns; c++)
        if (!(taken >> c & 1))
            best = fmin(best, cost[row * columns + c] + least(cost, rows, columns, row + 1, taken | 1u << c));
    return best;
}

/* A valid assignment of as many as possible, with this total. */
static void check(const double* cost, unsigned rows, unsigned columns, const int* to, double total) {
    unsigned taken = 0, assigned = 0;
    double sum = 0;
    for (unsigned r = 0; r < rows; r++) {
        if (to[r] == PTL_UNASSIGNED) continue;
        assert_in_range(to[r], 0, columns - 1);
        assert_false(taken >> to[r] & 1);
        taken |= 1u << to[r];
        assigned++;
        sum += cost[r * columns + (unsigned)to[r]];
    }
    assert_int_equal(assigned, rows < columns ? rows : columns);
    assert_true(fabs(sum - total) < 1e-9);
}

static void it_is_the_least_of_all(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(1);
    for (int round = 0; round < 1500; round++) {
        unsigned rows = 1 + (unsigned)ptl_rng_below(&r, SMALL),
                 columns = 1 + (unsigned)ptl_rng_below(&r, SMALL);
        double cost[SMALL * SMALL], turned[SMALL * SMALL];
        bool whole = ptl_rng_below(&r, 2); /* small whole numbers: many ties */
        for (unsigned i = 0; i < rows * columns; i++) {
            cost[i] = whole ? (double)ptl_rng_below(&r, 5) - 2 : ptl_rng_normal(&r);
            turned[i % columns * rows + i / columns] = cost[i];
        }
        int to[SMALL], again[SMALL];
        double total = ptl_assignment(cost, rows, columns, to);
        check(cost, rows, columns, to, total);
        double best = rows <= columns ? least(cost, rows, columns, 0, 0) : least(turned, columns, rows, 0, 0);
        assert_true(fabs(total - best) < 1e-9);
        ptl_assignment(cost, rows, columns, again);
        assert_memory_equal(to, again, rows * sizeof *to);
    }
}

static void planted_assignments_are_found(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(2);
    static double cost[PTL_ASSIGNMENT_MAX * PTL_ASSIGNMENT_MAX];
    unsigned n = PTL_ASSIGNMENT_MAX;
    size_t planted[PTL_ASSIGNMENT_MAX];
    for (unsigned i = 0; i < n; i++) planted[i] = i;
    ptl_rng_shuffle(&r, planted, n);
    for (unsigned i = 0; i < n * n; i++) cost[i] = 1 + ptl_rng_unit(&r);
    for (unsigned i = 0; i < n; i++) cost[i * n + planted[i]] = 0.5 * ptl_rng_unit(&r);
    int to[PTL_ASSIGNMENT_MAX];
    ptl_assignment(cost, n, n, to);
    for (unsigned i = 0; i < n; i++) assert_int_equal(to[i], planted[i]);
}

static void nothing_is_assigned_to_nothing(void** state) {
    (void)state;
    int to[2] = {7, 7};
    assert_true(ptl_assignment(NULL, 0, 3, to) == 0);
    assert_int_equal(to[0], 7);
    assert_true(ptl_assignment(NULL, 2, 0, to) == 0);
    assert_true(to[0] == PTL_UNASSIGNED && to[1] == PTL_UNASSIGNED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_the_least_of_all),
        cmocka_unit_test(planted_assignments_are_found),
        cmocka_unit_test(nothing_is_assigned_to_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
