#include "bench/gate.h"

#include <stdlib.h>
#include <string.h>

/* Chains agree within this share. */
static const double CLOCK = 0.002;

static int ascending(const void* a, const void* b) {
    uint32_t x = *(const uint32_t*)a, y = *(const uint32_t*)b;
    return (x > y) - (x < y);
}

double ptl_clock(const uint32_t* chain, size_t n, double granularity) {
    enum { MOST = 64 };
    uint32_t sorted[MOST];
    if (n > MOST) n = MOST;
    if (n < PTL_CLOCK_CHAINS) return 0;
    memcpy(sorted, chain, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, ascending);
    double most = sorted[0] * (1 + CLOCK) + 2 * granularity, sum = 0;
    size_t agreeing = 0;
    while (agreeing < n && sorted[agreeing] <= most) sum += sorted[agreeing++];
    return sorted[0] > 0 && agreeing >= PTL_CLOCK_CHAINS ? sum / (double)agreeing : 0;
}

double ptl_cycle(const ptl_visit* v, const ptl_reference* r) {
    return ptl_clock(v->chain, PTL_VISIT_CHAINS, r->granularity) / r->chain_cycles;
}
