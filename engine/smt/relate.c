#include "smt/relate.h"

#include <math.h>
#include <stdlib.h>

#include "candidates/candidate.h"

typedef struct builder {
    ptl_arith* a;
    const ptl_relation* r;
    ptl_formula t;
    ptl_formula* parts; /* of the conjunction */
    size_t count;
    ptl_formula* shares;     /* x: [row * ports + port], 0 where the row can't run */
    ptl_formula *full, *own; /* q of each port; j of each row */
    ptl_formula* some;       /* scratch, of all rows or all ports */
} builder;

static void say(builder* b, ptl_formula part) {
    b->parts[b->count++] = part;
}

/* D, E and H for one row on one port. */
static void share(builder* b, size_t row, size_t k) {
    ptl_arith* a = b->a;
    ptl_formula runs = b->r->runs[row * b->r->ports + k], zero = ptl_arith_ratio(a, 0, 1);
    ptl_formula x = ptl_arith_variable(a, PTL_REAL, "x.%zu.%zu", row, k);
    b->shares[row * b->r->ports + k] = x;
    say(b, ptl_arith_at_most(a, zero, x));
    say(b, ptl_arith_implies(a, ptl_arith_not(a, runs), ptl_arith_equal(a, x, zero)));
    say(b, ptl_arith_implies(a, runs, ptl_arith_implies(a, b->own[row], b->full[k])));
}

/* A: all instances of a row go to its ports. */
static void distribute(builder* b, size_t row) {
    size_t n = 0;
    b->own[row] = ptl_arith_variable(b->a, PTL_BOOLEAN, "j.%zu", row);
    for (size_t k = 0; k < b->r->ports; k++) {
        if (b->r->runs[row * b->r->ports + k] == PTL_FORMULA_FALSE) continue;
        share(b, row, k);
        b->some[n++] = b->shares[row * b->r->ports + k];
    }
    ptl_formula sum = n ? ptl_arith_sum(b->a, b->some, n) : ptl_arith_ratio(b->a, 0, 1);
    say(b, ptl_arith_equal(b->a, sum, b->r->demand[row]));
}

/* B, C and G: no port works for longer than t, and q says which ones work for that long. */
static void load(builder* b, size_t k) {
    size_t n = 0;
    for (size_t row = 0; row < b->r->rows; row++)
        if (b->shares[row * b->r->ports + k]) b->some[n++] = b->shares[row * b->r->ports + k];
    ptl_formula p = n ? ptl_arith_sum(b->a, b->some, n) : ptl_arith_ratio(b->a, 0, 1);
    say(b, ptl_arith_at_most(b->a, p, b->t));
    say(b, ptl_arith_iff(b->a, b->full[k], ptl_arith_at_most(b->a, b->t, p))); /* p = t, given p <= t */
}

/* F and I: some port is a bottleneck; only uops confined to the bottleneck ports work there. */
static void bottleneck(builder* b) {
    ptl_formula zero = ptl_arith_ratio(b->a, 0, 1);
    say(b, ptl_arith_or(b->a, b->full, b->r->ports));
    for (size_t row = 0; row < b->r->rows; row++)
        b->some[row] = ptl_arith_if(b->a, b->own[row], b->r->demand[row], zero);
    ptl_formula confined = b->r->rows ? ptl_arith_sum(b->a, b->some, b->r->rows) : zero;
    for (size_t k = 0; k < b->r->ports; k++) b->some[k] = ptl_arith_if(b->a, b->full[k], b->t, zero);
    say(b, ptl_arith_equal(b->a, confined, ptl_arith_sum(b->a, b->some, b->r->ports)));
}

ptl_formula ptl_relate_throughput(ptl_arith* a, const ptl_relation* r, ptl_formula t) {
    size_t edges = r->rows * r->ports;
    builder b = {.a = a,
                 .r = r,
                 .t = t,
                 .parts = calloc(3 * edges + r->rows + 2 * r->ports + 2, sizeof(ptl_formula)),
                 .shares = calloc(edges + 1, sizeof(ptl_formula)),
                 .full = calloc(r->ports + r->rows, sizeof(ptl_formula)),
                 .some = calloc(r->ports + r->rows, sizeof(ptl_formula))};
    ptl_formula formula = PTL_FORMULA_FALSE;
    if (b.parts && b.shares && b.full && b.some) {
        b.own = b.full + r->ports;
        for (size_t k = 0; k < r->ports; k++) b.full[k] = ptl_arith_variable(a, PTL_BOOLEAN, "q.%zu", k);
        for (size_t row = 0; row < r->rows; row++) distribute(&b, row);
        for (size_t k = 0; k < r->ports; k++) load(&b, k);
        bottleneck(&b);
        formula = ptl_arith_and(a, b.parts, b.count);
    } else {
        ptl_arith_give_up(a);
    }
    free(b.parts);
    free(b.shares);
    free(b.full);
    free(b.some);
    return formula;
}

void ptl_least_cycles(double lower, size_t ports, int64_t* num, int64_t* den) {
    *num = *den = 0;
    lower = fmin(fmax(lower, 0), 4e9); /* more than any experiment takes */
    for (int64_t q = 1; q <= (int64_t)ports; q++) {
        int64_t m = (int64_t)ceil((lower - PTL_SLACK) * (double)q);
        if (*den == 0 || m * *den < *num * q) *num = m, *den = q;
    }
}

void ptl_most_cycles(double upper, size_t ports, int64_t* num, int64_t* den) {
    *num = *den = 0;
    upper = fmin(fmax(upper, -1), 4e9);
    for (int64_t q = 1; q <= (int64_t)ports; q++) {
        int64_t m = (int64_t)floor((upper + PTL_SLACK) * (double)q);
        if (*den == 0 || m * *den > *num * q) *num = m, *den = q;
    }
}

/* Continued fractions: each step gives the best approximation for its denominator. */
void ptl_fraction(double x, int64_t* num, int64_t* den) {
    int64_t n0 = 0, d0 = 1, n1 = 1, d1 = 0;
    double rest = x;
    for (int step = 0; step < 32; step++) {
        int64_t whole = (int64_t)floor(rest), n = whole * n1 + n0, d = whole * d1 + d0;
        if (d > INT32_MAX || llabs(n) > INT32_MAX) break;
        n0 = n1, d0 = d1, n1 = n, d1 = d;
        if (fabs((double)n1 / (double)d1 - x) <= 1e-12 || rest - floor(rest) < 1e-12) break;
        rest = 1 / (rest - floor(rest));
    }
    *num = n1;
    *den = d1;
}
