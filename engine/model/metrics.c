#include "model/metrics.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

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
    double untied = sqrt(all - tied_x) * sqrt(all - tied_y);
    return untied > 0 ? (all - tied_x - tied_y + tied_both - 2 * discordant) / untied : NAN;
}

static double pearson(const point* p, size_t n) {
    double mx = 0, my = 0, xx = 0, yy = 0, xy = 0;
    for (size_t i = 0; i < n; i++) mx += p[i].x / (double)n, my += p[i].y / (double)n;
    bool constant_x = true, constant_y = true; /* exactly: rounding of the mean must not hide it */
    for (size_t i = 0; i < n; i++) {
        double dx = p[i].x - mx, dy = p[i].y - my;
        constant_x = constant_x && p[i].x == p[0].x;
        constant_y = constant_y && p[i].y == p[0].y;
        xx += dx * dx, yy += dy * dy, xy += dx * dy;
    }
    return n < 2 || constant_x || constant_y ? NAN : xy / sqrt(xx) / sqrt(yy);
}

ptl_status ptl_metrics_of(const double* modelled, const double* measured, size_t n, ptl_metrics* out,
                          ptl_error* e) {
    *out = (ptl_metrics){NAN, NAN, NAN};
    double error = 0;
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(modelled[i]) || !isfinite(measured[i]) || measured[i] <= 0)
            return ptl_fail(e, PTL_BAD_INPUT, NULL, "leave out what could not be measured or predicted",
                            "pair %zu is not a finite prediction and a positive measurement", i + 1);
        error += fabs(modelled[i] - measured[i]) / measured[i];
    }
    if (n == 0) return PTL_OK;
    out->mape = error / (double)n;
    point* p = calloc(n, 2 * sizeof *p);
    if (!p) return ptl_fail(e, PTL_NO_MEMORY, NULL, NULL, "no memory for %zu points", n);
    for (size_t i = 0; i < n; i++) p[i] = (point){modelled[i], measured[i]};
    out->pearson = pearson(p, n);
    out->kendall = n < 2 ? NAN : kendall(p, p + n, n);
    free(p);
    return PTL_OK;
}
