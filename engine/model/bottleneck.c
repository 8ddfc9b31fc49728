#include "model/bottleneck.h"

#include <stdlib.h>

#include "model/port_bits.h"

int ptl_bottleneck_compare(const ptl_bottleneck* a, const ptl_bottleneck* b) {
    uint64_t x = a->mass * (b->width ? b->width : 1), y = b->mass * (a->width ? a->width : 1);
    return (x > y) - (x < y);
}

static void walk(const ptl_demand* d, size_t next, uint64_t mass, ptl_ports q, ptl_bottleneck* best) {
    for (size_t i = next; i < d->size; i++) {
        uint64_t more = mass + d->uops[i].mass;
        ptl_ports ports = q | d->uops[i].ports;
        ptl_bottleneck_consider(best, more, ports);
        walk(d, i + 1, more, ports, best);
    }
}

void ptl_bottleneck_by_unions(const ptl_demand* d, ptl_bottleneck* out) {
    *out = (ptl_bottleneck){0};
    walk(d, 0, 0, 0, out);
}

ptl_status ptl_bottleneck_by_zeta(const ptl_demand* d, ptl_bottleneck* out, ptl_error* error) {
    *out = (ptl_bottleneck){0};
    unsigned p = ptl_ports_count(d->ports);
    size_t sets = (size_t)1 << p;
    uint64_t* inside = calloc(sets, sizeof *inside);
    if (!inside) return ptl_fail(error, PTL_NO_MEMORY, NULL, NULL, "no memory for 2^%u port sets", p);
    for (size_t i = 0; i < d->size; i++)
        inside[ptl_ports_gather(d->uops[i].ports, d->ports)] += d->uops[i].mass;
    /* inside[q] := the sum over all subsets of q, one port after the other */
    for (unsigned k = 0; k < p; k++)
        for (size_t q = 0; q < sets; q++)
            if (q >> k & 1) inside[q] += inside[q ^ ((size_t)1 << k)];
    for (size_t q = 1; q < sets; q++) ptl_bottleneck_consider(out, inside[q], (ptl_ports)q);
    free(inside);
    out->ports = ptl_ports_scatter(out->ports, d->ports);
    return PTL_OK;
}

double ptl_bottleneck_cycles(const ptl_bottleneck* b) {
    return b->width ? (double)b->mass / b->width : 0;
}

double ptl_limited_cycles(const ptl_bottleneck* b, uint64_t slots, double rmax) {
    double ports = ptl_bottleneck_cycles(b), issue = rmax > 0 ? (double)slots / rmax : 0;
    return ports > issue ? ports : issue;
}

double ptl_demand_cycles(const ptl_demand* d, const ptl_bottleneck* b, double rmax) {
    double cycles = ptl_limited_cycles(b, d->slots, rmax);
    return cycles > d->busy ? cycles : d->busy;
}
