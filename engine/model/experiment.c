#include "model/experiment.h"

#include <stdlib.h>

static int by_scheme(const void* a, const void* b) {
    uint32_t x = ((const ptl_term*)a)->scheme, y = ((const ptl_term*)b)->scheme;
    return (x > y) - (x < y);
}

void ptl_experiment_canonical(ptl_experiment* e) {
    if (e->size > 1) qsort(e->terms, e->size, sizeof *e->terms, by_scheme);
    size_t kept = 0;
    for (size_t i = 0; i < e->size; i++) {
        ptl_term t = e->terms[i];
        if (t.count == 0) continue;
        if (kept && e->terms[kept - 1].scheme == t.scheme) {
            uint64_t sum = (uint64_t)e->terms[kept - 1].count + t.count;
            e->terms[kept - 1].count = sum > UINT32_MAX ? UINT32_MAX : (uint32_t)sum;
        } else {
            e->terms[kept++] = t;
        }
    }
    e->size = kept;
}

uint64_t ptl_experiment_length(const ptl_experiment* e) {
    uint64_t length = 0;
    for (size_t i = 0; i < e->size; i++) length += e->terms[i].count;
    return length;
}

uint32_t ptl_experiment_gcd(const ptl_experiment* e) {
    uint32_t g = 0;
    for (size_t i = 0; i < e->size; i++) {
        uint32_t a = e->terms[i].count;
        while (a) {
            uint32_t rest = g % a;
            g = a;
            a = rest;
        }
    }
    return g;
}
