/* Times by the definition, for tests that try all mappings. */
#ifndef PTL_TESTS_BRUTE_FORCE_H
#define PTL_TESTS_BRUTE_FORCE_H

#include <math.h>

#include "smt/observe.h"
#include "smt/uops.h"

static inline double length(const ptl_terms* e) {
    double n = 0;
    for (size_t k = 0; k < e->count; k++) n += e->copies[k];
    return n;
}

/* The most loaded set of ports. mapping: of each uop (row) a set of ports. */
static inline double most_loaded(const ptl_uops* rows, size_t ports, const uint32_t* mapping,
                                 const ptl_terms* e) {
    double worst = 0;
    for (uint32_t q = 1; q < 1u << ports; q++) {
        double mass = 0;
        for (size_t k = 0; k < e->count; k++)
            for (size_t r = rows->first[e->scheme[k]]; r < rows->first[e->scheme[k] + 1]; r++)
                if (!(mapping[r] & ~q)) mass += e->copies[k];
        worst = fmax(worst, mass / __builtin_popcount(q));
    }
    return worst;
}

#endif
