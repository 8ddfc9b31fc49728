#include "model/throughput.h"

#include <stdlib.h>
#include <string.h>

#include "model/flow.h"
#include "model/kernel.h"
#include "model/port_bits.h"

/* Up to so many distinct uops, unions are the fastest way, as tests/bench/model measures them. */
#define UNIONS_MAX 5 /* distinct uops */

#define MASS_MAX (UINT64_C(1) << 24)
#define UOPS_MAX 256      /* listed on the stack */
#define PORTS_ON_STACK 12 /* 16 KiB */
#define LANE_PORTS 4      /* a vector holds 2^4 sets */

/* uops: port sets squeezed to the first p bits. */
static ptl_status widest_ratio(const ptl_mass* uops, size_t size, unsigned p, ptl_bottleneck* out,
                               ptl_error* error) {
    const ptl_kernel_table* kernel = ptl_kernel_of(PTL_KERNEL_AUTO);
    *out = (ptl_bottleneck){0};
    if (p < LANE_PORTS) p = LANE_PORTS;
    size_t bytes = sizeof(float) << p;
    if (p <= PORTS_ON_STACK) {
        _Alignas(64) float sums[1 << PORTS_ON_STACK];
        memset(sums, 0, bytes);
        kernel->widest_ratio(uops, size, p, sums, out);
        return PTL_OK;
    }
    float* sums = aligned_alloc(64, bytes);
    if (!sums) return ptl_fail(error, PTL_NO_MEMORY, NULL, NULL, "no memory for 2^%u port sets", p);
    memset(sums, 0, bytes);
    kernel->widest_ratio(uops, size, p, sums, out);
    free(sums);
    return PTL_OK;
}

ptl_status ptl_bottleneck_by_vectors(const ptl_demand* d, ptl_bottleneck* out, ptl_error* error) {
    unsigned p = ptl_ports_count(d->ports);
    if (p > PTL_PORT_SETS_PORTS_MAX || d->mass >= MASS_MAX || d->size > UOPS_MAX)
        return ptl_bottleneck_by_zeta(d, out, error);
    ptl_mass uops[UOPS_MAX];
    for (size_t i = 0; i < d->size; i++)
        uops[i] = (ptl_mass){ptl_ports_gather(d->uops[i].ports, d->ports), d->uops[i].mass};
    ptl_status s = widest_ratio(uops, d->size, p, out, error);
    out->ports = ptl_ports_scatter(out->ports, d->ports);
    return s;
}

ptl_status ptl_bottleneck_of(const ptl_demand* d, ptl_bottleneck* out, ptl_error* error) {
    unsigned p = ptl_ports_count(d->ports);
    if (d->size <= UNIONS_MAX) {
        ptl_bottleneck_by_unions(d, out);
        return PTL_OK;
    }
    if (p <= PTL_VECTORS_PORTS_MAX) return ptl_bottleneck_by_vectors(d, out, error);
    return ptl_bottleneck_by_flow(d, out, error);
}

/* Lists the uops of e. False: there are too many, or a scheme is not explained, or masses are large. */
static bool list_uops(const ptl_mapping* m, const ptl_experiment* e, ptl_mass* uops, size_t* size,
                      ptl_ports* ports, uint64_t* slots) {
    uint64_t mass = 0;
    *size = 0;
    *ports = 0;
    *slots = 0;
    for (size_t i = 0; i < e->size; i++) {
        const ptl_usage* u = &m->schemes[e->terms[i].scheme];
        uint64_t count = e->terms[i].count;
        if (!u->known || u->uop_count > UOPS_MAX - *size || count >= MASS_MAX) return false;
        for (uint32_t k = 0; k < u->uop_count; k++) {
            uops[(*size)++] = (ptl_mass){u->uops[k].ports, count * u->uops[k].count};
            *ports |= u->uops[k].ports;
            mass += count * u->uops[k].count; /* below 2^24 * 10^4 each */
        }
        *slots += count * u->slots;
    }
    return mass < MASS_MAX;
}

ptl_status ptl_query(const ptl_mapping* m, const ptl_experiment* e, ptl_bottleneck* out, uint64_t* slots,
                     ptl_error* error) {
    ptl_mass uops[UOPS_MAX];
    size_t size;
    ptl_ports ports;
    if (list_uops(m, e, uops, &size, &ports, slots)) {
        unsigned p = ptl_ports_count(ports);
        *out = (ptl_bottleneck){0};
        if (!size) return PTL_OK;
        if (p <= PTL_VECTORS_PORTS_MAX) {
            for (size_t i = 0; i < size; i++) uops[i].ports = ptl_ports_gather(uops[i].ports, ports);
            ptl_status s = widest_ratio(uops, size, p, out, error);
            out->ports = ptl_ports_scatter(out->ports, ports);
            return s;
        }
    }
    ptl_demand d = PTL_DEMAND_EMPTY;
    ptl_status s = ptl_demand_fill(&d, m, e, error);
    if (!s) s = ptl_bottleneck_of(&d, out, error);
    *slots = d.slots;
    ptl_demand_free(&d);
    return s;
}

/* Takes the uops inside b away, and the ports of b from the others. What is left has a smaller t: a set Q of
 * the rest with mass(Q) >= t |Q| would make a larger tight set together with b. */
static void peel(ptl_demand* d, ptl_ports b) {
    size_t kept = 0;
    d->ports &= ~b;
    for (size_t i = 0; i < d->size; i++) {
        ptl_mass u = {d->uops[i].ports & ~b, d->uops[i].mass};
        if (!u.ports) continue;
        size_t same = 0;
        while (same < kept && d->uops[same].ports != u.ports) same++;
        if (same < kept)
            d->uops[same].mass += u.mass;
        else
            d->uops[kept++] = u;
    }
    d->size = kept;
}

ptl_status ptl_loads(const ptl_demand* d, double* loads, ptl_error* error) {
    for (unsigned k = 0; k < PTL_PORTS_MAX; k++) loads[k] = 0;
    ptl_demand rest = PTL_DEMAND_EMPTY;
    ptl_status s = ptl_demand_masses(&rest, d->uops, d->size, error);
    while (!s && rest.size) {
        ptl_bottleneck b;
        s = ptl_bottleneck_of(&rest, &b, error);
        if (s) break;
        for (unsigned k = 0; k < PTL_PORTS_MAX; k++)
            if (b.ports >> k & 1) loads[k] = ptl_bottleneck_cycles(&b);
        peel(&rest, b.ports);
    }
    ptl_demand_free(&rest);
    return s;
}
