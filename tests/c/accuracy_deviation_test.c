#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "accuracy/deviation.h"
#include "accuracy/heatmap.h"
#include "base/rng.h"

static void sides_and_sizes_of_errors(void** state) {
    (void)state;
    double measured[] = {1, 2, 4, 10}, modelled[] = {1.5, 2, 3, 10.1}, p[] = {0, 0.5, 1, 1.0 / 3};
    double relative[4], absolute[4];
    ptl_deviation d;
    assert_int_equal(ptl_deviation_of(modelled, measured, 4, 0.02, p, 4, relative, absolute, &d, NULL),
                     PTL_OK);
    assert_true(fabs(d.bias - 0.065) < 1e-15);
    assert_true(d.over == 0.25 && d.under == 0.25 && d.largest == 1);
    /* sorted: -0.25 0 0.01 0.5, and 0 0.01 0.25 0.5 */
    assert_true(relative[0] == -0.25 && fabs(relative[1] - 0.005) < 1e-15 && relative[2] == 0.5);
    assert_true(absolute[0] == 0 && fabs(absolute[1] - 0.13) < 1e-15 && absolute[2] == 0.5);
    assert_true(fabs(relative[3]) < 1e-15 && fabs(absolute[3] - 0.01) < 1e-15);
}

static void nothing_and_nonsense(void** state) {
    (void)state;
    double one[] = {1}, zero[] = {0}, p[] = {0.5}, bad[] = {1.5}, a, b;
    ptl_deviation d;
    assert_int_equal(ptl_deviation_of(one, one, 0, 0, p, 1, &a, &b, &d, NULL), PTL_OK);
    assert_true(isnan(d.bias) && isnan(d.over) && isnan(d.largest) && isnan(a) && isnan(b));
    assert_int_equal(ptl_deviation_of(zero, one, 1, 0, p, 1, &a, &b, &d, NULL), PTL_OK);
    assert_true(d.bias == -1 && d.under == 1 && a == -1 && b == 1);
    assert_int_equal(ptl_deviation_of(one, zero, 1, 0, p, 1, &a, &b, &d, NULL), PTL_BAD_INPUT);
    assert_int_equal(ptl_deviation_of(one, one, 1, -1, p, 1, &a, &b, &d, NULL), PTL_BAD_INPUT);
    assert_int_equal(ptl_deviation_of(one, one, 1, 0, bad, 1, &a, &b, &d, NULL), PTL_BAD_INPUT);
}

static uint64_t counts[100];

static void bins_hold_their_lower_edge_and_the_last_its_upper(void** state) {
    (void)state;
    ptl_heatmap map = {.end = 4, .columns = 4, .rows = 2, .counts = counts};
    double x[] = {0, 1, 0.999, 4, 4.001, 2, -1, NAN, 2}, y[] = {0, 2, 1.999, 4, 1, 5, 1, 1, INFINITY};
    ptl_heatmap_fill(&map, x, y, 9);
    assert_int_equal(map.outside, 5);
    uint64_t expected[] = {2, 0, 0, 0, 0, 1, 0, 1};
    assert_memory_equal(counts, expected, sizeof expected);
}

static void a_million_points_fall_somewhere(void** state) {
    (void)state;
    size_t n = 1000000;
    double* x = malloc(2 * n * sizeof *x);
    assert_non_null(x);
    ptl_rng r = ptl_rng_seed(3);
    for (size_t i = 0; i < 2 * n; i++) x[i] = 1.1 * ptl_rng_unit(&r);
    ptl_heatmap map = {.end = 1, .columns = 10, .rows = 10, .counts = counts};
    ptl_heatmap_fill(&map, x, x + n, n);
    uint64_t sum = map.outside;
    for (size_t i = 0; i < 100; i++) {
        sum += counts[i];
        assert_in_range(counts[i], 7700, 8850); /* 8264 expected, standard deviation 91 */
    }
    assert_int_equal(sum, n);
    free(x);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sides_and_sizes_of_errors),
        cmocka_unit_test(nothing_and_nonsense),
        cmocka_unit_test(bins_hold_their_lower_edge_and_the_last_its_upper),
        cmocka_unit_test(a_million_points_fall_somewhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
