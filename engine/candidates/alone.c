#include "candidates/alone.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/room.h"

static unsigned count(uint32_t ports) {
    return (unsigned)__builtin_popcount(ports);
}

/* The lowest n ports of a set. */
static uint32_t lowest(uint32_t ports, unsigned n) {
    uint32_t result = 0;
    for (; n > 0; n--, ports &= ports - 1) result |= ports & -ports;
    return result;
}

typedef struct list {
    size_t count, capacity;
    uint32_t* ports;
    unsigned* cost;
} list;

static bool append(list* l, uint32_t ports, unsigned cost) {
    if (l->count == l->capacity) {
        size_t capacity = l->capacity ? 2 * l->capacity : 16;
        if (!ptl_resize(&l->ports, capacity, sizeof *l->ports) ||
            !ptl_resize(&l->cost, capacity, sizeof *l->cost))
            return false;
        l->capacity = capacity;
    }
    l->ports[l->count] = ports;
    l->cost[l->count++] = cost;
    return true;
}

static void take(ptl_alone* a, list* l) {
    free(a->ports);
    free(a->cost);
    a->ports = l->ports;
    a->cost = l->cost;
    a->candidates = l->count;
    a->capacity = l->capacity;
}

ptl_status ptl_alone_init(ptl_alone* a, const ptl_ground* g, ptl_error* error) {
    list l = {0};
    uint32_t all = ((uint32_t)1 << g->ports) - 1;
    bool ok = true;
    for (unsigned c = 1; ok && c <= g->ports; c++)
        if (a->counts >> c & 1) ok = append(&l, lowest(all, c), 0);
    take(a, &l);
    a->classes = 1;
    a->class_ports[0] = all;
    return ok ? PTL_OK : ptl_no_memory_in(error, "placing a scheme");
}

void ptl_alone_free(ptl_alone* a) {
    free(a->ports);
    free(a->cost);
    free(a->seen);
    *a = (ptl_alone){0};
}

/* Ports per coarse class, dealt out among the fine classes in all ways. */
typedef struct deal {
    const ptl_ground* g;
    size_t coarse[PTL_GROUND_PORTS_MAX];  /* of each fine class */
    unsigned later[PTL_GROUND_PORTS_MAX]; /* ports in the fine classes after this one that are of the same
                                         coarse one */
    unsigned left[PTL_GROUND_PORTS_MAX];  /* of each coarse class, still to be dealt out */
    unsigned cost;
    list result;
} deal;

static bool deal_out(deal* d, size_t fine, uint32_t ports) {
    if (fine == d->g->classes) return append(&d->result, ports, d->cost);
    uint32_t here = d->g->class_ports[fine];
    unsigned* left = &d->left[d->coarse[fine]];
    unsigned least = *left > d->later[fine] ? *left - d->later[fine] : 0, all = *left;
    bool ok = true;
    for (unsigned n = least; ok && n <= all && n <= count(here); n++) {
        *left = all - n;
        ok = deal_out(d, fine + 1, ports | lowest(here, n));
    }
    *left = all;
    return ok;
}

ptl_status ptl_alone_refine(ptl_alone* a, const ptl_ground* g, ptl_error* error) {
    deal d = {.g = g};
    for (size_t fine = g->classes; fine-- > 0;) {
        while (!(a->class_ports[d.coarse[fine]] & g->class_ports[fine])) d.coarse[fine]++;
        for (size_t k = fine + 1; k < g->classes; k++)
            if (d.coarse[k] == d.coarse[fine]) d.later[fine] += count(g->class_ports[k]);
    }
    bool ok = true;
    for (size_t i = 0; ok && i < a->candidates; i++) {
        for (size_t j = 0; j < a->classes; j++) d.left[j] = count(a->ports[i] & a->class_ports[j]);
        d.cost = a->cost[i];
        ok = deal_out(&d, 0, 0);
    }
    if (!ok) {
        free(d.result.ports);
        free(d.result.cost);
        return ptl_no_memory_in(error, "placing a scheme");
    }
    take(a, &d.result);
    a->classes = g->classes;
    memcpy(a->class_ports, g->class_ports, sizeof a->class_ports);
    return PTL_OK;
}

double ptl_alone_cycles(const ptl_ground* g, const ptl_mix* mix, uint32_t ports) {
    double worst = 0;
    for (uint32_t set = 0; set < (uint32_t)1 << mix->count; set++) {
        uint32_t joined = 0, mass = 0;
        for (uint32_t rest = set; rest; rest &= rest - 1) {
            unsigned k = (unsigned)__builtin_ctz(rest);
            joined |= g->masks[mix->scheme[k]];
            mass += mix->copies[k];
        }
        double without = joined ? (double)mass / count(joined) : 0;
        double with = mix->own ? (double)(mass + mix->own) / count(joined | ports) : 0;
        if (without > worst) worst = without;
        if (with > worst) worst = with;
    }
    return worst;
}

ptl_status ptl_alone_observe(ptl_alone* a, const ptl_ground* g, const ptl_mix* mix, const ptl_bounds* b,
                             ptl_error* error) {
    for (size_t k = 0; k < mix->count; k++)
        if (mix->count >= PTL_TERMS_MAX || mix->scheme[k] >= g->count)
            return ptl_fail(error, PTL_BAD_INPUT, "placing a scheme", NULL,
                            "an experiment with an unknown scheme, or with more than %d", PTL_TERMS_MAX);
    if (!ptl_room(&a->seen, &a->observed_capacity, a->observed + 1, sizeof *a->seen))
        return ptl_no_memory_in(error, "placing a scheme");
    a->seen[a->observed++] = (ptl_seen){*mix, *b};
    size_t kept = 0;
    for (size_t i = 0; i < a->candidates; i++) {
        unsigned cost;
        if (!ptl_bounds_admit(b, ptl_alone_cycles(g, mix, a->ports[i]), &cost)) continue;
        a->ports[kept] = a->ports[i];
        a->cost[kept++] = a->cost[i] + cost;
    }
    a->candidates = kept;
    return PTL_OK;
}

unsigned ptl_alone_least(const ptl_alone* a) {
    unsigned least = UINT_MAX;
    for (size_t i = 0; i < a->candidates; i++)
        if (a->cost[i] < least) least = a->cost[i];
    return least;
}

size_t ptl_alone_remaining(const ptl_alone* a, uint32_t* ports, unsigned* cost, size_t most) {
    unsigned least = ptl_alone_least(a);
    size_t n = 0;
    for (size_t i = 0; i < a->candidates; i++) {
        if (a->cost[i] - least > a->slack) continue;
        if (n < most) ports[n] = a->ports[i];
        if (n < most && cost) cost[n] = a->cost[i];
        n++;
    }
    return n;
}
