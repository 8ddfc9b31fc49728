#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/rng.h"
#include "model/metrics.h"

/* tau-b by looking at all pairs. */
static double kendall_by_pairs(const double* x, const double* y, size_t n) {
    double concordant = 0, tied_x = 0, tied_y = 0, all = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            double a = x[i] - x[j], b = y[i] - y[j];
            all++;
            tied_x += a == 0;
            tied_y += b == 0;
            concordant += a == 0 || b == 0 ? 0 : (a > 0) == (b > 0) ? 1 : -1;
        }
    return concordant / sqrt((all - tied_x) * (all - tied_y));
}

static void kendall_agrees_with_all_pairs_whatever_the_ties(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(1);
    int defined = 0;
    for (int round = 0; round < 1000; round++) {
        size_t n = ptl_rng_below(&r, 40);
        double x[40], y[40];
        uint64_t values = 1 + ptl_rng_below(&r, 30);
        for (size_t i = 0; i < n; i++)
            x[i] = (double)ptl_rng_below(&r, values), y[i] = 1 + (double)ptl_rng_below(&r, values) + x[i] / 2;
        ptl_metrics m;
        assert_int_equal(ptl_metrics_of(x, y, n, &m, NULL), PTL_OK);
        double truth = n < 2 ? NAN : kendall_by_pairs(x, y, n);
        assert_int_equal(isnan(m.kendall), isnan(truth));
        if (isnan(truth)) continue;
        defined++;
        assert_true(fabs(m.kendall - truth) < 1e-12);
    }
    assert_true(defined > 500);
}

static void known_values_come_out(void** state) {
    (void)state;
    double modelled[] = {1, 2, 3, 4}, measured[] = {2, 4, 6, 8}, reversed[] = {8, 6, 4, 2};
    ptl_metrics m;
    ptl_metrics_of(modelled, measured, 4, &m, NULL);
    assert_true(fabs(m.mape - 0.5) < 1e-15 && fabs(m.pearson - 1) < 1e-15 && fabs(m.kendall - 1) < 1e-15);
    ptl_metrics_of(modelled, reversed, 4, &m, NULL);
    assert_true(fabs(m.pearson + 1) < 1e-15 && fabs(m.kendall + 1) < 1e-15);
}

static void what_is_not_defined_is_nan(void** state) {
    (void)state;
    double x[] = {0.1, 0.1, 0.1}, y[] = {1, 2, 3}, bad[] = {1, 0, 1}, nan[] = {1, NAN, 1};
    ptl_metrics m;
    assert_int_equal(ptl_metrics_of(x, y, 0, &m, NULL), PTL_OK);
    assert_true(isnan(m.mape) && isnan(m.pearson) && isnan(m.kendall));
    ptl_metrics_of(x, y, 1, &m, NULL);
    assert_true(fabs(m.mape - 0.9) < 1e-15 && isnan(m.pearson) && isnan(m.kendall));
    ptl_metrics_of(x, y, 3, &m, NULL);
    assert_true(isnan(m.pearson) && isnan(m.kendall));
    ptl_metrics_of(y, x, 3, &m, NULL);
    assert_true(isnan(m.pearson) && isnan(m.kendall));
    assert_int_equal(ptl_metrics_of(y, bad, 3, &m, NULL), PTL_BAD_INPUT);
    assert_int_equal(ptl_metrics_of(nan, y, 3, &m, NULL), PTL_BAD_INPUT);
}

static void a_million_points_are_no_matter(void** state) {
    (void)state;
    size_t n = 1000000;
    double* x = malloc(2 * n * sizeof *x);
    assert_non_null(x);
    ptl_rng r = ptl_rng_seed(2);
    for (size_t i = 0; i < n; i++) x[i] = ptl_rng_unit(&r), x[n + i] = 0.5 + x[i] * x[i];
    ptl_metrics m;
    assert_int_equal(ptl_metrics_of(x, x + n, n, &m, NULL), PTL_OK);
    assert_true(fabs(m.kendall - 1) < 1e-12);
    free(x);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kendall_agrees_with_all_pairs_whatever_the_ties),
        cmocka_unit_test(known_values_come_out),
        cmocka_unit_test(what_is_not_defined_is_nan),
        cmocka_unit_test(a_million_points_are_no_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
