/* From proportions to counts. */
#include <math.h>
#include <stdlib.h>

#include "algebra/distinguish_lp.h"
#include "base/divisor.h"

#define EVERY 400                /* every number of instances up to this */
#define INSTANCES_MAX (1u << 30) /* beyond EVERY in steps of a half, up to this */

typedef struct rest {
    double fraction;
    size_t term;
} rest;

static int by_fraction(const void* x, const void* y) {
    const rest *a = x, *b = y;
    if (a->fraction != b->fraction) return a->fraction < b->fraction ? 1 : -1;
    return (a->term > b->term) - (a->term < b->term);
}

/* n instances in all: the shares rounded down, and one more where most was cut off. */
static void apportion(const ptl_mixture* m, uint32_t n, ptl_term* terms, rest* rests) {
    uint32_t given = 0;
    for (size_t i = 0; i < m->size; i++) {
        double share = m->share[i] * n, whole = floor(share + 1e-9);
        terms[i] = (ptl_term){m->scheme[i], (uint32_t)whole};
        rests[i] = (rest){share - whole, i};
        given += terms[i].count;
    }
    qsort(rests, m->size, sizeof *rests, by_fraction);
    for (size_t i = 0; i < m->size && given < n; i++, given++) terms[rests[i].term].count++;
}

/* The least q for which q x is a whole number, to 1e-9 of x's precision: continued fractions. 0: none up to
 * INSTANCES_MAX. */
static uint64_t denominator(double x) {
    uint64_t q0 = 0, q1 = 1; /* of the last two convergents */
    double y = x;
    for (int step = 0; step < 40; step++) {
        if (fabs(x * (double)q1 - nearbyint(x * (double)q1)) <= 1e-9) return q1;
        y = 1 / (y - floor(y));
        double next = floor(y) * (double)q1 + (double)q0;
        if (!(next <= INSTANCES_MAX)) return 0;
        q0 = q1;
        q1 = (uint64_t)next;
    }
    return 0;
}

/* With so many instances the proportions are exact; 0: with no reasonable number. */
static uint32_t common_denominator(const ptl_mixture* m) {
    uint64_t common = 1;
    for (size_t i = 0; i < m->size; i++) {
        uint64_t q = denominator(m->share[i]);
        if (!q) return 0;
        common = common / ptl_common_divisor(common, q) * q; /* below 2^60 */
        if (common > INSTANCES_MAX) return 0;
    }
    return (uint32_t)common;
}

/* Enters the experiment of n instances into out if it tells. */
static ptl_status try(const ptl_pairs* p, const ptl_mixture* m, uint32_t n, double threshold, rest* rests,
                      ptl_distinction* out, ptl_error* error) {
    ptl_experiment* x = &out->experiment;
    apportion(m, n, x->terms, rests);
    x->size = m->size;
    ptl_experiment_canonical(x);
    if (ptl_experiment_gcd(x) != 1 && n <= EVERY) return PTL_OK; /* the same proportions were tried */
    ptl_status s = ptl_both_cycles(p, x, &out->cycles_a, &out->cycles_b, error);
    if (s) return s;
    out->examined++;
    out->found = fabs(out->cycles_a - out->cycles_b) / (double)ptl_experiment_length(x) > threshold;
    return PTL_OK;
}

ptl_status ptl_round_mixture(const ptl_pairs* p, const ptl_mixture* m, double threshold, ptl_arena* arena,
                             ptl_distinction* out, ptl_error* error) {
    out->found = false;
    out->experiment.terms = ptl_arena_array(arena, m->size, sizeof *out->experiment.terms);
    rest* rests = ptl_arena_array(arena, m->size, sizeof *rests);
    if (!out->experiment.terms || !rests) return ptl_no_memory(error, "to compare");
    ptl_status s = PTL_OK;
    for (uint32_t n = 1; !s && !out->found && n <= EVERY; n++) s = try(p, m, n, threshold, rests, out, error);
    uint32_t exact = common_denominator(m);
    if (!s && !out->found && exact > EVERY) s = try(p, m, exact, threshold, rests, out, error);
    for (uint32_t n = EVERY; !s && !out->found && n <= INSTANCES_MAX; n += n / 2)
        s = try(p, m, n, threshold, rests, out, error);
    if (!out->found) out->experiment.size = 0;
    return s;
}
