/* Random problems for the tests of evolution: a hidden mapping, its times, and another mapping to begin with.
 */
#ifndef PTL_TEST_RANDOM_EVO_H
#define PTL_TEST_RANDOM_EVO_H

#include <stdlib.h>

#include "evo/state.h"

typedef struct random_evo {
    ptl_evo_problem p;
    ptl_evo_usage truth[16];  /* what the times are made from */
    ptl_evo_usage usages[16]; /* random uops, not those */
} random_evo;

/* The inverse throughput by Theorem 5.2, the obvious way. */
static inline double random_evo_cycles(const ptl_evo_usage* usages, const ptl_evo_measured* m,
                                       unsigned ports) {
    double most = 0;
    for (uint32_t q = 1; q < 1U << ports; q++) {
        double inside = 0;
        for (size_t k = 0; k < m->terms; k++)
            for (uint32_t l = 0; l < usages[m->schemes[k]].size; l++)
                if (!(usages[m->schemes[k]].uops[l].ports & ~q))
                    inside += (double)m->counts[k] * usages[m->schemes[k]].uops[l].count;
        if (inside / __builtin_popcount(q) > most) most = inside / __builtin_popcount(q);
    }
    return most;
}

/* schemes <= 16 with one or two uops each, and `size` experiments with up to three schemes, the first ones
 * single. */
static inline void random_evo_new(random_evo* f, unsigned ports, size_t schemes, size_t size, uint64_t seed) {
    ptl_rng r = ptl_rng_seed(seed);
    uint32_t all = (1U << ports) - 1;
    for (size_t i = 0; i < schemes; i++) {
        f->truth[i].size = 0;
        for (uint64_t k = ptl_rng_below(&r, 2) + 1; k; k--)
            ptl_evo_usage_add(&f->truth[i], 1 + (uint32_t)ptl_rng_below(&r, all),
                              1 + (uint32_t)ptl_rng_below(&r, 2));
    }
    ptl_evo_measured* list = calloc(size, sizeof *list);
    uint32_t* numbers = calloc(6 * size, sizeof *numbers);
    double* alone = calloc(schemes, sizeof *alone);
    if (!list || !numbers || !alone) abort();
    for (size_t j = 0; j < size; j++) {
        uint32_t *own = numbers + 6 * j, *counts = own + 3;
        size_t terms = j < schemes ? 1 : 1 + ptl_rng_below(&r, schemes < 3 ? schemes : 3);
        for (size_t k = 0; k < terms; k++) {
            size_t l;
            do {
                own[k] = j < schemes ? (uint32_t)j : (uint32_t)ptl_rng_below(&r, schemes);
                for (l = 0; l < k && own[l] != own[k]; l++) continue;
            } while (l < k);
            counts[k] = j < schemes ? 1 : 1 + (uint32_t)ptl_rng_below(&r, 3);
        }
        list[j] = (ptl_evo_measured){own, counts, terms, 0, j % 5 == 4 ? 0.3 : 0};
        list[j].cycles = random_evo_cycles(f->truth, &list[j], ports);
        if (list[j].cycles < list[j].least) list[j].cycles = list[j].least;
        if (j < schemes) alone[j] = list[j].cycles;
    }
    if (ptl_evo_problem_new(&f->p, ports, alone, schemes, list, size, NULL)) abort();
    for (size_t i = 0; i < schemes; i++) ptl_evo_usage_random(&f->p, i, &r, &f->usages[i]);
    free(list);
    free(numbers);
    free(alone);
}

static inline void random_evo_free(random_evo* f) {
    ptl_evo_problem_free(&f->p);
}

#endif
