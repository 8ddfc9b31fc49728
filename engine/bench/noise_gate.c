#include "bench/noise_gate.h"

#include <stdlib.h>
#include <string.h>

#include "base/order.h"

/* Relative differences that quiet visits stay well below. */
static const double CLOCK = 0.002, SENTINEL = 0.04;

double ptl_clock(const uint32_t* chain, size_t n, double granularity) {
    enum { MOST = 64 };
    uint32_t sorted[MOST];
    if (n > MOST) n = MOST;
    if (n < PTL_CLOCK_CHAINS) return 0;
    memcpy(sorted, chain, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, ptl_ascending_words);
    double most = sorted[0] * (1 + CLOCK) + 2 * granularity, sum = 0;
    size_t agreeing = 0;
    while (agreeing < n && sorted[agreeing] <= most) sum += sorted[agreeing++];
    return sorted[0] > 0 && agreeing >= PTL_CLOCK_CHAINS ? sum / (double)agreeing : 0;
}

ptl_verdict ptl_gate(const ptl_visit* v, const ptl_reference* r, double* ticks_per_cycle) {
    double chain = ptl_clock(v->chain, PTL_VISIT_CHAINS, r->granularity);
    if (!(chain > 0)) return PTL_CLOCK_MOVED;
    double cycle = chain / r->chain_cycles;
    for (int i = 0; r->sentinel_cycles > 0 && i < 2; i++)
        if (v->sentinel[i] > r->sentinel_cycles * (1 + SENTINEL) * cycle + r->granularity)
            return PTL_DISTURBED;
    *ticks_per_cycle = cycle;
    return PTL_QUIET;
}
