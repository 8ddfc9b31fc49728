/* Which observations of a scheme contradict each other? */
#include <stdlib.h>
#include <string.h>

#include "candidates/alone.h"

/* One bit per candidate and observation: it keeps the certain bounds. */
typedef struct table {
    size_t words, rows; /* per observation; observations */
    uint64_t* bits;
} table;

static bool disjoint(const table* t, const size_t* which, size_t n) {
    for (size_t w = 0; w < t->words; w++) {
        uint64_t all = UINT64_MAX;
        for (size_t k = 0; k < n; k++) all &= t->bits[which[k] * t->words + w];
        if (all) return false;
    }
    return true;
}

/* Extends the first `chosen` of `which` to `size` observations that contradict. */
static bool choose(const table* t, size_t* which, size_t chosen, size_t size) {
    if (chosen == size) return disjoint(t, which, size);
    for (size_t k = chosen ? which[chosen - 1] + 1 : 0; k < t->rows; k++) {
        which[chosen] = k;
        if (choose(t, which, chosen + 1, size)) return true;
    }
    return false;
}

/* All observations without those that the contradiction can do without. */
static size_t reduce(const table* t, size_t* which) {
    size_t n = t->rows;
    for (size_t k = 0; k < n; k++) which[k] = k;
    for (size_t k = n; k-- > 0;) {
        size_t dropped = which[k];
        memmove(which + k, which + k + 1, (n - k - 1) * sizeof *which);
        if (disjoint(t, which, n - 1)) {
            n--;
        } else {
            memmove(which + k + 1, which + k, (n - k - 1) * sizeof *which);
            which[k] = dropped;
        }
    }
    return n;
}

static void fill(table* t, const ptl_alone* a, const ptl_ground* g, const ptl_alone* all) {
    for (size_t k = 0; k < t->rows; k++) {
        for (size_t i = 0; i < all->candidates; i++) {
            unsigned cost;
            double cycles = ptl_alone_cycles(g, &a->seen[k].mix, all->ports[i]);
            if (ptl_bounds_admit(&a->seen[k].bounds, cycles, &cost))
                t->bits[k * t->words + i / 64] |= (uint64_t)1 << i % 64;
        }
    }
}

ptl_status ptl_alone_conflict(const ptl_alone* a, const ptl_ground* g, size_t* which, size_t* n,
                              ptl_error* error) {
    *n = 0;
    ptl_alone all = {.counts = a->counts};
    ptl_status s = ptl_alone_init(&all, g, error);
    if (!s) s = ptl_alone_refine(&all, g, error);
    table t = {.words = all.candidates / 64 + 1, .rows = a->observed};
    if (!s) t.bits = calloc(t.words * t.rows + 1, sizeof *t.bits);
    if (!s && !t.bits) s = ptl_no_memory_in(error, "placing a scheme");
    if (!s) {
        fill(&t, a, g, &all);
        size_t everything = 0;
        for (; everything < t.rows; everything++) which[everything] = everything;
        if (disjoint(&t, which, everything)) {
            for (size_t size = 1; size <= 3 && size <= t.rows && !*n; size++)
                if (choose(&t, which, 0, size)) *n = size;
            if (!*n) *n = reduce(&t, which);
        }
    }
    free(t.bits);
    ptl_alone_free(&all);
    return s;
}
