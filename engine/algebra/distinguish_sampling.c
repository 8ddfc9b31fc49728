/* Candidate experiments for mappings that are not both two-level: a small one that tells is better than the
 * one that linear programs find. */
#include <math.h>
#include <string.h>

#include "algebra/distinguish.h"
#include "base/interrupt.h"
#include "base/rng.h"

#define LARGEST 6 /* schemes in a random experiment */
#define PAIR_CANDIDATES 40000
#define RANDOM_CANDIDATES 2000

typedef struct sampling {
    const ptl_pairs* p;
    ptl_distinction* out;
    ptl_error* error;
    uint32_t* kinds; /* common schemes, one of each kind */
    size_t kind_count;
    double best; /* the largest gap of CPIs */
} sampling;

/* Terms over common schemes; keeps the experiment if its gap is the largest so far. */
static ptl_status try(sampling* s, const ptl_term* terms, size_t size) {
    ptl_term own[LARGEST];
    ptl_experiment e = {own, size};
    for (size_t i = 0; i < size; i++) own[i] = (ptl_term){s->p->in_a[terms[i].scheme], terms[i].count};
    ptl_experiment_canonical(&e);
    double a, b;
    ptl_status status = ptl_both_cycles(s->p, &e, &a, &b, s->error);
    if (status) return status;
    s->out->examined++;
    double gap = fabs(a - b) / (double)ptl_experiment_length(&e);
    if (gap <= s->best + PTL_CPI_ROUNDING) return PTL_OK;
    s->best = gap;
    s->out->cycles_a = a;
    s->out->cycles_b = b;
    s->out->experiment.size = e.size;
    memcpy(s->out->experiment.terms, own, e.size * sizeof *own);
    return PTL_OK;
}

static ptl_status interrupted(const sampling* s) {
    return ptl_interrupted() ? ptl_fail(s->error, PTL_INTERRUPTED, NULL, NULL, "interrupted") : PTL_OK;
}

static ptl_status try_singles(sampling* s) {
    ptl_status status = PTL_OK;
    for (size_t k = 0; !status && k < s->kind_count; k++) status = try(s, &(ptl_term){s->kinds[k], 1}, 1);
    return status;
}

static ptl_status try_pairs(sampling* s) {
    static const uint32_t counts[][2] = {{1, 1}, {1, 2}, {2, 1}, {1, 4}, {4, 1},
                                         {1, 8}, {8, 1}, {2, 3}, {3, 2}};
    ptl_status status = PTL_OK;
    uint64_t end = s->out->examined + PAIR_CANDIDATES;
    for (size_t j = 1; !status && j < s->kind_count && s->out->examined < end; j++) {
        status = interrupted(s);
        for (size_t k = 0; !status && k < j; k++)
            for (size_t c = 0; !status && c < sizeof counts / sizeof *counts; c++) {
                ptl_term terms[] = {{s->kinds[j], counts[c][0]}, {s->kinds[k], counts[c][1]}};
                status = try(s, terms, 2);
            }
    }
    return status;
}

static ptl_status try_random(sampling* s, uint64_t seed) {
    ptl_rng r = ptl_rng_seed(seed);
    ptl_status status = PTL_OK;
    for (int n = 0; !status && n < RANDOM_CANDIDATES; n++) {
        ptl_term terms[LARGEST];
        size_t size = 2 + ptl_rng_below(&r, LARGEST - 1);
        for (size_t i = 0; i < size; i++)
            terms[i] =
                (ptl_term){s->kinds[ptl_rng_below(&r, s->kind_count)], 1 + (uint32_t)ptl_rng_below(&r, 8)};
        status = try(s, terms, size);
        if (!status && n % 256 == 0) status = interrupted(s);
    }
    return status;
}

ptl_status ptl_distinguish_by_sampling(const ptl_pairs* p, double epsilon, uint64_t seed, ptl_arena* arena,
                                       ptl_distinction* out, ptl_error* error) {
    *out = (ptl_distinction){0};
    if (p->count == 0) return PTL_OK;
    sampling s = {.p = p, .out = out, .error = error};
    s.kinds = ptl_arena_array(arena, p->count, sizeof *s.kinds);
    out->experiment.terms = ptl_arena_array(arena, LARGEST, sizeof *out->experiment.terms);
    if (!s.kinds || !out->experiment.terms) return ptl_no_memory(error, "to compare");
    s.kind_count = ptl_pairs_kinds(p, s.kinds);
    double threshold = 2 * epsilon + PTL_CPI_ROUNDING;
    ptl_status status = try_singles(&s); /* the smallest experiment that does it */
    if (!status && s.best <= threshold) status = try_pairs(&s);
    if (!status && s.best <= threshold) status = try_random(&s, seed);
    out->found = s.best > threshold;
    out->complete = out->found;
    return status;
}
