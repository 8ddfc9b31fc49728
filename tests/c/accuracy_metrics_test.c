#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "accuracy/metrics.h"
#include "base/rng.h"

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
    assert_true(fabs(m.kendall - 1) < 1e-10); /* a pair or two agree in 40 bits */
    free(x);
}

/* The same quotient reached in two ways is one rank. */
static void last_bits_do_not_break_ties(void** state) {
    (void)state;
    double third = 1.0 / 3, modelled[] = {5.0 / 3 / 5, third, 0.5, 7.0 / 3 / 7, 1},
           measured[] = {1, 2, 3, 1.5, 4};
    double exact[] = {third, third, 0.5, third, 1};
    ptl_metrics a, b;
    modelled[1] = nextafter(third, 0);
    assert_int_equal(ptl_metrics_of(modelled, measured, 5, &a, NULL), PTL_OK);
    assert_int_equal(ptl_metrics_of(exact, measured, 5, &b, NULL), PTL_OK);
    assert_true(a.kendall == b.kendall && fabs(b.kendall - 7 / sqrt(7.0 * 10)) < 1e-15);
}

/* A million terms whose exact sums are known: naive summation is off in the tenth digit. */
static void sums_keep_their_digits(void** state) {
    (void)state;
    size_t n = 1000000;
    double *x = malloc(2 * n * sizeof *x), *y = x + n;
    assert_non_null(x);
    for (size_t i = 0; i < n; i++) y[i] = i % 2 ? 3.1 : 0.7, x[i] = 1.1 * y[i];
    ptl_metrics m;
    assert_int_equal(ptl_metrics_of(x, y, n, &m, NULL), PTL_OK);
    assert_true(fabs(m.mape - 0.1) < 1e-14 && fabs(m.pearson - 1) < 1e-14);
    /* A large offset: r of (i, i^2 + 10^9) for i = 0 ... 999 is what it is without the offset. */
    double offset[1000], plain[1000], linear[1000];
    for (int i = 0; i < 1000; i++)
        plain[i] = 1 + (double)i * i, offset[i] = plain[i] + 1e9, linear[i] = 1 + i;
    ptl_metrics a, b;
    ptl_metrics_of(linear, plain, 1000, &a, NULL);
    ptl_metrics_of(linear, offset, 1000, &b, NULL);
    assert_true(fabs(a.pearson - b.pearson) < 1e-12);
    free(x);
}

static void very_large_and_small_values_are_measured_too(void** state) {
    (void)state;
    double large[] = {1e300, 2e300, 4e300}, small[] = {1e-300, 2e-300, 4e-300}, plain[] = {1, 2, 4};
    ptl_metrics m;
    assert_int_equal(ptl_metrics_of(small, large, 3, &m, NULL), PTL_OK);
    assert_true(m.mape == 1 && fabs(m.pearson - 1) < 1e-12 && m.kendall == 1);
    assert_int_equal(ptl_metrics_of(plain, small, 3, &m, NULL), PTL_OK);
    assert_true(fabs(m.pearson - 1) < 1e-12 && m.kendall == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kendall_agrees_with_all_pairs_whatever_the_ties),
        cmocka_unit_test(known_values_come_out),
        cmocka_unit_test(what_is_not_defined_is_nan),
        cmocka_unit_test(a_million_points_are_no_matter),
        cmocka_unit_test(last_bits_do_not_break_ties),
        cmocka_unit_test(sums_keep_their_digits),
        cmocka_unit_test(very_large_and_small_values_are_measured_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
