#include "accuracy/metrics.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "accuracy/sum.h"

typedef struct point {
    double x, y;
} point;

static int by_x_then_y(const void* a, const void* b) {
    const point *p = a, *q = b;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    return (p->y > q->y) - (p->y < q->y);
}

/* Merge sort of p by y; returns the number of pairs that were strictly out of order. */
static uint64_t inversions(point* p, point* spare, size_t n) {
    if (n < 2) return 0;
    size_t half = n / 2, i = 0, j = half, k = 0;
    uint64_t count = inversions(p, spare, half) + inversions(p + half, spare, n - half);
    while (i < half && j < n) {
        if (p[j].y < p[i].y) {
            count += half - i;
            spare[k++] = p[j++];
        } else {
            spare[k++] = p[i++];
        }
    }
    while (i < half) spare[k++] = p[i++];
    while (j < n) spare[k++] = p[j++];
    for (k = 0; k < n; k++) p[k] = spare[k];
    return count;
}

static double pairs(uint64_t n) {
    return 0.5 * (double)n * ((double)n - 1);
}

/* Knight's algorithm: sort by x (ties by y), then every discordant pair is an inversion of y. Pairs tied in x
 * or y are neither concordant nor discordant: concordant - discordant = all - tied in x - tied in y + tied in
 * both - 2 * discordant. */
static double kendall(point* p, point* spare, size_t n) {
    double all = pairs(n), tied_x = 0, tied_both = 0, tied_y = 0;
    qsort(p, n, sizeof *p, by_x_then_y);
    for (size_t i = 0, j; i < n; i = j) {
        for (j = i; j < n && p[j].x == p[i].x; j++) {
        }
        tied_x += pairs(j - i);
        for (size_t a = i, b; a < j; a = b) {
            for (b = a; b < j && p[b].y == p[a].y; b++) {
            }
            tied_both += pairs(b - a);
        }
    }
    double discordant = (double)inversions(p, spare, n);
    for (size_t i = 0, j; i < n; i = j) { /* now sorted by y */
        for (j = i; j < n && p[j].y == p[i].y; j++) {
        }
        tied_y += pairs(j - i);
    }
    double untied = sqrt((all - tied_x) * (all - tied_y)); /* of a square exact: tau is 1, not 1 + 2e-16 */
    return untied > 0 ? (all - tied_x - tied_y + tied_both - 2 * discordant) / untied : NAN;
}

/* x with 40 significant bits. Quotients of small whole numbers are far from the halfway points of this grid,
 * so that what differs by a few last bits lands on the same value. */
static double coarse(double x) {
    int exponent;
    double mantissa = frexp(x, &exponent);
    return ldexp(nearbyint(ldexp(mantissa, 40)), exponent - 40);
}

static bool constant(const double* x, size_t n) {
    for (size_t i = 1; i < n; i++)
        if (x[i] != x[0]) return false; /* exactly: rounding of the mean must not hide it */
    return true;
}

/* The largest absolute value, so that squares of what is divided by it neither overflow nor vanish. */
static double scale_of(const double* x, size_t n) {
    double scale = 0;
    for (size_t i = 0; i < n; i++) scale = fmax(scale, fabs(x[i]));
    return scale;
}

static double mean_of(const double* x, double scale, size_t n) {
    ptl_sum sum = {0};
    for (size_t i = 0; i < n; i++) ptl_sum_add(&sum, x[i] / scale);
    return ptl_sum_of(&sum) / (double)n;
}

/* Two passes: the textbook formula of one pass cancels where the mean is large. */
static double pearson(const double* x, const double* y, size_t n) {
    if (n < 2 || constant(x, n) || constant(y, n)) return NAN;
    double sx = scale_of(x, n), sy = scale_of(y, n), mx = mean_of(x, sx, n), my = mean_of(y, sy, n);
    ptl_sum xx = {0}, yy = {0}, xy = {0};
    for (size_t i = 0; i < n; i++) {
        double dx = x[i] / sx - mx, dy = y[i] / sy - my;
        ptl_sum_add(&xx, dx * dx), ptl_sum_add(&yy, dy * dy), ptl_sum_add(&xy, dx * dy);
    }
    double r = ptl_sum_of(&xy) / sqrt(ptl_sum_of(&xx)) / sqrt(ptl_sum_of(&yy));
    return isfinite(r) ? fmax(-1, fmin(1, r)) : NAN; /* constant but for less than a rounding of the scale */
}

static double mape(const double* modelled, const double* measured, size_t n) {
    ptl_sum error = {0};
    for (size_t i = 0; i < n; i++) ptl_sum_add(&error, fabs(modelled[i] - measured[i]) / measured[i]);
    return ptl_sum_of(&error) / (double)n;
}

ptl_status ptl_metrics_check(const double* modelled, const double* measured, size_t n, ptl_error* error) {
    for (size_t i = 0; i < n; i++)
        if (!isfinite(modelled[i]) || !isfinite(measured[i]) || measured[i] <= 0)
            return ptl_fail(error, PTL_BAD_INPUT, NULL, "leave out what could not be measured or predicted",
                            "pair %zu is not a finite prediction and a positive measurement", i + 1);
    return PTL_OK;
}

ptl_status ptl_metrics_of(const double* modelled, const double* measured, size_t n, ptl_metrics* out,
                          ptl_error* error) {
    *out = (ptl_metrics){NAN, NAN, NAN};
    ptl_status s = ptl_metrics_check(modelled, measured, n, error);
    if (s || n == 0) return s;
    point* p = calloc(n, 2 * sizeof *p);
    if (!p) return ptl_fail(error, PTL_NO_MEMORY, NULL, NULL, "no memory for %zu points", n);
    for (size_t i = 0; i < n; i++) p[i] = (point){coarse(modelled[i]), coarse(measured[i])};
    out->mape = mape(modelled, measured, n);
    out->pearson = pearson(modelled, measured, n);
    out->kendall = n < 2 ? NAN : kendall(p, p + n, n);
    free(p);
    return PTL_OK;
}
