#include "bench/glimpse.h"

#include <math.h>
#include <stdlib.h>

/* Visits agree on a rate within this share. */
static const double ALIKE = 0.01;

typedef struct sighting {
    uint32_t visit;
    double rate;
} sighting;

static double rate_of(const ptl_reading* r, const ptl_conditions* c) {
    return fmax(0, r->cycles - c->edge) / r->iterations;
}

static int by_visit_and_rate(const void* a, const void* b) {
    const ptl_reading *x = a, *y = b;
    double r = x->cycles / x->iterations, t = y->cycles / y->iterations;
    return x->visit != y->visit ? (x->visit > y->visit) - (x->visit < y->visit) : (r > t) - (r < t);
}

static int by_rate(const void* a, const void* b) {
    double x = ((const sighting*)a)->rate, y = ((const sighting*)b)->rate;
    return (x > y) - (x < y);
}

/* Visits whose two fastest readings agree and are faster than `below`. */
static size_t find_sightings(const ptl_readings* longs, double below, const ptl_conditions* c,
                             sighting seen[PTL_GLIMPSE_MAX]) {
    size_t n = 0;
    for (size_t i = 0; i + 1 < longs->n && n < PTL_GLIMPSE_MAX; i++) {
        const ptl_reading* r = &longs->list[i];
        bool first = i == 0 || r[-1].visit != r->visit;
        if (!first || r[1].visit != r->visit) continue;
        double rate = rate_of(r, c), next = rate_of(r + 1, c);
        bool agree = (next - rate) * r->iterations < ptl_agreement(r->cycles, c->resolution);
        if (agree && next < below) seen[n++] = (sighting){.visit = r->visit, .rate = rate};
    }
    return n;
}

void ptl_glimpse_find(ptl_readings* longs, double below, const ptl_conditions* c, ptl_glimpse* out) {
    sighting seen[PTL_GLIMPSE_MAX];
    qsort(longs->list, longs->n, sizeof *longs->list, by_visit_and_rate);
    size_t n = find_sightings(longs, below, c, seen), best = 0;
    qsort(seen, n, sizeof *seen, by_rate);
    out->n = 0;
    for (size_t first = 0, end = 0; first < n; first++) {
        while (end < n && seen[end].rate <= seen[first].rate * (1 + ALIKE)) end++;
        if (end - first > out->n) out->n = end - first, best = first;
    }
    for (size_t i = 0; i < out->n; i++) out->visit[i] = seen[best + i].visit;
}

static bool saw(const ptl_glimpse* g, uint32_t visit) {
    for (size_t i = 0; i < g->n; i++)
        if (g->visit[i] == visit) return true;
    return false;
}

/* The readings of these visits; every visit has as many passes of each length. */
static ptl_readings readings_of(const ptl_glimpse* g, const ptl_readings* all, ptl_reading* room) {
    ptl_readings some = {.list = room, .seen = g->n * PTL_VISIT_PASSES, .nominal = all->nominal};
    for (size_t i = 0; i < all->n; i++)
        if (saw(g, all->list[i].visit)) room[some.n++] = all->list[i];
    return some;
}

ptl_evidence ptl_glimpse_estimate(const ptl_glimpse* g, const ptl_readings* shorts, const ptl_readings* longs,
                                  const ptl_conditions* c, ptl_estimate* out) {
    ptl_reading room[2][PTL_GLIMPSE_MAX * PTL_VISIT_PASSES];
    ptl_readings s = readings_of(g, shorts, room[0]), l = readings_of(g, longs, room[1]);
    return ptl_estimate_rate(&s, &l, c, out);
}
