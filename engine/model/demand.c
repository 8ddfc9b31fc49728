#include "model/demand.h"

#include <stdlib.h>

/* Ratios of two masses to port counts of at most 32 are compared by cross-multiplication in 64 bits. */
#define MASS_MAX (UINT64_C(1) << 58)

static ptl_status reserve(ptl_demand* d, size_t wanted, ptl_error* error) {
    if (wanted <= d->capacity) return PTL_OK;
    size_t capacity = wanted < 16 ? 16 : wanted + wanted / 2;
    ptl_mass* uops = capacity > SIZE_MAX / sizeof *uops ? NULL : realloc(d->uops, capacity * sizeof *uops);
    if (!uops) return ptl_no_memory(error, "for an experiment");
    d->uops = uops;
    d->capacity = capacity;
    return PTL_OK;
}

static int by_ports(const void* a, const void* b) {
    ptl_ports x = ((const ptl_mass*)a)->ports, y = ((const ptl_mass*)b)->ports;
    return (x > y) - (x < y);
}

#define FEW 32

/* By insertion: nearly always there are few, and this is the hot path of single queries. */
static void sort_few(ptl_mass* uops, size_t size) {
    for (size_t i = 1; i < size; i++) {
        ptl_mass u = uops[i];
        size_t at = i;
        for (; at && uops[at - 1].ports > u.ports; at--) uops[at] = uops[at - 1];
        uops[at] = u;
    }
}

/* Sorts, merges equal port sets, sums up. */
static void finish(ptl_demand* d) {
    if (d->size > FEW)
        qsort(d->uops, d->size, sizeof *d->uops, by_ports);
    else
        sort_few(d->uops, d->size);
    size_t kept = 0;
    for (size_t i = 0; i < d->size; i++) {
        ptl_mass u = d->uops[i];
        if (u.mass == 0) continue;
        d->ports |= u.ports;
        d->mass += u.mass;
        if (kept && d->uops[kept - 1].ports == u.ports)
            d->uops[kept - 1].mass += u.mass;
        else
            d->uops[kept++] = u;
    }
    d->size = kept;
}

static void reset(ptl_demand* d) {
    d->size = 0;
    d->ports = 0;
    d->mass = d->slots = 0;
    d->busy = 0;
}

static ptl_status too_large(ptl_error* error) {
    return ptl_fail(error, PTL_BAD_INPUT, NULL, "use smaller counts", "the experiment is absurdly large");
}

ptl_status ptl_demand_fill(ptl_demand* d, const ptl_mapping* m, const ptl_experiment* e, ptl_error* error) {
    reset(d);
    uint64_t mass = 0;
    for (size_t i = 0; i < e->size; i++) {
        const ptl_term* t = &e->terms[i];
        const ptl_usage* u = &m->schemes[t->scheme];
        if (!u->known)
            return ptl_fail(error, PTL_BAD_INPUT, u->name, "leave this scheme out",
                            "the mapping does not explain this scheme");
        ptl_status s = reserve(d, d->size + u->uop_count, error);
        if (s) return s;
        for (uint32_t k = 0; k < u->uop_count; k++) {
            uint64_t more = (uint64_t)t->count * u->uops[k].count; /* below 2^46 */
            d->uops[d->size++] = (ptl_mass){u->uops[k].ports, more};
            if ((mass += more) > MASS_MAX) return too_large(error);
        }
        if ((d->slots += (uint64_t)t->count * u->slots) > MASS_MAX) return too_large(error);
    }
    finish(d);
    d->busy = ptl_busy_cycles(m, e, NULL);
    return PTL_OK;
}

double ptl_busy_cycles(const ptl_mapping* m, const ptl_experiment* e, uint32_t* unit) {
    double longest = 0;
    if (unit) *unit = 0;
    for (size_t i = 0; m->unit_count && i < e->size; i++) {
        uint32_t own = m->schemes[e->terms[i].scheme].unit;
        double cycles = 0;
        for (size_t k = i; own && k < e->size; k++) { /* the first of a unit's schemes counts all of them */
            const ptl_usage* u = &m->schemes[e->terms[k].scheme];
            if (u->unit == own) cycles += e->terms[k].count * u->busy;
        }
        if (cycles <= longest) continue;
        longest = cycles;
        if (unit) *unit = own;
    }
    return longest;
}

ptl_status ptl_demand_masses(ptl_demand* d, const ptl_mass* masses, size_t count, ptl_error* error) {
    reset(d);
    ptl_status s = reserve(d, count, error);
    if (s) return s;
    uint64_t mass = 0;
    for (size_t i = 0; i < count; i++) {
        if (!masses[i].ports) return ptl_fail(error, PTL_BAD_INPUT, NULL, NULL, "uop %zu has no port", i + 1);
        if (masses[i].mass > MASS_MAX || (mass += masses[i].mass) > MASS_MAX) return too_large(error);
        d->uops[d->size++] = masses[i];
    }
    finish(d);
    d->slots = d->mass;
    return PTL_OK;
}

void ptl_demand_free(ptl_demand* d) {
    free(d->uops);
    *d = PTL_DEMAND_EMPTY;
}
